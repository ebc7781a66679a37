import type { MarketFacts } from '../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../domain/units.ts'
import type {
  ActivityReported,
  BookChanged,
  CandlePublished,
  MarketDescribed,
  QuoteChanged,
  TradePrinted,
} from '../venues/connector.ts'
import { marketFacts } from './market-facts.ts'

/** Market and time of an event made for a test; known 200 ms after it happened, streamed live. */
const stampAt = (at: number, ticker: string) => ({
  venue: 'venue_a' as const,
  ticker,
  at: at as Millis,
  receivedAt: (at + 200) as Millis,
  origin: 'live' as const,
})

/** The facts of a market as its venue publishes them at an instant. */
export const described = (at: number, facts: Partial<MarketFacts> = {}): MarketDescribed => {
  const marketValues = marketFacts(facts)
  return {
    ...stampAt(at, marketValues.ticker),
    venue: marketValues.venue,
    type: 'market_described',
    facts: marketValues,
  }
}

/** A trade of one contract at 41 cents, bought by a taker of YES. */
export const traded = (at: number, trade: Partial<TradePrinted> = {}): TradePrinted => ({
  ...stampAt(at, marketFacts().ticker),
  type: 'trade_printed',
  tradeId: `${trade.ticker ?? 'trade'}-${at}`,
  price: 4_100 as PriceE4,
  size: 1_000_000 as SizeE6,
  takerSide: 'yes',
  isBlock: false,
  ...trade,
})

/** A quote of 40 to 43 cents without sizes. */
export const quoted = (at: number, quote: Partial<QuoteChanged> = {}): QuoteChanged => ({
  ...stampAt(at, marketFacts().ticker),
  type: 'quote_changed',
  bid: 4_000 as PriceE4,
  bidSize: null,
  ask: 4_300 as PriceE4,
  askSize: null,
  ...quote,
})

/** A book without orders. */
export const bookAt = (at: number, book: Partial<BookChanged> = {}): BookChanged => ({
  ...stampAt(at, marketFacts().ticker),
  type: 'book_changed',
  bids: [],
  asks: [],
  ...book,
})

/** A bar of `width` that ends at `at`, without trades. */
export const barAt = (
  at: number,
  width: number,
  bar: Partial<CandlePublished> = {},
): CandlePublished => ({
  ...stampAt(at, marketFacts().ticker),
  type: 'candle_published',
  start: (at - width) as Millis,
  width: width as Millis,
  open: null,
  high: null,
  low: null,
  close: null,
  volume: null,
  bidClose: null,
  askClose: null,
  ...bar,
})

/** Counters without values. */
export const activityAt = (
  at: number,
  activity: Partial<ActivityReported> = {},
): ActivityReported => ({
  ...stampAt(at, marketFacts().ticker),
  type: 'activity_reported',
  volume: null,
  volume24h: null,
  openInterest: null,
  lastPrice: null,
  ...activity,
})
