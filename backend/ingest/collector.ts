import type { Ticker, Venue } from '../domain/market.ts'
import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../domain/units.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { FeedProgress } from '../state/feeds.store.ts'
import {
  VenueFailure,
  type VenueConnector,
  type VenueEvent,
  type VenueStream,
} from '../venues/connector.ts'
import { Backfill } from './backfill.ts'
import type { IngestPipeline } from './pipeline.ts'

/** How eagerly a venue is read; live venues have budgets and strangers' data, the demo has neither. */
export interface CollectorSettings {
  /** Trades are fetched this far back at the first start. */
  readonly tradesBack: Millis
  /** Markets that ended are fetched this far back at the first start. */
  readonly endedBack: Millis
  /** Hourly bars with bid and ask are fetched this far back at the first start. */
  readonly barsBack: Millis
  readonly catalogueEvery: Millis
  readonly endedEvery: Millis
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
  endedEvery: (5 * MINUTE) as Millis,
  tapeEvery: (2 * MINUTE) as Millis,
  pollEvery: (15 * SECOND) as Millis,
  followed: 180,
}

export const DEMO_SETTINGS: CollectorSettings = {
  tradesBack: (90 * DAY) as Millis,
  endedBack: (90 * DAY) as Millis,
  barsBack: (7 * DAY) as Millis,
  catalogueEvery: MINUTE,
  endedEvery: (30 * SECOND) as Millis,
  tapeEvery: (20 * SECOND) as Millis,
  pollEvery: (5 * SECOND) as Millis,
  followed: 100_000,
}

/** Where progress is kept over restarts. */
export interface FeedProgressStore {
  progressOf(venue: Venue): Promise<FeedProgress>
  save(venue: Venue, progress: Partial<FeedProgress>): Promise<void>
}

/** Trades around a restart or a gap are asked for again from this much earlier. */
const OVERLAP = 10 * SECOND

/**
 * Keeps one venue flowing into the pipeline: catalogue, history at the first start, the live stream
 * or polling in its place, and what ended. A failing venue is retried for ever and disturbs nobody.
 */
export class Collector {
  readonly #connector: VenueConnector
  readonly #pipeline: IngestPipeline
  readonly #backfill: Backfill
  readonly #progress: FeedProgressStore
  readonly #clock: Clock
  readonly #log: Logger
  readonly #settings: CollectorSettings
  readonly #activity = new Map<Ticker, number>()
  readonly #ended = new Set<Ticker>()
  readonly #tasks = new Set<Promise<void>>()
  #stream: VenueStream | null = null

  /** Resolves once the open catalogue was read for the first time. */
  readonly described: Promise<void>
  /** Resolves once history of the first start stands (at once on later starts). */
  readonly backfilled: Promise<void>
  /** Resolves once the bars of the first start are read too, and nothing older will arrive. */
  readonly barsRead: Promise<void>
  readonly #resolveDescribed: () => void
  readonly #resolveBackfilled: () => void
  readonly #resolveBarsRead: () => void

  constructor(deps: {
    connector: VenueConnector
    pipeline: IngestPipeline
    progress: FeedProgressStore
    clock: Clock
    log: Logger
    settings: CollectorSettings
  }) {
    this.#connector = deps.connector
    this.#pipeline = deps.pipeline
    this.#backfill = new Backfill(deps.connector, deps.pipeline)
    this.#progress = deps.progress
    this.#clock = deps.clock
    this.#log = deps.log.child({ venue: deps.connector.venue })
    this.#settings = deps.settings
    const described = Promise.withResolvers<void>()
    const backfilled = Promise.withResolvers<void>()
    const barsRead = Promise.withResolvers<void>()
    this.described = described.promise
    this.backfilled = backfilled.promise
    this.barsRead = barsRead.promise
    this.#resolveDescribed = described.resolve
    this.#resolveBackfilled = backfilled.resolve
    this.#resolveBarsRead = barsRead.resolve
  }

