import type { MarketView } from '../../computed/board/market-board.ts'
import { isSample, type BookLevel, type OrderBook } from '../../domain/market.ts'
import { contractsOf, probabilityOf, roundTo, type Cents, type Millis } from '../../domain/units.ts'
import type { MarketKey } from '../../history/market-key.ts'
import type { CandleRow, TradeRow } from '../../history/market-rows.ts'
import type {
  V1Book,
  V1Candle,
  V1Level,
  V1Market,
  V1MarketDetail,
  V1Trade,
} from '../../contract/data-service.ts'

/** Largest number of decimals of a probability, and of a size or volume. */
const PLACES = 6

/** Cents as a probability; null stays null. */
export const chanceOf = (price: Cents | null): number | null =>
  price === null ? null : roundTo(price / 100, PLACES)
const amountOf = (value: number | null): number | null =>
  value === null ? null : roundTo(value, PLACES)
/** An instant in whole Unix seconds. */
export const secondsOf = (at: Millis): number => Math.floor(at / 1_000)
const secondsOrNull = (at: Millis | null): number | null => (at === null ? null : secondsOf(at))

/** A market as the data service lists it. */
export const v1MarketOf = (view: MarketView): V1Market => {
  const { facts } = view
  return {
    ticker: facts.ticker,
    venue: facts.venue,
    title: facts.title,
    lastPrice: chanceOf(view.lastPrice),
    volume24h: amountOf(view.volume24h),
    closeTime: secondsOrNull(facts.closeTime),
    bestBid: chanceOf(view.bestBid),
    bestAsk: chanceOf(view.bestAsk),
    ...(isSample(facts) ? { sample: true as const } : {}),
  }
}

/** A market with the fields that lists leave out. @param now time of the answer */
export const v1DetailOf = (view: MarketView, now: Millis): V1MarketDetail => ({
  ...v1MarketOf(view),
  subtitle: view.facts.subtitle,
  status: view.status,
  openInterest: amountOf(view.openInterest),
  ts: view.updatedAt,
  generated_at: secondsOf(now),
})

const levelsOf = (levels: readonly BookLevel[], depth: number): V1Level[] =>
  levels.slice(0, depth).map(({ price, size }) => [probabilityOf(price), contractsOf(size)])

/**
 * A book as served: at most `depth` levels per side; both sides are empty if none is known.
 * @param datedBook the newest book and its time
 */
export const v1BookOf = (
  ticker: string,
  datedBook: { readonly book: OrderBook; readonly at: Millis } | null,
  depth: number,
  stale: boolean,
): V1Book => ({
  ticker,
  bids: levelsOf(datedBook?.book.bids ?? [], depth),
  asks: levelsOf(datedBook?.book.asks ?? [], depth),
  ts: datedBook?.at ?? null,
  stale,
})

/** A bar as served. @param isOpen whether its time is not over */
export const v1CandleOf = (row: CandleRow, isOpen: boolean): V1Candle => ({
  t: secondsOf(row.start),
  o: probabilityOf(row.open),
  h: probabilityOf(row.high),
  l: probabilityOf(row.low),
  c: probabilityOf(row.close),
  v: row.volume === null ? null : contractsOf(row.volume),
  ...(isOpen ? { partial: true as const } : {}),
  ...(row.crossesGap ? { gap: true as const } : {}),
})

/** A trade as served. */
export const v1TradeOf = ({ ticker, venue }: MarketKey, trade: TradeRow): V1Trade => ({
  ticker,
  venue,
  price: probabilityOf(trade.price),
  size: contractsOf(trade.size),
  ...(trade.takerSide === null ? {} : { side: trade.takerSide }),
  ts: trade.ts,
  id: trade.tradeId,
  ...(trade.isBlock ? { block: true as const } : {}),
})
