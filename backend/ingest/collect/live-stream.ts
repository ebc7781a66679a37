import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type {
  StreamHandlers,
  VenueConnector,
  VenueEvent,
  VenueStream,
} from '../../venues/connector.ts'
import type { CatalogueReader } from './catalogue-reader.ts'
import type { FeedCoverage } from '../backfill/coverage.ts'
import type { GapRepair } from '../backfill/gap-repair.ts'
import type { IngestPipeline } from '../pipeline.ts'

interface LiveStreamDeps {
  readonly connector: Pick<VenueConnector, 'stream' | 'health' | 'streamsEveryTrade'>
  readonly pipeline: Pick<IngestPipeline, 'accept'>
  readonly catalogue: Pick<CatalogueReader, 'addEvents'>
  readonly coverage: Pick<FeedCoverage, 'recordLoss' | 'recordLostMarkets' | 'recordDelivery'>
  readonly repair: Pick<GapRepair, 'fill' | 'receive' | 'onConnected' | 'onDisconnected'>
  readonly log: Logger
}

/**
 * The stream of a venue that has one. Its events go into the pipeline; a loss is recorded first
 * and requested again when the stream delivers.
 */
export class LiveStream {
  readonly #deps: LiveStreamDeps
  #stream: VenueStream | null = null
  /** Since when its trades are missing; null while it delivers. */
  #silentSince: Millis | null = null

  constructor(deps: LiveStreamDeps) {
    this.#deps = deps
  }

  /**
   * Opens the stream; trades are missing from `startedAt` until it delivers.
   * @param tickers the markets it follows
   */
  open(startedAt: Millis, tickers: readonly Ticker[], signal: AbortSignal): void {
    const { connector } = this.#deps
    if (connector.streamsEveryTrade) this.#silentSince = startedAt
    this.#stream = connector.stream({
      onEvents: (events) => {
        this.#deps.repair.receive(events, signal)
        void this.#accept(events)
      },
      onGap: (gap) => this.#onGap(gap, signal),
      onRecovered: (at, deliveredTickers) => this.#onRecovered(at, deliveredTickers, signal),
    })
    this.#stream?.follow(tickers)
  }

  /** Whether the venue has a stream and it was opened; it may be disconnected. */
  get isOpen(): boolean {
    return this.#stream !== null
  }

  /** Whether quotes arrive by the stream. */
  isDelivering(): boolean {
    return this.#stream !== null && this.#deps.connector.health().mode === 'stream'
  }

  /** Whether trades of the stream are missing. */
  get isSilent(): boolean {
    return this.#silentSince !== null
  }

  /** Replaces the set of followed markets. */
  follow(tickers: readonly Ticker[]): void {
    this.#stream?.follow(tickers)
  }

  async close(): Promise<void> {
    await this.#stream?.close()
  }

  #onGap(
    { since, tickers, reason }: Parameters<StreamHandlers['onGap']>[0],
    signal: AbortSignal,
  ): void {
    const { connector, coverage, repair, log } = this.#deps
    log.warn({ since, reason, markets: tickers?.length ?? 'all' }, 'the stream lost messages')
    if (tickers !== null) {
      coverage.recordLostMarkets(tickers, since, reason)
      return repair.fill({ from: since, to: null }, tickers, signal)
    }
    coverage.recordLoss('quotes', since, reason)
    if (connector.streamsEveryTrade) coverage.recordLoss('trades', since, reason)
    repair.onDisconnected(since, signal)
    // A gap that is still open cannot be filled: it grows until the stream delivers again.
    this.#silentSince = Math.min(since, this.#silentSince ?? since) as Millis
  }

  #onRecovered(at: Millis, tickers: readonly Ticker[] | null, signal: AbortSignal): void {
    const { connector, coverage, repair, log } = this.#deps
    log.info({ at, markets: tickers?.length ?? 'all' }, 'the stream delivers')
    coverage.recordDelivery('quotes', 'live', at, tickers)
    if (tickers !== null && this.#silentSince === null) return
    if (connector.streamsEveryTrade) coverage.recordDelivery('trades', 'live', at)
    const since = this.#silentSince
    this.#silentSince = null
    if (since === null) return
    repair.fill({ from: since, to: null }, null, signal)
    if (connector.streamsEveryTrade) repair.onConnected(at)
  }

  async #accept(events: readonly VenueEvent[]): Promise<void> {
    this.#deps.catalogue.addEvents(events)
    try {
      await this.#deps.pipeline.accept(events)
    } catch (error) {
      if (error instanceof StoreFailed) return // the writer reports that, and marks dropped rows
      this.#deps.log.error({ err: error }, 'events of the stream could not be stored')
    }
  }
}
