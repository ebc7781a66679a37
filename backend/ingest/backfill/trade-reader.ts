import type { Ticker } from '../../domain/market.ts'
import { SECOND, type Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import type { Origin, VenueConnector, VenueEvent } from '../../venues/connector.ts'
import { CLOCK_TOLERANCE } from '../../venues/parsed.ts'
import type { Backfill, Span } from './backfill.ts'
import type { IngestPipeline } from '../pipeline.ts'

/** Requests of trades around a restart or a gap begin this much earlier. */
export const OVERLAP = 10 * SECOND

/** Reads trades of time spans, measured by the venue's clock, until they are on disk. */
export class TradeReader {
  readonly #connector: Pick<VenueConnector, 'clockOffset'>
  readonly #backfill: Pick<Backfill, 'trades'>
  readonly #pipeline: Pick<IngestPipeline, 'flush'>
  /** Number of times that rows of the venue were dropped. */
  #lossCount = 0

  constructor(deps: {
    connector: Pick<VenueConnector, 'clockOffset'>
    backfill: Pick<Backfill, 'trades'>
    pipeline: Pick<IngestPipeline, 'flush'>
  }) {
    this.#connector = deps.connector
    this.#backfill = deps.backfill
    this.#pipeline = deps.pipeline
  }

  /** Notes that rows of the venue were dropped; rows that are being read may be among them. */
  recordLoss(): void {
    this.#lossCount += 1
  }

  /**
   * Reads all trades of a span and resolves when they are on disk. When the clocks clearly differ
   * the span is shifted to the venue's clock.
   * @param onPage is called for each accepted page
   * @throws StoreFailed when rows were dropped in the meantime
   */
  async read(
    tickers: readonly Ticker[],
    span: Span,
    origin: Origin,
    signal: AbortSignal,
    onPage?: (page: readonly VenueEvent[]) => void,
  ): Promise<void> {
    const lossCount = this.#lossCount
    let shift: number
    do {
      shift = this.#shift()
      const venueSpan = { from: (span.from + shift) as Millis, to: (span.to + shift) as Millis }
      await this.#backfill.trades(tickers, venueSpan, origin, signal, onPage)
      // If the clock was set during the read, the requested span was a different one.
    } while (Math.abs(this.#shift() - shift) >= OVERLAP)
    await this.#pipeline.flush()
    if (this.#lossCount !== lossCount)
      throw new StoreFailed('rows that were read have been dropped again')
  }

  /**
   * Milliseconds to add to local time to get the venue's time; 0 unless the clocks clearly differ.
   */
  #shift(): number {
    const offset = Math.round(this.#connector.clockOffset)
    return Math.abs(offset) > CLOCK_TOLERANCE ? offset : 0
  }
}
