import type { ServedEntry, ServedPosition } from '../../contract/portfolio.ts'
import type { AttributionRow } from '../../contract/orders/attribution.ts'
import type { PortfolioView } from '../../contract/orders/texts.ts'
import { TICK_STATUSES, TICK_TRIGGERS } from '../../domain/portfolio/tick.ts'
import { POSITION_STATUSES } from '../../domain/theses/holdings.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { printBody, printList } from '../print-body.ts'
import { parseJson } from '../route.ts'
import { confirm } from '../terminal/confirm.ts'
import { usageError, type ExitCode } from '../failure.ts'
import { accountClient } from '../service/local-service.ts'
import {
  amount,
  cents,
  dollars,
  lines,
  minute,
  table,
  text,
  type Column,
} from '../terminal/output.ts'
import { marketColumn, right } from '../reads/market-columns.ts'
import { screenOf } from '../reads/screen.ts'
import { VENUE_VALUES } from '../venue-flag.ts'
import { LIMITED_BY_VERB, findVerb, type RunVerb, type Verb, type Verbs } from '../verbs.ts'
import { importStatement, pullAccount } from './ledger-import.ts'
import { SECRET_FLAGS, secrets } from './secrets.ts'
import { ticks, trades, trigger } from './ticks.ts'

const CONFIG = '/api/portfolio/config'
const RESUMES = 'Paper trading continues.'

const usd = (value: number | null): string => dollars(value === null ? null : value / 100)
const ENTRIES: readonly Column<ServedEntry>[] = [
  { title: 'Time', cell: (row) => minute(row.occurredAt) },
  { title: 'Type', cell: (row) => text(row.eventType) },
  { title: 'Mode', cell: (row) => text(row.mode) },
  { title: 'Order', cell: (row) => text(`${row.action ?? ''} ${row.direction ?? ''}`) },
  right('Contracts', (row) => amount(row.quantity)),
  right('Price', (row) => cents(row.priceCents)),
  right('Cash', (row) => usd(row.cashDeltaCents)),
  right('Realised', (row) => usd(row.realizedPnlCents)),
  marketColumn((row) => row.marketTitle, 40),
  { title: 'Note', cell: (row) => text(row.note), max: 40 },
]
const POSITIONS: readonly Column<ServedPosition>[] = [
  marketColumn((row) => row.marketTitle),
  { title: 'Side', cell: (row) => text(row.direction) },
  { title: 'Mode', cell: (row) => text(row.mode) },
  right('Contracts', (row) => amount(row.quantity)),
  right('Average', (row) => cents(row.avgPriceCents)),
  right('Price', (row) => cents(row.currentPriceCents)),
  right('Unrealised', (row) => usd(row.unrealizedPnlCents)),
  right('Realised', (row) => usd(row.realizedPnlCents)),
  { title: 'Ticker', cell: (row) => text(row.marketId) },
]

const ATTRIBUTION: readonly Column<AttributionRow>[] = [
  { title: 'Day', cell: (row) => text(row.date ?? '') },
  {
    title: 'Keys',
    cell: (row) =>
      text(
        Object.values(row.keys)
          .map((key) => key ?? 'none')
          .join(' '),
      ),
    max: 40,
  },
  { title: 'Name', cell: (row) => text(row.label), max: 40 },
  right('Profit', (row) => usd(row.pnlCents)),
  right('Realised', (row) => usd(row.realizedPnlCents)),
  right('Unrealised', (row) => usd(row.unrealizedPnlDeltaCents)),
  right('Cash', (row) => usd(row.cashDeltaCents)),
  right('Fees', (row) => usd(row.feeCents)),
  right('Fills', (row) => amount(row.fills)),
]
const VIEWS: readonly Column<PortfolioView>[] = [
  { title: 'Title', cell: (row) => text(row.title), max: 44 },
  right('Conviction', (row) => amount(row.conviction)),
  { title: 'Side', cell: (row) => text(row.direction) },
  { title: 'Until', cell: (row) => text(row.horizon) },
  { title: 'Active', cell: (row) => text(row.active ? 'yes' : 'no') },
  { title: 'Markets', cell: (row) => text(row.tickers.join(' ')), max: 40 },
]

type Action = (client: Client, call: Call) => Promise<ExitCode>

/** Formats a single object as `name: value` lines. */
const objectText = (value: object | null): string => {
  if (value === null) return text('no trades yet')
  return lines(
    Object.entries(value).map(([name, amount]: [string, unknown]): [string, string] => [
      name,
      text(typeof amount === 'string' ? amount : JSON.stringify(amount)),
    ]),
  )
}

const printObject =
  (path: '/api/portfolio/state' | '/api/portfolio/risk' | typeof CONFIG): Action =>
  async (client, call) =>
    printBody<object | null>(call, await client.get(path), objectText)

const updateConfig = async (client: Client, call: Call, fields: object): Promise<ExitCode> =>
  printBody(call, await client.send('PUT', CONFIG, fields), objectText)

