import type { Ticker } from '../../domain/market.ts'
import { HOUR, type Millis } from '../../domain/units.ts'
import type { Origin, VenueConnector, VenueEvent } from '../../venues/connector.ts'
import { chunksOf } from '../../venues/paging.ts'
import type { IngestPipeline } from '../pipeline.ts'

/**
 * Number of concurrent requests: enough to hide the network latency, few enough that a reader of
 * the history waits for at most a page or two.
 */
const CONCURRENCY = 2
/** A span is read in this many time slices, the newest first because charts show it first. */
const TIME_SLICES = 8
/** Markets per request where the venue accepts lists. */
const GROUP = 20
const BARS_GROUP = 50

/** Span of venue time; `from` is inclusive, `to` exclusive. */
export interface Span {
  readonly from: Millis
  readonly to: Millis
}

/** Reads a venue's past into the pipeline, one page at a time. */
export class Backfill {
  readonly #connector: VenueConnector
  readonly #pipeline: Pick<IngestPipeline, 'accept'>

  constructor(connector: VenueConnector, pipeline: Pick<IngestPipeline, 'accept'>) {
    this.#connector = connector
    this.#pipeline = pipeline
  }

  /**
   * Reads all trades of a span, in concurrent time slices or groups of markets.
   * @param onPage is called after each page that the pipeline accepted
   */
  async trades(
    tickers: readonly Ticker[],
    { from, to }: Span,
    origin: Origin,
    signal: AbortSignal,
    onPage: (page: readonly VenueEvent[]) => void = () => undefined,
  ): Promise<void> {
    const width = Math.max(HOUR, (to - from) / TIME_SLICES)
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
    const worker = async (): Promise<void> => {
      for (let query = queries.shift(); query !== undefined; query = queries.shift()) {
        for await (const page of this.#connector.trades(query, signal)) {
          await this.#pipeline.accept(page)
          onPage(page)
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  }

  /** Reads hourly bars with bid and ask. */
  async bars(tickers: readonly Ticker[], { from, to }: Span, signal: AbortSignal): Promise<void> {
    for (const group of chunksOf(tickers, BARS_GROUP)) {
      const query = { tickers: group, from, to, width: HOUR }
      for await (const page of this.#connector.candles(query, signal)) {
        await this.#pipeline.accept(page)
      }
    }
  }

  /** Reads the current order books of these markets. */
  async books(tickers: readonly Ticker[], signal: AbortSignal): Promise<void> {
    for (const group of chunksOf(tickers, GROUP)) {
      await this.#pipeline.accept(await this.#connector.books(group, signal))
    }
  }

  /** Reads the current facts, quotes and counters of these markets. */
  async markets(tickers: readonly Ticker[], signal: AbortSignal): Promise<void> {
    for (const group of chunksOf(tickers, GROUP)) {
      await this.#pipeline.accept(await this.#connector.markets(group, signal))
    }
  }
}
