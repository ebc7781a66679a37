import type { CoverageSpan } from './coverage.ts'
import type { MarketId } from './market-key.ts'
import type { Millis } from '../domain/units.ts'

/**
 * Trades including block trades, by market, time, then trade id; corrected and busted ones as known
 * then.
 */
export interface TradedColumns {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly price: Int32Array
  readonly size: Float64Array
  readonly isBlock: Uint8Array
}

/** Close times of all versions of facts, by market, then in the order they became known. */
export interface ClosingColumns {
  readonly market: Int32Array
  readonly knownAt: Float64Array
  /** NaN when the version has none. */
  readonly closeTime: Float64Array
}

export interface TrendRows {
  readonly trades: TradedColumns
  readonly closings: ClosingColumns
  /** Coverage of trades in [from, to), ascending, by market. */
  readonly coverage: ReadonlyMap<MarketId, readonly CoverageSpan[]>
}

export interface TrendQuery {
  readonly from: Millis
  readonly to: Millis
  readonly asOf: Millis
  readonly markets: readonly MarketId[]
}

/** Reads for daily rows of many markets, other than quotes. */
export interface TrendReads {
  /** Trades with from < ts <= to; only rows known at `asOf` count. */
  trendRows(query: TrendQuery): Promise<TrendRows>
}
