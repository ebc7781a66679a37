import type { MarketFacts, Venue } from '../domain/market.ts'
import { MINUTE, type Millis } from '../domain/units.ts'
import type {
  HistoryBatch,
  HistoryStore,
  MarketId,
  MarketRecord,
} from '../history/history-store.ts'
import type { Bus } from '../lib/bus.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type {
  ActivityReported,
  BookChanged,
  CandlePublished,
  MarketDescribed,
  QuoteChanged,
  TradePrinted,
  VenueEvent,
} from '../venues/connector.ts'
import { VENUE_DELAY } from '../venues/parsed.ts'
import { PendingRows } from './batch.ts'
import { fingerprintOf, firstVersions } from './catalogue-versions.ts'
import { RecentIds } from './dedupe.ts'

/** What the rest of the process hears of an event once it is taken. */
export type IngestTopics = {
  facts: MarketRecord
  quote: { readonly market: MarketId; readonly event: QuoteChanged }
  /** `isStored` is false for a book whose best five levels a side history has already. */
  book: { readonly market: MarketId; readonly event: BookChanged; readonly isStored: boolean }
  trade: { readonly market: MarketId; readonly event: TradePrinted }
  activity: { readonly market: MarketId; readonly event: ActivityReported }
}

/** An unchanged quote or book is stored again after this long, as proof that it was still there. */
const CONFIRM_EVERY = 5 * MINUTE
const FLUSH_EVERY = 250
const FLUSH_ROWS = 500
/** Above this many waiting rows `accept` holds its caller back. */
const HIGH_WATER = 50_000
const REMEMBERED_TRADES = 100_000

export interface PipelineStats {
  readonly accepted: number
  readonly duplicates: number
  readonly unknownMarket: number
  readonly waiting: number
  /** When rows last reached the disk; null before the first. */
  readonly storedAt: Millis | null
  /** Why rows cannot be written now, or null. */
  readonly failure: string | null
}

interface KnownMarket {
  readonly market: MarketId
  firstSeenAt: Millis
  fingerprint: string
  quote: {
    bid: number | null
    ask: number | null
    bidSize: number | null
    askSize: number | null
    storedAt: Millis
  } | null
  activity: string | null
  book: { readonly top: string; readonly storedAt: Millis } | null
}

/**
 * Events become rows and news: duplicates fall out, unchanged statements are not stored twice,
 * the rest is published at once and appended to the history in batches.
 */
