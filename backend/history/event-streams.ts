import type { EventWindow, Feed } from '../domain/backtest/event-columns.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'
import type { MarketRecord } from './market-rows.ts'

/** The events of a run. */
export interface EventQuery {
  /** Rows known after `from` and by `to`. */
  readonly from: Millis
  readonly to: Millis
  /** Events name markets by their index in this list. */
  readonly markets: readonly MarketId[]
  readonly feeds: readonly Feed[]
  /** Approximate rows of a frame, 131,072 by default. */
  readonly rowsPerFrame?: number
}

/** The file of all frames; it has no name, so another process inherits the descriptor. */
export interface FrameSource {
  /** Open for reading only. */
  readonly fd: number
}

/** Offset and length of a frame in the file. */
export interface FrameLocation {
  readonly at: number
  readonly bytes: number
  /** Rows known after this instant are skipped; null when all rows are used. */
  readonly cutAt: Millis | null
}

/** The ordered events of a query, kept in the file until the stream is closed. */
export interface EventStream {
  /** Number of rows. */
  readonly rows: number
  readonly file: FrameSource
  /**
   * Extents of all frames of the query, or of those known by `to`; see `EventReads.eventWindows`.
   */
  frames(to?: Millis): AsyncIterable<FrameLocation>
  /** The windows themselves. */
  windows(to?: Millis): AsyncIterable<EventWindow>
  /** Readers that are still iterating are rejected afterwards. */
  close(): Promise<void>
}

/** When the first and the last row of a history became known. */
export interface StoredSpan {
  readonly first: Millis
  readonly last: Millis
}

/** Reads of runs over the past. */
export interface EventReads {
  /**
   * All rows of a query in consecutive windows of time, each in event order: by when rows were
   * known (`ts + lag`), the venue's time, the market's index, then arrival. Trades are as printed,
   * because a later correction was not known then; block trades are excluded. At most two windows
   * are in memory.
   */
  eventWindows(query: EventQuery): AsyncIterable<EventWindow>
  /**
   * Like `eventWindows`, for several passes, in this or another process. The same query returns the
   * cached stream unless rows that belong to it were stored since. The caller closes it.
   */
  openEventStream(query: EventQuery): Promise<EventStream>
  /** The file of all streams, until the history is closed. */
  frameFile(): Promise<FrameSource>
  /** Markets with a row of these feeds in about [from, to], ascending; some may turn out to have none. */
  marketsWithRows(query: {
    readonly feeds: readonly Feed[]
    readonly from: Millis
    readonly to: Millis
  }): MarketId[]
  /** Null for an empty history. */
  storedSpan(): Promise<StoredSpan | null>
  /** All versions of these markets' facts known at `asOf`, in the order they became known. */
  versionsOfMany(markets: readonly MarketId[], asOf: Millis): Promise<MarketRecord[]>
}
