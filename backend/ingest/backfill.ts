import type { Ticker } from '../domain/market.ts'
import { HOUR, type Millis } from '../domain/units.ts'
import type { Origin, VenueConnector, VenueEvent } from '../venues/connector.ts'
import { chunksOf } from '../venues/paging.ts'
import type { IngestPipeline } from './pipeline.ts'

/**
 * Requests under way at once: enough to hide the way there and back, few enough that whoever reads
 * meanwhile waits behind a page or two.
 */
const LANES = 2
/** A span is read in so many slices of time, the newest first: it is what charts show first. */
const SLICES = 8
/** Markets asked for in one request where the venue takes lists. */
const GROUP = 20
const BARS_GROUP = 50

/** Span of venue time, `from` included, `to` not. */
export interface Span {
  readonly from: Millis
  readonly to: Millis
}

/** Reads the past of one venue into the pipeline, a page at a time. */
export class Backfill {
  readonly #connector: VenueConnector
  readonly #pipeline: Pick<IngestPipeline, 'accept'>

  constructor(connector: VenueConnector, pipeline: Pick<IngestPipeline, 'accept'>) {
    this.#connector = connector
    this.#pipeline = pipeline
  }

  /**
   * All trades of a span, in slices of time or groups of markets read side by side.
   * @param onPage hears of each page that was taken
   */
  async trades(
    tickers: readonly Ticker[],
    { from, to }: Span,
    origin: Origin,
    signal: AbortSignal,
    onPage: (page: readonly VenueEvent[]) => void = () => undefined,
  ): Promise<void> {
    const width = Math.max(HOUR, (to - from) / SLICES)
    const queries: Parameters<VenueConnector['trades']>[0][] = []
    if (this.#connector.tradesWithoutNames) {
      for (let start: number = from; start < to; start += width) {
        const end = Math.min(to, start + width)
        const slice = { from: Math.round(start) as Millis, to: Math.round(end) as Millis }
        queries.unshift({ tickers: null, ...slice, origin })
      }
    } else {
      for (const group of chunksOf(tickers, GROUP))
        queries.push({ tickers: group, from, to, origin })
    }
    const lane = async (): Promise<void> => {
      for (let query = queries.shift(); query !== undefined; query = queries.shift()) {
        for await (const page of this.#connector.trades(query, signal)) {
          await this.#pipeline.accept(page)
          onPage(page)
        }
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }

  /** Hourly bars with bid and ask. */
  async bars(tickers: readonly Ticker[], { from, to }: Span, signal: AbortSignal): Promise<void> {
    for (const group of chunksOf(tickers, BARS_GROUP)) {
      const query = { tickers: group, from, to, width: HOUR }
      for await (const page of this.#connector.candles(query, signal)) {
        await this.#pipeline.accept(page)
      }
    }
  }

  /** The books of these markets as they are now. */
  async books(tickers: readonly Ticker[], signal: AbortSignal): Promise<void> {
    for (const group of chunksOf(tickers, GROUP)) {
      await this.#pipeline.accept(await this.#connector.books(group, signal))
    }
  }

  /** Facts, quotes and counters of these markets as they are now. */
  async markets(tickers: readonly Ticker[], signal: AbortSignal): Promise<void> {
    for (const group of chunksOf(tickers, GROUP)) {
      await this.#pipeline.accept(await this.#connector.markets(group, signal))
    }
  }
}
