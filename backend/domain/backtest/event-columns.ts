import type { MarketFacts } from '../market.ts'
import type { Millis } from '../units.ts'

/** Number of a market inside one run: its place by venue, then ticker. */
export type MarketIndex = number

/** Stands for an absent price in the columns. */
export const ABSENT = -1

/** What can be read of history, by kind. */
export const FEEDS = ['trades', 'quotes', 'books', 'bars'] as const
export type Feed = (typeof FEEDS)[number]

/**
 * Rows of one kind in the order of the run: by when they were known, then the venue's own time, then
 * market, then arrival. Prices in 1e-4 dollars on the YES scale, `ABSENT` for none; sizes in 1e-6
 * contracts, NaN for unknown.
 */
interface Columns {
  readonly known: Float64Array
  readonly ts: Float64Array
  readonly market: Int32Array
}
/** Without block trades, which meet no book. */
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
/** Five levels a side, best first: level k of row i at `i * 5 + k`. */
export interface BookRows extends Columns {
  readonly bidPrice: Int32Array
  readonly bidSize: Float64Array
  readonly askPrice: Int32Array
  readonly askSize: Float64Array
}
/** Bars at their end, which is when they can be known. */
export interface BarRows extends Columns {
  readonly close: Int32Array
  readonly volume: Float64Array
  readonly bid: Int32Array
  readonly ask: Int32Array
  /** Length in milliseconds. */
  readonly width: Float64Array
}

/** Everything that became known in a stretch of time; stretches follow each other without a hole. */
export interface EventWindow {
  /** Inclusive: no later window holds a row known by then. */
  readonly until: Millis
  readonly trades: TradeRows | null
  readonly quotes: QuoteRows | null
  readonly books: BookRows | null
  readonly bars: BarRows | null
}

/** Rows of a window, all kinds. */
export const rowsIn = ({ trades, quotes, books, bars }: EventWindow): number =>
  [trades, quotes, books, bars].reduce((sum, rows) => sum + (rows?.known.length ?? 0), 0)

/** A version of what a venue said of a market, from the instant it was known. */
export interface FactsVersion {
  readonly knownAt: Millis
  readonly market: MarketIndex
  readonly facts: MarketFacts
}
