import type { EventWindow, Feed } from '../domain/backtest/event-columns.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'
import type { MarketRecord } from './market-rows.ts'

/** The events that a run is played from. */
export interface RunQuery {
  /** Rows known after `from` and by `to`. */
  readonly from: Millis
  readonly to: Millis
  /** In the order of their numbers in the run: events name markets by their place in here. */
  readonly markets: readonly MarketId[]
  readonly feeds: readonly Feed[]
  /** About so many rows are held at once; by default 131,072. */
  readonly rowsAtOnce?: number
}

/** The file that windows lie in, as frames; it has no name, and whoever is to read it is handed its number. */
export interface RunFile {
  /** Open for reading only. */
  readonly fd: number
}

/** Where a window lies in the file. */
export interface WindowPlace {
  readonly at: number
  readonly bytes: number
  /** What became known later is not to be played; null where all of it is. */
  readonly cutAt: Millis | null
}

/** The events of a query in order, for runs that play them: in the file until it is closed. */
export interface RunReading {
  /** Rows that it holds, about. */
  readonly rows: number
  readonly file: RunFile
  /** Where all windows of the query lie, or those known by `to`; see `RunReads.eventWindows`. */
  places(to?: Millis): AsyncIterable<WindowPlace>
  /** The windows themselves. */
  windows(to?: Millis): AsyncIterable<EventWindow>
  /** Lets go of it; who still listens is refused. */
  close(): Promise<void>
}

/** What runs over the past read. */
export interface RunReads {
  /**
   * All rows of a query in windows of time that follow each other, each in the order of the run: by
   * when they were known (`ts + lag`), the venue's time, the market's place, then arrival. Trades stand
   * as they were printed, since a later word on them was not known then; block trades are left out.
   * What is read costs as much as the query holds, and two windows are in memory at most.
   */
  eventWindows(query: RunQuery): AsyncIterable<EventWindow>
  /**
   * As `eventWindows`, to be played again and again, here or by another process. Whoever asks the same
   * again is handed what was read before, unless rows that belong to it were stored since. To be closed.
   */
  openReading(query: RunQuery): Promise<RunReading>
  /** The file of all readings, until the history is closed. */
  runFile(): Promise<RunFile>
  /** Markets with a row of these feeds in about [from, to], ascending; some may turn out to have none. */
  marketsWithRows(query: {
    readonly feeds: readonly Feed[]
    readonly from: Millis
    readonly to: Millis
  }): MarketId[]
  /** All versions of these markets' facts known at `asOf`, in the order they became known. */
  versionsOfMany(markets: readonly MarketId[], asOf: Millis): Promise<MarketRecord[]>
}
