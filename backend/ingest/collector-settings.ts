import { DAY, MINUTE, SECOND, type Millis } from '../domain/units.ts'

/** How eagerly a venue is read; live venues have budgets and strangers' data, the demo has neither. */
export interface CollectorSettings {
  /** Trades are fetched this far back at the first start. */
  readonly tradesBack: Millis
  /** Markets that ended are fetched this far back at the first start. */
  readonly endedBack: Millis
  /** Hourly bars with bid and ask are fetched this far back at the first start. */
  readonly barsBack: Millis
  readonly catalogueEvery: Millis
  /** How often the venue is asked whether its exchange trades at all. */
  readonly exchangeEvery: Millis
  readonly endedEvery: Millis
  /** Markets whose end nobody told are asked for this often, each of them ever less often. */
  readonly resolutionsEvery: Millis
  /** The venue's markets are made up: those of the real one are none of its business. */
  readonly isSample: boolean
  /** Where the stream does not tell every trade: the tape is read this often. */
  readonly tapeEvery: Millis
  /** Without a stream: quotes, trades and books of followed markets are asked this often. */
  readonly pollEvery: Millis
  /** Most active markets that the stream follows, or that are polled without one. */
  readonly followed: number
}

export const LIVE_SETTINGS: CollectorSettings = {
  tradesBack: DAY,
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
