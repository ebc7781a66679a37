import type { Client, Query } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { EXIT, usageError } from '../failure.ts'
import type { FlagTable } from '../flags.ts'
import type { JsonText } from '../route.ts'
import { clean } from '../terminal/output.ts'
import { screenOf } from './screen.ts'
import { pagesOf } from './pages.ts'
import type { Read, Route } from './read.ts'
import { number, textFlag, type ReadFlag } from './read-flags.ts'

const LIMIT = number('limit', 'N', 'maximum number of rows')
const CURSOR = textFlag('cursor', 'C', 'continue after this page')
const ALL: ReadFlag = {
  kind: 'switch',
  value: null,
  about: 'every page',
  params: [],
  query: () => ({}),
}
const LIST_FLAGS: Readonly<Record<string, Readonly<Record<string, ReadFlag>>>> = {
  limited: { limit: LIMIT },
  paged: { limit: LIMIT, cursor: CURSOR, all: ALL },
}

/** Every flag of a read, its list flags last. */
export const flagsOf = ({ flags = {}, list }: Read): Readonly<Record<string, ReadFlag>> => ({
  ...flags,
  ...(list === undefined ? {} : LIST_FLAGS[list]),
})

/** Turns a read into a command of the command line. */
export function readCommand(read: Read): Command {
  const flags = Object.entries(flagsOf(read))
  const { name, summary, synopsis: words = '' } = read
  return {
    name,
    summary,
    argumentCount: countOf(words),
    synopsis: [words, ...flags.map(usageOfFlag)].filter((part) => part !== '').join(' '),
    notes: [...flags.map(lineOfFlag), ...(flags.length > 0 ? [''] : [])],
    flags: Object.fromEntries(flags.map(([flag, { kind }]) => [flag, kind])) satisfies FlagTable,
    choices: Object.fromEntries(
      flags.flatMap(([flag, { choices }]) => (choices === undefined ? [] : [[flag, choices]])),
    ),
    async run(call) {
      const route = read.routeOf(call)
      const isJson = call.flags.has('json')
      const query = queryOf(read, route, call)
      const body = await bodyOf(call.client, route, query, call)
      const view = { screen: screenOf(call.system), flags: call.flags }
      call.system.print(isJson ? `${body.trimEnd()}\n` : `${route.answer.show(body, view)}\n`)
      return EXIT.done
    },
  }
}

/** Query parameters of the route: from the words, the flags, and the output form. */
export function queryOf(read: Read, { query = {}, answer }: Route, { flags }: Call): Query {
  const flagQueries = Object.entries(flagsOf(read)).map(([name, flag]) => flag.query(flags, name))
  const form = flags.has('json') ? answer.forms?.json : answer.forms?.terminal
  return Object.assign({}, ...flagQueries, query, { asOf: flags.text('as-of') }, form) as Query
}

async function bodyOf(
  client: Client,
  { path, answer }: Route,
  query: Query,
  { flags, system }: Call,
): Promise<JsonText<unknown>> {
  if (answer.rows === undefined) return client.get(path, query)
  if (flags.has('all') && flags.has('cursor'))
    throw usageError('--all and --cursor cannot be combined')
  const { body, nextCursor } = await pagesOf(client, path, query, answer.rows, flags.has('all'))
  if (nextCursor !== null && !flags.has('json') && !flags.has('quiet')) {
    system.report(`More with: --cursor ${clean(nextCursor)}\n`)
  }
  return body
}

/** Minimum and maximum number of words of a usage such as `TICKER`, `[ID]` or `TEXT…`. */
function countOf(synopsis: string): readonly [number, number] {
  const parts = synopsis.split(' ').filter((part) => part !== '')
  const min = parts.filter((part) => !part.startsWith('[')).length
  return [min, parts.some((part) => part.includes('…')) ? Infinity : parts.length]
}

const usageOfFlag = ([name, { value }]: [string, ReadFlag]): string =>
  value === null ? `[--${name}]` : `[--${name} ${value}]`

const NAME_WIDTH = 14

const lineOfFlag = ([name, { value, about, choices }]: [string, ReadFlag]): string => {
  const flag = value === null || choices !== undefined ? `--${name}` : `--${name} ${value}`
  const description = choices === undefined ? about : `${about}: ${choices.join(' | ')}`
  return `  ${flag.padEnd(NAME_WIDTH)}  ${description}`
}
