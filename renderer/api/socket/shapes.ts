import { headlinePrice } from '../../../backend/domain/prices/price.ts'
import type { Cents } from '../../../backend/domain/units.ts'
import type {
  BookData,
  CandlesData,
  MoversData,
  TickerData,
} from '../../../backend/contract/socket.ts'
import type { BookLevel, MarketRow } from '../../../backend/contract/market.ts'
import type { Candle } from '../../../backend/contract/market-history.ts'
import type { LiveTicker } from '../../../backend/contract/markets.ts'
import type { MarketStatus } from '../../../backend/domain/market.ts'

export type Mover = MoversData['movers'][number]

/**
 * A probability as cents. They have at most six and four decimals, so the conversion is lossless.
 */
export const centsOf = (probability: number): Cents =>
  (Math.round(probability * 1e6) / 1e4) as Cents
export const centsOrNull = (probability: number | null): Cents | null =>
  probability === null ? null : centsOf(probability)
/** A difference of cents without binary floating-point noise. */
export const centsDifference = (left: number, right: number): number =>
  Math.round((left - right) * 1e4) / 1e4

/** States in which the mark or the settlement gives the price, not the last trade and the book. */
const ENDED: readonly MarketStatus[] = ['closed', 'resolving', 'settled']

/**
 * The price of an active market, from its topic. Null once trading has ended: the frame has no book
 * then, so only the service's row has the price.
 */
export function tradingPrice(
  last: Cents | null,
  bid: Cents | null,
  ask: Cents | null,
  status: MarketStatus,
): Cents | null {
  if (ENDED.includes(status)) return null
  return headlinePrice({ last, bid, ask, bookValid: bid !== null && ask !== null }).price
}

/** A `ticker` topic's quote in the page's units. */
export interface TickerQuote extends Omit<LiveTicker, 'title' | 'venue' | 'change24h'> {
  readonly status: MarketStatus
  readonly openInterest: number | null
}

const quotes = new WeakMap<TickerData, TickerQuote>()

/** Several cells of a row read the quote of one frame, so it is cached. */
export function quoteOfTicker(data: TickerData): TickerQuote {
  const existing = quotes.get(data)
  if (existing !== undefined) return existing
  const quote = toTickerQuote(data)
  quotes.set(data, quote)
  return quote
}

function toTickerQuote(data: TickerData): TickerQuote {
  const bestBid = centsOrNull(data.bestBid)
  const bestAsk = centsOrNull(data.bestAsk)
  const lastPrice = centsOrNull(data.lastPrice)
  return {
    ticker: data.ticker,
    bestBid,
    bestAsk,
    lastPrice,
    status: data.status,
    price: tradingPrice(lastPrice, bestBid, bestAsk, data.status),
    volume24h: data.volume24h,
    openInterest: data.openInterest,
    updatedAt: new Date(data.ts).toISOString(),
  }
}

/**
 * A row with its topic's quote, when that is newer. The price of a day ago stays the row's own,
 * because it moves slowly and the row is read each minute. So does the price once trading has
 * ended.
 */
export function withTicker<Row extends Pick<MarketRow, 'price' | 'change24h' | 'updatedAt'>>(
  row: Row,
  quote: TickerQuote | null,
): Row {
  if (quote === null || quote.updatedAt < row.updatedAt) return row
  const { bestBid, bestAsk, lastPrice, volume24h, openInterest, updatedAt, status } = quote
  const price = ENDED.includes(status) ? row.price : quote.price
  const dayAgo =
    row.price === null || row.change24h === null ? null : centsDifference(row.price, row.change24h)
  const spread = bestBid === null || bestAsk === null ? null : centsDifference(bestAsk, bestBid)
  const change24h = price === null || dayAgo === null ? null : centsDifference(price, dayAgo)
  const countedFields = { volume24h, openInterest, updatedAt, status }
  return { ...row, ...countedFields, price, bestBid, bestAsk, lastPrice, spread, change24h }
}

const levelsOf = (side: BookData['bids']): BookLevel[] =>
  side.map(([price, size]) => ({ price: centsOf(price), size }))

/** A book in cents; `stale` when its levels are not confirmed. */
export interface LiveBook extends Pick<BookData, 'stale'> {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}
export const bookOf = ({ bids, asks, stale }: BookData): LiveBook => ({
  bids: levelsOf(bids),
  asks: levelsOf(asks),
  stale,
})

/** Converted bars, cached so that an unchanged bar keeps its identity from frame to frame. */
const convertedCandles = new WeakMap<CandlesData['candles'][number], Candle>()

export const candlesOf = ({ candles }: CandlesData): readonly Candle[] =>
  candles.map((bar) => {
    const existing = convertedCandles.get(bar)
    if (existing !== undefined) return existing
    const { t, o, h, l, c, v, partial, gap } = bar
    const candle: Candle = {
      t,
      at: new Date(t * 1000).toISOString(),
      v,
      o: centsOf(o),
      h: centsOf(h),
      l: centsOf(l),
      c: centsOf(c),
      ...(partial === undefined ? {} : { partial }),
      ...(gap === undefined ? {} : { gap }),
    }
    convertedCandles.set(bar, candle)
    return candle
  })
