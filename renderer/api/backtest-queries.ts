import type {
  BacktestPage,
  BacktestRun,
  Strategies,
  StrategyMetadata,
} from '../../backend/contract/backtests.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Page size of the first request; older items are on further pages. */
const ROWS = 100

/** Route of backtest runs. */
export const runsRoute = '/api/backtests'
export const runRoute = (id: string) => pathOf('/api/backtests/:id', { id })

/** Trades of a run from the first, or from the end of the previous page. */
export const tradesRoute = (id: string, cursor: string | null) =>
  pathOf('/api/backtests/:id/trades', { id, limit: 1_000, cursor })

/** The user's runs, newest first. Polled faster while one of them is running. */
export const runs: PolledQuery<BacktestPage> = {
  path: pathOf('/api/backtests', { limit: ROWS }),
  ...USER_QUERY,
  interval: 30 * SECOND,
  cadence: MINUTE,
}

/** One run. Its events report the end; until then it is polled when no events arrive. */
export const run = (id: string): PolledQuery<BacktestRun> => ({
  path: runRoute(id),
  ...USER_QUERY,
  interval: MINUTE,
  cadence: 2 * MINUTE,
})

export const strategies: PolledQuery<Strategies> = {
  path: pathOf('/api/backtests/strategies'),
  ...USER_QUERY,
  interval: MINUTE,
  cadence: 2 * MINUTE,
}

/** Description and parameters of a strategy. */
export const strategy = (name: string): PolledQuery<StrategyMetadata> => ({
  path: pathOf('/api/backtests/strategies/:name', { name }),
  ...USER_QUERY,
  interval: 2 * MINUTE,
  cadence: 5 * MINUTE,
})
