import type { MarketFacts } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { ChangeRow } from './change-events.ts'
import type { CoverageRow } from './coverage.ts'
import type { MarketId } from './market-key.ts'
import type { TradeCorrection } from './market-rows.ts'
export const ORIGINS = ['live', 'polled', 'backfilled', 'imported'] as const

/**
 * Rows to append, one struct of equally long columns per kind. `ts` is venue time in Unix ms; `lag`
 * is ms from `ts` to the moment the row became known (never negative), so a row is usable at T when
 * `ts + lag <= T`. Prices are 1e-4 dollars, sizes 1e-6 contracts; absent numbers are NaN in the
 * float columns and `NO_PRICE` in the integer ones.
 */
export interface HistoryBatch {
  readonly trades?: TradeColumns
  readonly quotes?: QuoteColumns
  readonly books?: BookColumns
  readonly candles?: CandleColumns
  readonly activity?: ActivityColumns
  readonly facts?: readonly FactsRow[]
  readonly changes?: readonly ChangeRow[]
  readonly coverage?: readonly CoverageRow[]
  readonly corrections?: readonly TradeCorrection[]
}

/** Represents an absent price in the integer columns. */
export const NO_PRICE = -1

interface TickColumns {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly lag: Float64Array
  readonly origin: Uint8Array
}
export interface TradeColumns extends TickColumns {
  readonly tradeId: readonly string[]
  readonly price: Int32Array
  readonly size: Float64Array
  /** 0 unknown, 1 yes, 2 no. */
  readonly taker: Uint8Array
  readonly isBlock: Uint8Array
}
export interface QuoteColumns extends TickColumns {
  readonly bid: Int32Array
  readonly ask: Int32Array
  readonly bidSize: Float64Array
  readonly askSize: Float64Array
}
/** Best five levels per side: level k of row i at `i * 5 + k`, `NO_PRICE` beyond the last level. */
export interface BookColumns extends TickColumns {
  readonly bidPrice: Int32Array
  readonly bidSize: Float64Array
  readonly askPrice: Int32Array
  readonly askSize: Float64Array
}
/** Bars as a venue or a recording published them; `ts` is the end of the bar. */
export interface CandleColumns extends TickColumns {
  readonly start: Float64Array
  readonly width: Float64Array
  readonly open: Int32Array
  readonly high: Int32Array
  readonly low: Int32Array
  readonly close: Int32Array
  readonly volume: Float64Array
  readonly bidClose: Int32Array
  readonly askClose: Int32Array
}
/** Venue counters; contracts in 1e-6 or dollars in 1e-6 by the market's volume unit. */
export interface ActivityColumns extends TickColumns {
  readonly volume: Float64Array
  readonly volume24h: Float64Array
  readonly openInterest: Float64Array
  /** Price of the newest trade as the venue reported it. */
  readonly lastPrice: Int32Array
}
export interface FactsRow {
  readonly market: MarketId
  readonly knownAt: Millis
  readonly facts: MarketFacts
}
