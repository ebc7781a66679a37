import type { Ticker, Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { FeedsStore } from '../../state/feeds.store.ts'
import type { FeedHealth, VenueConnector } from '../../venues/connector.ts'
import { Backfill } from '../backfill/backfill.ts'
import { CatalogueReader } from './catalogue-reader.ts'
import type { CollectorSettings } from './collector-settings.ts'
import { FeedCoverage } from '../backfill/coverage.ts'
import { ExchangeWatch } from './exchange-watch.ts'
import { progressSoFar } from './feed-progress.ts'
import { FollowedMarkets } from './followed-markets.ts'
import { GapRepair } from '../backfill/gap-repair.ts'
import { Heartbeat } from './heartbeat.ts'
import { LiveStream } from './live-stream.ts'
import type { IngestPipeline } from '../pipeline.ts'
import { QuotePolls } from './quote-polls.ts'
import { TradeReader } from '../backfill/trade-reader.ts'
import { TradeTape } from '../backfill/trade-tape.ts'
import { VenueWork } from './venue-work.ts'

/** The part of the history that the collector reads. */
type ReadHistory = Pick<
  HistoryStore,
  'gaps' | 'keyOf' | 'marketIdOf' | 'newestTradeAt' | 'openCoverage' | 'recordsAt'
>

interface CollectorDeps {
  readonly connector: VenueConnector
  readonly pipeline: IngestPipeline
  readonly history: ReadHistory
  readonly progress: FeedsStore
  readonly clock: Clock
  readonly log: Logger
  readonly settings: CollectorSettings
}

/**
 * Feeds one venue into the pipeline: its catalogue, its history at the first start, the live
 * stream or polling instead, and ended markets. A failing venue is retried forever without
 * affecting others.
 */
export class Collector {
  readonly #deps: CollectorDeps
  readonly #work: VenueWork
  readonly #markets: FollowedMarkets
  readonly #catalogue: CatalogueReader
  readonly #exchange: ExchangeWatch
  readonly #coverage: FeedCoverage
  readonly #backfill: Backfill
  readonly #repair: GapRepair
  readonly #stream: LiveStream
  readonly #tape: TradeTape
  readonly #polls: QuotePolls
  readonly #heartbeat: Heartbeat
  readonly #descriptionCompletion = Promise.withResolvers<void>()
  readonly #backfillCompletion = Promise.withResolvers<void>()
  readonly #barsRead = Promise.withResolvers<void>()

  constructor(collectorDeps: CollectorDeps) {
    const { connector, pipeline, clock, settings } = collectorDeps
    const { venue, tradesWithoutNames, streamsEveryTrade } = connector
    const log = collectorDeps.log.child({ venue })
    const deps = { ...collectorDeps, log }
    const work = new VenueWork(clock, log)
    const isReadByMarket = !tradesWithoutNames
    const markets = new FollowedMarkets({ limit: settings.followed, isReadByMarket })
    const catalogue = new CatalogueReader({ ...deps, markets })
    const isVenueWide = { trades: tradesWithoutNames, quotes: streamsEveryTrade }
    const coverage = new FeedCoverage({ venue, pipeline, clock, isVenueWide })
    const backfill = new Backfill(connector, pipeline)
    const trades = new TradeReader({ connector, pipeline, backfill })
    const repair = new GapRepair({ ...deps, venue, trades, backfill, coverage, markets, work })
    const stream = new LiveStream({ ...deps, catalogue, coverage, repair })
    const tape = new TradeTape({ ...deps, trades, catalogue, coverage, markets, stream })
    const polls = new QuotePolls({ backfill, tape, markets, coverage, stream, clock })
    this.#deps = deps
    this.#work = work
    this.#markets = markets
    this.#catalogue = catalogue
    this.#exchange = new ExchangeWatch(deps)
    this.#coverage = coverage
    this.#backfill = backfill
    this.#repair = repair
    this.#stream = stream
    this.#tape = tape
    this.#polls = polls
    this.#heartbeat = new Heartbeat({ ...deps, coverage, stream, tape, polls })
  }

  /** Resolves when the open catalogue has been read for the first time. */
  get described(): Promise<void> {
    return this.#descriptionCompletion.promise
  }

  /** Resolves when the history of a first start has been read (at once on later starts). */
  get backfilled(): Promise<void> {
    return this.#backfillCompletion.promise
  }

  /**
   * Resolves when the bars of a first start have been read too; nothing older arrives after that.
   */
  get barsRead(): Promise<void> {
    return this.#barsRead.promise
  }

  get venue(): Venue {
    return this.#deps.connector.venue
  }

  /** Whether quotes of a market do not arrive, or do not count because its exchange is paused. */
  isStale(ticker: Ticker): boolean {
    return this.#coverage.isStale(ticker) || this.#exchange.isPaused(ticker)
  }

  /** Health of the venue's feed from its connector and its recorded gaps. */
  health(): FeedHealth {
    return { ...this.#deps.connector.health(), missing: this.#coverage.openGap }
  }

  /** Runs until the signal; resolves when every loop has ended. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#collect(signal)
    } finally {
      // These promises resolve on a stop too, although the work did not happen, so that nothing
      // waits forever.
      this.#descriptionCompletion.resolve()
      this.#backfillCompletion.resolve()
      this.#barsRead.resolve()
    }
  }

  async #collect(signal: AbortSignal): Promise<void> {
    const work = this.#work
    const startedAt = this.#deps.clock.now()
    this.#repair.watch(signal)
    await work.runUntilDone('record of gaps', () => this.#resumeCoverage(), signal)
    await work.runUntilDone('unresolved markets', () => this.#catalogue.resumeUnresolved(), signal)
    await work.runUntilDone('catalogue', () => this.#readCatalogue(signal), signal)
    this.#descriptionCompletion.resolve()
    if (signal.aborted) return
    this.#stream.open(startedAt, this.#markets.mostActive(), signal)
    work.spawn(
      work
        .runUntilDone('backfill', () => this.#readPast(startedAt, signal), signal)
        .then(() => this.#backfillCompletion.resolve()),
    )
    this.#repeat(signal)
    await work.whenIdle()
    await this.#heartbeat.beat()
    await this.#stream.close()
  }

  /** Starts all repeated work until the signal. */
  #repeat(signal: AbortSignal): void {
    const { connector, settings } = this.#deps
    const catalogue = this.#catalogue
    const repeat = (span: number, taskName: string, runTask: () => Promise<void>): void =>
      this.#work.repeat(taskName, span, runTask, signal)
    repeat(settings.catalogueInterval, 'catalogue', () => this.#readCatalogue(signal))
    repeat(settings.endedInterval, 'ended markets', () => catalogue.readNewlyEnded(signal))
    repeat(settings.resolutionsInterval, 'unresolved markets', () =>
      catalogue.readResolutions(signal),
    )
    const refreshExchange = (): Promise<void> => this.#exchange.poll(signal)
    this.#work.spawn(this.#work.runUntilDone('exchange', refreshExchange, signal))
    repeat(settings.exchangeInterval, 'exchange', refreshExchange)
    repeat(settings.pollInterval, 'quotes', () => this.#polls.read(signal))
    if (this.#stream.isOpen && !connector.streamsEveryTrade) {
      repeat(settings.tapeInterval, 'tape', () => this.#tape.read(signal))
    }
    repeat(Heartbeat.interval, 'heartbeat', () => this.#heartbeat.beat())
  }

  async #resumeCoverage(): Promise<void> {
    const { connector, history, pipeline } = this.#deps
    const { aliveUntil, tradesUntil } = await progressSoFar(connector.venue, this.#deps)
    // Trades that come from the tape are complete up to its last read, however long the stream was
    // connected.
    const tapeEnd = Math.min(aliveUntil ?? Infinity, tradesUntil ?? Infinity)
    const isWhole = connector.streamsEveryTrade || aliveUntil === null
    const trades = isWhole ? aliveUntil : (tapeEnd as Millis)
    const markets = await this.#coverage.resume(history, { trades, quotes: aliveUntil })
    this.#markets.leave(markets.map((market) => history.keyOf(market).ticker))
    await pipeline.flush()
  }

  async #readCatalogue(signal: AbortSignal): Promise<void> {
    const { connector, pipeline, progress, clock } = this.#deps
    await this.#catalogue.readOpen(signal)
    const followedMarkets = this.#markets.settle()
    this.#coverage.setFollowed(followedMarkets, clock.now())
    if (!this.#stream.isOpen) return
    this.#stream.follow(followedMarkets)
    if (!connector.streamsEveryTrade || !this.#tape.isPastRead) return
    if (this.#stream.isSilent || this.#repair.isBusy) return
    const now = clock.now()
    await pipeline.flush()
    await progress.save(connector.venue, { tradesUntil: now })
  }

  async #readPast(startedAt: Millis, signal: AbortSignal): Promise<void> {
    const { backfilledAt } = await this.#tape.readPast(startedAt, signal)
    for (const gap of this.#coverage.unrepaired) this.#repair.fill(gap, null, signal)
    if (backfilledAt !== null) return this.#barsRead.resolve()
    const bars = this.#work.runUntilDone('bars', () => this.#readBars(startedAt, signal), signal)
    this.#work.spawn(bars.then(() => this.#barsRead.resolve()))
  }

  async #readBars(to: Millis, signal: AbortSignal): Promise<void> {
    const { connector, pipeline, progress, settings } = this.#deps
    const from = (to - settings.barBackfillSpan) as Millis
    await this.#backfill.bars(this.#markets.mostActive(), { from, to }, signal)
    await pipeline.flush()
    await progress.save(connector.venue, { backfilledAt: to })
  }
}
