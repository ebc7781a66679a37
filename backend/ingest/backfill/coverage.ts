import type { Ticker, Venue } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import type { CoverageFeed } from '../../domain/coverage-feed.ts'
import type { CoverageRow, CoverageState } from '../../history/coverage.ts'
import { resolveCoverage } from '../../history/coverage.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Clock } from '../../lib/clock.ts'
import type { IngestPipeline } from '../pipeline.ts'
import { UnfilledGaps, type Span } from './unfilled-gaps.ts'

/** A gap that has not ended. */
interface OpenGap {
  readonly from: Millis
  readonly reason: string
}

/** How a feed delivers. */
type Delivery = Extract<CoverageState, 'live' | 'polled'>

/** A statement that has not ended. */
interface OpenStatement {
  readonly state: Delivery
  readonly from: Millis
}

/** Gaps older than this are not requested again because no venue can fill them by then. */
const REPAIR_WINDOW = 7 * DAY

/**
 * Records the coverage of one venue's feeds. The collector reports what happens; this class turns
 * it into coverage statements of the history. Each statement is written before the action it
 * describes, so that a crash between the two leaves a recorded gap and not an unconfirmed repair.
 */
export class FeedCoverage {
  readonly #venue: Venue
  readonly #pipeline: Pick<IngestPipeline, 'recordCoverage' | 'idOf'>
  readonly #clock: Clock
  /** Whether a feed covers every market of the venue or only the followed ones. */
  readonly #isVenueWide: Readonly<Record<CoverageFeed, boolean>>
  readonly #open: Record<CoverageFeed, OpenGap | null> = { trades: null, quotes: null }
  readonly #openOf = new Map<Ticker, OpenGap>()
  readonly #lastStatements: Record<CoverageFeed, Delivery | null> = { trades: null, quotes: null }
  /** Current delivery statements, of all markets (null) or of single ones. */
  readonly #openStatements: Readonly<Record<CoverageFeed, Map<Ticker | null, OpenStatement>>> = {
    trades: new Map(),
    quotes: new Map(),
  }
  /** Followed markets; they matter for feeds that cover only followed markets. */
  readonly #followedTickers = new Set<Ticker>()
  readonly #unfilledGaps = new UnfilledGaps()
  /**
   * Statements of single markets' trades that an earlier run left open. They end when trades
   * arrive again.
   */
  #leftOpen: readonly CoverageRow[] = []

  constructor(deps: {
    venue: Venue
    pipeline: Pick<IngestPipeline, 'recordCoverage' | 'idOf'>
    clock: Clock
    isVenueWide: Readonly<Record<CoverageFeed, boolean>>
  }) {
    this.#venue = deps.venue
    this.#pipeline = deps.pipeline
    this.#clock = deps.clock
    this.#isVenueWide = deps.isVenueWide
  }

  /**
   * Resumes the record of an earlier run. A gap of the whole venue stays open, every other open
   * statement ends with that run, and the downtime is a gap. Open statements of single markets'
   * trades end when trades are delivered again, so that a start that is interrupted leaves them to
   * the next one.
   * @param aliveUntil when each feed last delivered; null at a first start
   * @returns the markets whose trades that run followed
   */
  async resume(
    history: Pick<HistoryStore, 'gaps' | 'openCoverage'>,
    aliveUntil: Readonly<Record<CoverageFeed, Millis | null>>,
  ): Promise<readonly MarketId[]> {
    const now = this.#clock.now()
    const leftOpen: CoverageRow[] = []
    for (const row of await history.openCoverage(this.#venue)) {
      if (row.state === 'gap' && row.market === null) continue
      const alive = aliveUntil[row.feed]
      const last = row.state === 'gap' ? (alive ?? now) : (alive ?? row.from)
      const to = Math.max(row.from, Math.min(last, now)) as Millis
      if (row.feed === 'trades' && row.market !== null) leftOpen.push({ ...row, to })
      else this.#pipeline.recordCoverage([{ ...row, to, knownAt: now }])
    }
    this.#leftOpen = leftOpen
    const venueGaps = await this.#venueGaps(history, now)
    for (const feed of COVERAGE_FEEDS) {
      const feedGaps = venueGaps.filter((row) => row.feed === feed)
      const left = feedGaps.find(({ state, to }) => state === 'gap' && to === null)
      if (left !== undefined) this.#open[feed] = { from: left.from, reason: left.reason ?? '' }
      else {
        const since = aliveUntil[feed]
        if (since !== null && since < now)
          this.recordLoss(feed, since, 'the service was not running')
      }
      if (feed !== 'trades') continue
      this.#unfilledGaps.resume(endedGaps(feedGaps, now))
    }
    return leftOpen.map(({ market }) => market).filter((market) => market !== null)
  }

  /**
   * Adds the gaps of trades that the history recorded itself when it lost rows. Earlier reads do
   * not fill them, because what they read is what was lost.
   */
  async addRecordedGaps(history: Pick<HistoryStore, 'gaps'>): Promise<void> {
    const now = this.#clock.now()
    const venueGaps = await this.#venueGaps(history, now)
    const endedSpans = endedGaps(
      venueGaps.filter(({ feed }) => feed === 'trades'),
      now,
    )
    this.#unfilledGaps.addGaps(endedSpans)
    this.#unfilledGaps.clearReads()
  }

  /** Gaps and repairs of the whole venue that can still be requested. */
  async #venueGaps(history: Pick<HistoryStore, 'gaps'>, now: Millis): Promise<CoverageRow[]> {
    const from = (now - REPAIR_WINDOW) as Millis
    const query = { venue: this.#venue, from, to: now, asOf: now, limit: 10_000 }
    return (await history.gaps(query)).filter(({ market }) => market === null)
  }

  /** Records that the feed has been missing for the whole venue since `since`. */
  recordLoss(feed: CoverageFeed, since: Millis, reason: string): void {
    if (this.#open[feed] !== null) return
    this.#open[feed] = { from: since, reason }
    this.#record({ feed, state: 'gap', from: since, reason })
  }

  /** Records a span, already over, that the feed missed while it was delivering. */
  recordGap(feed: CoverageFeed, span: Span, reason: string): void {
    const { from } = span
    // The venue's clock may be ahead of ours; the future can be neither missed nor read.
    const to = Math.max(from, Math.min(span.to, this.#clock.now())) as Millis
    this.#record({ feed, state: 'gap', from, to, reason })
    if (feed !== 'trades') return
    this.#unfilledGaps.add({ from, to })
    this.#unfilledGaps.clearReads()
  }

  /** Gaps of trades that have ended and are not filled. */
  get unrepaired(): readonly Span[] {
    return this.#unfilledGaps.all
  }

  /** Records that quotes of these markets have been missing since `since`. */
  recordLostMarkets(tickers: readonly Ticker[], since: Millis, reason: string): void {
    for (const ticker of tickers) {
      if (this.#openOf.has(ticker)) continue
      this.#openOf.set(ticker, { from: since, reason })
      this.#record({ feed: 'quotes', state: 'gap', from: since, reason, ticker })
    }
  }

  /** Records that quotes of these markets are complete again. */
  recordRestored(tickers: Iterable<Ticker>, at: Millis): void {
    for (const ticker of tickers) {
      const gap = this.#openOf.get(ticker)
      if (gap === undefined) continue
      this.#openOf.delete(ticker)
      this.#record({ feed: 'quotes', state: 'gap', ...gap, to: at, ticker })
    }
  }

  /**
   * Records that the feed delivers from `at` on, by stream or by polling.
   * @param tickers the markets it delivers, null for all; the markets of a stream that is split
   * into parts arrive one part at a time
   */
  recordDelivery(
    feed: CoverageFeed,
    state: Delivery,
    at: Millis,
    tickers: readonly Ticker[] | null = null,
  ): void {
    const gap = this.#open[feed]
    const isChange = gap !== null || this.#lastStatements[feed] !== state
    if (gap !== null) {
      this.#open[feed] = null
      this.#record({ feed, state: 'gap', ...gap, to: at })
      if (feed === 'trades' && gap.from < at) {
        this.#unfilledGaps.add({ from: gap.from, to: at })
        this.#repair()
      }
    }
    if (feed === 'quotes') this.recordRestored(tickers ?? [...this.#openOf.keys()], at)
    else this.#endLeftOpen()
    if (this.#lastStatements[feed] !== state) {
      this.#lastStatements[feed] = state
      if (this.#isVenueWide[feed]) this.#begin(feed, state, at, null)
      else for (const ticker of this.#followedTickers) this.#begin(feed, state, at, ticker)
    }
    if (tickers === null || !isChange) return
    const deliveredTickers = new Set(tickers)
    const awaitedTickers = [...this.#followedTickers].filter(
      (ticker) => !deliveredTickers.has(ticker),
    )
    this.recordLostMarkets(awaitedTickers, at, 'this part of the stream has not started')
  }

  /** Records which markets are followed, for feeds that cover only followed markets. */
  setFollowed(tickers: readonly Ticker[], at: Millis): void {
    const tickerSet = new Set(tickers)
    for (const ticker of this.#followedTickers) {
      if (tickerSet.has(ticker)) continue
      this.#followedTickers.delete(ticker)
      this.recordRestored([ticker], at)
      for (const feed of COVERAGE_FEEDS) this.#end(feed, at, ticker)
    }
    for (const ticker of tickers) {
      if (this.#followedTickers.has(ticker)) continue
      this.#followedTickers.add(ticker)
      for (const feed of COVERAGE_FEEDS) {
        const state = this.#lastStatements[feed]
        if (!this.#isVenueWide[feed] && state !== null) this.#begin(feed, state, at, ticker)
      }
    }
  }

  /**
   * Records that all trades of a span were requested and accepted; gaps inside the span are
   * filled.
   * @param tickers the requested markets; null for all
   */
  recordTradesRead(span: Span, tickers: readonly Ticker[] | null, isPast: boolean): void {
    if (isPast) {
      const row = { feed: 'trades', state: 'polled', ...span } as const
      if (tickers === null) this.#record(row)
      else for (const ticker of tickers) this.#record({ ...row, ticker })
    }
    this.#unfilledGaps.recordRead(span)
    this.#repair()
  }

  /** Whether quotes of a market do not arrive at present. */
  isStale(ticker: Ticker): boolean {
    return (
      this.#lastStatements.quotes === null || this.#open.quotes !== null || this.#openOf.has(ticker)
    )
  }

  /** The longest open gap of the whole venue; null while every feed delivers. */
  get openGap(): { readonly since: Millis; readonly reason: string } | null {
    let oldest: OpenGap | null = null
    for (const feed of COVERAGE_FEEDS) {
      const gap = this.#open[feed]
      if (gap !== null && (oldest === null || gap.from < oldest.from)) oldest = gap
    }
    return oldest === null ? null : { since: oldest.from, reason: oldest.reason }
  }

  isMissing(feed: CoverageFeed): boolean {
    return this.#open[feed] !== null
  }

  #endLeftOpen(): void {
    const knownAt = this.#clock.now()
    this.#pipeline.recordCoverage(this.#leftOpen.map((row) => ({ ...row, knownAt })))
    this.#leftOpen = []
  }

  #repair(): void {
    for (const { from, to } of this.#unfilledGaps.drainFilled()) {
      this.#record({ feed: 'trades', state: 'repaired', from, to })
    }
  }

  /** From `at` on the feed of one market, or of all, delivers in this way only. */
  #begin(feed: CoverageFeed, state: Delivery, at: Millis, ticker: Ticker | null): void {
    this.#end(feed, at, ticker)
    this.#openStatements[feed].set(ticker, { state, from: at })
    this.#record({ feed, state, from: at, ticker })
  }

  #end(feed: CoverageFeed, at: Millis, ticker: Ticker | null): void {
    const openStatements = this.#openStatements[feed].get(ticker)
    if (openStatements === undefined) return
    this.#openStatements[feed].delete(ticker)
    this.#record({ feed, ...openStatements, to: at, ticker })
  }

  #record(statement: {
    readonly feed: CoverageFeed
    readonly state: CoverageState
    readonly from: Millis
    readonly to?: Millis | null
    readonly reason?: string
    readonly ticker?: Ticker | null
  }): void {
    const { ticker = null, feed, state, from } = statement
    let market: MarketId | null = null
    if (ticker !== null) {
      market = this.#pipeline.idOf(ticker)
      if (market === null) return
    }
    // A statement does not end before it begins, even when the wall clock was set back.
    const end = statement.to ?? null
    const to = end === null ? null : (Math.max(from, end) as Millis)
    const row: CoverageRow = {
      venue: this.#venue,
      market,
      feed,
      state,
      from,
      to,
      knownAt: this.#clock.now(),
      reason: statement.reason ?? null,
    }
    this.#pipeline.recordCoverage([row])
  }
}

/** Ended, unrepaired gaps from the history's statements, which are sorted newest first. */
const endedGaps = (venueGaps: readonly CoverageRow[], now: Millis): readonly Span[] =>
  resolveCoverage(venueGaps.filter(({ to }) => to !== null).toReversed(), {
    from: (now - REPAIR_WINDOW) as Millis,
    to: now,
    asOf: now,
  }).filter(({ state }) => state === 'gap')
