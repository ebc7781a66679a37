import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../../domain/units.ts'

/** How often and how far back a venue is read. Live venues have rate limits; the demo has none. */
export interface CollectorSettings {
  /** Trades are fetched this far back at the first start. */
  readonly tradesBack: Millis
  /** Markets that ended are fetched this far back at the first start. */
  readonly endedBack: Millis
  /** Hourly bars with bid and ask are fetched this far back at the first start. */
  readonly barsBack: Millis
  readonly catalogueEvery: Millis
  /** How often the exchange's trading state is requested. */
  readonly exchangeEvery: Millis
  readonly endedEvery: Millis
  /**
   * How often markets whose end was not reported are requested; each of them less and less often.
   */
  readonly resolutionsEvery: Millis
  /** The venue's markets are simulated, so they must not be mixed with those of the real venue. */
  readonly isSample: boolean
  /** How often the tape is read where the stream does not report every trade. */
  readonly tapeEvery: Millis
  /** How often quotes, trades and books of followed markets are polled when there is no stream. */
  readonly pollEvery: Millis
  /** Number of most active markets that the stream follows, or that are polled without one. */
  readonly followed: number
}

export const LIVE_SETTINGS: CollectorSettings = {
  // Gauges compare with the prices of a day ago, so an hour more than a day is needed.
  tradesBack: (25 * HOUR) as Millis,
  endedBack: DAY,
  barsBack: (7 * DAY) as Millis,
  catalogueEvery: (10 * MINUTE) as Millis,
  exchangeEvery: (30 * SECOND) as Millis,
  endedEvery: (5 * MINUTE) as Millis,
  resolutionsEvery: MINUTE,
  isSample: false,
  tapeEvery: (2 * MINUTE) as Millis,
  pollEvery: (15 * SECOND) as Millis,
  followed: 180,
}

export const DEMO_SETTINGS: CollectorSettings = {
  tradesBack: (90 * DAY) as Millis,
  endedBack: (90 * DAY) as Millis,
  barsBack: (7 * DAY) as Millis,
  catalogueEvery: MINUTE,
  exchangeEvery: (10 * SECOND) as Millis,
  endedEvery: (30 * SECOND) as Millis,
  resolutionsEvery: (30 * SECOND) as Millis,
  isSample: true,
  tapeEvery: (20 * SECOND) as Millis,
  pollEvery: (5 * SECOND) as Millis,
  followed: 100_000,
}
