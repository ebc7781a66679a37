import { t } from 'elysia'
import type { Static } from 'elysia'
import { TIMEFRAMES } from '../domain/prices/candle.ts'
import { integer, Iso, nullable, PageInfo, stringEnum } from './schemas.ts'
import { MAX_POINTS } from '../domain/backtest/studies/param-space.ts'
import { SWEEP_METHODS } from '../domain/backtest/studies/study.ts'
import type { RunReport } from '../domain/backtest/report/report.ts'
import { JOB_STATES } from '../domain/job-state.ts'

export const CHECKS = ['lookahead', 'determinism'] as const

const Value = t.Union([t.Number(), t.String({ maxLength: 1_000 }), t.Boolean()])

/** Values of one parameter: by steps, or one by one. */
const Range = t.Union([
  t.Object({ from: t.Number(), to: t.Number(), step: t.Number() }),
  t.Object({ values: t.Array(Value, { minItems: 1, maxItems: 1_000 }) }),
])

export const Sweep = t.Object(
  {
    params: t.Record(t.String({ maxLength: 64 }), Range, { minProperties: 1, maxProperties: 16 }),
    method: t.Optional(stringEnum(SWEEP_METHODS)),
    trials: t.Optional(
      integer({
        minimum: 1,
        maximum: MAX_POINTS,
        description: 'parameter sets of random and halving; 50 by default',
      }),
    ),
  },
  { description: 'compares many parameter sets and reports on the best' },
)

export const WalkForward = t.Object(
  {
    trainDays: t.Optional(integer({ minimum: 2, maximum: 3_650 })),
    testDays: t.Optional(integer({ minimum: 1, maximum: 3_650 })),
    embargoDays: t.Optional(integer({ minimum: 1, maximum: 365 })),
  },
  {
    description:
      'selects parameters in one span of days, tests them in the next, and reports on the latter',
  },
)

export const StartBacktest = t.Object({
  strategy: t.String({
    minLength: 1,
    maxLength: 4096,
    description:
      'name of a strategy; administrators may also send the absolute path of a .ts, .js or .mjs file',
  }),
  from: t.Optional(
    t.String({
      description:
        'ISO 8601; the run begins with what was known by then; the first stored row by default',
    }),
  ),
  to: t.Optional(
    t.String({
      description: 'ISO 8601; the last instant of the run; the last stored row by default',
    }),
  ),
  markets: t.Optional(
    t.Array(t.String({ minLength: 1 }), { minItems: 1, maxItems: 10_000, description: 'tickers' }),
  ),
  topic: t.Optional(
    t.String({ minLength: 1, maxLength: 64, description: 'a topic, a category or a venue' }),
  ),
  params: t.Optional(t.Record(t.String({ maxLength: 64 }), Value, { maxProperties: 64 })),
  checks: t.Optional(t.Array(stringEnum(CHECKS), { maxItems: 2, uniqueItems: true })),
  sweep: t.Optional(Sweep),
  walkForward: t.Optional(WalkForward),
  capacity: t.Optional(
    t.Boolean({ description: 'repeats the run at 2, 4 and 8 times its order size' }),
  ),
  seed: t.Optional(integer({ minimum: 0, maximum: 2 ** 31 })),
  startCashUsd: t.Optional(
    t.Number({ minimum: 1, maximum: 1e9, description: '10,000 by default' }),
  ),
})
export type StartBacktest = Static<typeof StartBacktest>
/** A request whose range is complete. */
export const RangedBacktest = t.Object({
  ...StartBacktest.properties,
  from: t.String(),
  to: t.String(),
})
export type RangedBacktest = Static<typeof RangedBacktest>

export const BacktestStarted = t.Object({ id: t.String() }, { description: 'the run is queued' })
export const BacktestCancelled = t.Object({ ok: t.Literal(true) })
export const BacktestId = t.Object({ id: t.String({ description: 'backtest, from its start' }) })

export const BacktestRun = t.Object({
  id: t.String(),
  state: stringEnum(JOB_STATES),
  progress: t.Number({ minimum: 0, maximum: 1 }),
  strategy: t.String(),
  request: RangedBacktest,
  report: nullable(
    t.Unsafe<RunReport>(t.Record(t.String(), t.Unknown(), { description: 'docs/backtesting.md' })),
  ),
  files: t.Array(t.String(), { description: 'on the service’s machine, once the run is done' }),
  error: nullable(t.String()),
  createdAt: Iso,
  startedAt: nullable(Iso),
  endedAt: nullable(Iso),
})
export type BacktestRun = Static<typeof BacktestRun>
export type BacktestEvent = Pick<BacktestRun, 'id' | 'state' | 'progress' | 'error'>

export const BacktestRow = t.Object({
  ...t.Omit(BacktestRun, ['report', 'request', 'files']).properties,
  from: Iso,
  to: Iso,
  profit: nullable(t.Number({ description: 'dollars' })),
  trades: nullable(t.Integer()),
})
export type BacktestRow = Static<typeof BacktestRow>

export const BacktestPage = t.Object({
  data: t.Array(BacktestRow),
  pageInfo: PageInfo,
})
export type BacktestPage = Static<typeof BacktestPage>

export const BacktestTrade = t.Object({
  at: Iso,
  ticker: t.String(),
  action: stringEnum(['buy', 'sell']),
  side: stringEnum(['yes', 'no']),
  role: stringEnum(['taker', 'maker']),
  price: t.Number({ description: 'cents, price of the traded side' }),
  contracts: t.Number(),
  fee: t.Number({ description: 'dollars' }),
  isEstimated: t.Boolean({ description: 'the size was not recorded: an assumed size was used' }),
  tag: t.String(),
})
export type BacktestTrade = Static<typeof BacktestTrade>

export const TradePage = t.Object({
  data: t.Array(BacktestTrade),
  pageInfo: BacktestPage.properties.pageInfo,
})
export type TradePage = Static<typeof TradePage>

export const Strategies = t.Object({ strategies: t.Array(t.String()) })
export type Strategies = Static<typeof Strategies>

export const StrategyName = t.Object({
  name: t.String({ maxLength: 4096, description: 'strategy, from the list of strategies' }),
})
export const StrategyMetadata = t.Object({
  name: t.String(),
  about: t.String(),
  feeds: t.Array(t.String(), { description: 'events that it subscribes to' }),
  candles: t.Array(stringEnum(TIMEFRAMES), {
    description: 'timeframes of the candles it receives',
  }),
  params: t.Array(
    t.Object({
      name: t.String(),
      kind: stringEnum(['number', 'string', 'boolean']),
      default: t.Union([t.Number(), t.String(), t.Boolean()]),
    }),
    { description: 'in the order of the strategy' },
  ),
})
export type StrategyMetadata = Static<typeof StrategyMetadata>
export type StrategyParam = StrategyMetadata['params'][number]
export type ParamValue = StrategyParam['default']
