import type { Ticker, Venue } from '../domain/market.ts'
import { MINUTE, SECOND, type Millis } from '../domain/units.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { Clock } from '../lib/clock.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { FeedProgress, FeedsStore } from '../state/feeds.store.ts'
import type { FeedHealth, VenueConnector, VenueEvent, VenueStream } from '../venues/connector.ts'
import { Backfill } from './backfill.ts'
import { CatalogueReader } from './catalogue-reader.ts'
import type { CollectorSettings } from './collector-settings.ts'
import { FeedCoverage } from './coverage.ts'
import { ExchangeWatch } from './exchange-watch.ts'
import { FollowedMarkets } from './followed-markets.ts'
import { GapRepair } from './gap-repair.ts'
import type { IngestPipeline } from './pipeline.ts'
import { OVERLAP, TradeReader } from './trade-reader.ts'
import { VenueWork } from './venue-work.ts'

/** What the collector asks of history. */
type ReadHistory = Pick<
  HistoryStore,
  'gaps' | 'keyOf' | 'marketIdOf' | 'newestTradeAt' | 'openCoverage' | 'recordsAt'
>

/** An instant by the wall clock, which may be set, and by the time that only grows. */
interface Moment {
  readonly at: Millis
  readonly steady: number
}

/** An index may list a trade minutes after its print; one that no stream told is found there alone. */
const TAPE_DELAY = 5 * MINUTE
/** How often it is noted that the feeds still deliver: what a crash makes a gap of at most. */
const HEARTBEAT = 10 * SECOND
/** A reading that is this many times its interval late is missing. */
const TOO_LATE = 4

/**
 * Keeps one venue flowing into the pipeline: catalogue, history at the first start, the live stream
 * or polling in its place, and what ended. A failing venue is retried for ever and disturbs nobody.
 */
