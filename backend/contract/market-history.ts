import { t } from 'elysia'
import type { Static } from 'elysia'
import { Gauges } from './indices.ts'
import { MarketActions, MarketRef, Mover, RegimeLabel, RegimeRow, VenueEnum } from './market.ts'
import * as param from './params.ts'
import { inOrder, query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Action, describedEnum, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { CHANGE_TYPES } from '../domain/changes/change-type.ts'
import { COVERAGE_FEEDS } from '../domain/coverage-feed.ts'
import { TIMEFRAMES } from '../domain/prices/candle.ts'
import { REGIME_LABELS } from '../domain/regime/label.ts'
import { REGIME_SORTS } from '../domain/regime/scan.ts'
import { EVENT_TYPES, OBSERVABILITIES } from '../domain/topics/event-type-rules.ts'

const timeframe = (description: string) =>
  param.oneOf(TIMEFRAMES, null, { description, named: 'timeframe' })

export const CandlesQuery = query({
  venue: param.venue('must be the venue of the ticker'),
  timeframe: timeframe('width of a bar, 1m by default'),
  tf: timeframe('short form of timeframe, which takes precedence'),
  limit: param.limit(500, 2_000),
  before: param.instant('only bars that start before this time'),
  asOf: param.asOf(),
})
export type CandlesQuery = ReadQuery<typeof CandlesQuery>

export const Candle = t.Object({
  t: t.Integer({ description: 'start of the bar, Unix seconds' }),
  at: Iso,
  o: t.Number(),
  h: t.Number(),
  l: t.Number(),
  c: t.Number(),
  v: nullable(t.Number({ description: 'contracts; null for price-only history' })),
  partial: t.Optional(t.Literal(true, { description: 'the bar is still open' })),
  gap: t.Optional(t.Literal(true, { description: 'the bar crosses a feed gap' })),
  source: t.Optional(
    describedEnum(
      ['venue', 'mids'],
      'origin of the bar: published by the venue, or built from mids of recorded quotes; absent for a bar of trades',
    ),
  ),
})
export type Candle = Static<typeof Candle>

export const CandlesAnswer = t.Object({
  ticker: t.String(),
  venue: VenueEnum,
  timeframe: stringEnum(TIMEFRAMES),
  priceUnit: t.Literal('cents'),
  volumeUnit: stringEnum(['contracts', 'usd']),
  candles: t.Array(Candle),
  count: t.Integer(),
  nextBefore: nullable(Iso),
})
export type CandlesAnswer = Static<typeof CandlesAnswer>

export const HistoryQuery = query({ asOf: param.asOf() })
export type HistoryQuery = ReadQuery<typeof HistoryQuery>

export const HistoryAnswer = t.Object({
  ticker: t.String(),
  windowDays: t.Literal(7),
  indicatorHistory: t.Array(
    t.Object({ at: Iso, price: t.Number(), delta: t.Number(), iy: Num, cri: Num }),
  ),
  regimeHistory: t.Array(
    t.Object({
      at: Iso,
      score: Num,
      label: RegimeLabel,
      spreadCents: Num,
      bidDepthUsd: Num,
      askDepthUsd: Num,
      volume24h: Num,
    }),
  ),
  indicatorCount: t.Integer(),
  regimeCount: t.Integer(),
  gaps: t.Optional(
    t.Array(
      t.Object({
        feed: stringEnum(COVERAGE_FEEDS),
        state: stringEnum(['gap', 'repaired']),
        from: Iso,
        to: Iso,
        reason: nullable(t.String()),
      }),
      {
        description:
          'feed gaps in the window, ascending by feed: open (gap) or filled later (repaired); absent when none',
      },
    ),
  ),
})
export type HistoryAnswer = Static<typeof HistoryAnswer>
export type PriceChange = HistoryAnswer['indicatorHistory'][number]
export type RegimeChange = HistoryAnswer['regimeHistory'][number]
export type FeedGap = NonNullable<HistoryAnswer['gaps']>[number]

export const MicrostructureQuery = query({
  ticker: param.requiredText('ticker required', 1, 'ticker of the market'),
  days: param.days(7),
  venue: param.venue(),
  limit: param.limit(500, 5_000),
  asOf: param.asOf(),
})
export type MicrostructureQuery = ReadQuery<typeof MicrostructureQuery>

export const MicrostructureAnswer = t.Object({
  ticker: t.String(),
  venue: VenueEnum,
  days: t.Integer(),
  points: t.Array(
    t.Object({
      at: Iso,
      bid: Num,
      ask: Num,
      mid: Num,
      spreadCents: Num,
      bidDepthUsd: Num,
      askDepthUsd: Num,
      imbalance: Num,
      trades: t.Integer(),
      buyVolume: t.Number(),
      sellVolume: t.Number(),
      flowImbalance: Num,
    }),
  ),
  count: t.Integer(),
  stepSeconds: t.Literal(3600),
})
export type MicrostructureAnswer = Static<typeof MicrostructureAnswer>
export type MicrostructurePoint = MicrostructureAnswer['points'][number]

export const ChangesQuery = query({
  since: param.since('1h'),
  type: param.listOf(CHANGE_TYPES),
  ticker: param.text('ticker of the market'),
  topic: param.text('theme of the market'),
  venue: param.venue(),
  limit: param.limit(100, 500),
  cursor: param.text('continues a page with its window and filters'),
  asOf: param.asOf(),
})
export type ChangesQuery = ReadQuery<typeof ChangesQuery>

const ReportedValue = nullable(t.Union([t.Number(), t.String()]))
export const ChangesAnswer = t.Object({
  since: Iso,
  to: Iso,
  changes: t.Array(
    t.Object({
      ...MarketRef.properties,
      id: t.String(),
      type: stringEnum(CHANGE_TYPES),
      before: ReportedValue,
      after: ReportedValue,
      delta: Num,
      at: Iso,
    }),
  ),
  count: t.Integer(),
  nextCursor: nullable(t.String()),
  hasMore: t.Boolean(),
})
export type ChangesAnswer = Static<typeof ChangesAnswer>
export type MarketChange = ChangesAnswer['changes'][number]

export const DIFF_WINDOWS = ['1h', '6h', '24h', '7d'] as const
export type DiffWindow = (typeof DIFF_WINDOWS)[number]

export const DiffQuery = query({
  window: param.oneOf(DIFF_WINDOWS, '24h', { description: 'how far back to compare' }),
  topic: param.text('theme of the market'),
  category: param.text('category of the market'),
  venue: param.venue(),
  limit: param.clampedInteger({ default: 50, min: 1, max: 200, description: 'rows per list.' }),
  asOf: param.asOf(),
})
export type DiffQuery = ReadQuery<typeof DiffQuery>

export const DiffAnswer = t.Object({
  window: stringEnum(DIFF_WINDOWS),
  from: Iso,
  to: Iso,
  moved: t.Array(Mover, { description: 'at least a cent, largest first' }),
  added: t.Array(MarketRef, { description: 'newest first, like the lists below' }),
  resolved: t.Array(
    t.Object({ ...MarketRef.properties, result: stringEnum(['yes', 'no', 'scalar']), at: Iso }),
  ),
  closed: t.Array(MarketRef),
  regimeChanges: t.Array(
    t.Object({ ...MarketRef.properties, fromLabel: RegimeLabel, toLabel: RegimeLabel, at: Iso }),
  ),
  index: t.Object(Gauges.properties, {
    description: 'gauges at the end minus those at the start',
  }),
})
export type DiffAnswer = Static<typeof DiffAnswer>

const score = () => param.number({ min: 0, max: 1, description: 'adverse-selection score' })

export const RegimeScanQuery = query(
  {
    label: param.oneOf(REGIME_LABELS, null, { description: 'label of adverse selection' }),
    as_min: score(),
    as_max: score(),
    venue: param.venue(),
    event_type: param.oneOf(EVENT_TYPES, null, { description: 'what decides the outcome' }),
    observability: param.oneOf(OBSERVABILITIES, null, {
      description: 'who can observe the outcome first',
    }),
    has_edge: param.optionalFlag('an edge of at least a cent, or none'),
    category: param.text('category of the market'),
    topic: param.text('theme of the market'),
    min_volume: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
    sort: param.oneOf(REGIME_SORTS, 'score', { description: 'order of the markets' }),
    order: param.order(),
    limit: param.limit(50, 200),
    cursor: param.text('continues a page with its sort and filters'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  (read) => inOrder('as', read.as_min, read.as_max),
)
export type RegimeScanQuery = ReadQuery<typeof RegimeScanQuery>

export const RegimePage = t.Object({
  markets: t.Array(RegimeRow),
  count: t.Integer({ description: 'rows of this page' }),
  total: t.Integer(),
  nextCursor: nullable(t.String()),
  hasMore: t.Boolean(),
  byLabel: t.Object(
    {
      maker: t.Integer(),
      taker: t.Integer(),
      neutral: t.Integer(),
      unknown: t.Integer({ description: 'without measured trades' }),
    },
    { description: 'markets that match all filters except the label' },
  ),
  generatedAt: Iso,
  nextActions: t.Optional(MarketActions),
})
export type RegimePage = Static<typeof RegimePage>

/** Answer of the retired history route: the routes that replace it. */
export const RetiredHistory = t.Object({
  error: t.Literal('Gone'),
  code: t.Literal('GONE'),
  replacements: t.Array(Action),
})
export type RetiredHistory = Static<typeof RetiredHistory>