  /** Runs until the signal; resolves when every loop has ended. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#collect(signal)
    } finally {
      // Nobody waits for what a stop kept from happening.
      this.#resolveDescribed()
      this.#resolveBackfilled()
      this.#resolveBarsRead()
    }
  }

  async #collect(signal: AbortSignal): Promise<void> {
    const settings = this.#settings
    const startedAt = this.#clock.now()
    await this.#untilDone('catalogue', () => this.#readCatalogue(signal), signal)
    this.#resolveDescribed()
    if (signal.aborted) return
    this.#openStream(signal)
    this.#spawn(
      this.#untilDone('backfill', () => this.#readPast(startedAt, signal), signal).then(() =>
        this.#resolveBackfilled(),
      ),
    )
    this.#every('catalogue', settings.catalogueEvery, () => this.#readCatalogue(signal), signal)
    this.#every('ended markets', settings.endedEvery, () => this.#readEnded(signal), signal)
    if (this.#stream === null) {
      this.#every('quotes', settings.pollEvery, () => this.#poll(signal), signal)
    } else if (this.#connector.venue === 'venue_b') {
      // Its stream is told of one outcome only: takers of the other are found on the tape.
      this.#every('tape', settings.tapeEvery, () => this.#readTape(signal), signal)
    }
    while (this.#tasks.size > 0) await Promise.allSettled([...this.#tasks])
    await this.#stream?.close()
  }

  async #readCatalogue(signal: AbortSignal): Promise<void> {
    for await (const page of this.#connector.openMarkets(signal)) {
      this.#noteActivity(page)
      await this.#pipeline.accept(page)
    }
    if (this.#stream === null) return
    this.#stream.follow(this.#mostActive())
    const { venue } = this.#connector
    const { backfilledAt } = await this.#progress.progressOf(venue)
    if (venue === 'venue_b' || backfilledAt === null) return
    if (this.#connector.health().mode !== 'stream') return
    const now = this.#clock.now()
    await this.#pipeline.flush()
    await this.#progress.save(venue, { tradesUntil: now })
  }

  async #readEnded(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const { endedUntil } = await this.#progress.progressOf(this.#connector.venue)
    const since = (endedUntil ?? now - this.#settings.endedBack) - HOUR
    for await (const page of this.#connector.endedMarkets(since as Millis, signal)) {
      for (const { ticker } of page) {
        this.#ended.add(ticker)
        this.#activity.delete(ticker)
      }
      await this.#pipeline.accept(page)
    }
    await this.#pipeline.flush()
    await this.#progress.save(this.#connector.venue, { endedUntil: now })
  }

  /** First start: the past as far as settings say. Later starts: what was missed in between. */
  async #readPast(startedAt: Millis, signal: AbortSignal): Promise<void> {
    const { venue } = this.#connector
    const { backfilledAt, tradesUntil } = await this.#progress.progressOf(venue)
    await this.#readEnded(signal)
    this.#log.info({ ended: this.#ended.size }, 'ended markets are read')
    const firstTime = backfilledAt === null || tradesUntil === null
    const from = firstTime ? startedAt - this.#settings.tradesBack : tradesUntil - OVERLAP
    const tickers = [...this.#ended, ...this.#mostActive()]
    const span = { from: from as Millis, to: startedAt }
    await this.#backfill.trades(tickers, span, 'backfilled', signal)
    await this.#pipeline.flush()
    await this.#progress.save(venue, { tradesUntil: startedAt })
    this.#log.info({ from, to: startedAt }, 'trades of the past are read')
    if (!firstTime) return this.#resolveBarsRead()
    await this.#progress.save(venue, { backfilledAt: startedAt })
    const bars = this.#untilDone('bars', () => this.#readBars(startedAt, signal), signal)
    this.#spawn(bars.then(() => this.#resolveBarsRead()))
  }

