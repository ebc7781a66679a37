import { tickerWord } from '../examples/ticker-word.ts'
import { beginsVerb, COMMANDS, commandOf, TOPICS, type CommandSpec } from '../commands/commands.ts'
import { expectedAfter, parseLine } from '../commands/parse.ts'
import { tokenise } from '../commands/tokens.ts'
import { WORKSPACES } from '../dock/workspaces.ts'
import { venueName } from '../../../backend/domain/venue.ts'
import type { MarketRow } from '../../../backend/contract/market.ts'
import type { MarketHit } from './market-hit.ts'
import type { Lookup } from './market-lookup.ts'
import { venueInText } from './venue-in-text.ts'

/** A user command: an alias of a line, or the name of a saved layout. */
export interface UserName {
  readonly word: string
  /** Null for a layout. */
  readonly line: string | null
}

export interface Suggestion {
  readonly kind: 'command' | 'word' | 'market' | 'workspace' | 'setting' | 'pane' | 'layout'
  /** The completed line. */
  readonly line: string
  readonly label: string
  readonly detail: string
  /** Enter runs it; otherwise it completes the line and waits for more input. */
  readonly runs: boolean
  /** Of a market: its figures, when known. */
  readonly market?: MarketRow | undefined
}

const MAX_ROWS = 12
const MAX_WORDS = 8

interface Reading {
  /** Everything before the word being typed, including the blank. */
  readonly head: string
  readonly word: string
  readonly before: readonly string[]
}

/** The line ends in an SQL statement, which the grammar does not parse. */
const isStatement = (line: string): boolean => /(?:^|;)\s*sql\s/i.test(line)

/** The last command of the line, split at the word being typed; null inside an open quote. */
function read(line: string): Reading | null {
  const start = line.lastIndexOf(';') + 1
  const tokens = tokenise(line.slice(start))
  if ('message' in tokens) return null
  const words = tokens.map(({ text }) => text)
  const open = /\S$/.test(line.slice(start))
  const word = open ? (words.at(-1) ?? '') : ''
  return {
    head: line.slice(0, line.length - word.length),
    word,
    before: open ? words.slice(0, -1) : words,
  }
}

/**
 * Completions of a line, best first: what the grammar expects, then markets, panes, workspaces and
 * settings, twelve at most.
 * @param hits markets that match the word being typed, already ranked
 * @param openPanes titles and lines of the open panes
 * @param userNames the user's aliases and layouts
 * @param strategies names of the available strategies
 * @param lookup what the service finds for a line that is no command; the first row is then what
 * Enter opens
 */
export function suggestions(
  line: string,
  hits: readonly MarketHit[],
  openPanes: readonly { readonly title: string; readonly line: string }[] = [],
  userNames: readonly UserName[] = [],
  strategies: readonly string[] = [],
  lookup: Lookup | null = null,
): readonly Suggestion[] {
  const reading = read(line)
  if (reading === null || isStatement(line)) return []
  if (lookup?.isMatch === true) return foundRows(lookup)
  if (lookup !== null && lookup.topic !== null && hits.length === 0) {
    return [topicRow(lookup.topic, ''), searchRow(lookup.text)]
  }
  const { head, word, before } = reading
  const spec = before
    .slice(0, 2)
    .reduce<CommandSpec | null>((result, text) => result ?? commandOf(text), null)
  const rows =
    spec === null
      ? beforeVerb(head, word, before, hits, openPanes, userNames)
      : spec.verb === 'WS'
        ? placeRows(head, word, userNames)
        : [
            ...(expectsStrategy(before) ? strategyRows(strategies, head, word) : []),
            ...afterVerb(spec, head, word, before, hits),
          ]
  const seen = new Set<string>()
  return rows
    .filter((row) => row.line !== line.trimEnd() || row.runs)
    .filter((row) => !seen.has(row.line) && seen.add(row.line).size > 0)
    .slice(0, MAX_ROWS)
}

const startsWith = (name: string, word: string) => name.toLowerCase().startsWith(word.toLowerCase())

function verbRow(spec: CommandSpec, head: string): Suggestion {
  const complete = spec.needsMarket || spec.subjects.length === 0 || spec.args.length === 0
  const line = `${head}${spec.verb}`
  return {
    kind: 'command',
    line: complete ? line : `${line} `,
    label: spec.verb,
    detail: spec.help,
    runs: spec.args.length === 0 || spec.needsMarket || spec.verb === 'HELP',
  }
}

