import type {
  EvaluationPage,
  ServedThesis,
  ThesisPage,
} from '../../backend/contract/theses/thesis.ts'
import type { ThesisBacktest } from '../../backend/contract/theses/backtest.ts'
import type { ThesisHeartbeat } from '../../backend/contract/theses/heartbeat.ts'
import type {
  ThesesByTicker,
  ThesisContext,
  ThesisFeed,
} from '../../backend/contract/theses/reads.ts'
import type { Iso } from '../../backend/contract/schemas.ts'
import type { Command } from '../shell/commands/command.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf, targetOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 1_440 * MINUTE

/** The user's theses, last changed first. */
export const theses: PolledQuery<ThesisPage> = {
  path: pathOf('/api/thesis', { limit: 200 }),
  ...USER_QUERY,
  interval: 15 * SECOND,
  cadence: MINUTE,
}

/** A thesis with its tree and edges at current prices. */
export const thesis = (id: string): PolledQuery<ServedThesis> => ({
  path: pathOf('/api/thesis/:id', { id }),
  ...USER_QUERY,
  isOfMarkets: true,
  interval: 10 * SECOND,
  cadence: 30 * SECOND,
})

/** Each evaluation of a year, newest first. */
export const evaluations = (id: string): PolledQuery<EvaluationPage> => ({
  path: pathOf('/api/thesis/:id/evaluations', { id, raw: 'true', days: 365, limit: 365 }),
  ...USER_QUERY,
  interval: 30 * SECOND,
  cadence: 2 * MINUTE,
})

/** The evaluations of two days, newest first: enough for what moved since yesterday, usually. */
export const recentEvaluations = (id: string): PolledQuery<EvaluationPage> => ({
  path: pathOf('/api/thesis/:id/evaluations', { id, raw: 'true', days: 2, limit: 365 }),
  ...USER_QUERY,
  interval: 30 * SECOND,
  cadence: 2 * MINUTE,
})

/**
 * The last hundred evaluations of a year, newest first: the last one before yesterday may be weeks old. It
 * stays the last one until newer ones become older than a day, which are in the two days.
 */
export const earlierEvaluations = (id: string): PolledQuery<EvaluationPage> => ({
  path: pathOf('/api/thesis/:id/evaluations', { id, raw: 'true', days: 365, limit: 100 }),
  ...USER_QUERY,
  interval: DAY,
  cadence: 3 * DAY,
})

/** A thesis formed in the past and replayed to now; costly, and the same for minutes. */
export const thesisBacktest = (id: string, window: string): PolledQuery<ThesisBacktest> => ({
  path: pathOf('/api/thesis/:id/backtest', { id, window }),
  ...USER_QUERY,
  interval: 30 * MINUTE,
  cadence: 90 * MINUTE,
})

/** Evaluation schedule of a thesis, and its cost. */
export const heartbeat = (id: string): PolledQuery<ThesisHeartbeat> => ({
  path: pathOf('/api/thesis/:id/heartbeat', { id }),
  ...USER_QUERY,
  interval: 30 * SECOND,
  cadence: 2 * MINUTE,
})

/** The track record of a thesis, with the rest of its context. */
export const thesisContext = (id: string): PolledQuery<ThesisContext> => ({
  path: pathOf('/api/thesis/:id/context', { id, depth: 'false', limit: 1 }),
  ...USER_QUERY,
  interval: MINUTE,
  cadence: 3 * MINUTE,
})

/** Published and own theses with an edge in a market. */
export const thesesOfMarket = (ticker: string, asOf: Iso | null): PolledQuery<ThesesByTicker> => ({
  path: pathOf('/api/thesis/by-ticker/:ticker', { ticker, asOf }),
  ...USER_QUERY,
  interval: MINUTE,
  cadence: 3 * MINUTE,
})

/** Evaluations of all theses of the user in a month. */
export const evaluationFeed = (asOf: Iso | null): PolledQuery<ThesisFeed> => ({
  path: pathOf('/api/feed', { hours: 720, limit: 500, asOf }),
  ...USER_QUERY,
  interval: 30 * SECOND,
  cadence: 2 * MINUTE,
})

/** Query for the verb: one thesis when it is named, else the list. */
export const thesisQuery = ({
  args,
}: Command): PolledQuery<ServedThesis> | PolledQuery<ThesisPage> =>
  args['id'] === undefined ? theses : thesis(args['id'])

export const createRoute = '/api/thesis/create'
export const thesisRoute = (id: string) => targetOf('/api/thesis/:id', { id })
export const signalRoute = (id: string) => targetOf('/api/thesis/:id/signal', { id })
export const evaluateRoute = (id: string) => targetOf('/api/thesis/:id/evaluate', { id })
export const augmentRoute = (id: string) => targetOf('/api/thesis/:id/augment', { id })
export const forkRoute = (id: string) => targetOf('/api/thesis/:id/fork', { id })
export const heartbeatRoute = (id: string) => targetOf('/api/thesis/:id/heartbeat', { id })
export const nodesRoute = (id: string) => targetOf('/api/thesis/:id/nodes/update', { id })
export const publishRoute = (id: string) => targetOf('/api/thesis/:id/publish', { id })
export const strategiesRoute = (id: string) => targetOf('/api/thesis/:id/strategies', { id })
export const strategyRoute = (id: string, strategyId: string) =>
  targetOf('/api/thesis/:id/strategies/:strategyId', { id, strategyId })
