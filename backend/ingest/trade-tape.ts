import { MINUTE, type Millis } from '../domain/units.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { momentOf, timeSince, type Moment } from '../lib/moment.ts'
import type { FeedProgress, FeedsStore } from '../state/feeds.store.ts'
import type { VenueConnector } from '../venues/connector.ts'
import type { CatalogueReader } from './catalogue-reader.ts'
import type { CollectorSettings } from './collector-settings.ts'
import type { FeedCoverage } from './coverage.ts'
import { progressSoFar } from './feed-progress.ts'
import type { FollowedMarkets } from './followed-markets.ts'
import type { LiveStream } from './live-stream.ts'
import { OVERLAP, type TradeReader } from './trade-reader.ts'

/** An index may list a trade minutes after its print; one that no stream told is found there alone. */
const TAPE_DELAY = 5 * MINUTE

interface TradeTapeDeps {
  readonly connector: Pick<VenueConnector, 'venue' | 'streamsEveryTrade' | 'tradesWithoutNames'>
  readonly settings: Pick<CollectorSettings, 'tradesBack' | 'tapeEvery'>
  readonly progress: FeedsStore
  readonly history: Pick<HistoryStore, 'newestTradeAt'>
  readonly trades: Pick<TradeReader, 'read'>
  readonly catalogue: Pick<CatalogueReader, 'readEnded'>
  readonly coverage: Pick<FeedCoverage, 'delivers' | 'tradesRead'>
  readonly markets: Pick<FollowedMarkets, 'toRead' | 'wereRead'>
  readonly stream: Pick<LiveStream, 'isDelivering'>
  readonly clock: Clock
  readonly log: Logger
}

/** The trades of a venue as it tells them when asked: all of the past once, then what came since. */
export class TradeTape {
  readonly #deps: TradeTapeDeps
  #isPastRead = false
  #lastRead: Moment

  constructor(deps: TradeTapeDeps) {
    this.#deps = deps
    this.#lastRead = momentOf(deps.clock)
  }

  /** Whether trades are complete up to the start of the service. */
  get isPastRead(): boolean {
    return this.#isPastRead
  }

  /** Up to when it was last read; the start of the service until then. */
  get lastRead(): Moment {
    return this.#lastRead
  }

  /**
   * First start: the past as far as settings say. Later starts: what was missed in between, and
   * what a first start that was cut short left unread.
   * @returns how far the feeds were read before
   */
  async readPast(startedAt: Millis, signal: AbortSignal): Promise<FeedProgress> {
    const { connector, settings, catalogue, coverage, markets, log } = this.#deps
    const startedSteady = this.#deps.clock.monotonic()
    const before = await progressSoFar(connector.venue, this.#deps)
    const { backfilledAt, endedUntil, tradesUntil } = before
    // Trades are missing of what ended since they were last complete, noted as ended or not.
    const unread = tradesUntil === null ? null : Math.min(tradesUntil, endedUntil ?? tradesUntil)
    const ended = await catalogue.readEnded(unread as Millis | null, signal)
    log.info({ ended: ended.size }, 'ended markets are read')
    const from = tradesUntil === null ? startedAt - settings.tradesBack : tradesUntil - OVERLAP
    const { tickers, left } = markets.toRead(ended)
    const span = { from: from as Millis, to: startedAt }
    // A later start answers while it catches up: what it learns then was not known before.
    const origin = tradesUntil === null ? 'backfilled' : 'polled'
    await this.#deps.trades.read(tickers, span, origin, signal)
    this.#lastRead = { at: startedAt, steady: startedSteady }
    if (!connector.streamsEveryTrade) coverage.delivers('trades', 'polled', startedAt)
    const asked = connector.tradesWithoutNames ? null : tickers
    coverage.tradesRead(span, asked, backfilledAt === null && tradesUntil === null)
    await this.#deps.progress.save(connector.venue, { tradesUntil: startedAt })
    markets.wereRead(left)
    this.#isPastRead = true
    log.info({ from, to: startedAt }, 'trades of the past are read')
    return before
  }

  /** Reads the trades since they were last complete; nothing before the past is read. */
  async read(signal: AbortSignal): Promise<void> {
    if (!this.#isPastRead) return
    const { connector, settings, progress, coverage, markets, stream, clock } = this.#deps
    const { tradesUntil } = await progress.progressOf(connector.venue)
    const reading = momentOf(clock)
    const to = reading.at
    const delay = connector.streamsEveryTrade ? OVERLAP : TAPE_DELAY
    // A wall clock that was set back since then tells of a place that is still to come.
    const isPast = tradesUntil !== null && tradesUntil <= to
    const until = isPast ? tradesUntil : to - timeSince(this.#lastRead, clock)
    const from = (until - Math.max(settings.tapeEvery, delay)) as Millis
    const { tickers, left } = markets.toRead()
    await this.#deps.trades.read(tickers, { from, to }, 'polled', signal)
    this.#lastRead = reading
    if (!connector.streamsEveryTrade || !stream.isDelivering()) {
      coverage.delivers('trades', 'polled', to)
    }
    coverage.tradesRead({ from, to }, null, false)
    await progress.save(connector.venue, { tradesUntil: to })
    markets.wereRead(left)
  }
}
