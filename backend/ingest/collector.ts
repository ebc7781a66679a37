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
import { inGroups } from './groups.ts'
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
/** The first backfill reads this many slices of time side by side. */
const SLICES = 4
/** Markets asked for in one request where the venue takes lists. */
const GROUP = 20
const BARS_GROUP = 50

/**
 * Keeps one venue flowing into the pipeline: catalogue, history at the first start, the live stream
 * or polling in its place, and what ended. A failing venue is retried for ever and disturbs nobody.
 */
export class Collector {
  readonly #connector: VenueConnector
  readonly #pipeline: IngestPipeline
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
  readonly #resolveDescribed: () => void
  readonly #resolveBackfilled: () => void

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
    this.#progress = deps.progress
    this.#clock = deps.clock
    this.#log = deps.log.child({ venue: deps.connector.venue })
    this.#settings = deps.settings
    const described = Promise.withResolvers<void>()
    const backfilled = Promise.withResolvers<void>()
    this.described = described.promise
    this.backfilled = backfilled.promise
    this.#resolveDescribed = described.resolve
    this.#resolveBackfilled = backfilled.resolve
  }

  /** Runs until the signal; resolves when every loop has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const settings = this.#settings
    const startedAt = this.#clock.now()
    await this.#untilDone('catalogue', () => this.#readCatalogue(signal), signal)
    this.#resolveDescribed()
    if (signal.aborted) return
    this.#openStream(signal)
    this.#spawn(
      this.#untilDone('backfill', () => this.#backfill(startedAt, signal), signal).then(() =>
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
  async #backfill(startedAt: Millis, signal: AbortSignal): Promise<void> {
    const { venue } = this.#connector
    const progress = await this.#progress.progressOf(venue)
    await this.#readEnded(signal)
    const from =
      progress.backfilledAt === null || progress.tradesUntil === null
        ? startedAt - this.#settings.tradesBack
        : progress.tradesUntil - OVERLAP
    await this.#readTrades(from as Millis, startedAt, signal)
    await this.#pipeline.flush()
    await this.#progress.save(venue, { tradesUntil: startedAt })
    if (progress.backfilledAt === null) {
      await this.#progress.save(venue, { backfilledAt: startedAt })
      this.#spawn(this.#untilDone('bars', () => this.#readBars(startedAt, signal), signal))
    }
  }

  async #readTrades(from: Millis, to: Millis, signal: AbortSignal): Promise<void> {
    if (this.#connector.venue === 'venue_a') {
      const step = (to - from) / SLICES
      const slices = Array.from({ length: SLICES }, (_, slice) => ({
        from: Math.round(from + slice * step) as Millis,
        to: Math.round(from + (slice + 1) * step) as Millis,
      }))
      await Promise.all(
        slices.map((slice) =>
          this.#take({ tickers: null, ...slice, origin: 'backfilled' }, signal),
        ),
      )
      return
    }
    const waiting = [...inGroups([...this.#ended, ...this.#mostActive()], GROUP)]
    const worker = async (): Promise<void> => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
        await this.#take({ tickers: group, from, to, origin: 'backfilled' }, signal)
      }
    }
    await Promise.all(Array.from({ length: SLICES }, worker))
  }

  async #take(query: Parameters<VenueConnector['trades']>[0], signal: AbortSignal): Promise<void> {
    for await (const page of this.#connector.trades(query, signal))
      await this.#pipeline.accept(page)
  }

  async #readBars(to: Millis, signal: AbortSignal): Promise<void> {
    const from = (to - this.#settings.barsBack) as Millis
    for (const tickers of inGroups(this.#mostActive(), BARS_GROUP)) {
      for await (const page of this.#connector.candles(
        { tickers, from, to, width: HOUR },
        signal,
      )) {
        await this.#pipeline.accept(page)
      }
    }
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
    const from = (since - OVERLAP) as Millis
    const to = this.#clock.now()
    if (tickers === null && this.#connector.venue === 'venue_a') {
      await this.#take({ tickers: null, from, to, origin: 'polled' }, signal)
      return
    }
    for (const group of inGroups(tickers ?? this.#mostActive(), GROUP)) {
      await this.#take({ tickers: group, from, to, origin: 'polled' }, signal)
      await this.#pipeline.accept(await this.#connector.books(group, signal))
    }
  }

  /** Trades of the followed markets since they were last complete. */
  async #readTape(signal: AbortSignal): Promise<void> {
    const { venue } = this.#connector
    const { backfilledAt, tradesUntil } = await this.#progress.progressOf(venue)
    if (backfilledAt === null) return
    const to = this.#clock.now()
    const from = ((tradesUntil ?? backfilledAt) - this.#settings.tapeEvery) as Millis
    for (const tickers of inGroups(this.#mostActive(), GROUP)) {
      await this.#take({ tickers, from, to, origin: 'polled' }, signal)
    }
    await this.#pipeline.flush()
    await this.#progress.save(venue, { tradesUntil: to })
  }

  /** In place of a stream: quotes, books and trades of the followed markets. */
  async #poll(signal: AbortSignal): Promise<void> {
    const { venue } = this.#connector
    const now = this.#clock.now()
    const { tradesUntil } = await this.#progress.progressOf(venue)
    const from = ((tradesUntil ?? now - MINUTE) - OVERLAP) as Millis
    const tickers = this.#mostActive()
    if (venue === 'venue_a') {
      await this.#take({ tickers: null, from, to: now, origin: 'polled' }, signal)
    }
    for (const group of inGroups(tickers, GROUP)) {
      if (venue === 'venue_b')
        await this.#take({ tickers: group, from, to: now, origin: 'polled' }, signal)
      await this.#pipeline.accept(await this.#connector.markets(group, signal))
      await this.#pipeline.accept(await this.#connector.books(group, signal))
    }
    await this.#pipeline.flush()
    await this.#progress.save(venue, { tradesUntil: now })
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
