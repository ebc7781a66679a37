import type { ServedAlertRule } from '../../contract/orders/watch.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { printBody, printList } from '../print-body.ts'
import { routePath, parseJson } from '../route.ts'
import { accountClient } from '../service/local-service.ts'
import { confirm } from '../terminal/confirm.ts'
import { minute, text, type Column } from '../terminal/output.ts'
import { LIMITED_BY_VERB, findVerb, type Verbs } from '../verbs.ts'

const COLUMNS: readonly Column<ServedAlertRule>[] = [
  { title: 'Market', cell: (row) => text(row.ticker), max: 44 },
  { title: 'Alert', cell: (row) => text(row.label) },
  { title: 'State', cell: (row) => text(row.state) },
  { title: 'Reached', cell: (row) => (row.conditionTrue ? 'yes' : 'no') },
  { title: 'Notices', cell: (row) => String(row.fireCount), align: 'right' },
  { title: 'Last notice', cell: (row) => minute(row.lastFiredAt) },
  { title: 'Channel', cell: (row) => text(row.channel) },
  { title: 'Id', cell: (row) => text(row.id) },
]

const VERBS: Verbs = {
  list: {
    argumentCount: [0, 0],
    usage: 'list [--state S] [--limit N] [--cursor C]',
    run: printList('/api/alert-rules', COLUMNS, ['state']),
  },
  add: {
    argumentCount: [1, 1],
    usage: 'add TICKER --above C | --below C [flags]',
    async run(client, call, [ticker = '']) {
      const body = await client.send('POST', '/api/alert-rules', ruleOf(ticker, call.flags))
      return printBody(
        call,
        body,
        ({ id, label, channel }) =>
          `alert set: ${text(ticker)} ${text(label)} by ${channel} (${text(id)})`,
      )
    },
  },
  pause: {
    argumentCount: [1, 1],
    usage: 'pause ID',
    run: (client, call, [id = '']) => setState(client, call, id, 'paused'),
  },
  resume: {
    argumentCount: [1, 1],
    usage: 'resume ID',
    run: (client, call, [id = '']) => setState(client, call, id, 'active'),
  },
  test: {
    argumentCount: [1, 1],
    usage: 'test ID',
    async run(client, call, [id = '']) {
      const body = await client.send('POST', routePath('/api/alert-rules/:id/test', { id }))
      const { ok, message, channel } = parseJson(body)
      const result = ok ? 'sent' : 'could not be sent'
      printBody(call, body, `${result} by ${channel}: ${text(message)}`)
      return ok ? EXIT.done : EXIT.failed
    },
  },
  delete: {
    argumentCount: [1, 1],
    usage: 'delete ID [--yes]',
    async run(client, call, [id = '']) {
      await confirm(call, `Deleting the alert ${id} cannot be undone.`, 'delete')
      const body = await client.send('DELETE', routePath('/api/alert-rules/:id', { id }))
      return printBody(call, body, `deleted: ${text(id)}`)
    },
  },
}

/** `augury alerts`: the caller's alert rules. */
export const alertsCommand: Command = {
  name: 'alerts',
  synopsis:
    'list | add TICKER --above C | add TICKER --below C | pause ID | resume ID | test ID | delete ID',
  summary: 'price alerts on markets',
  notes: [
    '  list                 your alert rules, newest first; filter with --state, --limit and --cursor',
    '  add TICKER           fires when YES reaches --above C or falls to --below C, in cents',
    '  --window SECONDS     no second notice within this time, default 3600',
    '  --channel NAME       desktop (default), webhook, email or telegram, if set up',
    '  --endpoint ID        webhook endpoint of channel webhook',
    '  --target ADDRESS     email address, by default yours, or id of a Telegram chat',
    '  test ID              sends a test notice now',
    '  delete ID            asks for confirmation, --yes skips it',
    '',
  ],
  flags: {
    state: 'text',
    limit: 'number',
    cursor: 'text',
    above: 'number',
    below: 'number',
    window: 'number',
    channel: 'text',
    endpoint: 'text',
    target: 'text',
    yes: 'switch',
  },
  verbs: Object.keys(VERBS),
  choices: {
    channel: ['desktop', 'webhook', 'email', 'telegram'],
    state: ['active', 'paused', 'archived'],
  },
  argumentCount: [0, LIMITED_BY_VERB],
  async run(call) {
    const [name = 'list', ...rest] = call.args
    return findVerb('alerts', VERBS, name, rest).run(accountClient(call), call, rest)
  },
}

async function setState(
  client: Client,
  call: Call,
  id: string,
  state: 'active' | 'paused',
): Promise<ExitCode> {
  const body = await client.send('PATCH', routePath('/api/alert-rules/:id', { id }), { state })
  return printBody(call, body, `${state}: ${text(id)}`)
}

/** @throws CliFailure (usage) */
function ruleOf(ticker: string, flags: Flags): object {
  const [above, below] = [flags.number('above'), flags.number('below')]
  if ((above === null) === (below === null)) {
    throw usageError('alerts add needs --above C or --below C, and not both')
  }
  const [windowSeconds, channel, endpointId, target] = [
    flags.number('window'),
    flags.text('channel'),
    flags.text('endpoint'),
    flags.text('target'),
  ]
  return {
    ticker,
    condition: above === null ? 'price_below' : 'price_above',
    threshold: above ?? below,
    ...(windowSeconds !== null && { windowSeconds }),
    ...(channel !== null && { channel }),
    ...(endpointId !== null && { endpointId }),
    ...(target !== null && { target }),
  }
}
