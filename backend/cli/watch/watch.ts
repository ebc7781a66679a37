import type { ServedWatched } from '../../contract/orders/watch.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import { printPage } from '../print-body.ts'
import { routePath, parseJson } from '../route.ts'
import { ownersClient } from '../service/local-service.ts'
import { cents, minute, text, type Column } from '../terminal/output.ts'

const COLUMNS: readonly Column<ServedWatched>[] = [
  { title: 'Kind', cell: (row) => text(row.kind) },
  { title: 'Name', cell: (row) => text(row.label), max: 60 },
  { title: 'Price', cell: (row) => cents(row.snapshot?.priceCents ?? null), align: 'right' },
  { title: 'Alerts', cell: (row) => String(row.ruleCount), align: 'right' },
  { title: 'Since', cell: (row) => minute(row.createdAt) },
  { title: 'Id', cell: (row) => text(row.id) },
]

/** `augury watch`: the objects that the caller watches. */
export const watchCommand: Command = {
  name: 'watch',
  synopsis: 'list | add TICKER | delete ID',
  summary: 'markets that you watch, with their alerts',
  notes: [
    '  list                 watched objects, newest first; --limit and --cursor page',
    '  add TICKER           watches a market; --note keeps a text with it',
    '  delete ID            stops watching, and deletes its alerts',
    '',
  ],
  flags: { limit: 'number', cursor: 'word', note: 'word' },
  verbs: ['list', 'add', 'delete'],
  words: [0, 2],
  async run(call) {
    const [verb = 'list', word, ...others] = call.words
    const client = call.settings.apiKey === null ? ownersClient(call) : call.client
    if (verb === 'list' && word === undefined) return list(client, call)
    if (others.length === 0 && word !== undefined) {
      if (verb === 'add') return add(client, call, word)
      if (verb === 'delete') return remove(client, call, word)
    }
    throw usageError('watch takes: list, add TICKER or delete ID', 'See: augury watch --help')
  },
}

async function list(client: Client, call: Call): Promise<ExitCode> {
  const { flags } = call
  const body = await client.get('/api/watch', {
    limit: flags.word('limit'),
    cursor: flags.word('cursor'),
  })
  return printPage(call, body, COLUMNS)
}

async function add(client: Client, { flags, system }: Call, ticker: string): Promise<ExitCode> {
  const note = flags.word('note')
  const sent = { ticker, ...(note !== null && { note }) }
  const body = await client.send('POST', '/api/watch', sent)
  const { id, label } = parseJson(body)
  system.print(
    flags.has('json') ? `${body.trimEnd()}\n` : `watching: ${text(label)} (${text(id)})\n`,
  )
  return EXIT.done
}

async function remove(client: Client, { flags, system }: Call, id: string): Promise<ExitCode> {
  const body = await client.send('DELETE', routePath('/api/watch/:id', { id }))
  system.print(flags.has('json') ? `${body.trimEnd()}\n` : `deleted: ${text(id)}\n`)
  return EXIT.done
}
