import { t } from 'elysia'
import type { Static } from 'elysia'
import { SampleMark, StatusEnum, VenueEnum } from './market.ts'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { nullable, stringEnum } from './schemas.ts'
import { TIMEFRAMES } from '../domain/prices/candle.ts'
import { VENUE_TABLE } from '../domain/venue.ts'

/**
 * Shapes of the real-time data service: prices are probabilities from 0 to 1 with at most six
 * decimals, sizes are contracts or shares, volumes are in the venue's own unit, and null is
 * unknown. The socket's topics are made of the same shapes.
 */
const probability = (description: string) =>
  t.Number({ minimum: 0, maximum: 1, description: `${description}, 0 to 1` })
const Probability = nullable(probability('chance of YES'))

export const Seconds = t.Integer({ description: 'Unix seconds' })
const Ms = t.Integer({ description: 'Unix milliseconds' })

const marketFields = {
  ticker: t.String({ description: 'ticker or condition id' }),
  venue: VenueEnum,
  title: t.String(),
  lastPrice: Probability,
  volume24h: nullable(
    t.Number({
      description: VENUE_TABLE.map(({ id, volumeUnit }) => `${id}: ${volumeUnit}`).join('; '),
    }),
  ),
  closeTime: nullable(Seconds),
  bestBid: Probability,
  bestAsk: Probability,
  sample: SampleMark,
}

const Heat = t.Integer({
  minimum: 0,
  maximum: 100,
  description: 'activity: volume surprise, 24 h change, share of volume',
})

export const V1Market = t.Object({ ...marketFields, heat: t.Optional(Heat) })
export type V1Market = Static<typeof V1Market>

export const V1FeaturedMarket = t.Object({ ...marketFields, heat: Heat })
export type V1FeaturedMarket = Static<typeof V1FeaturedMarket>

/** One market with what lists leave out; `ts` is the time of its quote. */
export const V1MarketDetail = t.Object({
  ...marketFields,
  subtitle: nullable(t.String()),
  status: StatusEnum,
  openInterest: nullable(t.Number({ description: 'in the unit of volume24h' })),
  ts: Ms,
  generated_at: Seconds,
})
export type V1MarketDetail = Static<typeof V1MarketDetail>

export const MOVER_WINDOWS = ['1m', '5m', '15m', '1h', '4h', '24h'] as const
export type MoverWindow = (typeof MOVER_WINDOWS)[number]
export const WindowEnum = stringEnum(MOVER_WINDOWS)

export const V1Mover = t.Object({
  ...marketFields,
  change: t.Number({
    minimum: -1,
    maximum: 1,
    description: 'current last price minus the earlier one',
  }),
  changeAbs: t.Number({ minimum: 0, maximum: 1 }),
  window: WindowEnum,
})
export type V1Mover = Static<typeof V1Mover>

/** Price and size of one level. */
export const V1Level = t.Unsafe<[price: number, size: number]>(
  t.Array(t.Number(), {
    minItems: 2,
    maxItems: 2,
    description: 'price, 0 to 1, and size in contracts',
  }),
)
export type V1Level = Static<typeof V1Level>

/** Bids descending, asks ascending; `stale` when nothing confirms the levels now. */
export const V1Book = t.Object({
  ticker: t.String(),
  bids: t.Array(V1Level),
  asks: t.Array(V1Level),
  ts: nullable(Ms),
  stale: t.Boolean(),
})
export type V1Book = Static<typeof V1Book>

export const TimeframeEnum = stringEnum(TIMEFRAMES)

export const V1Candle = t.Object({
  t: t.Integer({ description: 'start of the bar, Unix seconds' }),
  o: probability('open'),
  h: probability('high'),
  l: probability('low'),
  c: probability('close'),
  v: nullable(t.Number({ description: 'contracts; null for price-only history' })),
  partial: t.Optional(t.Literal(true, { description: 'the bar is still open' })),
  gap: t.Optional(t.Literal(true, { description: 'the bar crosses a feed gap' })),
})
export type V1Candle = Static<typeof V1Candle>

export const V1Trade = t.Object({
  ticker: t.String(),
  venue: VenueEnum,
  price: probability('YES price, whichever side was bought'),
  size: t.Number({ description: 'contracts' }),
  side: t.Optional(stringEnum(['yes', 'no'])),
  ts: Ms,
  id: t.String({ description: 'unique within the venue' }),
  block: t.Optional(
    t.Literal(true, { description: 'block trade: counts as volume, not as price' }),
  ),
})
export type V1Trade = Static<typeof V1Trade>

