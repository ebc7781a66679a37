import { t } from 'elysia'
import type { Static } from 'elysia'
import { TIMEFRAMES } from '../../domain/candle.ts'
import { MARKET_STATUSES, VENUES } from '../../domain/market.ts'
import { nullable, words } from '../../http/schemas.ts'

/**
 * What the real-time data service speaks of: prices are probabilities from 0 to 1 with at most six
 * decimals, sizes are contracts (venue_b: shares), volumes are in the venue's own unit, and null is
 * unknown. The socket's topics are made of the same shapes.
 */
const probability = (description: string) =>
  t.Number({ minimum: 0, maximum: 1, description: `${description}, 0 to 1` })
const Probability = nullable(probability('chance of YES'))

export const Seconds = t.Integer({ description: 'Unix seconds' })
const Ms = t.Integer({ description: 'Unix milliseconds' })

export const VenueWord = words(VENUES as ['venue_a', 'venue_b'])
export const StatusWord = words(
  MARKET_STATUSES as ['upcoming', 'active', 'paused', 'closed', 'resolving', 'settled'],
)

/** Present on markets that the demo made up, absent on all others. */
const SampleMark = t.Optional(
  t.Literal(true, { description: 'made up by the demo, not a market of the venue' }),
)

const marketFields = {
  ticker: t.String({ description: 'venue_a ticker, or venue_b condition id' }),
  venue: VenueWord,
  title: t.String(),
  lastPrice: Probability,
  volume24h: nullable(t.Number({ description: 'venue_a: contracts; venue_b: dollars' })),
  closeTime: nullable(Seconds),
  bestBid: Probability,
  bestAsk: Probability,
  sample: SampleMark,
}
const Heat = t.Integer({
  minimum: 0,
  maximum: 100,
  description: 'how much is going on: volume surprise, 24 h change, share of volume',
})

export const V1Market = t.Object({ ...marketFields, heat: t.Optional(Heat) })
export type V1Market = Static<typeof V1Market>

export const V1FeaturedMarket = t.Object({ ...marketFields, heat: Heat })
export type V1FeaturedMarket = Static<typeof V1FeaturedMarket>

/** One market with what lists leave out; `ts` is the time of its quote. */
export const V1MarketDetail = t.Object({
  ...marketFields,
  subtitle: nullable(t.String()),
  status: StatusWord,
  openInterest: nullable(t.Number({ description: 'in the unit of volume24h' })),
  ts: Ms,
  generated_at: Seconds,
})
export type V1MarketDetail = Static<typeof V1MarketDetail>

export const MOVER_WINDOWS = ['1m', '5m', '15m', '1h', '4h', '24h'] as const
export type MoverWindow = (typeof MOVER_WINDOWS)[number]
export const WindowWord = words(MOVER_WINDOWS)

export const V1Mover = t.Object({
  ...marketFields,
  change: t.Number({ minimum: -1, maximum: 1, description: 'last price now less that then' }),
  changeAbs: t.Number({ minimum: 0, maximum: 1 }),
  window: WindowWord,
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

/** Bids descending, asks ascending; `stale` when nothing confirms now that the levels stand. */
export const V1Book = t.Object({
  ticker: t.String(),
  bids: t.Array(V1Level),
  asks: t.Array(V1Level),
  ts: nullable(Ms),
  stale: t.Boolean(),
})
export type V1Book = Static<typeof V1Book>

export const TimeframeWord = words(TIMEFRAMES)

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
  venue: VenueWord,
  price: probability('YES price whichever side was bought'),
  size: t.Number({ description: 'contracts' }),
  side: t.Optional(words(['yes', 'no'])),
  ts: Ms,
  id: t.String({ description: 'unique within the venue' }),
  block: t.Optional(t.Literal(true, { description: 'agreed off the book: volume, no price' })),
})
export type V1Trade = Static<typeof V1Trade>
