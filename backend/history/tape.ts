import type { Millis } from '../domain/units.ts'
import type { CoverageRow } from './coverage.ts'
import type {
  ActivityColumns,
  BookColumns,
  CandleColumns,
  QuoteColumns,
  TradeColumns,
} from './history-batch.ts'
import type { MarketKey, MarketId } from './market-key.ts'
import type { MarketRecord, TradeCorrection } from './market-rows.ts'

/** Rows of each kind as they became known: ascending by `ts + lag`. */
export interface TapeTicks {
  readonly trades: TradeColumns
  readonly quotes: QuoteColumns
  readonly books: BookColumns
  readonly candles: CandleColumns
  readonly activity: ActivityColumns
}
export type TapeKind = keyof TapeTicks

/** Everything that became known after the window before and by `until`. */
export interface TapeWindow {
  readonly until: Millis
  readonly ticks: TapeTicks
  readonly facts: readonly MarketRecord[]
  readonly coverage: readonly CoverageRow[]
  readonly corrections: readonly TradeCorrection[]
}

/** A stored history that is only read, to be lived through once more. */
export interface HistoryTape {
  /** When the first and the last of its rows became known; null for a history without any. */
  readonly span: { readonly first: Millis; readonly last: Millis } | null
  keyOf(market: MarketId): MarketKey
  /**
   * Fills a new history, closed and empty, with what was known at `at` and nothing that came after.
   * Markets keep their numbers.
   */
  copyKnown(path: string, at: Millis): Promise<void>
  /** Markets of which a trade was corrected, at whatever time. */
  readonly corrected: ReadonlySet<MarketId>
  /**
   * What became known after `from` and by `to`, window by window; several may be read side by side.
   * @param kinds of ticks that are read; all unless told
   */
  windows(
    from: Millis,
    to: Millis,
    kinds?: readonly TapeKind[],
  ): AsyncGenerator<TapeWindow, void, undefined>
  close(): void
}