/** A verb; takes no words by default. */
const verb = (usage: string, run: RunVerb, min = 0, max = 0): Verb => ({
  argumentCount: [min, max],
  usage,
  run,
})
const PERIOD = '[--since T] [--until T] [--limit N] [--cursor C]'
const VERBS: Verbs = {
  state: verb('state', printObject('/api/portfolio/state')),
  config: verb('config [--set k=v…]', async (client, call) => {
    if (!call.flags.has('set')) return printObject(CONFIG)(client, call)
    const fields = call.flags.texts('set').map((assignment): [string, unknown] => {
      const at = assignment.indexOf('=')
      if (at < 1) throw usageError(`--set takes name=value, was "${assignment}"`)
      return [assignment.slice(0, at), valueOf(assignment.slice(at + 1))]
    })
    const change = Object.fromEntries(fields)
    await confirmResume(client, call, change['executionMode'])
    return updateConfig(client, call, change)
  }),
  positions: verb(
    'positions [--limit N] [--cursor C]',
    printList('/api/portfolio/positions', POSITIONS),
  ),
  ledger: verb('ledger [--limit N] [--cursor C]', printList('/api/portfolio/ledger', ENTRIES)),
  fills: verb('fills [--limit N] [--cursor C]', printList('/api/portfolio/fills', ENTRIES)),
  activity: verb(
    'activity [--limit N] [--cursor C]',
    printList('/api/portfolio/activity', ENTRIES),
  ),
  ticks: verb(`ticks [ID] [--status S] [--trigger T] ${PERIOD}`, ticks, 0, 1),
  trades: verb(`trades [--status S] [--market T] [--thesis ID] [--venue V] ${PERIOD}`, trades),
  risk: verb('risk', printObject('/api/portfolio/risk')),
  attribution: verb('attribution [--group-by KEYS] [--from T] [--to T]', async (client, call) => {
    const { flags, system } = call
    const body = await client.get('/api/portfolio/attribution/grouped', {
      groupBy: flags.text('group-by'),
      from: flags.text('from'),
      to: flags.text('to'),
    })
    return printBody(call, body, ({ rows, totals }) => {
      const total = { ...totals, keys: {}, label: 'Total' }
      return table([...rows, total], ATTRIBUTION, screenOf(system))
    })
  }),
  views: verb('views [--limit N] [--cursor C]', printList('/api/portfolio/views', VIEWS)),
  trigger: verb('trigger [--reason TEXT]', trigger),
  import: verb('import FILE [--venue V] [--dry-run]', importStatement, 1, 1),
  pull: verb('pull [--since T] [--until T] [--dry-run]', pullAccount),
  secrets: verb('secrets [put VENUE [flags] | delete [VENUE]] [--yes]', secrets, 0, 2),
  halt: verb('halt', (client, call) => updateConfig(client, call, { executionMode: 'halted' })),
  resume: verb('resume [--yes]', async (client, call) => {
    await confirm(call, RESUMES, 'resume')
    return updateConfig(client, call, { executionMode: 'dry-run' })
  }),
}

/** A change of the configuration that ends a halt is confirmed like `resume`. @throws CliFailure */
async function confirmResume(client: Client, call: Call, mode: unknown): Promise<void> {
  if (mode !== 'dry-run') return
  const { executionMode } = parseJson(await client.get(CONFIG))
  if (executionMode === 'halted') await confirm(call, RESUMES, 'resume')
}

/** Parses a value from the command line: JSON where it is valid, else a string. */
function valueOf(written: string): unknown {
  try {
    return JSON.parse(written) as unknown
  } catch {
    return written
  }
}

/** `augury portfolio`: the caller's holdings, trades and limits. */
export const portfolioCommand: Command = {
  name: 'portfolio',
  synopsis:
    'state | config [--set k=v…] | positions | ledger | fills | activity | ticks [ID] | trades | risk | attribution | views | trigger | import FILE | pull | secrets [put VENUE | delete [VENUE]] | halt | resume',
  summary: 'your positions, trades and limits',
  notes: [
    '  config --set k=v…  change limits and switches: --set enabled=true maxOrdersPerTick=5',
    '  halt               stop trading until resume',
    '  resume             continue paper trading',
    '  ticks              runs of the autopilot, newest first; --status, --trigger, --since and --until filter',
    '  ticks ID           one run: each decision with its gates',
    '  trigger            run the autopilot now and print what it decided; --reason TEXT',
    '  trades             the trade journal; --status, --market, --thesis, --venue, --since and --until filter',
    '  import FILE        import trades from an exchange export: the downloaded CSV, or JSON rows',
    '  --venue V          the exchange, if it cannot be detected from the file',
    '  --dry-run          only check the file or the account',
    '  pull               import the trades of your Kalshi account; --since 90d, --until, --dry-run',
    '  secrets            which exchanges have credentials; delete [VENUE] removes them',
    '  secrets put VENUE  encrypt credentials here and store them:',
    '    kalshi             --key-id ID --private-key FILE',
    '    polymarket         --wallet ADDRESS --signature-type N --private-key FILE',
    '                       --funder ADDRESS, --api-file FILE (apiKey, apiSecret, passphrase as JSON)',
    '    FILE of a key may be - for stdin; --label TEXT names them',
    '  attribution        profit by market; --group-by KEYS (day, market, thesis, venue, …), --from, --to',
    '  --limit N, --cursor C  of lists',
    '  --yes              resume, store and delete without confirmation',
    '',
  ],
  flags: {
    set: 'texts',
    limit: 'number',
    cursor: 'text',
    yes: 'switch',
    venue: 'text',
    'dry-run': 'switch',
    'group-by': 'text',
    from: 'text',
    to: 'text',
    status: 'text',
    trigger: 'text',
    market: 'text',
    thesis: 'text',
    since: 'text',
    until: 'text',
    reason: 'text',
    ...SECRET_FLAGS,
  },
  choices: {
    venue: VENUE_VALUES,
    status: [...TICK_STATUSES, ...POSITION_STATUSES],
    trigger: TICK_TRIGGERS,
  },
  verbs: Object.keys(VERBS),
  argumentCount: [1, LIMITED_BY_VERB],
  async run(call) {
    const [name = '', ...rest] = call.args
    return findVerb('portfolio', VERBS, name, rest).run(accountClient(call), call, rest)
  },
}
