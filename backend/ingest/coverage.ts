import type { Ticker, Venue } from '../domain/market.ts'
import { DAY, type Millis } from '../domain/units.ts'
import {
  COVERAGE_FEEDS,
  type CoverageFeed,
  type CoverageRow,
  type CoverageState,
  resolveCoverage,
} from '../history/coverage.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { Clock } from '../lib/clock.ts'
import type { IngestPipeline } from './pipeline.ts'
import { UnfilledGaps, type Span } from './unfilled-gaps.ts'

/** A gap that has no end yet. */
interface OpenGap {
  readonly from: Millis
  readonly reason: string
}

/** How a feed delivers while it does. */
type Delivery = Extract<CoverageState, 'live' | 'polled'>

/** A statement that has no end yet. */
interface Lasting {
  readonly state: Delivery
  readonly from: Millis
}

/** Gaps older than this are not asked for again: no venue fills them by then. */
const REPAIRED_WITHIN = 7 * DAY

/**
 * Keeps the record of what we have of one venue's feeds. The collector tells it what happens; it
 * turns that into statements of history, each written before anything is done about it, so that a
 * process that dies between leaves the gap behind and not the hope of its repair.
 */
export class FeedCoverage {
  readonly #venue: Venue
  readonly #pipeline: Pick<IngestPipeline, 'cover' | 'idOf'>
  readonly #clock: Clock
  /** Whether a feed tells of every market of the venue, or of the followed ones alone. */
  readonly #isWide: Readonly<Record<CoverageFeed, boolean>>
  readonly #open: Record<CoverageFeed, OpenGap | null> = { trades: null, quotes: null }
  readonly #openOf = new Map<Ticker, OpenGap>()
  readonly #standing: Record<CoverageFeed, Delivery | null> = { trades: null, quotes: null }
  /** What is stated to last, of all markets (null) or of single ones. */
  readonly #lasting: Readonly<Record<CoverageFeed, Map<Ticker | null, Lasting>>> = {
    trades: new Map(),
    quotes: new Map(),
  }
  /** Markets followed now, which matter where a feed tells of these alone. */
  readonly #followed = new Set<Ticker>()
  readonly #unfilled = new UnfilledGaps()
  /** Ends of what an earlier run stated of single markets' trades, to be said when trades come again. */
  #leftOpen: readonly CoverageRow[] = []

  constructor(deps: {
    venue: Venue
    pipeline: Pick<IngestPipeline, 'cover' | 'idOf'>
    clock: Clock
    isWide: Readonly<Record<CoverageFeed, boolean>>
  }) {
    this.#venue = deps.venue
    this.#pipeline = deps.pipeline
    this.#clock = deps.clock
    this.#isWide = deps.isWide
  }

  /**
   * Takes up the record of an earlier run: a gap of the whole venue that it left open stays so,
   * whatever else was left open ended with it, and the time in which nothing ran is a gap. What was
   * left open of single markets' trades ends when trades are delivered again, so that a start that
   * is cut short leaves the next one its answer too.
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
      else this.#pipeline.cover([{ ...row, to, knownAt: now }])
    }
    this.#leftOpen = leftOpen
    const known = await this.#wideGaps(history, now)
    for (const feed of COVERAGE_FEEDS) {
      const wide = known.filter((row) => row.feed === feed)
      const left = wide.find(({ state, to }) => state === 'gap' && to === null)
      if (left !== undefined) this.#open[feed] = { from: left.from, reason: left.reason ?? '' }
      else {
        const since = aliveUntil[feed]
        if (since !== null && since < now) this.lost(feed, since, 'the service was not running')
      }
      if (feed !== 'trades') continue
      this.#unfilled.resume(endedGaps(wide, now))
    }
    return leftOpen.map(({ market }) => market).filter((market) => market !== null)
  }

  /**
   * Takes up gaps of trades that the history stated itself, when it lost rows; what was read before is
   * what was lost.
   */
  async takeUp(history: Pick<HistoryStore, 'gaps'>): Promise<void> {
    const now = this.#clock.now()
    const wide = await this.#wideGaps(history, now)
    const stated = endedGaps(
      wide.filter(({ feed }) => feed === 'trades'),
      now,
    )
    this.#unfilled.takeUp(stated)
    this.#unfilled.forgetRead()
  }

  /** Gaps and repairs of the whole venue that can still be asked for. */
  async #wideGaps(history: Pick<HistoryStore, 'gaps'>, now: Millis): Promise<CoverageRow[]> {
    const from = (now - REPAIRED_WITHIN) as Millis
    const query = { venue: this.#venue, from, to: now, asOf: now, limit: 10_000 }
    return (await history.gaps(query)).filter(({ market }) => market === null)
  }

  /** The feed has been missing for the whole venue since then. */
  lost(feed: CoverageFeed, since: Millis, reason: string): void {
    if (this.#open[feed] !== null) return
    this.#open[feed] = { from: since, reason }
    this.#say({ feed, state: 'gap', from: since, reason })
  }

  /** A stretch that is over was missed, while the feed itself delivered. */
  missed(feed: CoverageFeed, span: Span, reason: string): void {
    const { from } = span
    // A venue's clock may be ahead of ours; what is to come can be neither missed nor read.
    const to = Math.max(from, Math.min(span.to, this.#clock.now())) as Millis
    this.#say({ feed, state: 'gap', from, to, reason })
    if (feed !== 'trades') return
    this.#unfilled.add({ from, to })
    this.#unfilled.forgetRead()
  }

  /** Gaps of trades that have ended and are not filled. */
  get unrepaired(): readonly Span[] {
    return this.#unfilled.all
  }

  /** Quotes of these markets have been missing since then. */
  lostMarkets(tickers: readonly Ticker[], since: Millis, reason: string): void {
    for (const ticker of tickers) {
      if (this.#openOf.has(ticker)) continue
      this.#openOf.set(ticker, { from: since, reason })
      this.#say({ feed: 'quotes', state: 'gap', from: since, reason, ticker })
    }
  }

  /** Quotes of these markets are whole again. */
  restored(tickers: Iterable<Ticker>, at: Millis): void {
    for (const ticker of tickers) {
      const gap = this.#openOf.get(ticker)
      if (gap === undefined) continue
      this.#openOf.delete(ticker)
      this.#say({ feed: 'quotes', state: 'gap', ...gap, to: at, ticker })
    }
  }

  /**
   * The feed delivers from then on, as a stream or by being asked.
   * @param tickers the markets it delivers, null for all; those of a stream that is cut in parts come
   *   one part after the other
   */
  delivers(
    feed: CoverageFeed,
    state: Delivery,
    at: Millis,
    tickers: readonly Ticker[] | null = null,
  ): void {
    const gap = this.#open[feed]
    const isChange = gap !== null || this.#standing[feed] !== state
    if (gap !== null) {
      this.#open[feed] = null
      this.#say({ feed, state: 'gap', ...gap, to: at })
      if (feed === 'trades' && gap.from < at) {
        this.#unfilled.add({ from: gap.from, to: at })
        this.#repair()
      }
    }
    if (feed === 'quotes') this.restored(tickers ?? [...this.#openOf.keys()], at)
    else this.#endLeftOpen()
    if (this.#standing[feed] !== state) {
      this.#standing[feed] = state
      if (this.#isWide[feed]) this.#begin(feed, state, at, null)
      else for (const ticker of this.#followed) this.#begin(feed, state, at, ticker)
    }
    if (tickers === null || !isChange) return
    const delivered = new Set(tickers)
    const awaited = [...this.#followed].filter((ticker) => !delivered.has(ticker))
    this.lostMarkets(awaited, at, 'this part of the stream has not begun')
  }

  /** Notes which markets are followed, where a feed tells of these alone. */
  follows(tickers: readonly Ticker[], at: Millis): void {
    const wanted = new Set(tickers)
    for (const ticker of this.#followed) {
      if (wanted.has(ticker)) continue
      this.#followed.delete(ticker)
      this.restored([ticker], at)
      for (const feed of COVERAGE_FEEDS) this.#end(feed, at, ticker)
    }
    for (const ticker of tickers) {
      if (this.#followed.has(ticker)) continue
      this.#followed.add(ticker)
      for (const feed of COVERAGE_FEEDS) {
        const state = this.#standing[feed]
        if (!this.#isWide[feed] && state !== null) this.#begin(feed, state, at, ticker)
      }
    }
  }

  /**
   * All trades of a stretch were asked for and taken; gaps inside of what was asked are filled.
   * @param tickers the markets asked for; null for all
   */
  tradesRead(span: Span, tickers: readonly Ticker[] | null, isPast: boolean): void {
    if (isPast) {
      const row = { feed: 'trades', state: 'polled', ...span } as const
      if (tickers === null) this.#say(row)
      else for (const ticker of tickers) this.#say({ ...row, ticker })
    }
    this.#unfilled.noteRead(span)
    this.#repair()
  }

  /** Whether quotes of a market do not arrive now. */
  isStale(ticker: Ticker): boolean {
    return this.#standing.quotes === null || this.#open.quotes !== null || this.#openOf.has(ticker)
  }

  /** The gap of the whole venue that lasts longest; null while every feed delivers. */
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
    this.#pipeline.cover(this.#leftOpen.map((row) => ({ ...row, knownAt })))
    this.#leftOpen = []
  }

  #repair(): void {
    for (const { from, to } of this.#unfilled.takeFilled()) {
      this.#say({ feed: 'trades', state: 'repaired', from, to })
    }
  }

  /** From now on the feed of one market, or of all, delivers in this way and no other. */
  #begin(feed: CoverageFeed, state: Delivery, at: Millis, ticker: Ticker | null): void {
    this.#end(feed, at, ticker)
    this.#lasting[feed].set(ticker, { state, from: at })
    this.#say({ feed, state, from: at, ticker })
  }

  #end(feed: CoverageFeed, at: Millis, ticker: Ticker | null): void {
    const lasting = this.#lasting[feed].get(ticker)
    if (lasting === undefined) return
    this.#lasting[feed].delete(ticker)
    this.#say({ feed, ...lasting, to: at, ticker })
  }

  #say(statement: {
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
    // A wall clock that was set back ends nothing before its begin.
    const end = statement.to ?? null
    const to = end === null ? null : (Math.max(from, end) as Millis)
    const row: CoverageRow = {
      ...{ venue: this.#venue, market, feed, state, from, to },
      knownAt: this.#clock.now(),
      reason: statement.reason ?? null,
    }
    this.#pipeline.cover([row])
  }
}

/** Gaps that have ended and are not repaired, of statements as history tells them: newest first. */
const endedGaps = (wide: readonly CoverageRow[], now: Millis): readonly Span[] =>
  resolveCoverage(wide.filter(({ to }) => to !== null).toReversed(), {
    ...{ from: (now - REPAIRED_WITHIN) as Millis, to: now, asOf: now },
  }).filter(({ state }) => state === 'gap')
