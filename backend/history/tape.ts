import type { Millis } from '../domain/units.ts'
import type { Logger } from '../lib/logger.ts'
import type { CoverageRow } from './coverage.ts'
import type { StoredSpan } from './event-streams.ts'
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

/** Everything that became known after the previous window and by `until`. */
export interface TapeWindow {
  readonly until: Millis
  readonly ticks: TapeTicks
  readonly facts: readonly MarketRecord[]
  readonly coverage: readonly CoverageRow[]
  readonly corrections: readonly TradeCorrection[]
}

/** Files of a history that begins on a tape. */
export interface HistoryAt {
  /** A file that does not exist yet. */
  readonly path: string
  /** The only folder in which its engine reads and writes files. */
  readonly dataDir: string
  readonly logger: Logger
}

/** A read-only stored history, to be replayed. */
export interface HistoryTape {
  /** When the first and the last of its rows became known; null for an empty history. */
  readonly span: StoredSpan | null
  keyOf(market: MarketId): MarketKey
  /**
   * Opens a history that begins at `at`: it contains what was known then and nothing later, and can
   * be appended to. It reads the stored rows in place, so it has to be closed before the tape.
   * Markets keep their ids. There is one at a time, all of them in one folder.
   * @throws StoreFailed when its file cannot be created
   */
  historyAt(at: Millis, startView: HistoryAt): Promise<WholeHistory>
  /** Markets with a corrected trade, at any time. */
  readonly corrected: ReadonlySet<MarketId>
  /**
   * Rows that became known after `from` and by `to`, window by window; several iterators may run
   * concurrently.
   * @param kinds of ticks to read; defaults to all
   */
  windows(
    from: Millis,
    to: Millis,
    kinds?: readonly TapeKind[],
  ): AsyncGenerator<TapeWindow, void, undefined>
  close(): void
}
