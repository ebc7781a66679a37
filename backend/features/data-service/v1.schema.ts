import { t } from 'elysia'
import type { Static } from 'elysia'
import { TIMEFRAMES } from '../../domain/candle.ts'
import { VENUES } from '../../domain/market.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { nullable } from '../../http/schemas.ts'
import {
  MOVER_WINDOWS,
  Seconds,
  TimeframeWord,
  V1Candle,
  V1FeaturedMarket,
  V1Market,
  V1Mover,
  V1Trade,
  VenueWord,
  WindowWord,
} from './v1.types.ts'

export const TickerParam = t.Object({
  ticker: t.String({ description: 'venue_a ticker, or venue_b condition id (0x…, pm:0x…)' }),
})

const venue = () => param.oneOf(VENUES, null)
const Price = V1Market.properties.lastPrice

/** Nothing can be asked: `asOf` and all other names are not read. */
export const NoQuery = query({})

export const Heartbeat = t.Object({
  generated_at: Seconds,
  markets_tracked: t.Integer({ description: 'active markets' }),
  top_volume_market: nullable(t.String({ description: 'ticker of the most dollars in 24 h' })),
  uptime_s: t.Integer(),
  ws_clients: t.Integer({ description: 'open connections of the socket' }),
})
export type Heartbeat = Static<typeof Heartbeat>

export const MarketsQuery = query({
  q: param.text('every word occurs in title, subtitle, event title or ticker'),
  venue: venue(),
  limit: param.clampedInteger({ default: 500, min: 1, max: 5_000 }),
  offset: param.clampedInteger({ default: 0, min: 0, max: 1_000_000 }),
})
export type MarketsQuery = ReadQuery<typeof MarketsQuery>

const pageFields = {
  count: t.Integer({ description: 'rows of this page' }),
  total: t.Integer({ description: 'rows that match' }),
  generated_at: Seconds,
}
export const MarketsPage = t.Object({ markets: t.Array(V1Market), ...pageFields })
export type MarketsPage = Static<typeof MarketsPage>

export const FeaturedQuery = query({
  n: param.clampedInteger({ default: 50, min: 1, max: 200 }),
})
export type FeaturedQuery = ReadQuery<typeof FeaturedQuery>
export const FeaturedPage = t.Object({ markets: t.Array(V1FeaturedMarket), ...pageFields })
export type FeaturedPage = Static<typeof FeaturedPage>

export const SearchQuery = query({
  q: param.requiredText('q required (min 2 chars)', 2),
  limit: param.clampedInteger({ default: 20, min: 1, max: 50 }),
  venue: venue(),
  strict: param.flag('only markets in which all words occur'),
})
export type SearchQuery = ReadQuery<typeof SearchQuery>
export const SearchAnswer = t.Object({
  query: t.String(),
  results: t.Array(
    t.Object({
      ticker: t.String(),
      venue: VenueWord,
      title: t.String(),
      subtitle: nullable(t.String()),
      outcome: nullable(t.String({ description: 'name among outcomes that exclude each other' })),
      lastPrice: Price,
      volume24h: V1Market.properties.volume24h,
      score: t.Number({ minimum: 0, maximum: 1 }),
    }),
  ),
})
export type SearchAnswer = Static<typeof SearchAnswer>

export const SnapshotQuery = query({ venue: venue() })
export type SnapshotQuery = ReadQuery<typeof SnapshotQuery>
export const Snapshot = t.Object({
  generated_at: Seconds,
  count: t.Integer(),
  markets: t.Array(
    t.Object({
      ticker: t.String(),
      venue: VenueWord,
      last: Price,
      bid: Price,
      ask: Price,
      vol24h: V1Market.properties.volume24h,
    }),
  ),
})
export type Snapshot = Static<typeof Snapshot>

export const MoversQuery = query({
  window: param.oneOf(MOVER_WINDOWS, '1h', { aliases: { '1d': '24h' } }),
  n: param.clampedInteger({ default: 20, min: 10, max: 200 }),
  minVol: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
  dir: param.oneOf(['up', 'down', 'both'] as const, 'both'),
  venue: venue(),
})
export type MoversQuery = ReadQuery<typeof MoversQuery>
export const Movers = t.Object({
  window: WindowWord,
  count: t.Integer(),
  movers: t.Array(V1Mover),
  generated_at: Seconds,
})
export type Movers = Static<typeof Movers>

export const BookQuery = query({
  depth: param.clampedInteger({ default: 50, min: 1, max: 200, description: 'levels a side.' }),
})
export type BookQuery = ReadQuery<typeof BookQuery>

/** The latest instant that a date can name, in Unix milliseconds. */
const LATEST = 8_640_000_000_000_000
const before = (unit: number, description: string) =>
  param.boundedInteger({ default: null, min: 0, max: LATEST / unit, description })

export const CandlesQuery = query({
  tf: param.oneOf(TIMEFRAMES, '1h', { description: 'width of a bar' }),
  limit: param.clampedInteger({ default: 500, min: 1, max: 2_000 }),
  before: before(1_000, 'only bars that start before this time, Unix seconds'),
})
export type CandlesQuery = ReadQuery<typeof CandlesQuery>
export const Candles = t.Object({
  ticker: t.String(),
  timeframe: TimeframeWord,
  candles: t.Array(V1Candle),
})
export type Candles = Static<typeof Candles>

export const TradesQuery = query({
  limit: param.clampedInteger({ default: 50, min: 1, max: 500 }),
  before: before(1, 'only trades before this time, Unix milliseconds'),
})
export type TradesQuery = ReadQuery<typeof TradesQuery>
export const Trades = t.Object({ ticker: t.String(), trades: t.Array(V1Trade) })
export type Trades = Static<typeof Trades>