const marketRow = ({ ticker, title, row }: MarketHit, head: string, tail: string): Suggestion => ({
  kind: 'market',
  line: `${head}${tickerWord(ticker)}${tail}`,
  label: title,
  detail: ticker,
  runs: true,
  market: row,
})

function beforeVerb(
  head: string,
  word: string,
  before: readonly string[],
  hits: readonly MarketHit[],
  openPanes: readonly { readonly title: string; readonly line: string }[],
  userNames: readonly UserName[],
): readonly Suggestion[] {
  if (before.length > 0) {
    const verbs = COMMANDS.filter(
      ({ verb, subjects }) => subjects.length > 0 && startsWith(verb, word),
    )
    return [
      ...verbs
        .map((spec) => ({ ...verbRow(spec, head), line: `${head}${spec.verb}`, runs: true }))
        .filter(({ line }) => Array.isArray(parseLine(line))),
      searchRow([...before, word].join(' ').trim()),
      ...hits.map((hit) => marketRow(hit, '', '')),
    ]
  }
  const verbs = COMMANDS.filter((spec) => beginsVerb(spec, word))
  const atStart = head.trim() === '' || head.trimEnd().endsWith(';')
  return [
    ...aliasRows(userNames, head, word),
    ...verbs.map((spec) => verbRow(spec, head)),
    ...(word === '' ? [] : TOPICS.filter((topic) => startsWith(topic, word)))
      .slice(0, 3)
      .map((topic) => topicRow(topic, head)),
    ...hits.slice(0, 8).map((hit) => marketRow(hit, head, '')),
    ...(atStart && word !== '' ? otherRows(head, word, openPanes, userNames) : []),
    ...(word.length > 1 ? [searchRow(word)] : []),
  ]
}

const topicRow = (topic: string, head: string): Suggestion => ({
  kind: 'word',
  line: `${head}${topic}`,
  label: topic,
  detail: 'Topic: its most traded markets',
  runs: true,
})

/** The clearly best market first, otherwise the list of all that match. */
function foundRows({ text, markets, bestTicker }: Lookup): readonly Suggestion[] {
  const rows = markets.map((hit) => marketRow(hit, '', ''))
  const first = markets.findIndex(({ ticker }) => ticker === bestTicker)
  const clear = rows.slice(first, first + 1)
  return bestTicker === null
    ? [searchRow(text), ...rows]
    : [...clear, ...rows.toSpliced(first, 1), searchRow(text)]
}

/** A line with other markets in place of an unknown ticker, or of all of it. */
export const replacements = (
  line: string,
  ticker: string | null,
  markets: readonly MarketHit[],
): readonly Suggestion[] => {
  const from = ticker === null ? 0 : line.toUpperCase().indexOf(ticker)
  const until = from + (ticker?.length ?? line.length)
  const head = line.slice(0, from).replace(/\$$/, '')
  return markets.map((hit) => marketRow(hit, head, line.slice(until)))
}

/** The line that lists every market of a text. */
export const searchLine = (text: string): string => searchRow(text).line

function searchRow(text: string): Suggestion {
  const { text: searchText, venue } = venueInText(text)
  const at = venue === null ? '' : ` @${venueName(venue).toLowerCase()}`
  const quotedText = /^[\p{L}\p{N} .-]+$/u.test(searchText)
    ? searchText
    : `"${searchText.replaceAll('"', '')}"`
  return {
    kind: 'command',
    line: `SCAN ${quotedText}${at}`,
    label: `SCAN ${searchText}${at}`,
    detail: 'Search titles, events and tickers',
    runs: true,
  }
}

/** Aliases come first, because they were created to be short. */
const aliasRows = (
  userNames: readonly UserName[],
  head: string,
  word: string,
): readonly Suggestion[] =>
  word === ''
    ? []
    : userNames.flatMap(({ word: name, line }): readonly Suggestion[] =>
        line !== null && startsWith(name, word)
          ? [{ kind: 'command', line: `${head}${name}`, label: name, detail: line, runs: true }]
          : [],
      )

