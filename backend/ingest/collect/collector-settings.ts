import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../../domain/units.ts'

/** How often and how far back a venue is read. Live venues have rate limits; the demo has none. */
export interface CollectorSettings {
  /** Trades are fetched this far back at the first start. */
  readonly tradeBackfillSpan: Millis
  /** Markets that ended are fetched this far back at the first start. */
  readonly endedBackfillSpan: Millis
  /** Hourly bars with bid and ask are fetched this far back at the first start. */
  readonly barBackfillSpan: Millis
  readonly catalogueInterval: Millis
  /** How often the exchange's trading state is requested. */
  readonly exchangeInterval: Millis
  readonly endedInterval: Millis
  /**
   * How often markets whose end was not reported are requested; each of them less and less often.
   */
  readonly resolutionsInterval: Millis
  /** The venue's markets are simulated, so they must not be mixed with those of the real venue. */
  readonly isSample: boolean
  /** How often the tape is read where the stream does not report every trade. */
  readonly tapeInterval: Millis
  /** How often quotes, trades and books of followed markets are polled when there is no stream. */
  readonly pollInterval: Millis
  /** Number of most active markets that the stream follows, or that are polled without one. */
  readonly followed: number
}

export const LIVE_SETTINGS: CollectorSettings = {
  // Gauges compare with the prices of a day ago, so an hour more than a day is needed.
  tradeBackfillSpan: (25 * HOUR) as Millis,
  endedBackfillSpan: DAY,
  barBackfillSpan: (7 * DAY) as Millis,
  catalogueInterval: (10 * MINUTE) as Millis,
  exchangeInterval: (30 * SECOND) as Millis,
  endedInterval: (5 * MINUTE) as Millis,
  resolutionsInterval: MINUTE,
  isSample: false,
  tapeInterval: (2 * MINUTE) as Millis,
  pollInterval: (15 * SECOND) as Millis,
  followed: 180,
}

export const DEMO_SETTINGS: CollectorSettings = {
  tradeBackfillSpan: (90 * DAY) as Millis,
  endedBackfillSpan: (90 * DAY) as Millis,
  barBackfillSpan: (7 * DAY) as Millis,
  catalogueInterval: MINUTE,
  exchangeInterval: (10 * SECOND) as Millis,
  endedInterval: (30 * SECOND) as Millis,
  resolutionsInterval: (30 * SECOND) as Millis,
  isSample: true,
  tapeInterval: (20 * SECOND) as Millis,
  pollInterval: (5 * SECOND) as Millis,
  followed: 100_000,
}