export class Collector {
  readonly #connector: VenueConnector
  readonly #pipeline: IngestPipeline
  readonly #backfill: Backfill
  readonly #progress: FeedsStore
  readonly #clock: Clock
  readonly #log: Logger
  readonly #settings: CollectorSettings
  readonly #history: ReadHistory
  readonly #coverage: FeedCoverage
  readonly #markets: FollowedMarkets
  readonly #catalogue: CatalogueReader
  readonly #exchange: ExchangeWatch
  readonly #work: VenueWork
  readonly #trades: TradeReader
  readonly #repair: GapRepair
  #stream: VenueStream | null = null
  /** From when on trades of the stream are missing; null while it delivers. */
  #silentSince: Millis | null = null
  #isPastRead = false
  /** When the tape, or quotes in place of a stream, were last read. */
  #tapeRead: Moment
  #polled: Moment

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
    history: ReadHistory
    progress: FeedsStore
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
    this.#work = new VenueWork(deps.clock, this.#log)
    this.#settings = deps.settings
    this.#history = deps.history
    const { venue, tradesWithoutNames, streamsEveryTrade } = deps.connector
    this.#markets = new FollowedMarkets({
      most: deps.settings.followed,
      isReadByMarket: !tradesWithoutNames,
    })
    this.#catalogue = new CatalogueReader({ ...deps, markets: this.#markets, log: this.#log })
    this.#exchange = new ExchangeWatch({ ...deps, log: this.#log })
    this.#coverage = new FeedCoverage({
      venue,
      pipeline: deps.pipeline,
      clock: deps.clock,
      isWide: { trades: tradesWithoutNames, quotes: streamsEveryTrade },
    })
    const { clock, pipeline, history, connector } = deps
    this.#trades = new TradeReader({ connector, pipeline, backfill: this.#backfill })
    this.#repair = new GapRepair({
      ...{ venue, pipeline, history, clock },
      trades: this.#trades,
      backfill: this.#backfill,
      coverage: this.#coverage,
      markets: this.#markets,
      work: this.#work,
    })
    this.#tapeRead = this.#polled = this.#moment()
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
    this.#repair.watch(signal)
    await this.#work.untilDone('record of gaps', () => this.#resumeCoverage(), signal)
    await this.#work.untilDone(
      'unresolved markets',
      () => this.#catalogue.resumeUnresolved(),
      signal,
    )
    await this.#work.untilDone('catalogue', () => this.#readCatalogue(signal), signal)
    this.#resolveDescribed()
    if (signal.aborted) return
    this.#openStream(startedAt, signal)
    this.#work.spawn(
      this.#work
        .untilDone('backfill', () => this.#readPast(startedAt, signal), signal)
        .then(() => this.#resolveBackfilled()),
    )
    this.#work.every(
      'catalogue',
      settings.catalogueEvery,
      () => this.#readCatalogue(signal),
      signal,
    )
    this.#work.every(
      'ended markets',
      settings.endedEvery,
      () => this.#catalogue.readNewlyEnded(signal),
      signal,
    )
    this.#work.every(
      'unresolved markets',
      settings.resolutionsEvery,
      () => this.#catalogue.readResolutions(signal),
      signal,
    )
    const lookAtExchange = (): Promise<void> => this.#exchange.look(signal)
    this.#work.spawn(this.#work.untilDone('exchange', lookAtExchange, signal))
    this.#work.every('exchange', settings.exchangeEvery, lookAtExchange, signal)
    this.#work.every('quotes', settings.pollEvery, () => this.#poll(signal), signal)
    if (this.#stream !== null && !this.#connector.streamsEveryTrade) {
      this.#work.every('tape', settings.tapeEvery, () => this.#readTape(signal), signal)
    }
    this.#work.every('heartbeat', HEARTBEAT, () => this.#noteAlive(), signal)
    await this.#work.ended()
    await this.#noteAlive()
    await this.#stream?.close()
  }

  get venue(): Venue {
    return this.#connector.venue
  }

  /** Whether quotes of a market do not arrive now, or are none since its exchange is paused. */
  isStale(ticker: Ticker): boolean {
    return this.#coverage.isStale(ticker) || this.#exchange.isPaused(ticker)
  }

  /** How the venue's feed is, as its connector and the record of its gaps know it. */
  health(): FeedHealth {
    return { ...this.#connector.health(), missing: this.#coverage.openGap }
  }

  async #resumeCoverage(): Promise<void> {
    const { streamsEveryTrade } = this.#connector
    const { aliveUntil, tradesUntil } = await this.#progressSoFar()
    // Trades that come by the tape are whole up to its last reading, however long the venue was heard.
    const taped = Math.min(aliveUntil ?? Infinity, tradesUntil ?? Infinity)
    const trades = streamsEveryTrade || aliveUntil === null ? aliveUntil : (taped as Millis)
    const markets = await this.#coverage.resume(this.#history, { trades, quotes: aliveUntil })
    this.#markets.leave(markets.map((market) => this.#history.keyOf(market).ticker))
    await this.#pipeline.flush()
  }

  /** Notes up to when the feeds delivered, and what has not been heard of for too long. */
  async #noteAlive(): Promise<void> {
    this.#pipeline.lookAtClock()
    const now = this.#clock.now()
    const coverage = this.#coverage
    const isStreaming = this.#isStreaming()
    const { tapeEvery, pollEvery } = this.#settings
    if (!isStreaming && this.#since(this.#polled) > TOO_LATE * pollEvery) {
      coverage.lost('quotes', this.#polled.at, 'the venue could not be asked')
    }
    const tapeDue = isStreaming ? tapeEvery : Math.max(tapeEvery, pollEvery)
    const isTapeRead = !isStreaming || !this.#connector.streamsEveryTrade
    if (isTapeRead && this.#isPastRead && this.#since(this.#tapeRead) > TOO_LATE * tapeDue) {
      coverage.lost('trades', this.#tapeRead.at, 'the tape could not be read')
    }
    if (coverage.isMissing('quotes') || coverage.isMissing('trades')) return
    if (!isStreaming && this.#since(this.#polled) > TOO_LATE * pollEvery) return
    try {
      // What was taken by then has to be found after a crash, or be part of the gap.
      await this.#pipeline.flush()
    } catch {
      return
    }
    await this.#progress.save(this.#connector.venue, { aliveUntil: now })
  }

  #isStreaming(): boolean {
    return this.#stream !== null && this.#connector.health().mode === 'stream'
  }

  async #readCatalogue(signal: AbortSignal): Promise<void> {
    await this.#catalogue.readOpen(signal)
    const followed = this.#markets.settle()
    this.#coverage.follows(followed, this.#clock.now())
    if (this.#stream === null) return
    this.#stream.follow(followed)
    if (!this.#connector.streamsEveryTrade || !this.#isPastRead) return
    if (this.#silentSince !== null || this.#repair.isBusy) return
    const now = this.#clock.now()
    await this.#pipeline.flush()
    await this.#progress.save(this.#connector.venue, { tradesUntil: now })
  }

  /**
   * First start: the past as far as settings say. Later starts: what was missed in between, and
   * what a first start that was cut short left unread.
   */
  async #readPast(startedAt: Millis, signal: AbortSignal): Promise<void> {
    const { venue } = this.#connector
    const startedSteady = this.#clock.monotonic()
    const { backfilledAt, endedUntil, tradesUntil } = await this.#progressSoFar()
    // Trades are missing of what ended since they were last complete, noted as ended or not.
    const unread = tradesUntil === null ? null : Math.min(tradesUntil, endedUntil ?? tradesUntil)
    const ended = await this.#catalogue.readEnded(unread as Millis | null, signal)
    this.#log.info({ ended: ended.size }, 'ended markets are read')
    const from =
      tradesUntil === null ? startedAt - this.#settings.tradesBack : tradesUntil - OVERLAP
    const { tickers, left } = this.#markets.toRead(ended)
    const span = { from: from as Millis, to: startedAt }
    // A later start answers while it catches up: what it learns then was not known before.
    const origin = tradesUntil === null ? 'backfilled' : 'polled'
    await this.#trades.read(tickers, span, origin, signal)
    this.#tapeRead = { at: startedAt, steady: startedSteady }
    if (!this.#connector.streamsEveryTrade) {
      this.#coverage.delivers('trades', 'polled', startedAt)
    }
    const asked = this.#connector.tradesWithoutNames ? null : tickers
    this.#coverage.tradesRead(span, asked, backfilledAt === null && tradesUntil === null)
    await this.#progress.save(venue, { tradesUntil: startedAt })
    this.#markets.wereRead(left)
    this.#isPastRead = true
    for (const gap of this.#coverage.unrepaired) this.#repair.fill(gap, null, signal)
    this.#log.info({ from, to: startedAt }, 'trades of the past are read')
    if (backfilledAt !== null) return this.#resolveBarsRead()
    const bars = this.#work.untilDone('bars', () => this.#readBars(startedAt, signal), signal)
    this.#work.spawn(bars.then(() => this.#resolveBarsRead()))
  }

  async #readBars(to: Millis, signal: AbortSignal): Promise<void> {
    const from = (to - this.#settings.barsBack) as Millis
    await this.#backfill.bars(this.#markets.mostActive(), { from, to }, signal)
    await this.#pipeline.flush()
    await this.#progress.save(this.#connector.venue, { backfilledAt: to })
  }

  #openStream(startedAt: Millis, signal: AbortSignal): void {
    if (this.#connector.streamsEveryTrade) this.#silentSince = startedAt
    const repair = (since: Millis, tickers: readonly Ticker[] | null): void =>
      this.#repair.fill({ from: since, to: null }, tickers, signal)
    this.#stream = this.#connector.stream({
      onEvents: (events) => {
        this.#repair.hear(events, signal)
        void this.#accept(events)
      },
      onGap: ({ since, tickers, reason }) => {
        this.#log.warn(
          { since, reason, markets: tickers?.length ?? 'all' },
          'the stream lost messages',
        )
        if (tickers !== null) {
          this.#coverage.lostMarkets(tickers, since, reason)
          return repair(since, tickers)
        }
        this.#coverage.lost('quotes', since, reason)
        if (this.#connector.streamsEveryTrade) this.#coverage.lost('trades', since, reason)
        this.#repair.disconnected(since, signal)
        // A hole that is still open cannot be filled: it grows until the stream delivers again.
        this.#silentSince = Math.min(since, this.#silentSince ?? since) as Millis
      },
      onRecovered: (at, tickers) => {
        this.#log.info({ at, markets: tickers?.length ?? 'all' }, 'the stream delivers')
        this.#coverage.delivers('quotes', 'live', at, tickers)
        if (tickers !== null && this.#silentSince === null) return
        if (this.#connector.streamsEveryTrade) this.#coverage.delivers('trades', 'live', at)
        const since = this.#silentSince
        this.#silentSince = null
        if (since === null) return
        repair(since, null)
        if (this.#connector.streamsEveryTrade) this.#repair.connected(at)
      },
    })
    this.#stream?.follow(this.#markets.mostActive())
  }

  #moment(): Moment {
    return { at: this.#clock.now(), steady: this.#clock.monotonic() }
  }

  /** How long ago it was, also where the wall clock was set back or the machine slept. */
  #since({ at, steady }: Moment): number {
    return Math.max(this.#clock.now() - at, this.#clock.monotonic() - steady)
  }

  /**
   * How far the feeds were read. A place still to come was noted by a clock that was wrong: the newest
   * trade on file stands for it.
   */
  async #progressSoFar(): Promise<FeedProgress> {
    const { venue } = this.#connector
    const progress = await this.#progress.progressOf(venue)
    const now = this.#clock.now()
    const { aliveUntil, tradesUntil } = progress
    if ((aliveUntil ?? now) <= now && (tradesUntil ?? now) <= now) return progress
    const newest = Math.min((await this.#history.newestTradeAt(venue)) ?? now, now) as Millis
    const past = (at: Millis | null): Millis | null => (at !== null && at > now ? newest : at)
    return { ...progress, aliveUntil: past(aliveUntil), tradesUntil: past(tradesUntil) }
  }

  /** Trades since they were last complete. */
  async #readTape(signal: AbortSignal): Promise<void> {
    if (!this.#isPastRead) return
    const { venue } = this.#connector
    const { tradesUntil } = await this.#progress.progressOf(venue)
    const reading = this.#moment()
    const to = reading.at
    const delay = this.#connector.streamsEveryTrade ? OVERLAP : TAPE_DELAY
    // A wall clock that was set back since then tells of a place that is still to come.
    const isPast = tradesUntil !== null && tradesUntil <= to
    const until = isPast ? tradesUntil : to - this.#since(this.#tapeRead)
    const from = (until - Math.max(this.#settings.tapeEvery, delay)) as Millis
    const { tickers, left } = this.#markets.toRead()
    await this.#trades.read(tickers, { from, to }, 'polled', signal)
    this.#tapeRead = reading
    if (!this.#connector.streamsEveryTrade || !this.#isStreaming()) {
      this.#coverage.delivers('trades', 'polled', to)
    }
    this.#coverage.tradesRead({ from, to }, null, false)
    await this.#progress.save(venue, { tradesUntil: to })
    this.#markets.wereRead(left)
  }

  /** Where no stream delivers: quotes, books and trades of the followed markets. */
  async #poll(signal: AbortSignal): Promise<void> {
    if (this.#isStreaming()) return
    await this.#readTape(signal)
    await this.#backfill.markets(this.#markets.mostActive(), signal)
    await this.#backfill.books(this.#markets.mostActive(), signal)
    if (this.#isStreaming()) return
    this.#polled = this.#moment()
    this.#coverage.delivers('quotes', 'polled', this.#polled.at)
  }

  async #accept(events: readonly VenueEvent[]): Promise<void> {
    this.#catalogue.note(events)
    try {
      await this.#pipeline.accept(events)
    } catch (error) {
      if (error instanceof StoreFailed) return // the writer says so, and marks what it gives up
      this.#log.error({ err: error }, 'events of the stream could not be taken')
    }
  }
}