/** Whether a strategy's name comes next: `BT run` and nothing yet. */
const expectsStrategy = (before: readonly string[]): boolean =>
  before.length === 2 && commandOf(before[0] ?? '')?.verb === 'BT' && before[1] === 'run'

/** Whether a line can be completed with names of strategies. */
export function expectsStrategyName(line: string): boolean {
  const reading = read(line)
  return reading !== null && expectsStrategy(reading.before)
}

const strategyRows = (
  names: readonly string[],
  head: string,
  word: string,
): readonly Suggestion[] =>
  names
    .filter((name) => startsWith(name, word))
    .slice(0, MAX_WORDS)
    .map((name) => ({
      kind: 'word',
      line: `${head}${name}`,
      label: name,
      detail: 'strategy',
      runs: true,
    }))

/** Workspaces and saved layouts that begin with a word. */
function placeRows(
  head: string,
  word: string,
  userNames: readonly UserName[],
): readonly Suggestion[] {
  const workspaces = WORKSPACES.filter(
    ({ name, number }) => startsWith(name, word) || String(number) === word,
  ).map(({ name, number, help }): Suggestion => ({
    kind: 'workspace',
    line: `${head}${number}`,
    label: name,
    detail: `Workspace: ${help}`,
    runs: true,
  }))
  const layouts = userNames
    .filter(({ word: name, line }) => line === null && startsWith(name, word))
    .map(({ word: name }): Suggestion => ({
      kind: 'layout',
      line: `${head}${/\s/.test(name) ? `"${name}"` : name}`,
      label: name,
      detail: 'Saved layout',
      runs: true,
    }))
  return [...workspaces, ...layouts]
}

function otherRows(
  head: string,
  word: string,
  openPanes: readonly { readonly title: string; readonly line: string }[],
  userNames: readonly UserName[],
): readonly Suggestion[] {
  const panes = openPanes
    .filter(({ title }) => startsWith(title, word))
    .slice(0, 3)
    .map(({ title, line }): Suggestion => ({
      kind: 'pane',
      line: `${head}${line}`,
      label: title,
      detail: 'Open pane',
      runs: true,
    }))
  const settings = COMMANDS.filter(({ verb }) => verb === 'TH' || verb === 'DENS').flatMap((spec) =>
    (spec.args[0]?.values ?? [])
      .filter((value) => startsWith(value, word) || startsWith(spec.title, word))
      .map((value): Suggestion => ({
        kind: 'setting',
        line: `${head}${spec.verb} ${value}`,
        label: `${spec.title}: ${value}`,
        detail: spec.help,
        runs: true,
      })),
  )
  return [...panes, ...placeRows(`${head}WS `, word, userNames), ...settings]
}

function afterVerb(
  spec: CommandSpec,
  head: string,
  word: string,
  before: readonly string[],
  hits: readonly MarketHit[],
): readonly Suggestion[] {
  const argument = spec.args
    .filter(({ values }) => values?.some((value) => before.includes(value)) === true)
    .map(({ name }) => name)
  const expectedWords = expectedAfter(spec, argument)
  const words = expectedWords.filter((name) => startsWith(name, word))
  const isMarketFirst = commandOf(before[0] ?? '') === null
  const isCompared = word.startsWith('+') && spec.args.some(({ kind }) => kind === 'overlay')
  const takesMarket = isCompared || (spec.needsMarket && !isMarketFirst && word !== '')
  const prefix = isCompared ? '+' : ''
  return [
    ...words.slice(0, MAX_WORDS).map((name): Suggestion => ({
      kind: 'word',
      line: `${head}${name}`,
      label: name,
      detail: describe(spec, name),
      runs: !name.endsWith('='),
    })),
    ...(takesMarket ? hits.map((hit) => marketRow(hit, `${head}${prefix}`, '')) : []),
  ]
}

function describe(spec: CommandSpec, name: string): string {
  const filter = spec.filters.find((candidate) => `${candidate.name}=` === name)
  if (filter !== undefined) return filter.help
  const arg = spec.args.find(({ values }) => values?.includes(name) === true)
  if (arg !== undefined) return arg.help
  if (name.startsWith('@')) return 'only this venue'
  if (name.startsWith('-')) return 'flag'
  return commandOf(name)?.help ?? 'topic'
}
