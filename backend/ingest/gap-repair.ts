import type { Ticker, Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { VenueEvent } from '../venues/connector.ts'
import type { Backfill } from './backfill.ts'
import type { LostRows } from './batch.ts'
import type { FeedCoverage } from './coverage.ts'
import { FirstTrades } from './first-trades.ts'
import type { FollowedMarkets } from './followed-markets.ts'
import type { IngestPipeline } from './pipeline.ts'
import { OVERLAP, type TradeReader } from './trade-reader.ts'
import type { VenueWork } from './venue-work.ts'

/** What is to be filled; null ends when it is filled. */
interface Hole {
  readonly from: Millis
  readonly to: Millis | null
}

interface GapRepairDeps {
  readonly venue: Venue
  readonly pipeline: Pick<IngestPipeline, 'onLost' | 'onMended'>
  readonly history: Pick<HistoryStore, 'gaps'>
  readonly trades: TradeReader
  readonly backfill: Pick<Backfill, 'books'>
  readonly coverage: FeedCoverage
  readonly markets: Pick<FollowedMarkets, 'toRead'>
  readonly work: VenueWork
  readonly clock: Clock
}

/**
 * Asks a venue again for what is missing: trades that a stream lost, that the disk refused or that a
 * damage took, and those before the first message of a connection.
 */
export class GapRepair {
  readonly #deps: GapRepairDeps
  /** What the connection tells, until it is known whether it lost its first trades. */
  #first: FirstTrades | null = null
  /** Holes that are being filled. */
  #repairs = 0
  #isFillingLosses = false

  constructor(deps: GapRepairDeps) {
    this.#deps = deps
  }

  /** Whether a hole is being filled just now. */
  get isBusy(): boolean {
    return this.#repairs > 0
  }

  /** Hears from now on what the history lost, and asks for it again, until the signal. */
  watch(signal: AbortSignal): void {
    this.#deps.pipeline.onLost((lost) => this.#onLost(lost, signal))
    this.#deps.pipeline.onMended(() => this.#onMended(signal))
  }

  /**
   * Fills a hole beside other work, tried until it is done.
   * @param tickers the markets that lost messages, whose books are read too; null for all
   */
  fill(gap: Hole, tickers: readonly Ticker[] | null, signal: AbortSignal): void {
    const { work } = this.#deps
    this.#repairs += 1
    work.spawn(
      work
        .untilDone('gap repair', () => this.#repair(gap, tickers, signal), signal)
        .finally(() => (this.#repairs -= 1)),
    )
  }

  /** A new connection delivers: what it may have lost before its first trade is looked for. */
  connected(at: Millis): void {
    this.#first = new FirstTrades(at)
  }

  /** The connection told these. */
  hear(events: readonly VenueEvent[], signal: AbortSignal): void {
    const first = this.#first
    if (first?.hear(events, this.#deps.clock.now()) === true) this.#spawnCheck(first, signal)
  }

  /** The connection was lost; it may never have told a trade. */
  disconnected(since: Millis, signal: AbortSignal): void {
    if (this.#first?.end(since) === true) this.#spawnCheck(this.#first, signal)
  }

  /** Rows of the venue were given up because the disk refused them: trades are asked for again. */
  #onLost({ venue, feed, from, to }: LostRows, signal: AbortSignal): void {
    if (venue !== this.#deps.venue) return
    this.#deps.trades.noteLoss()
    this.#deps.coverage.missed(feed, { from, to }, 'the history could not be written')
    if (feed === 'trades') this.#fillLosses(signal)
  }

  /** The history was damaged and mended: trades that it lost are asked for again. */
  #onMended(signal: AbortSignal): void {
    const { trades, coverage, history, work } = this.#deps
    trades.noteLoss()
    const takeUp = (): Promise<void> => coverage.takeUp(history)
    work.spawn(
      work
        .untilDone('gaps of a mended history', takeUp, signal)
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
      if (coverage.unrepaired.length > 0) throw new StoreFailed('more was given up')
    }
    work.spawn(
      work
        .untilDone('filling of losses', fill, signal)
        .finally(() => (this.#isFillingLosses = false)),
    )
  }

  #spawnCheck(first: FirstTrades, signal: AbortSignal): void {
    this.#deps.work.spawn(this.#checkFirst(first, signal))
  }

  /** Asks for the first trades of a connection again, and marks what it did not tell. */
  async #checkFirst(first: FirstTrades, signal: AbortSignal): Promise<void> {
    const { trades, coverage, work, clock } = this.#deps
    if (!(await sleepUnless(signal, clock, FirstTrades.toldWithin))) return
    if (this.#first === first) this.#first = null
    const check = async (): Promise<void> => {
      const span = { from: (first.from - OVERLAP) as Millis, to: clock.now() }
      const tape: VenueEvent[] = []
      await trades.read([], span, 'polled', signal, (page) => void tape.push(...page))
      const untold = first.untold(tape)
      if (untold !== null)
        coverage.missed('trades', untold, 'a new connection did not tell its first trades')
      coverage.tradesRead(span, null, false)
    }
    await work.untilDone('first trades of a connection', check, signal)
  }

  async #repair(gap: Hole, tickers: readonly Ticker[] | null, signal: AbortSignal): Promise<void> {
    const { trades, coverage, markets, backfill, clock } = this.#deps
    const span = { from: (gap.from - OVERLAP) as Millis, to: gap.to ?? clock.now() }
    const lost = tickers ?? markets.toRead().tickers
    await trades.read(lost, span, 'polled', signal)
    if (tickers === null) return coverage.tradesRead(span, null, false)
    await backfill.books(lost, signal)
  }
}