export class IngestPipeline {
  readonly #history: HistoryStore
  readonly #bus: Bus<IngestTopics>
  readonly #clock: Clock
  readonly #log: Logger
  readonly #known = new Map<string, KnownMarket>()
  readonly #seenTrades: Record<Venue, RecentIds> = {
    venue_a: new RecentIds(REMEMBERED_TRADES),
    venue_b: new RecentIds(REMEMBERED_TRADES),
  }
  readonly #pending = new PendingRows()
  readonly #stop = new AbortController()
  readonly #storedUntil: Partial<Record<Venue, Millis>> = {}
  #describing: Promise<void> = Promise.resolve()
  #writing: Promise<void> | null = null
  #unwritten: HistoryBatch | null = null
  #unwrittenFrom = Number.POSITIVE_INFINITY
  #failure: unknown = null
  #waiting = false
  #storedAt: Millis | null = null
  #accepted = 0
  #duplicates = 0
  #unknownMarket = 0

  constructor(deps: { history: HistoryStore; bus: Bus<IngestTopics>; clock: Clock; log: Logger }) {
    this.#history = deps.history
    this.#bus = deps.bus
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Learns what the history already holds: call once before the first event. */
  async resume(records: readonly MarketRecord[], venues: readonly Venue[]): Promise<void> {
    for (const record of records) this.#learn(record)
    for (const venue of venues) {
      const newest = await this.#history.newestTradeAt(venue)
      if (newest !== null) this.#storedUntil[venue] = newest
    }
  }

  /**
   * Takes events in order. Resolves when they are taken and there is room for more; they are on
   * disk after `flush`. Events of markets never described are counted and dropped.
   */
  async accept(events: readonly VenueEvent[]): Promise<void> {
    const described = events.filter((event) => event.type === 'market_described')
    if (described.length > 0) await this.#describe(described)
    const trades = await this.#newTrades(events.filter((event) => event.type === 'trade_printed'))
    for (const event of events) {
      if (event.type === 'market_described') continue
      const known = this.#known.get(event.ticker)
      if (known === undefined) {
        this.#unknownMarket += 1
        continue
      }
      this.#take(known, event, trades)
    }
    if (this.#pending.count >= FLUSH_ROWS) void this.#writeBatch()
    else if (this.#pending.count > 0) void this.#writeSoon()
    if (this.#pending.count > HIGH_WATER) await this.flush()
  }

  /** Whether a market has ever been described. */
  knows(ticker: string): boolean {
    return this.#known.has(ticker)
  }

  /** Resolves when everything taken so far is on disk; throws StoreFailed when it cannot be written. */
  async flush(): Promise<void> {
    await this.#describing
    // The batch under way was taken before; the one after it holds all that waited until now.
    if (this.#writing !== null) await this.#writing
    await this.#writeBatch()
    if (this.#failure !== null) {
      throw new StoreFailed('the history could not be written', { cause: this.#failure })
    }
  }

  /** Resolves when what was known at `asOf` is on disk, or cannot be written now. */
  async settle(asOf: Millis): Promise<void> {
    if (asOf >= this.#pending.knownFrom || asOf >= this.#unwrittenFrom) {
      await this.flush().catch(() => {})
    }
  }

  stats(): PipelineStats {
    return {
      accepted: this.#accepted,
      duplicates: this.#duplicates,
      unknownMarket: this.#unknownMarket,
      waiting: this.#pending.count,
      storedAt: this.#storedAt,
      failure: this.#failure instanceof Error ? this.#failure.message : null,
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.flush()
  }

  #take(
    known: KnownMarket,
    event: TradePrinted | QuoteChanged | BookChanged | CandlePublished | ActivityReported,
    newTrades: ReadonlySet<TradePrinted>,
  ): void {
    const { market } = known
    switch (event.type) {
      case 'trade_printed':
        if (!newTrades.has(event)) return
        this.#bus.publish('trade', { market, event })
        break
      case 'quote_changed':
        if (!this.#isNewQuote(known, event)) return
        this.#bus.publish('quote', { market, event })
        break
      case 'book_changed': {
        const top = JSON.stringify([event.bids.slice(0, 5), event.asks.slice(0, 5)])
        const held = known.book
        const unchanged = held !== null && held.top === top
        const isStored = !unchanged || event.receivedAt - held.storedAt >= CONFIRM_EVERY
        this.#bus.publish('book', { market, event, isStored })
        if (!isStored) return
        known.book = { top, storedAt: event.receivedAt }
        break
      }
      case 'activity_reported': {
        const counters = `${event.volume}|${event.volume24h}|${event.openInterest}`
        if (counters === known.activity) return
        known.activity = counters
        this.#bus.publish('activity', { market, event })
        break
      }
      case 'candle_published':
        if (event.bidClose !== null || event.askClose !== null) {
          this.#pending.add(market, quoteAtEndOf(event))
        }
        break
    }
    this.#accepted += 1
    this.#pending.add(market, event)
  }

  #isNewQuote(known: KnownMarket, event: QuoteChanged): boolean {
    const { bid, ask, bidSize, askSize } = event
    if (event.origin === 'backfilled' || event.origin === 'imported') return true
    const held = known.quote
    const unchanged =
      held !== null &&
      held.bid === bid &&
      held.ask === ask &&
      held.bidSize === bidSize &&
      held.askSize === askSize
    if (unchanged && event.receivedAt - held.storedAt < CONFIRM_EVERY) return false
    known.quote = { bid, ask, bidSize, askSize, storedAt: event.receivedAt }
    return true
  }

  /** Those trades that were neither seen in this run nor stored by an earlier one. */
  async #newTrades(trades: readonly TradePrinted[]): Promise<ReadonlySet<TradePrinted>> {
    const fresh = new Set<TradePrinted>()
    const perhapsStored = new Map<MarketId, TradePrinted[]>()
    for (const trade of trades) {
      const known = this.#known.get(trade.ticker)
      if (known === undefined) continue
      if (!this.#seenTrades[trade.venue].add(trade.tradeId)) {
        this.#duplicates += 1
        continue
      }
      fresh.add(trade)
      const storedUntil = this.#storedUntil[trade.venue]
      if (storedUntil !== undefined && trade.at <= storedUntil) {
        const sameMarket = perhapsStored.get(known.market)
        if (sameMarket === undefined) perhapsStored.set(known.market, [trade])
        else sameMarket.push(trade)
      }
    }
    for (const [market, candidates] of perhapsStored) {
      const stored = await this.#history.knownTrades(
        market,
        candidates.map((trade) => trade.tradeId),
      )
      for (const trade of candidates) {
        if (!stored.has(trade.tradeId)) continue
        fresh.delete(trade)
        this.#duplicates += 1
      }
    }
    return fresh
  }

  /** One description at a time, so that a market is registered and versioned in one order. */
  #describe(events: readonly MarketDescribed[]): Promise<void> {
    const next = this.#describing.then(() => this.#version(events))
    this.#describing = next.catch(() => {})
    return next
  }

  async #version(events: readonly MarketDescribed[]): Promise<void> {
    const strangers = events.filter((event) => !this.#known.has(event.ticker))
    if (strangers.length > 0) await this.#meet(strangers)
    for (const event of events) {
      const known = this.#known.get(event.ticker)
      if (known === undefined) continue
      const fingerprint = fingerprintOf(event.facts)
      if (fingerprint === known.fingerprint) continue
      known.fingerprint = fingerprint
      // A market known before changes when we learn of it, however long ago the venue changed it.
      this.#store(known, event.facts, this.#clock.now())
    }
  }

  /** Registers markets not met in this run; those of an earlier run keep their versions. */
  async #meet(strangers: readonly MarketDescribed[]): Promise<void> {
    const ids = await this.#history.marketIds(strangers)
    const stored = await this.#history.recordsAt(this.#clock.now(), ids)
    for (const record of stored) this.#learn(record)
    strangers.forEach((event, index) => {
      const market = ids[index]
      if (market === undefined || this.#known.has(event.ticker)) return
      const versions = firstVersions(
        event.facts,
        event.at,
        event.receivedAt,
        VENUE_DELAY[event.venue],
      )
      const firstSeenAt = versions[0]?.knownAt ?? event.receivedAt
      const known: KnownMarket = {
        market,
        firstSeenAt,
        fingerprint: fingerprintOf(event.facts),
        quote: null,
        activity: null,
        book: null,
      }
      this.#known.set(event.ticker, known)
      for (const version of versions) this.#store(known, version.facts, version.knownAt)
    })
  }

  #learn(record: MarketRecord): void {
    this.#known.set(record.facts.ticker, {
      market: record.market,
      firstSeenAt: record.firstSeenAt,
      fingerprint: fingerprintOf(record.facts),
      quote: null,
      activity: null,
      book: null,
    })
  }

  #store(known: KnownMarket, facts: MarketFacts, knownAt: Millis): void {
    const { market, firstSeenAt } = known
    this.#pending.addFacts([{ market, knownAt, facts }])
    this.#bus.publish('facts', { market, facts, firstSeenAt, knownAt })
    this.#accepted += 1
  }

  /** Small batches wait a moment for company; an idle pipeline sets no timer. */
  async #writeSoon(): Promise<void> {
    if (this.#waiting) return
    this.#waiting = true
    const slept = await sleepUnless(this.#stop.signal, this.#clock, FLUSH_EVERY)
    this.#waiting = false
    if (slept) await this.#writeBatch()
  }

  /** Writes what waits as one batch, or joins the writing that is under way. */
  #writeBatch(): Promise<void> {
    this.#writing ??= this.#appendOnce().finally(() => {
      this.#writing = null
      if (this.#pending.count > 0 || this.#unwritten !== null) void this.#writeSoon()
    })
    return this.#writing
  }

  /** A batch that could not be written stays first in line and is tried again by the next call. */
  async #appendOnce(): Promise<void> {
    if (this.#unwritten === null && this.#pending.count > 0) {
      this.#unwrittenFrom = this.#pending.knownFrom
      this.#unwritten = this.#pending.take()
    }
    if (this.#unwritten === null) return
    try {
      await this.#history.append(this.#unwritten)
      this.#unwritten = null
      this.#unwrittenFrom = Number.POSITIVE_INFINITY
      this.#failure = null
      this.#storedAt = this.#clock.now()
    } catch (error) {
      this.#failure = error
      this.#log.error({ err: error }, 'a batch could not be written to the history')
    }
  }
}

/** The book as the venue's bar left it: known when the bar is. */
const quoteAtEndOf = (bar: CandlePublished): QuoteChanged => ({
  type: 'quote_changed',
  venue: bar.venue,
  ticker: bar.ticker,
  at: bar.at,
  receivedAt: bar.receivedAt,
  origin: bar.origin,
  bid: bar.bidClose,
  bidSize: null,
  ask: bar.askClose,
  askSize: null,
})
