import type { ServedIntent } from '../../contract/orders/intents.ts'
import type { Command } from '../command.ts'
import { usageError } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { accountClient } from '../service/local-service.ts'
import { amount, cents, lines, minute, text, type Column } from '../terminal/output.ts'
import { printBody, printPage } from '../print-body.ts'
import { routePath } from '../route.ts'
import { LIMITED_BY_VERB, findVerb, type Verbs } from '../verbs.ts'
import { marketColumn } from '../reads/market-columns.ts'

const COLUMNS: readonly Column<ServedIntent>[] = [
  marketColumn((row) => row.marketTitle),
  { title: 'Order', cell: (row) => text(`${row.action} ${row.direction}`) },
  {
    title: 'Filled',
    cell: (row) => `${amount(row.filledQuantity)} of ${amount(row.targetQuantity)}`,
    align: 'right',
  },
  { title: 'Limit', cell: (row) => cents(row.maxPrice), align: 'right' },
  { title: 'Average', cell: (row) => cents(row.avgFillPrice), align: 'right' },
  { title: 'State', cell: (row) => text(row.status) },
  { title: 'Why', cell: (row) => text(row.statusReason), max: 40 },
  { title: 'Created', cell: (row) => minute(row.createdAt) },
  { title: 'Id', cell: (row) => text(row.id) },
]

const VERBS: Verbs = {
  list: {
    argumentCount: [0, 0],
    usage: 'list [--active] [--status S] [--market T] [--limit N] [--cursor C]',
    async run(client, call) {
      const { flags } = call
      const body = await client.get('/api/intents', {
        status: flags.text('status'),
        marketId: flags.text('market'),
        active: flags.has('active') ? true : null,
        limit: flags.text('limit'),
        cursor: flags.text('cursor'),
      })
      return printPage(call, body, COLUMNS)
    },
  },
  create: {
    argumentCount: [4, 4],
    usage: 'create ACTION SIDE QUANTITY TICKER [flags]',
    async run(client, call, args) {
      const body = await client.send('POST', '/api/intents', bodyOf(args, call.flags))
      return printBody(call, body, (createdIntent) =>
        lines([
          ['id', text(createdIntent.id)],
          ['market', text(createdIntent.marketTitle)],
          ['state', text(createdIntent.status)],
          ['price now', cents(createdIntent.price)],
          ['expires', minute(createdIntent.expireAt)],
        ]),
      )
    },
  },
  cancel: {
    argumentCount: [1, 1],
    usage: 'cancel ID',
    async run(client, call, [id = '']) {
      const body = await client.send('DELETE', routePath('/api/intents/:id', { id }))
      return printBody(call, body, `cancelled: ${text(id)}`)
    },
  },
}

/** `augury intents`: the caller's trade intents. */
export const intentsCommand: Command = {
  name: 'intents',
  synopsis: 'list [--active] [--status S] | create ACTION SIDE QUANTITY TICKER [flags] | cancel ID',
  summary: 'your trade intents, traded on paper or live',
  notes: [
    '  list                 your intents, newest first; filter with --status, --market, --limit and --cursor',
    '  create               ACTION buy or sell, SIDE yes or no, QUANTITY in contracts',
    '  --price C            highest price of a buy, lowest of a sell, cents of that side',
    '  --style ioc|limit    ioc (default) fills immediately or cancels, limit rests until it expires',
    '  --below C, --above C trigger when the price of that side is reached',
    '  --trigger-at ISO     trigger at a time',
    '  --expire ISO|SPAN    default 24h, at most 90d',
    '  --execute            let the service trade it; else you trade and report',
    '  --reason TEXT        note stored with the intent',
    '',
    'Trading must be enabled first: augury portfolio config --set enabled=true',
    '',
  ],
  flags: {
    active: 'switch',
    status: 'text',
    market: 'text',
    limit: 'number',
    cursor: 'text',
    price: 'number',
    style: 'text',
    below: 'number',
    above: 'number',
    'trigger-at': 'text',
    expire: 'text',
    execute: 'switch',
    reason: 'text',
  },
  verbs: Object.keys(VERBS),
  choices: { style: ['ioc', 'limit'] },
  argumentCount: [0, LIMITED_BY_VERB],
  async run(call) {
    const [name = 'list', ...rest] = call.args
    return findVerb('intents', VERBS, name, rest).run(accountClient(call), call, rest)
  },
}

/** @throws CliFailure (usage) */
function bodyOf(args: readonly string[], flags: Flags): object {
  const [action, direction, quantity = '', marketId] = args
  const targetQuantity = Number(quantity)
  if (!(targetQuantity > 0))
    throw usageError(`QUANTITY must be a number above 0, was "${quantity}"`)
  const [below, above, at] = [
    flags.number('below'),
    flags.number('above'),
    flags.text('trigger-at'),
  ]
  if ([below, above, at].filter((trigger) => trigger !== null).length > 1) {
    throw usageError('--below, --above and --trigger-at cannot be combined')
  }
  const trigger =
    below !== null
      ? { triggerType: 'price_below', triggerPrice: below }
      : above !== null
        ? { triggerType: 'price_above', triggerPrice: above }
        : at !== null
          ? { triggerType: 'time', triggerAt: at }
          : {}
  const fields = {
    maxPrice: flags.number('price'),
    executionStyle: flags.text('style'),
    expireAt: flags.text('expire'),
    rationale: flags.text('reason'),
  }
  const definedFields = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null),
  )
  return {
    action,
    direction,
    targetQuantity,
    marketId,
    source: 'manual',
    ...trigger,
    ...definedFields,
    autoExecute: flags.has('execute'),
  }
}
