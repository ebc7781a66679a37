import { app, type CommandSpec } from './command-spec.ts'

export const ATTRIBUTION_KEYS = ['market', 'thesis', 'strategy', 'source', 'venue', 'day'] as const
export const ATTRIBUTION_PERIODS = ['7d', '30d', '90d', '365d'] as const
export const LEDGER_KINDS = ['all', 'fills'] as const
export const INTENT_STATES = ['all', 'open', 'ended'] as const
export const TRADE_SOURCES = ['both', 'autopilot', 'intents'] as const
export const TRADE_STATES = ['all', 'open', 'closed'] as const
export const POSITION_STATES = ['open', 'closed', 'settled', 'all'] as const

const portfolio = (
  row: Pick<CommandSpec, 'verb' | 'title' | 'route' | 'help' | 'example'> & Partial<CommandSpec>,
): CommandSpec => app({ area: 'Portfolio', effect: 'read', ...row })

/** The user's paper account: positions, limits, ledger, profit and the autopilot. */
export const PORTFOLIO_COMMANDS: readonly CommandSpec[] = [
  portfolio({
    verb: 'POS',
    aliases: ['POSITIONS'],
    title: 'Positions',
    route: '/api/portfolio/positions',
    args: [
      { name: 'state', kind: 'enum', values: POSITION_STATES, help: 'state of the positions' },
    ],
    help: 'Your positions with cost, value and profit',
    example: 'POS',
  }),
  portfolio({
    verb: 'RISK',
    aliases: ['AUTO'],
    title: 'Risk',
    route: '/api/portfolio/risk',
    help: 'Limit usage; edits the limits, switches the autopilot and resumes trading',
    example: 'RISK',
  }),
  portfolio({
    verb: 'HALT',
    title: 'Halt',
    route: '/api/portfolio/config',
    effect: 'write',
    help: 'Halt trading at once (F8); RISK resumes it',
    example: 'HALT',
  }),
  portfolio({
    verb: 'TICKS',
    aliases: ['TRIG'],
    title: 'Ticks',
    route: '/api/portfolio/ticks',
    help: 'Runs of the autopilot: each decision with its gates; runs one now',
    example: 'TICKS',
  }),
  portfolio({
    verb: 'LEDG',
    aliases: ['LEDGER', 'FILLS'],
    title: 'Ledger',
    route: '/api/portfolio/ledger',
    args: [{ name: 'kind', kind: 'enum', values: LEDGER_KINDS, help: 'kind of entries' }],
    help: 'Every entry of your ledger, or only its fills',
    example: 'LEDG fills',
  }),
  portfolio({
    verb: 'ATTR',
    title: 'Attribution',
    route: '/api/portfolio/attribution/grouped',
    args: [
      { name: 'by', kind: 'enum', values: ATTRIBUTION_KEYS, help: 'group rows by' },
      { name: 'period', kind: 'enum', values: ATTRIBUTION_PERIODS, help: 'how far back' },
    ],
    help: 'Profit, fees and slippage by market, thesis, strategy, source, venue or day',
    example: 'ATTR thesis 30d',
  }),
  portfolio({
    verb: 'INTENT',
    aliases: ['INTENTS', 'ORDER'],
    title: 'Intents',
    route: '/api/intents',
    subjects: ['ticker'],
    args: [
      { name: 'show', kind: 'enum', values: INTENT_STATES, help: 'state of the intents' },
      { name: 'action', kind: 'enum', values: ['buy', 'sell'], help: 'what the order does' },
      { name: 'side', kind: 'enum', values: ['yes', 'no'], help: 'side of the order' },
    ],
    filters: [
      { name: 'limit', kind: 'number', max: 100, help: 'limit of the order in cents of its side' },
      { name: 'size', kind: 'number', help: 'contracts of the order' },
    ],
    help: 'Your intents; with a market a paper order for it, sent after a second Enter',
    example: 'KXFED-26DEC INTENT buy yes limit=45 size=10',
  }),
  portfolio({
    verb: 'TRADES',
    aliases: ['JOURNAL'],
    title: 'Trades',
    route: '/api/portfolio/trades',
    args: [
      { name: 'by', kind: 'enum', values: TRADE_SOURCES, help: 'who traded' },
      {
        name: 'state',
        kind: 'enum',
        values: TRADE_STATES,
        help: 'state of the trades',
      },
    ],
    help: 'Trade journal of the autopilot and your intents, with results',
    example: 'TRADES autopilot closed',
  }),
  portfolio({
    verb: 'VIEWS',
    aliases: ['VIEW'],
    title: 'Views',
    route: '/api/portfolio/views',
    args: [{ name: 'action', kind: 'enum', values: ['new'], help: 'opens the form' }],
    help: 'Your expectations for markets, with conviction and horizon',
    example: 'VIEWS',
  }),
  portfolio({
    verb: 'PLAN',
    aliases: ['STRAT', 'STRATEGY'],
    title: 'Plan',
    route: '/api/portfolio/strategy',
    args: [{ name: 'action', kind: 'enum', values: ['new'], help: 'opens the form' }],
    help: 'Your trading rules as text, highest priority first',
    example: 'PLAN',
  }),
  portfolio({
    verb: 'SECRET',
    aliases: ['SECRETS'],
    title: 'Credentials',
    route: '/api/portfolio/config',
    help: 'Exchange credentials: encrypt and store, replace or delete them',
    example: 'SECRET',
  }),
]
