import type { ServedIntent } from '../../contract/orders/intents.ts'
import type { Call, Command } from '../command.ts'
import type { Client } from '../client.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { ownersClient } from '../service/local-service.ts'
import { amount, cents, lines, minute, text, type Column } from '../terminal/output.ts'
import { printPage } from '../print-body.ts'
import { routePath, parseJson } from '../route.ts'

const COLUMNS: readonly Column<ServedIntent>[] = [
  { title: 'Market', cell: (row) => text(row.marketTitle), max: 44 },
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
    status: 'word',
    market: 'word',
    limit: 'number',
    cursor: 'word',
    price: 'number',
    style: 'word',
    below: 'number',
    above: 'number',
    'trigger-at': 'word',
    expire: 'word',
    execute: 'switch',
    reason: 'word',
  },
  verbs: ['list', 'create', 'cancel'],
  choices: { style: ['ioc', 'limit'] },
  words: [0, 5],
  async run(call) {
    const [verb = 'list', ...rest] = call.words
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined
    if (action === undefined)
      throw usageError(`intents has the verbs list, create and cancel, not "${verb}"`)
    if (rest.length !== action.words) {
      throw usageError(`intents ${verb} takes ${action.words} words`, 'See: augury intents --help')
    }
    const client = call.settings.apiKey === null ? ownersClient(call) : call.client
    return action.run(client, call, rest)
  },
}

interface Action {
  readonly words: number
  readonly run: (client: Client, call: Call, words: readonly string[]) => Promise<ExitCode>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: {
    words: 0,
    async run(client, call) {
      const { flags } = call
      const body = await client.get('/api/intents', {
        status: flags.word('status'),
        marketId: flags.word('market'),
        active: flags.has('active') ? true : null,
        limit: flags.word('limit'),
        cursor: flags.word('cursor'),
      })
      return printPage(call, body, COLUMNS)
    },
  },
  create: {
    words: 4,
    async run(client, { flags, system }, words) {
      const body = await client.send('POST', '/api/intents', bodyOf(words, flags))
      const created = parseJson(body)
      const pairs: readonly (readonly [string, string])[] = [
        ['id', text(created.id)],
        ['market', text(created.marketTitle)],
        ['state', text(created.status)],
        ['price now', cents(created.price)],
        ['expires', minute(created.expireAt)],
      ]
      system.print(flags.has('json') ? `${body.trimEnd()}\n` : `${lines(pairs)}\n`)
      return EXIT.done
    },
  },
  cancel: {
    words: 1,
    async run(client, { flags, system }, [id = '']) {
      const body = await client.send('DELETE', routePath('/api/intents/:id', { id }))
      system.print(flags.has('json') ? `${body.trimEnd()}\n` : `cancelled: ${text(id)}\n`)
      return EXIT.done
    },
  },
}

/** @throws CliFailure (usage) */
function bodyOf(words: readonly string[], flags: Flags): object {
  const [action, direction, quantity = '', marketId] = words
  const targetQuantity = Number(quantity)
  if (!(targetQuantity > 0))
    throw usageError(`QUANTITY must be a number above 0, was "${quantity}"`)
  const [below, above, at] = [
    flags.number('below'),
    flags.number('above'),
    flags.word('trigger-at'),
  ]
  if ([below, above, at].filter((one) => one !== null).length > 1) {
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
    executionStyle: flags.word('style'),
    expireAt: flags.word('expire'),
    rationale: flags.word('reason'),
  }
  const defined = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  return {
    action,
    direction,
    targetQuantity,
    marketId,
    source: 'manual',
    ...trigger,
    ...defined,
    autoExecute: flags.has('execute'),
  }
}
