import type { Command } from '../shell/command.ts'
import type { Run, RunPage, StrategyFace, StrategyNames } from './backtest-types.ts'
import { pathOf } from './questions.ts'
import type { Question } from './source.svelte.ts'
import type { Iso } from './types.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** What one is asked for at once; older ones are on further pages. */
const ROWS = 100

/** Answers about runs bear no time of their own: their arrival stands in. */
const arrival = (_body: object, answeredAt: Iso): Iso => answeredAt
const OWN = { isOwn: true, timeOf: arrival } as const

/** Where runs are asked for. */
export const runsRoute = '/api/backtests'
export const runRoute = (id: string): string => `/api/backtests/${encodeURIComponent(id)}`

/** Trades of a run from its first, or from where a page before ended. */
export const tradesRoute = (id: string, cursor: string | null): string =>
  pathOf(`${runRoute(id)}/trades`, { limit: 1_000, cursor })

/** Your runs, newest first. Asked sooner while one of them goes on. */
export const runs: Question<RunPage> = {
  path: pathOf('/api/backtests', { limit: ROWS }),
  ...OWN,
  every: 30 * SECOND,
  cadence: MINUTE,
}

/** One run. Its end is told by its events; until then it is asked for sooner when they are silent. */
export const run = (id: string): Question<Run> => ({
  path: runRoute(id),
  ...OWN,
  every: MINUTE,
  cadence: 2 * MINUTE,
})

export const strategies: Question<StrategyNames> = {
  path: '/api/backtests/strategies',
  ...OWN,
  every: MINUTE,
  cadence: 2 * MINUTE,
}

/** What a strategy is about, and its parameters. */
export const strategy = (name: string): Question<StrategyFace> => ({
  path: `/api/backtests/strategies/${encodeURIComponent(name)}`,
  ...OWN,
  every: 2 * MINUTE,
  cadence: 5 * MINUTE,
})

/** What answers a command of the verb: a run where one is named, else the list. */
export const ofCommand = ({ args }: Command): Question<Run> | Question<RunPage> =>
  args['id'] === undefined ? runs : run(args['id'])
