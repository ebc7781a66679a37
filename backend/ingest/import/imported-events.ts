import type { MarketFacts, Ticker, Venue } from '../../domain/market.ts'
import { MINUTE, type Millis, type PriceE4 } from '../../domain/units.ts'
import { descriptorOf } from '../../domain/venue.ts'
import type {
  ActivityReported,
  CandlePublished,
  MarketDescribed,
  QuoteChanged,
} from '../../venues/connector.ts'
import { restingPrice } from '../../venues/parsed.ts'

/**
 * Venue, market and both times of a recorded row: it is known one venue delay after it happened.
 */
export const importFields = (venue: Venue, ticker: Ticker, at: Millis) =>
  ({
    venue,
    ticker,
    at,
    receivedAt: (at + descriptorOf(venue).publicationDelay) as Millis,
    origin: 'imported',
  }) as const

/** Facts of a market about which a file states little; everything not given is unknown. */
export const plainFacts = (
  venue: Venue,
  ticker: Ticker,
  title: string,
  facts: Partial<Omit<MarketFacts, 'venue' | 'ticker' | 'title'>>,
): MarketFacts => ({
  venue,
  ticker,
  title,
  subtitle: null,
  description: '',
  rulesUrl: null,
  eventId: ticker,
  eventTitle: null,
  seriesId: null,
  seriesTitle: null,
  category: 'other',
  tags: [],
  status: 'active',
  result: null,
  settlementPrice: null,
  openTime: null,
  closeTime: null,
  expirationTime: null,
  exclusive: false,
  priceRanges: [],
  volumeUnit: descriptorOf(venue).volumeUnit,
  aliases: [],
  assetIds: [],
  ...facts,
})

export const marketDescribed = (facts: MarketFacts, at: Millis): MarketDescribed => ({
  type: 'market_described',
  ...importFields(facts.venue, facts.ticker, at),
  facts,
})

/** A quote without sizes; 0 and a whole dollar mean an empty side. */
export const quoteAt = (
  venue: Venue,
  ticker: Ticker,
  at: Millis,
  { bid, ask }: { readonly bid: PriceE4 | null; readonly ask: PriceE4 | null },
): QuoteChanged => ({
  type: 'quote_changed',
  ...importFields(venue, ticker, at),
  bid: restingPrice(bid),
  bidSize: null,
  ask: restingPrice(ask),
  askSize: null,
})

export const countersAt = (
  venue: Venue,
  ticker: Ticker,
  at: Millis,
  fields: {
    readonly volume?: number | null
    readonly volume24h?: number | null
    readonly openInterest?: number | null
    readonly lastPrice?: PriceE4 | null
  },
): ActivityReported => ({
  type: 'activity_reported',
  ...importFields(venue, ticker, at),
  volume: (fields.volume ?? null) as ActivityReported['volume'],
  volume24h: (fields.volume24h ?? null) as ActivityReported['volume24h'],
  openInterest: (fields.openInterest ?? null) as ActivityReported['openInterest'],
  lastPrice: fields.lastPrice ?? null,
})

/**
 * A price that a source states for an instant, as the bar of its minute: price-only history. It is
 * known when the minute has ended.
 */
export function pricePoint(
  venue: Venue,
  ticker: Ticker,
  at: Millis,
  price: PriceE4,
): CandlePublished {
  const start = (Math.floor(at / MINUTE) * MINUTE) as Millis
  return priceBar(venue, ticker, start, MINUTE, {
    open: price,
    high: price,
    low: price,
    close: price,
  })
}

/** A bar without a volume. */
export const priceBar = (
  venue: Venue,
  ticker: Ticker,
  start: Millis,
  width: Millis,
  prices: Pick<CandlePublished, 'open' | 'high' | 'low' | 'close'>,
): CandlePublished => ({
  type: 'candle_published',
  ...importFields(venue, ticker, (start + width) as Millis),
  start,
  width,
  ...prices,
  volume: null,
  bidClose: null,
  askClose: null,
})
