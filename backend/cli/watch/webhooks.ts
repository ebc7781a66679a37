import type { DeliveryPage, ServedDelivery } from '../../contract/orders/deliveries.ts'
import type { ServedEndpoint } from '../../contract/orders/webhooks.ts'
import { DELIVERY_STATUSES } from '../../domain/webhooks/delivery.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from '../failure.ts'
import { printPage } from '../print-body.ts'
import { routePath, parseJson } from '../route.ts'
import { screenOf } from '../reads/screen.ts'
import { ownersClient } from '../service/local-service.ts'
import { minute, table, text, type Column } from '../terminal/output.ts'

const COLUMNS: readonly Column<ServedEndpoint>[] = [
  { title: 'Label', cell: (row) => text(row.label), max: 30 },
  { title: 'Address', cell: (row) => text(row.url), max: 50 },
  { title: 'State', cell: (row) => text(row.state) },
  { title: 'Attempts 24h', cell: (row) => String(row.stats24h.attempts), align: 'right' },
  { title: 'Delivered', cell: (row) => String(row.stats24h.delivered), align: 'right' },
  { title: 'Last', cell: (row) => minute(row.lastDeliveryAt) },
  { title: 'Id', cell: (row) => text(row.id) },
]
const DELIVERY_COLUMNS: readonly Column<ServedDelivery>[] = [
  { title: 'Created', cell: (row) => minute(row.createdAt) },
  { title: 'Event', cell: (row) => text(row.event) },
  { title: 'State', cell: (row) => text(row.status) },
  { title: 'Attempts', cell: (row) => String(row.attempts), align: 'right' },
  {
    title: 'Answer',
    cell: (row) => text(row.lastError ?? String(row.lastStatus ?? '–')),
    max: 30,
  },
  { title: 'Message', cell: (row) => text(row.message), max: 44 },
  { title: 'Id', cell: (row) => text(row.id) },
]

interface Verb {
  readonly words: number
  readonly run: (client: Client, call: Call, word: string) => Promise<ExitCode>
}

/** Prints the answer as sent, or a sentence. */
function print({ flags, system }: Call, body: string, sentence: string): ExitCode {
  system.print(flags.has('json') ? `${body.trimEnd()}\n` : `${sentence}\n`)
  return EXIT.done
}

/** `augury webhooks`: the caller's webhook endpoints and the deliveries to them. */
export const webhooksCommand: Command = {
  name: 'webhooks',
  synopsis:
    'list | add URL | pause ID | resume ID | test ID | deliveries | replay DELIVERY | delete ID',
  summary: 'addresses that receive signed events',
  notes: [
    '  list                 your endpoints, newest first; filter with --state, --limit and --cursor',
    '  add URL              creates an endpoint and prints its secret once; --label NAME',
    '  --events LIST        events to receive, separated by commas; all by default',
    '  test ID              sends a test event now, once',
    '  deliveries           newest first; filter with --status and --endpoint ID',
    '  replay DELIVERY      sends a delivery again',
    '',
  ],
  flags: {
    state: 'word',
    limit: 'number',
    cursor: 'word',
    label: 'word',
    events: 'word',
    status: 'word',
    endpoint: 'word',
  },
  verbs: ['list', 'add', 'pause', 'resume', 'test', 'deliveries', 'replay', 'delete'],
  choices: { state: ['active', 'degraded', 'paused'], status: DELIVERY_STATUSES },
  words: [0, 2],
  async run(call) {
    const [name = 'list', ...rest] = call.words
    const verb = Object.hasOwn(WEBHOOK_VERBS, name) ? WEBHOOK_VERBS[name] : undefined
    if (verb === undefined) {
      const verbs = 'list, add, pause, resume, test, deliveries, replay and delete'
      throw usageError(`webhooks has the verbs ${verbs}, not "${name}"`)
    }
    if (rest.length !== verb.words) {
      const expected = verb.words === 0 ? 'no words' : 'one word'
      throw usageError(`webhooks ${name} takes ${expected}`, 'See: augury webhooks --help')
    }
    const client = call.settings.apiKey === null ? ownersClient(call) : call.client
    return verb.run(client, call, rest[0] ?? '')
  },
}

