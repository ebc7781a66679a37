import type { MarketFacts } from '../market.ts'
import type { Millis } from '../units.ts'

/** Number of a market within one run: its position by venue, then ticker. */
export type MarketIndex = number

/** Represents an absent price in the columns. */
export const ABSENT = -1

/** Kinds of history that a run can read. */
export const FEEDS = ['trades', 'quotes', 'books', 'bars'] as const
export type Feed = (typeof FEEDS)[number]

/**
 * Rows of one kind in run order: by known time, then venue time, market and arrival. Prices in 1e-4
 * dollars on the YES scale, `ABSENT` for none; sizes in 1e-6 contracts, NaN for unknown.
 */
interface Columns {
  readonly known: Float64Array
  readonly ts: Float64Array
  readonly market: Int32Array
}
/** Excludes block trades, which execute outside the book. */
export interface TradeRows extends Columns {
  readonly price: Int32Array
  readonly size: Float64Array
  /** 0 unknown, 1 YES, 2 NO. */
  readonly taker: Uint8Array
}
export interface QuoteRows extends Columns {
  readonly bid: Int32Array
  readonly ask: Int32Array
  readonly bidSize: Float64Array
  readonly askSize: Float64Array
}
/** Five levels per side, best first: level k of row i is at `i * 5 + k`. */
export interface BookRows extends Columns {
  readonly bidPrice: Int32Array
  readonly bidSize: Float64Array
  readonly askPrice: Int32Array
  readonly askSize: Float64Array
}
/** Bars are dated at their end, which is when they become known. */
export interface BarRows extends Columns {
  readonly close: Int32Array
  readonly volume: Float64Array
  readonly bid: Int32Array
  readonly ask: Int32Array
  /** Length in milliseconds. */
  readonly width: Float64Array
}

/** All events that became known in a time window. Windows are contiguous. */
export interface EventWindow {
  /** Inclusive: later windows hold no row known by this instant. */
  readonly until: Millis
  readonly trades: TradeRows | null
  readonly quotes: QuoteRows | null
  readonly books: BookRows | null
  readonly bars: BarRows | null
}

/** Number of rows in a window, all kinds. */
export const rowsIn = ({ trades, quotes, books, bars }: EventWindow): number =>
  [trades, quotes, books, bars].reduce((sum, rows) => sum + (rows?.known.length ?? 0), 0)

/** A version of a venue's description of a market, and when it became known. */
export interface FactsVersion {
  readonly knownAt: Millis
  readonly market: MarketIndex
  readonly facts: MarketFacts
}
