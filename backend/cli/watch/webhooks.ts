import type { DeliveryPage, ServedDelivery } from '../../contract/orders/deliveries.ts'
import type { ServedEndpoint } from '../../contract/orders/webhooks.ts'
import { DELIVERY_STATUSES } from '../../domain/webhooks/delivery.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { CliFailure, EXIT } from '../failure.ts'
import { printBody, printList, printPage } from '../print-body.ts'
import { jsonOf, parseJson, routePath } from '../route.ts'
import { accountClient } from '../service/local-service.ts'
import { confirm } from '../terminal/confirm.ts'
import { minute, text, type Column } from '../terminal/output.ts'
import { LIMITED_BY_VERB, findVerb, type Verbs } from '../verbs.ts'

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

const VERBS: Verbs = {
  list: {
    argumentCount: [0, 0],
    usage: 'list [--state S] [--limit N] [--cursor C]',
    run: printList('/api/webhook-endpoints', COLUMNS, ['state']),
  },
  add: {
    argumentCount: [1, 1],
    usage: 'add URL [--label NAME] [--events LIST]',
    async run(client, call, [url = '']) {
      const [label, events] = [call.flags.text('label'), call.flags.text('events')]
      const body = await client.send('POST', '/api/webhook-endpoints', {
        url,
        ...(label !== null && { label }),
        ...(events !== null && { events: events.split(',').map((name) => name.trim()) }),
      })
      return printBody(
        call,
        body,
        ({ id, secret }) => `endpoint added: ${text(id)}\nsecret, shown once: ${text(secret)}`,
      )
    },
  },
  pause: {
    argumentCount: [1, 1],
    usage: 'pause ID',
    async run(client, call, [id = '']) {
      const address = routePath('/api/webhook-endpoints/:id', { id })
      return printBody(
        call,
        await client.send('PATCH', address, { state: 'paused' }),
        `paused: ${text(id)}`,
      )
    },
  },
  resume: {
    argumentCount: [1, 1],
    usage: 'resume ID',
    async run(client, call, [id = '']) {
      const address = routePath('/api/webhook-endpoints/:id/resume', { id })
      return printBody(call, await client.send('POST', address, {}), `active: ${text(id)}`)
    },
  },
  test: {
    argumentCount: [1, 1],
    usage: 'test ID',
    async run(client, call, [id = '']) {
      const body = await client.send(
        'POST',
        routePath('/api/webhook-endpoints/:id/test', { id }),
        {},
      )
      const { ok, status, error, durationMs } = parseJson(body)
      const answer = status === null ? (error ?? 'no answer') : `HTTP ${status}`
      printBody(
        call,
        body,
        `${ok ? 'delivered' : 'failed'}: ${text(answer)} after ${durationMs} ms`,
      )
      return ok ? EXIT.done : EXIT.failed
    },
  },
  deliveries: {
    argumentCount: [0, 0],
    usage: 'deliveries [--status S] [--endpoint ID] [--limit N] [--cursor C]',
    async run(client, call) {
      const { flags } = call
      const body = await client.get('/api/alert-deliveries', {
        status: flags.text('status'),
        endpointId: flags.text('endpoint'),
        limit: flags.text('limit'),
        cursor: flags.text('cursor'),
      })
      if (flags.has('json')) return printBody(call, body, '')
      const { data, pageInfo } = parseJson(body)
      const webhookDeliveries = data.filter(({ channel }) => channel === 'webhook')
      return printPage(call, jsonOf({ data: webhookDeliveries, pageInfo }), DELIVERY_COLUMNS)
    },
  },
  replay: {
    argumentCount: [1, 1],
    usage: 'replay DELIVERY',
    async run(client, call, [deliveryId = '']) {
      const id = await endpointOf(client, deliveryId)
      const address = routePath('/api/webhook-endpoints/:id/deliveries/:deliveryId/replay', {
        id,
        deliveryId,
      })
      return printBody(
        call,
        await client.send('POST', address, {}),
        `sent again: ${text(deliveryId)}`,
      )
    },
  },
  delete: {
    argumentCount: [1, 1],
    usage: 'delete ID [--yes]',
    async run(client, call, [id = '']) {
      await confirm(call, `Deleting the endpoint ${id} cannot be undone.`, 'delete')
      const body = await client.send('DELETE', routePath('/api/webhook-endpoints/:id', { id }))
      return printBody(call, body, `deleted: ${text(id)}`)
    },
  },
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
    '  delete ID            asks for confirmation, --yes skips it',
    '',
  ],
  flags: {
    state: 'text',
    limit: 'number',
    cursor: 'text',
    label: 'text',
    events: 'text',
    status: 'text',
    endpoint: 'text',
    yes: 'switch',
  },
  verbs: Object.keys(VERBS),
  choices: { state: ['active', 'degraded', 'paused'], status: DELIVERY_STATUSES },
  argumentCount: [0, LIMITED_BY_VERB],
  async run(call) {
    const [name = 'list', ...rest] = call.args
    return findVerb('webhooks', VERBS, name, rest).run(accountClient(call), call, rest)
  },
}

/** The endpoint of a delivery. @throws CliFailure if there is no such delivery */
async function endpointOf(client: Client, deliveryId: string): Promise<string> {
  let cursor: string | null = null
  do {
    const page: DeliveryPage = parseJson(
      await client.get('/api/alert-deliveries', { limit: '200', cursor }),
    )
    const delivery = page.data.find(({ id }) => id === deliveryId)
    if (delivery?.endpointId !== undefined && delivery.endpointId !== null)
      return delivery.endpointId
    cursor = page.pageInfo.nextCursor
  } while (cursor !== null)
  throw new CliFailure(EXIT.missing, 'NOT_FOUND', `no webhook delivery ${deliveryId}`)
}
