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
  /** About so many rows are held at once; by default a million. */
  readonly rowsAtOnce?: number
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
  /** Markets with a row of these feeds in about [from, to], ascending; some may turn out to have none. */
  marketsWithRows(query: {
    readonly feeds: readonly Feed[]
    readonly from: Millis
    readonly to: Millis
  }): MarketId[]
  /** All versions of these markets' facts known at `asOf`, in the order they became known. */
  versionsOfMany(markets: readonly MarketId[], asOf: Millis): Promise<MarketRecord[]>
}
