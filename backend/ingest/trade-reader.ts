import type { Ticker } from '../domain/market.ts'
import { SECOND, type Millis } from '../domain/units.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { Origin, VenueConnector, VenueEvent } from '../venues/connector.ts'
import { CLOCK_TOLERANCE } from '../venues/parsed.ts'
import type { Backfill, Span } from './backfill.ts'
import type { IngestPipeline } from './pipeline.ts'

/** Trades around a restart or a gap are asked for again from this much earlier. */
export const OVERLAP = 10 * SECOND

/** Reads trades of spans of time by the venue's clock, until they are on disk. */
export class TradeReader {
  readonly #connector: Pick<VenueConnector, 'clockOffset'>
  readonly #backfill: Pick<Backfill, 'trades'>
  readonly #pipeline: Pick<IngestPipeline, 'flush'>
  /** How often rows of the venue were given up. */
  #losses = 0

  constructor(deps: {
    connector: Pick<VenueConnector, 'clockOffset'>
    backfill: Pick<Backfill, 'trades'>
    pipeline: Pick<IngestPipeline, 'flush'>
  }) {
    this.#connector = deps.connector
    this.#backfill = deps.backfill
    this.#pipeline = deps.pipeline
  }

  /** Rows of the venue were given up: what is being read may be among them. */
  noteLoss(): void {
    this.#losses += 1
  }

  /**
   * All trades of a span, on disk. Where a clock is plainly wrong the venue is asked by its own.
   * @param onPage hears of each page that was taken
   * @throws StoreFailed when rows were given up meanwhile
   */
  async read(
    tickers: readonly Ticker[],
    span: Span,
    origin: Origin,
    signal: AbortSignal,
    onPage?: (page: readonly VenueEvent[]) => void,
  ): Promise<void> {
    const losses = this.#losses
    let shift: number
    do {
      shift = this.#shift()
      const asked = { from: (span.from + shift) as Millis, to: (span.to + shift) as Millis }
      await this.#backfill.trades(tickers, asked, origin, signal, onPage)
      // What was asked for by a clock that was set meanwhile was another stretch.
    } while (Math.abs(this.#shift() - shift) >= OVERLAP)
    await this.#pipeline.flush()
    if (this.#losses !== losses) throw new StoreFailed('what was read was given up again')
  }

  /** What to add to our time to have the venue's: nothing while neither clock is plainly wrong. */
  #shift(): number {
    const offset = Math.round(this.#connector.clockOffset)
    return Math.abs(offset) > CLOCK_TOLERANCE ? offset : 0
  }
}
