import type { Millis } from '../domain/units.ts'
import type { Logger } from '../lib/logger.ts'
import type { CoverageRow } from './coverage.ts'
import type {
  ActivityColumns,
  BookColumns,
  CandleColumns,
  QuoteColumns,
  TradeColumns,
} from './history-batch.ts'
import type { WholeHistory } from './history.ts'
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

/** Where a history that begins on a tape keeps what is its own. */
export interface BegunHistory {
  /** A file that is not there yet. */
  readonly path: string
  /** The only folder in which its engine reads and writes files. */
  readonly dataDir: string
  readonly logger: Logger
}

/** A stored history that is only read, to be lived through once more. */
export interface HistoryTape {
  /** When the first and the last of its rows became known; null for a history without any. */
  readonly span: { readonly first: Millis; readonly last: Millis } | null
  keyOf(market: MarketId): MarketKey
  /**
   * Opens a history that begins at `at`: it holds what was known then and nothing that came after, and is
   * appended to. What it holds of the stored one is read there, so that it is closed before the tape is.
   * Markets keep their numbers. There is one at a time, all of them in one folder.
   * @throws StoreFailed when its file cannot be made
   */
  historyAt(at: Millis, begun: BegunHistory): Promise<WholeHistory>
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