const venue = () => param.venue()
const Price = V1Market.properties.lastPrice

/** There are no parameters: `asOf` and all other names are ignored. */
export const NoQuery = query({})

export const Heartbeat = t.Object({
  generated_at: Seconds,
  markets_tracked: t.Integer({ description: 'active markets' }),
  top_volume_market: nullable(
    t.String({ description: 'ticker with the most dollars traded in 24 h' }),
  ),
  uptime_s: t.Integer(),
  ws_clients: t.Integer({ description: 'open connections of the socket' }),
})
export type Heartbeat = Static<typeof Heartbeat>

export const MarketsQuery = query({
  q: param.text('every word occurs in title, subtitle, event title or ticker'),
  venue: venue(),
  limit: param.limit(500, 5_000),
  offset: param.clampedInteger({
    default: 0,
    min: 0,
    max: 1_000_000,
    description: 'Rows to skip.',
  }),
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
  n: param.limit(50, 200),
})
export type FeaturedQuery = ReadQuery<typeof FeaturedQuery>
export const FeaturedPage = t.Object({ markets: t.Array(V1FeaturedMarket), ...pageFields })
export type FeaturedPage = Static<typeof FeaturedPage>

export const SearchQuery = query({
  q: param.requiredText(
    'q required (min 2 chars)',
    2,
    'words or a question, at least 2 characters',
  ),
  limit: param.limit(20, 50),
  venue: venue(),
  strict: param.flag('only markets in which all words occur'),
})
export type SearchQuery = ReadQuery<typeof SearchQuery>
export const SearchAnswer = t.Object({
  query: t.String(),
  results: t.Array(
    t.Object({
      ticker: t.String(),
      venue: VenueEnum,
      title: t.String(),
      subtitle: nullable(t.String()),
      outcome: nullable(t.String({ description: 'name among mutually exclusive outcomes' })),
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
      venue: VenueEnum,
      last: Price,
      bid: Price,
      ask: Price,
      vol24h: V1Market.properties.volume24h,
    }),
  ),
})
export type Snapshot = Static<typeof Snapshot>

export const MoversQuery = query({
  window: param.oneOf(MOVER_WINDOWS, '1h', {
    description: 'window of the move',
    aliases: { '1d': '24h' },
  }),
  n: param.clampedInteger({
    default: 20,
    min: 10,
    max: 200,
    description: 'Largest number of rows.',
  }),
  minVol: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
  dir: param.oneOf(['up', 'down', 'both'] as const, 'both', {
    description: 'direction of the move',
  }),
  venue: venue(),
})
export type MoversQuery = ReadQuery<typeof MoversQuery>
export const Movers = t.Object({
  window: WindowEnum,
  count: t.Integer(),
  movers: t.Array(V1Mover),
  generated_at: Seconds,
})
export type Movers = Static<typeof Movers>

export const BookQuery = query({
  depth: param.clampedInteger({ default: 50, min: 1, max: 200, description: 'levels per side.' }),
})
export type BookQuery = ReadQuery<typeof BookQuery>

/** The latest instant that a date can name, in Unix milliseconds. */
const LATEST = 8_640_000_000_000_000
const beforeParam = (unit: number, description: string) =>
  param.boundedInteger({ default: null, min: 0, max: LATEST / unit, description })

export const CandlesQuery = query({
  tf: param.oneOf(TIMEFRAMES, '1h', { description: 'width of a bar' }),
  limit: param.limit(500, 2_000),
  before: beforeParam(1_000, 'only bars that start before this time, Unix seconds'),
})
export type CandlesQuery = ReadQuery<typeof CandlesQuery>
export const Candles = t.Object({
  ticker: t.String(),
  timeframe: TimeframeEnum,
  candles: t.Array(V1Candle),
})
export type Candles = Static<typeof Candles>

export const TradesQuery = query({
  limit: param.limit(50, 500),
  before: beforeParam(1, 'only trades before this time, Unix milliseconds'),
})
export type TradesQuery = ReadQuery<typeof TradesQuery>
export const Trades = t.Object({ ticker: t.String(), trades: t.Array(V1Trade) })
export type Trades = Static<typeof Trades>
