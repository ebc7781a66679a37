import type {
  BookData,
  CandlesData,
  MoversData,
  TickerData,
} from '../../../backend/features/data-service/socket/protocol.ts'
import type { BookLevel, Candle, LiveTicker, MarketRow, MarketStatus } from '../types.ts'

export type Mover = MoversData['movers'][number]

/** A probability as cents. Both have at most six and four decimals, so nothing is lost. */
export const centsOf = (probability: number): number => Math.round(probability * 1e6) / 1e4
const centsOrNull = (probability: number | null): number | null =>
  probability === null ? null : centsOf(probability)
/** A difference of cents without the noise of binary fractions. */
export const lessCents = (left: number, right: number): number =>
  Math.round((left - right) * 1e4) / 1e4

const WIDEST_MID = 10

/**
 * Headline price in cents as the service states it (methodology, price): the last trade held
 * inside the book; without a trade the middle of a book up to 10¢ wide.
 */
export function headlineCents(
  last: number | null,
  bid: number | null,
  ask: number | null,
): number | null {
  if (last !== null) return Math.min(Math.max(last, bid ?? last), ask ?? Infinity)
  if (bid === null || ask === null || lessCents(ask, bid) > WIDEST_MID) return null
  return Math.round(((bid + ask) / 2) * 1e4) / 1e4
}

/** What a `ticker` topic says of a market, in the page's units. */
export interface TickerQuote extends Omit<LiveTicker, 'title' | 'venue' | 'change24h'> {
  readonly status: MarketStatus
  readonly openInterest: number | null
}

const quotes = new WeakMap<TickerData, TickerQuote>()

/** Several cells of a row ask for the quote of one frame: it is made once. */
export function quoteOfTicker(data: TickerData): TickerQuote {
  const known = quotes.get(data)
  if (known !== undefined) return known
  const quote = quoteMade(data)
  quotes.set(data, quote)
  return quote
}

function quoteMade(data: TickerData): TickerQuote {
  const [bestBid, bestAsk, lastPrice] = [data.bestBid, data.bestAsk, data.lastPrice].map(
    centsOrNull,
  ) as [number | null, number | null, number | null]
  return {
    ...{ ticker: data.ticker, bestBid, bestAsk, lastPrice, status: data.status },
    price: headlineCents(lastPrice, bestBid, bestAsk),
    ...{ volume24h: data.volume24h, openInterest: data.openInterest },
    updatedAt: new Date(data.ts).toISOString(),
  }
}

/**
 * A row with what its topic says, when that is newer. The price of a day ago stays the row's own:
 * it moves slowly, and the row is read again each minute. What a market paid is not in its quote.
 */
export function withTicker<Row extends Pick<MarketRow, 'price' | 'change24h' | 'updatedAt'>>(
  row: Row,
  quote: TickerQuote | null,
): Row {
  if (quote === null || quote.updatedAt < row.updatedAt) return row
  const { bestBid, bestAsk, lastPrice, volume24h, openInterest, updatedAt, status } = quote
  const price = status === 'settled' ? row.price : quote.price
  const dayAgo =
    row.price === null || row.change24h === null ? null : lessCents(row.price, row.change24h)
  const spread = bestBid === null || bestAsk === null ? null : lessCents(bestAsk, bestBid)
  const change24h = price === null || dayAgo === null ? null : lessCents(price, dayAgo)
  const counted = { volume24h, openInterest, updatedAt, status }
  return { ...row, ...counted, price, bestBid, bestAsk, lastPrice, spread, change24h }
}

const levelsOf = (side: BookData['bids']): BookLevel[] =>
  side.map(([price, size]) => ({ price: centsOf(price), size }))

export interface LiveBook {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
  /** Nothing confirms now that the levels stand. */
  readonly stale: boolean
}
export const bookOf = ({ bids, asks, stale }: BookData): LiveBook => ({
  bids: levelsOf(bids),
  asks: levelsOf(asks),
  stale,
})

/** Bars already converted, so that a bar that stands keeps its identity from frame to frame. */
const converted = new WeakMap<CandlesData['candles'][number], Candle>()

export const candlesOf = ({ candles }: CandlesData): readonly Candle[] =>
  candles.map((bar) => {
    const known = converted.get(bar)
    if (known !== undefined) return known
    const { t, o, h, l, c, v, partial, gap } = bar
    const candle: Candle = {
      ...{ t, at: new Date(t * 1000).toISOString(), v },
      ...{ o: centsOf(o), h: centsOf(h), l: centsOf(l), c: centsOf(c) },
      ...(partial === undefined ? {} : { partial }),
      ...(gap === undefined ? {} : { gap }),
    }
    converted.set(bar, candle)
    return candle
  })
