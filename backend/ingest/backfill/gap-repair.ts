import type { Ticker, Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import { StoreFailed } from '../../lib/errors.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import type { Backfill } from './backfill.ts'
import type { LostRows } from '../batch.ts'
import type { FeedCoverage } from './coverage.ts'
import { FirstTrades } from '../collect/first-trades.ts'
import type { FollowedMarkets } from '../collect/followed-markets.ts'
import type { IngestPipeline } from '../pipeline.ts'
import { OVERLAP, type TradeReader } from './trade-reader.ts'
import type { VenueWork } from '../collect/venue-work.ts'

/** A span to fill; a null `to` ends when the span is filled. */
interface MissingSpan {
  readonly from: Millis
  readonly to: Millis | null
}

interface GapRepairDeps {
  readonly venue: Venue
  readonly pipeline: Pick<IngestPipeline, 'onLost' | 'onRepaired'>
  readonly history: Pick<HistoryStore, 'gaps'>
  readonly trades: TradeReader
  readonly backfill: Pick<Backfill, 'books'>
  readonly coverage: FeedCoverage
  readonly markets: Pick<FollowedMarkets, 'dueTickers'>
  readonly work: VenueWork
  readonly clock: Clock
}

/**
 * Requests missing trades again: those that a stream lost, that the disk refused, that were lost
 * by damage to the history, and those before the first message of a connection.
 */
export class GapRepair {
  readonly #deps: GapRepairDeps
  /** Trades that the connection reported, until it is known whether its first trades were lost. */
  #first: FirstTrades | null = null
  /** Gaps that are being filled. */
  #repairs = 0
  #isFillingLosses = false

  constructor(deps: GapRepairDeps) {
    this.#deps = deps
  }

  /** Whether a gap is being filled. */
  get isBusy(): boolean {
    return this.#repairs > 0
  }

  /** Subscribes to losses of the history and requests the lost trades again, until the signal. */
  watch(signal: AbortSignal): void {
    this.#deps.pipeline.onLost((lostRows) => this.#onLost(lostRows, signal))
    this.#deps.pipeline.onRepaired(() => this.#onRepaired(signal))
  }

  /**
   * Fills a gap in the background and retries until it is filled.
   * @param tickers the markets that lost messages, whose books are read too; null for all
   */
  fill(gap: MissingSpan, tickers: readonly Ticker[] | null, signal: AbortSignal): void {
    const { work } = this.#deps
    this.#repairs += 1
    work.spawn(
      work
        .runUntilDone('gap repair', () => this.#repair(gap, tickers, signal), signal)
        .finally(() => (this.#repairs -= 1)),
    )
  }

  /**
   * Called when a new connection delivers; trades that it may have lost before its first one are
   * checked.
   */
  onConnected(at: Millis): void {
    this.#first = new FirstTrades(at)
  }

  /** Events that the connection reported. */
  receive(events: readonly VenueEvent[], signal: AbortSignal): void {
    const first = this.#first
    if (first?.receive(events, this.#deps.clock.now()) === true) this.#spawnCheck(first, signal)
  }

  /** Called when the connection was lost, perhaps before it reported a trade. */
  onDisconnected(since: Millis, signal: AbortSignal): void {
    if (this.#first?.end(since) === true) this.#spawnCheck(this.#first, signal)
  }

  /**
   * Rows of the venue were dropped because the disk refused them: their trades are requested
   * again.
   */
  #onLost({ venue, feed, from, to }: LostRows, signal: AbortSignal): void {
    if (venue !== this.#deps.venue) return
    this.#deps.trades.recordLoss()
    this.#deps.coverage.recordGap(feed, { from, to }, 'the history could not be written')
    if (feed === 'trades') this.#fillLosses(signal)
  }

  /** The history was damaged and repaired: the trades it lost are requested again. */
  #onRepaired(signal: AbortSignal): void {
    const { trades, coverage, history, work } = this.#deps
    trades.recordLoss()
    const addRecordedGaps = (): Promise<void> => coverage.addRecordedGaps(history)
    work.spawn(
      work
        .runUntilDone('gaps of a repaired history', addRecordedGaps, signal)
        .then(() => this.#fillLosses(signal)),
    )
  }

  #fillLosses(signal: AbortSignal): void {
    const { coverage, work } = this.#deps
    if (this.#isFillingLosses || coverage.unrepaired.length === 0) return
    this.#isFillingLosses = true
    const fill = async (): Promise<void> => {
      const [first] = coverage.unrepaired
      if (first !== undefined) await this.#repair({ from: first.from, to: null }, null, signal)
      if (coverage.unrepaired.length > 0) throw new StoreFailed('more rows were dropped')
    }
    work.spawn(
      work
        .runUntilDone('filling of lost trades', fill, signal)
        .finally(() => (this.#isFillingLosses = false)),
    )
  }

  #spawnCheck(first: FirstTrades, signal: AbortSignal): void {
    this.#deps.work.spawn(this.#checkFirst(first, signal))
  }

  /**
   * Requests the first trades of a connection again and records those it did not report as missed.
   */
  async #checkFirst(first: FirstTrades, signal: AbortSignal): Promise<void> {
    const { trades, coverage, work, clock } = this.#deps
    if (!(await sleepUnless(signal, clock, FirstTrades.reportedWithin))) return
    if (this.#first === first) this.#first = null
    const check = async (): Promise<void> => {
      const span = { from: (first.from - OVERLAP) as Millis, to: clock.now() }
      const tape: VenueEvent[] = []
      await trades.read([], span, 'polled', signal, (page) => void tape.push(...page))
      const unreportedSpan = first.unreportedSpan(tape)
      if (unreportedSpan !== null)
        coverage.recordGap('trades', unreportedSpan, 'a new connection missed its first trades')
      coverage.recordTradesRead(span, null, false)
    }
    await work.runUntilDone('first trades of a connection', check, signal)
  }

  async #repair(
    gap: MissingSpan,
    tickers: readonly Ticker[] | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { trades, coverage, markets, backfill, clock } = this.#deps
    const span = { from: (gap.from - OVERLAP) as Millis, to: gap.to ?? clock.now() }
    const lostTickers = tickers ?? markets.dueTickers().tickers
    await trades.read(lostTickers, span, 'polled', signal)
    if (tickers === null) return coverage.recordTradesRead(span, null, false)
    await backfill.books(lostTickers, signal)
  }
}
