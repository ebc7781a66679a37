import { MINUTE, type Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { momentOf, timeSince, type Moment } from '../../lib/moment.ts'
import type { FeedProgress, FeedsStore } from '../../state/feeds.store.ts'
import type { VenueConnector } from '../../venues/connector.ts'
import type { CatalogueReader } from '../collect/catalogue-reader.ts'
import type { CollectorSettings } from '../collect/collector-settings.ts'
import type { FeedCoverage } from './coverage.ts'
import { progressSoFar } from '../collect/feed-progress.ts'
import type { FollowedMarkets } from '../collect/followed-markets.ts'
import type { LiveStream } from '../collect/live-stream.ts'
import { OVERLAP, type TradeReader } from './trade-reader.ts'

/**
 * An index may list a trade minutes after its print; a trade that no stream reported is found only
 * there.
 */
const TAPE_DELAY = 5 * MINUTE

interface TradeTapeDeps {
  readonly connector: Pick<VenueConnector, 'venue' | 'streamsEveryTrade' | 'tradesWithoutNames'>
  readonly settings: Pick<CollectorSettings, 'tradeBackfillSpan' | 'tapeInterval'>
  readonly progress: FeedsStore
  readonly history: Pick<HistoryStore, 'newestTradeAt'>
  readonly trades: Pick<TradeReader, 'read'>
  readonly catalogue: Pick<CatalogueReader, 'readEnded'>
  readonly coverage: Pick<FeedCoverage, 'recordDelivery' | 'recordTradesRead'>
  readonly markets: Pick<FollowedMarkets, 'dueTickers' | 'markRead'>
  readonly stream: Pick<LiveStream, 'isDelivering'>
  readonly clock: Clock
  readonly log: Logger
}

/** The trades that a venue returns on request: the whole past once, then the trades since. */
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

  /** When the tape was last read; the start of the service until then. */
  get lastRead(): Moment {
    return this.#lastRead
  }

  /**
   * At a first start, reads the past as far back as configured. At later starts, reads what
   * was missed in between and what an interrupted first start left unread.
   * @returns how far the feeds were read before
   */
  async readPast(startedAt: Millis, signal: AbortSignal): Promise<FeedProgress> {
    const { connector, settings, catalogue, coverage, markets, log } = this.#deps
    const startedMonotonic = this.#deps.clock.monotonic()
    const previous = await progressSoFar(connector.venue, this.#deps)
    const { backfilledAt, endedUntil, tradesUntil } = previous
    // Trades of markets that ended since trades were last complete are missing, whether or not the
    // end was recorded.
    const unread = tradesUntil === null ? null : Math.min(tradesUntil, endedUntil ?? tradesUntil)
    const endedTickers = await catalogue.readEnded(unread as Millis | null, signal)
    log.info({ ended: endedTickers.size }, 'ended markets read')
    const from =
      tradesUntil === null ? startedAt - settings.tradeBackfillSpan : tradesUntil - OVERLAP
    const { tickers, left } = markets.dueTickers(endedTickers)
    const span = { from: from as Millis, to: startedAt }
    // A later start serves requests while it catches up, so what it reads then was not known
    // before.
    const origin = tradesUntil === null ? 'backfilled' : 'polled'
    await this.#deps.trades.read(tickers, span, origin, signal)
    this.#lastRead = { at: startedAt, monotonic: startedMonotonic }
    if (!connector.streamsEveryTrade) coverage.recordDelivery('trades', 'polled', startedAt)
    const requestedTickers = connector.tradesWithoutNames ? null : tickers
    coverage.recordTradesRead(span, requestedTickers, backfilledAt === null && tradesUntil === null)
    await this.#deps.progress.save(connector.venue, { tradesUntil: startedAt })
    markets.markRead(left)
    this.#isPastRead = true
    log.info({ from, to: startedAt }, 'past trades read')
    return previous
  }

  /** Reads the trades since they were last complete; does nothing until the past has been read. */
  async read(signal: AbortSignal): Promise<void> {
    if (!this.#isPastRead) return
    const { connector, settings, progress, coverage, markets, stream, clock } = this.#deps
    const { tradesUntil } = await progress.progressOf(connector.venue)
    const reading = momentOf(clock)
    const to = reading.at
    const delay = connector.streamsEveryTrade ? OVERLAP : TAPE_DELAY
    // If the wall clock was set back since then, the recorded progress lies in the future.
    const isPast = tradesUntil !== null && tradesUntil <= to
    const until = isPast ? tradesUntil : to - timeSince(this.#lastRead, clock)
    const from = (until - Math.max(settings.tapeInterval, delay)) as Millis
    const { tickers, left } = markets.dueTickers()
    await this.#deps.trades.read(tickers, { from, to }, 'polled', signal)
    this.#lastRead = reading
    if (!connector.streamsEveryTrade || !stream.isDelivering()) {
      coverage.recordDelivery('trades', 'polled', to)
    }
    coverage.recordTradesRead({ from, to }, null, false)
    await progress.save(connector.venue, { tradesUntil: to })
    markets.markRead(left)
  }
}