const WEBHOOK_VERBS: Readonly<Record<string, Verb>> = {
  list: {
    words: 0,
    async run(client, call) {
      const { flags } = call
      const body = await client.get('/api/webhook-endpoints', {
        state: flags.word('state'),
        limit: flags.word('limit'),
        cursor: flags.word('cursor'),
      })
      return printPage(call, body, COLUMNS)
    },
  },
  add: {
    words: 1,
    async run(client, call, url) {
      const [label, events] = [call.flags.word('label'), call.flags.word('events')]
      const body = await client.send('POST', '/api/webhook-endpoints', {
        url,
        ...(label !== null && { label }),
        ...(events !== null && { events: events.split(',').map((name) => name.trim()) }),
      })
      const { id, secret } = parseJson(body)
      const done = `endpoint added: ${text(id)}\nsecret, shown once: ${text(secret)}`
      return print(call, body, done)
    },
  },
  pause: {
    words: 1,
    async run(client, call, id) {
      const address = routePath('/api/webhook-endpoints/:id', { id })
      return print(
        call,
        await client.send('PATCH', address, { state: 'paused' }),
        `paused: ${text(id)}`,
      )
    },
  },
  resume: {
    words: 1,
    async run(client, call, id) {
      const address = routePath('/api/webhook-endpoints/:id/resume', { id })
      return print(call, await client.send('POST', address, {}), `active: ${text(id)}`)
    },
  },
  test: {
    words: 1,
    async run(client, call, id) {
      const body = await client.send(
        'POST',
        routePath('/api/webhook-endpoints/:id/test', { id }),
        {},
      )
      const { ok, status, error, durationMs } = parseJson(body)
      const answer = status === null ? (error ?? 'no answer') : `HTTP ${status}`
      print(call, body, `${ok ? 'delivered' : 'failed'}: ${text(answer)} after ${durationMs} ms`)
      return ok ? EXIT.done : EXIT.failed
    },
  },
  deliveries: {
    words: 0,
    async run(client, call) {
      const { flags, system } = call
      const body = await client.get('/api/alert-deliveries', {
        status: flags.word('status'),
        endpointId: flags.word('endpoint'),
        limit: flags.word('limit'),
        cursor: flags.word('cursor'),
      })
      const { data, pageInfo } = parseJson(body)
      const sent = data.filter(({ channel }) => channel === 'webhook')
      if (!flags.has('json') && pageInfo.nextCursor !== null) {
        system.report(`More with: --cursor ${pageInfo.nextCursor}\n`)
      }
      return print(call, body, table(sent, DELIVERY_COLUMNS, screenOf(system)))
    },
  },
  replay: {
    words: 1,
    async run(client, call, deliveryId) {
      const id = await endpointOf(client, deliveryId)
      const address = routePath('/api/webhook-endpoints/:id/deliveries/:deliveryId/replay', {
        id,
        deliveryId,
      })
      return print(call, await client.send('POST', address, {}), `sent again: ${text(deliveryId)}`)
    },
  },
  delete: {
    words: 1,
    async run(client, call, id) {
      const body = await client.send('DELETE', routePath('/api/webhook-endpoints/:id', { id }))
      return print(call, body, `deleted: ${text(id)}`)
    },
  },
}

/** The endpoint of a delivery. @throws CliFailure if there is no such delivery */
async function endpointOf(client: Client, deliveryId: string): Promise<string> {
  let cursor: string | null = null
  do {
    const page: DeliveryPage = parseJson(
      await client.get('/api/alert-deliveries', { limit: '200', cursor }),
    )
    const found = page.data.find(({ id }) => id === deliveryId)
    if (found?.endpointId !== undefined && found.endpointId !== null) return found.endpointId
    cursor = page.pageInfo.nextCursor
  } while (cursor !== null)
  throw new CliFailure(EXIT.missing, 'NOT_FOUND', `no webhook delivery ${deliveryId}`)
}
