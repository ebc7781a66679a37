import type { ServedWatched } from '../../contract/orders/watch.ts'
import type { Command } from '../command.ts'
import { printBody, printList } from '../print-body.ts'
import { routePath } from '../route.ts'
import { accountClient } from '../service/local-service.ts'
import { confirm } from '../terminal/confirm.ts'
import { cents, minute, text, type Column } from '../terminal/output.ts'
import { LIMITED_BY_VERB, findVerb, type Verbs } from '../verbs.ts'

const COLUMNS: readonly Column<ServedWatched>[] = [
  { title: 'Kind', cell: (row) => text(row.kind) },
  { title: 'Name', cell: (row) => text(row.label), max: 60 },
  { title: 'Price', cell: (row) => cents(row.snapshot?.priceCents ?? null), align: 'right' },
  { title: 'Alerts', cell: (row) => String(row.ruleCount), align: 'right' },
  { title: 'Since', cell: (row) => minute(row.createdAt) },
  { title: 'Id', cell: (row) => text(row.id) },
]

const VERBS: Verbs = {
  list: {
    argumentCount: [0, 0],
    usage: 'list [--limit N] [--cursor C]',
    run: printList('/api/watch', COLUMNS),
  },
  add: {
    argumentCount: [1, 1],
    usage: 'add TICKER [--note TEXT]',
    async run(client, call, [ticker = '']) {
      const note = call.flags.text('note')
      const body = await client.send('POST', '/api/watch', {
        ticker,
        ...(note !== null && { note }),
      })
      return printBody(call, body, ({ id, label }) => `watching: ${text(label)} (${text(id)})`)
    },
  },
  delete: {
    argumentCount: [1, 1],
    usage: 'delete ID [--yes]',
    async run(client, call, [id = '']) {
      await confirm(call, `Deleting ${id} and its alerts cannot be undone.`, 'delete')
      const body = await client.send('DELETE', routePath('/api/watch/:id', { id }))
      return printBody(call, body, `deleted: ${text(id)}`)
    },
  },
}

/** `augury watch`: the objects that the caller watches. */
export const watchCommand: Command = {
  name: 'watch',
  synopsis: 'list | add TICKER | delete ID',
  summary: 'markets that you watch, with their alerts',
  notes: [
    '  list                 watched objects, newest first; --limit and --cursor page',
    '  add TICKER           watches a market; --note keeps a text with it',
    '  delete ID            stops watching, and deletes its alerts; --yes skips the confirmation',
    '',
  ],
  flags: { limit: 'number', cursor: 'text', note: 'text', yes: 'switch' },
  verbs: Object.keys(VERBS),
  argumentCount: [0, LIMITED_BY_VERB],
  async run(call) {
    const [name = 'list', ...rest] = call.args
    return findVerb('watch', VERBS, name, rest).run(accountClient(call), call, rest)
  },
}
