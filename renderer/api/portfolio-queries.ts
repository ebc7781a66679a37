import type { Attribution } from '../../backend/contract/orders/attribution.ts'
import type { IntentPage } from '../../backend/contract/orders/intents.ts'
import type {
  PortfolioStrategyPage,
  PortfolioViewPage,
} from '../../backend/contract/orders/texts.ts'
import type { JournalPage, TickPage } from '../../backend/contract/orders/ticks.ts'
import type {
  LedgerPage,
  PositionPage,
  ServedConfig,
  ServedRisk,
} from '../../backend/contract/portfolio.ts'
import { isoOf } from '../lib/format.ts'
import type { Command } from '../shell/commands/command.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf, type Path } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000
const DAY = 86_400 * SECOND
const utcDay = (at: number): string => isoOf(at).slice(0, 10)

/** Rows of a list: the newest ones. */
const ROWS = 200

/** The user's positions in one state. */
export const positions = (state: string): PolledQuery<PositionPage> => ({
  path: pathOf('/api/portfolio/positions', { status: state, limit: ROWS }),
  ...USER_QUERY,
  interval: 5 * SECOND,
})

/** Balance, exposure and the use of each limit. */
export const risk: PolledQuery<ServedRisk> = {
  path: pathOf('/api/portfolio/risk'),
  ...USER_QUERY,
  interval: 5 * SECOND,
  timeOf: ({ asOf }) => asOf,
}

/** The limits themselves, and the schedule of the autopilot. */
export const portfolioConfig: PolledQuery<ServedConfig> = {
  path: pathOf('/api/portfolio/config'),
  ...USER_QUERY,
  interval: 15 * SECOND,
}

/** The newest runs of the autopilot with their decisions. */
export const ticks: PolledQuery<TickPage> = {
  // With an envelope the route answers a page, which its type cannot say.
  path: pathOf('/api/portfolio/ticks', { limit: 30, envelope: 'true' }) as string as Path<TickPage>,
  ...USER_QUERY,
  interval: 5 * SECOND,
}

/** A page of the ledger, of all kinds or only fills; the newest one without a cursor. */
export const ledgerPath = (kind: string, cursor: string | null): Path<LedgerPage> =>
  pathOf(kind === 'fills' ? '/api/portfolio/fills' : '/api/portfolio/ledger', {
    limit: ROWS,
    cursor,
  })

/** The newest entries of the ledger. */
export const ledger = (kind: string): PolledQuery<LedgerPage> => ({
  path: ledgerPath(kind, null),
  ...USER_QUERY,
  interval: 10 * SECOND,
})

/**
 * Profit of a period by one key.
 * @param period whole days, such as `30d`
 * @param now any time of its last day, Unix milliseconds
 */
export const attribution = (by: string, period: string, now: number): PolledQuery<Attribution> => ({
  path: pathOf('/api/portfolio/attribution/grouped', {
    groupBy: by,
    from: utcDay(now - (Number.parseInt(period, 10) - 1) * DAY),
    to: utcDay(now),
  }),
  ...USER_QUERY,
  interval: 15 * SECOND,
})

const ENDED = ['filled', 'expired', 'cancelled', 'rejected'] as const

/** The newest intents: all, the open ones, or those that ended. */
export const intents = (show: string): PolledQuery<IntentPage> => ({
  path: pathOf('/api/intents', {
    active: show === 'open' ? 'true' : null,
    status: show === 'ended' ? ENDED.join(',') : null,
    limit: ROWS,
  }),
  ...USER_QUERY,
  interval: 3 * SECOND,
})

/** The journal of trades, last opened first. */
export const trades = (state: string): PolledQuery<JournalPage> => ({
  // With an envelope the route answers a page, which its type cannot say.
  path: pathOf('/api/portfolio/trades', {
    status: state === 'all' ? null : state,
    limit: ROWS,
    envelope: 'true',
  }) as string as Path<JournalPage>,
  ...USER_QUERY,
  interval: 5 * SECOND,
})

/** The user's fills in one market, up to an instant. */
export const marketFills = (ticker: string, until: string | null): PolledQuery<LedgerPage> => ({
  path: pathOf('/api/portfolio/fills', { marketId: ticker, until, limit: 500 }),
  ...USER_QUERY,
  interval: 10 * SECOND,
})

/** The user's views on markets. */
export const views: PolledQuery<PortfolioViewPage> = {
  path: pathOf('/api/portfolio/views', { limit: ROWS }),
  ...USER_QUERY,
  interval: 15 * SECOND,
}

/** The rules in words that the user trades by. */
export const plan: PolledQuery<PortfolioStrategyPage> = {
  path: pathOf('/api/portfolio/strategy', { limit: ROWS }),
  ...USER_QUERY,
  interval: 15 * SECOND,
}

/** Days of the curves of an account. */
const CURVE_DAYS = 30

/**
 * Profit of an account by day.
 * @param mode `paper` or `live`
 * @param now any time of the last day, Unix milliseconds
 */
export const dailyProfit = (mode: string, now: number): PolledQuery<Attribution> => ({
  path: pathOf('/api/portfolio/attribution/daily', {
    mode,
    from: utcDay(now - (CURVE_DAYS - 1) * DAY),
    to: utcDay(now),
  }),
  ...USER_QUERY,
  interval: 30 * SECOND,
})

/** The query of a portfolio command, for exports. */
export function portfolioQuery({ verb, args }: Command, now: number) {
  switch (verb) {
    case 'POS':
      return positions(args['state'] ?? 'open')
    case 'TICKS':
      return ticks
    case 'LEDG':
      return ledger(args['kind'] ?? 'all')
    case 'ATTR':
      return attribution(args['by'] ?? 'market', args['period'] ?? '30d', now)
    case 'INTENT':
      return intents(args['show'] ?? 'all')
    case 'TRADES':
      return trades(args['state'] ?? 'all')
    case 'VIEWS':
      return views
    case 'PLAN':
      return plan
    case 'SECRET':
      return portfolioConfig
    default:
      return risk
  }
}