  #readBars(to: Millis, signal: AbortSignal): Promise<void> {
    const from = (to - this.#settings.barsBack) as Millis
    return this.#backfill.bars(this.#mostActive(), { from, to }, signal)
  }

  #openStream(signal: AbortSignal): void {
    this.#stream = this.#connector.stream({
      onEvents: (events) => void this.#accept(events),
      onGap: ({ since, tickers, reason }) => {
        this.#log.warn(
          { since, reason, markets: tickers?.length ?? 'all' },
          'the stream lost messages',
        )
        this.#spawn(
          this.#untilDone('gap repair', () => this.#repair(since, tickers, signal), signal),
        )
      },
      onRecovered: (at) => this.#log.info({ at }, 'the stream delivers again'),
    })
    this.#stream?.follow(this.#mostActive())
  }

  async #repair(
    since: Millis,
    tickers: readonly Ticker[] | null,
    signal: AbortSignal,
  ): Promise<void> {
    const span = { from: (since - OVERLAP) as Millis, to: this.#clock.now() }
    const lost = tickers ?? this.#mostActive()
    await this.#backfill.trades(lost, span, 'polled', signal)
    if (tickers !== null) await this.#backfill.books(lost, signal)
  }

  /** Trades since they were last complete. */
  async #readTape(signal: AbortSignal): Promise<void> {
    const { venue } = this.#connector
    const { backfilledAt, tradesUntil } = await this.#progress.progressOf(venue)
    if (backfilledAt === null) return
    const to = this.#clock.now()
    const from = ((tradesUntil ?? backfilledAt) - this.#settings.tapeEvery) as Millis
    await this.#backfill.trades(this.#mostActive(), { from, to }, 'polled', signal)
    await this.#pipeline.flush()
    await this.#progress.save(venue, { tradesUntil: to })
  }

  /** In place of a stream: quotes, books and trades of the followed markets. */
  async #poll(signal: AbortSignal): Promise<void> {
    await this.#readTape(signal)
    await this.#backfill.markets(this.#mostActive(), signal)
    await this.#backfill.books(this.#mostActive(), signal)
  }

  async #accept(events: readonly VenueEvent[]): Promise<void> {
    try {
      await this.#pipeline.accept(events)
    } catch (error) {
      this.#log.error({ err: error }, 'events of the stream could not be taken')
    }
  }

  #noteActivity(page: readonly VenueEvent[]): void {
    for (const event of page) {
      if (event.type === 'market_described' && !this.#activity.has(event.ticker)) {
        this.#activity.set(event.ticker, 0)
      }
      if (event.type === 'activity_reported') this.#activity.set(event.ticker, event.volume24h ?? 0)
    }
  }

  #mostActive(): Ticker[] {
    return [...this.#activity]
      .sort(([tickerA, a], [tickerB, b]) => b - a || (tickerA < tickerB ? -1 : 1))
      .slice(0, this.#settings.followed)
      .map(([ticker]) => ticker)
  }

  #spawn(task: Promise<void>): void {
    const tracked: Promise<void> = task.finally(() => this.#tasks.delete(tracked))
    this.#tasks.add(tracked)
  }

  #every(what: string, span: Millis, work: () => Promise<void>, signal: AbortSignal): void {
    const loop = async (): Promise<void> => {
      while (await sleepUnless(signal, this.#clock, span)) await this.#untilDone(what, work, signal)
    }
    this.#spawn(loop())
  }

  /** Tries again, more and more slowly, until the work is done or the signal comes. */
  async #untilDone(what: string, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await work()
        return
      } catch (error) {
        const level = error instanceof VenueFailure ? 'warn' : 'error'
        if (!signal.aborted)
          this.#log[level]({ err: error, what, attempt }, 'reading a venue failed')
      }
      if (!(await sleepUnless(signal, this.#clock, Math.min(60, 2 ** attempt) * SECOND))) return
    }
  }
}
