import { t } from 'elysia'
import type { Static } from 'elysia'
import { TIMEFRAMES } from '../../domain/candle.ts'
import { VENUES } from '../../domain/market.ts'
import { COVERAGE_FEEDS } from '../../history/coverage.ts'
import { VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Iso, nullable, Num, words } from '../../http/schemas.ts'
import { RegimeLabel } from '../../http/market-schemas.ts'

const timeframe = (description: string) =>
  param.oneOf(TIMEFRAMES, null, { description, named: 'timeframe' })

export const CandlesQuery = query({
  venue: param.oneOf(VENUES, null, { description: 'must be the venue of the ticker' }),
  timeframe: timeframe('width of a bar, 1m by default'),
  tf: timeframe('short name of timeframe, which wins'),
  limit: param.clampedInteger({ default: 500, min: 1, max: 2_000 }),
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
})
export const CandlesAnswer = t.Object({
  ticker: t.String(),
  venue: VenueWord,
  timeframe: words(TIMEFRAMES),
  priceUnit: t.Literal('cents'),
  volumeUnit: words(['contracts', 'usd']),
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
        feed: words(COVERAGE_FEEDS),
        state: words(['gap', 'repaired']),
        from: Iso,
        to: Iso,
        reason: nullable(t.String()),
      }),
      {
        description:
          'what feeds missed in the window, ascending by feed: still (gap) or until it was fetched (repaired); absent when nothing',
      },
    ),
  ),
})
export type HistoryAnswer = Static<typeof HistoryAnswer>

export const MicrostructureQuery = query({
  ticker: param.requiredText('ticker required'),
  days: param.clampedInteger({ default: 7, min: 1, max: 365 }),
  venue: param.oneOf(VENUES, null),
  limit: param.clampedInteger({ default: 500, min: 1, max: 5_000 }),
  asOf: param.asOf(),
})
export type MicrostructureQuery = ReadQuery<typeof MicrostructureQuery>

export const MicrostructureAnswer = t.Object({
  ticker: t.String(),
  venue: VenueWord,
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
