import { isSample, type Ticker } from '../../domain/market.ts'
import { HOUR, type Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { FeedsStore } from '../../state/feeds.store.ts'
import type { VenueConnector, VenueEvent } from '../../venues/connector.ts'
import type { CollectorSettings } from './collector-settings.ts'
import type { FollowedMarkets } from './followed-markets.ts'
import type { IngestPipeline } from '../pipeline.ts'
import { delistedFacts, ResolutionWatch, UNRESOLVED_STATUSES } from './resolution-watch.ts'

/** Markets per request when their ends have not been reported. */
const MARKETS_PER_REQUEST = 100

/** Reads which markets a venue has, which ended and how. */
export class CatalogueReader {
  readonly #connector: VenueConnector
  readonly #pipeline: IngestPipeline
  readonly #history: Pick<HistoryStore, 'marketIdOf' | 'recordsAt'>
  readonly #progress: FeedsStore
  readonly #markets: FollowedMarkets
  readonly #resolutions: ResolutionWatch
  readonly #clock: Clock
  readonly #log: Logger
  readonly #settings: CollectorSettings

  constructor(deps: {
    connector: VenueConnector
    pipeline: IngestPipeline
    history: Pick<HistoryStore, 'marketIdOf' | 'recordsAt'>
    progress: FeedsStore
    markets: FollowedMarkets
    clock: Clock
    log: Logger
    settings: CollectorSettings
  }) {
    this.#connector = deps.connector
    this.#pipeline = deps.pipeline
    this.#history = deps.history
    this.#progress = deps.progress
    this.#markets = deps.markets
    this.#clock = deps.clock
    this.#log = deps.log
    this.#settings = deps.settings
    this.#resolutions = new ResolutionWatch(deps.clock)
  }

  /** Notes what the stream reports about the life of markets. */
  addEvents(events: readonly VenueEvent[]): void {
    this.#resolutions.addEvents(events)
  }

  /** Reads the whole open catalogue. */
  async readOpen(signal: AbortSignal): Promise<void> {
    const listedTickers = new Set<Ticker>()
    for await (const page of this.#connector.openMarkets(signal)) {
      for (const { ticker } of page) listedTickers.add(ticker)
      this.#markets.addPage(page)
      this.#resolutions.addEvents(page)
      await this.#pipeline.accept(page)
    }
    if (!signal.aborted) this.#resolutions.recordListing(listedTickers)
  }

  /** Reads the markets that ended since the last such request. */
  async readNewlyEnded(signal: AbortSignal): Promise<void> {
    const { endedUntil } = await this.#progress.progressOf(this.#connector.venue)
    await this.readEnded(endedUntil, signal)
  }

  /**
   * Reads the markets that ended since an hour before `until`; null goes as far back as configured.
   */
  async readEnded(until: Millis | null, signal: AbortSignal): Promise<ReadonlySet<Ticker>> {
    const now = this.#clock.now()
    const since = Math.min(until ?? now - this.#settings.endedBackfillSpan, now) - HOUR
    const endedTickers = new Set<Ticker>()
    for await (const page of this.#connector.endedMarkets(since as Millis, signal)) {
      this.#resolutions.addEvents(page)
      for (const { ticker } of page) {
        endedTickers.add(ticker)
        this.#markets.end(ticker)
      }
      await this.#pipeline.accept(page)
    }
    await this.#pipeline.flush()
    await this.#progress.save(this.#connector.venue, { endedUntil: now })
    return endedTickers
  }

  /** Resumes watching the markets that had not ended when an earlier run stopped. */
  async resumeUnresolved(): Promise<void> {
    const records = await this.#history.recordsAt(this.#clock.now(), null, UNRESOLVED_STATUSES)
    for (const { facts } of records) {
      const isOurs = facts.venue === this.#connector.venue
      if (isOurs && isSample(facts) === this.#settings.isSample) this.#resolutions.expect(facts)
    }
  }

  /** Requests how markets ended whose end has not been reported. */
  async readResolutions(signal: AbortSignal): Promise<void> {
    const dueTickers = this.#resolutions.dueMarkets(MARKETS_PER_REQUEST)
    if (dueTickers.length === 0) return
    const events = await this.#connector.markets(dueTickers, signal, 'catalogue')
    await this.#pipeline.accept(events)
    for (const event of events) {
      if (event.type !== 'market_described') continue
      if (event.facts.status === 'active') this.#markets.add(event.ticker)
      if (event.facts.status === 'settled') this.#markets.end(event.ticker)
    }
    const missing = this.#resolutions.recordResponse(dueTickers, events)
    if (missing.length > 0) await this.#delist(missing)
  }

  /** The venue removed these markets: they are closed and keep their known facts. */
  async #delist(tickers: readonly Ticker[]): Promise<void> {
    const { venue } = this.#connector
    const now = this.#clock.now()
    await this.#pipeline.flush()
    const ids = tickers
      .map((ticker) => this.#history.marketIdOf(ticker)?.market)
      .filter((id) => id !== undefined)
    const eventStamp = { venue, at: now, receivedAt: now, origin: 'polled' } as const
    for (const ticker of tickers) this.#markets.end(ticker)
    const records = await this.#history.recordsAt(now, ids, UNRESOLVED_STATUSES)
    this.#log.info({ tickers: records.map(({ facts }) => facts.ticker) }, 'markets delisted')
    await this.#pipeline.accept(
      records.map(({ facts }) => ({
        type: 'market_described',
        ...eventStamp,
        ticker: facts.ticker,
        facts: delistedFacts(facts, now),
      })),
    )
  }
}
