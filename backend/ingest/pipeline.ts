import type { Ticker, Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { CoverageRow } from '../history/coverage.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { MarketRecord, TradeCorrection } from '../history/market-rows.ts'
import type { Bus } from '../lib/bus.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { ClockJumps } from '../lib/clock-jumps.ts'
import type {
  ActivityReported,
  BookChanged,
  CandlePublished,
  QuoteChanged,
  TradeBusted,
  TradePrinted,
  VenueEvent,
} from '../venues/connector.ts'
import { Catalogue } from './catalogue.ts'
import type { LostRows } from './batch.ts'
import { HistoryWriter, type WriterStats } from './history-writer.ts'
import { isNewBook, isNewQuote, nothingStored, type LastStored } from './last-stored.ts'
import { NewTrades } from './new-trades.ts'

/** Topics published for each accepted event. */
export type IngestTopics = {
  facts: MarketRecord
  quote: { readonly market: MarketId; readonly event: QuoteChanged }
  /** The venue repeated an unchanged quote; the history stores such confirmations occasionally. */
  quoteConfirmed: { readonly market: MarketId; readonly event: QuoteChanged }
  /** `isStored` is false for a book whose best five levels per side are already in the history. */
  book: { readonly market: MarketId; readonly event: BookChanged; readonly isStored: boolean }
  trade: { readonly market: MarketId; readonly event: TradePrinted }
  activity: { readonly market: MarketId; readonly event: ActivityReported }
  /** The venue corrected a trade that it reported before; `at` is the time it now states. */
  correction: { readonly market: MarketId; readonly at: Millis }
  /** The wall clock was set by this many ms; trades with a wrong time are corrected. */
  clockSet: { readonly step: number }
}

export interface PipelineStats extends WriterStats {
  readonly accepted: number
  readonly duplicates: number
  readonly corrections: number
  readonly unknownMarket: number
}

type MarketEvent = TradePrinted | QuoteChanged | BookChanged | CandlePublished | ActivityReported

/**
 * Turns events into rows and published updates: duplicates are removed, unchanged statements are
 * not stored twice, and the rest is published at once and appended to the history in batches.
 */
export class IngestPipeline {
  readonly #bus: Bus<IngestTopics>
  readonly #catalogue: Catalogue
  readonly #newTrades: NewTrades
  readonly #writer: HistoryWriter
  readonly #lastStored = new Map<MarketId, LastStored>()
  readonly #lossListeners: ((lostRows: LostRows) => void)[] = []
  readonly #repairListeners: (() => void)[] = []
  readonly #clock: Clock
  readonly #steps: ClockJumps
  readonly #log: Logger
  #acceptedCount = 0
  #corrections = 0
  #unknownMarket = 0

  constructor(deps: {
    history: HistoryStore
    bus: Bus<IngestTopics>
    clock: Clock
    log: Logger
    /** Rows that may wait for the disk before some are dropped. */
    maxWaiting?: number
  }) {
    this.#bus = deps.bus
    this.#clock = deps.clock
    this.#steps = new ClockJumps(deps.clock)
    this.#log = deps.log
    this.#newTrades = new NewTrades(deps.history)
    this.#writer = new HistoryWriter({
      ...deps,
      onShed: (trades) => {
        this.#newTrades.dropLost(trades)
        // The next statement of every market counts as new, whatever came before.
        this.#lastStored.clear()
      },
      onLost: (lostRows) => {
        for (const lostRow of lostRows)
          for (const listener of this.#lossListeners) listener(lostRow)
      },
    })
    this.#catalogue = new Catalogue({
      ...deps,
      onVersion: (record) => {
        this.#acceptedCount += 1
        this.#writer.pending.addFacts([record])
        this.#bus.publish('facts', record)
      },
    })
  }

  /** Loads what the history already holds; call once before the first event. */
  async resume(records: readonly MarketRecord[], venues: readonly Venue[]): Promise<void> {
    for (const record of records) this.#catalogue.addStored(record)
    await this.#newTrades.resume(venues)
  }

  /** Loads trades that entered the history by another way, so that none is stored twice. */
  async loadStored(venues: readonly Venue[]): Promise<void> {
    await this.#newTrades.resume(venues)
  }

  /**
   * Venues whose markets were listed before collection began: a newly described market counts as
   * known since it could have been. A market of any other venue is known when it is first
   * described.
   */
  loadsHistory(venues: ReadonlySet<Venue>): void {
    this.#catalogue.loadsHistory = venues
  }

  /**
   * Accepts events in order. Resolves when they are accepted and there is room for more; they are
   * on disk after `flush`. Events of markets never described are counted and dropped.
   */
  async accept(events: readonly VenueEvent[]): Promise<void> {
    const descriptions = events.filter((event) => event.type === 'market_described')
    if (descriptions.length > 0) await this.#catalogue.describe(descriptions)
    const arrivedAt = this.#clock.now()
    const trades = await this.#newTrades.classify(
      events.filter((event) => event.type === 'trade_printed'),
      (trade) => this.#catalogue.idOf(trade.ticker),
      arrivedAt,
    )
    const now = this.#clock.now()
    for (const event of events) {
      if (event.type === 'market_described') continue
      const market = this.#catalogue.idOf(event.ticker)
      if (market === null) this.#unknownMarket += 1
      else if (event.type === 'trade_busted') this.#correct(market, event, now)
      else if (event.type !== 'trade_printed' || trades.fresh.has(event))
        this.#accept(
          market,
          asKnown(event, now),
          event.type === 'trade_printed' && trades.emitted.has(event),
        )
      else if (trades.corrected.has(event)) this.#correct(market, event, now)
    }
    await this.#writer.makeRoom()
  }

  /**
   * Checks whether the wall clock was set since the last check. Trades with a wrong time get the
   * times that their venues state, known from now on; the next quotes, books and counters count as
   * new.
   */
  checkClock(): void {
    const step = this.#steps.takeJump()
    if (step === 0) return
    const now = this.#clock.now()
    this.#lastStored.clear()
    const misdatedTrades = this.#newTrades.takeMisdated(step, now)
    const since = new Map<MarketId, Millis>()
    for (const { market, tradeId, at, ...figures } of misdatedTrades) {
      const ts = Math.min(at, now) as Millis
      const correctedTrade = { ts, ...figures }
      this.#writer.pending.addCorrection({
        market,
        tradeId,
        knownAt: now,
        corrected: correctedTrade,
      })
      since.set(market, Math.min(ts, since.get(market) ?? ts) as Millis)
    }
    this.#corrections += misdatedTrades.length
    for (const [market, at] of since) this.#bus.publish('correction', { market, at })
    this.#bus.publish('clockSet', { step })
    this.#log.warn({ step, redated: misdatedTrades.length }, 'the wall clock was adjusted')
    if (misdatedTrades.length > 0) void this.#writer.makeRoom().catch(() => {})
  }

  /** Id of a market, or null when it was never described. */
  idOf(ticker: Ticker): MarketId | null {
    return this.#catalogue.idOf(ticker)
  }

  /**
   * Subscribes to rows dropped because the disk refused them; called when no row before them is
   * waiting.
   */
  onLost(listener: (lostRows: LostRows) => void): void {
    this.#lossListeners.push(listener)
  }

  /**
   * Subscribes to repairs of the history that left rows out; the history records the lost spans as
   * gaps itself.
   */
  onRepaired(listener: () => void): void {
    this.#repairListeners.push(listener)
  }

  /**
   * Called when the history was repaired by leaving rows out: lost trades are accepted again.
   * @throws StoreFailed when waiting rows cannot be stored yet
   */
  async recordRepair(): Promise<void> {
    await this.#newTrades.markUncertain(() => this.flush())
    this.#lastStored.clear()
    for (const listener of this.#repairListeners) listener()
  }

  /** Accepts statements about the continuity of a feed; durable with the rows around them. */
  recordCoverage(rows: readonly CoverageRow[]): void {
    if (rows.length === 0) return
    this.#writer.pending.addCoverage(rows)
    void this.#writer.makeRoom().catch(() => {})
  }

  /**
   * Resolves when everything accepted so far is on disk; throws StoreFailed when it cannot be
   * written.
   */
  async flush(): Promise<void> {
    await this.#catalogue.settled
    await this.#writer.flush()
  }

  /**
   * Resolves when what was known at `asOf` is on disk, or cannot be written now: reads continue.
   */
  async settle(asOf: Millis): Promise<void> {
    if (!this.#writer.hasAll(asOf)) await this.flush().catch(() => {})
  }

  stats(): PipelineStats {
    return {
      ...this.#writer.stats(),
      accepted: this.#acceptedCount,
      duplicates: this.#newTrades.duplicates,
      corrections: this.#corrections,
      unknownMarket: this.#unknownMarket,
    }
  }

  async close(): Promise<void> {
    await this.#catalogue.settled
    await this.#writer.close()
  }

  #accept(market: MarketId, event: MarketEvent, isReported: boolean): void {
    if (!isReported && !this.#publish(market, event)) return
    this.#acceptedCount += 1
    this.#writer.pending.add(market, event)
  }

  /**
   * A correction is known from now on, whatever time it refers to: earlier answers used the old
   * figures.
   */
  #correct(market: MarketId, event: TradePrinted | TradeBusted, now: Millis): void {
    const correction: TradeCorrection = {
      market,
      tradeId: event.tradeId,
      knownAt: now,
      corrected:
        event.type === 'trade_busted'
          ? null
          : {
              ts: Math.min(event.at, now) as Millis,
              price: event.price,
              size: event.size,
              takerSide: event.takerSide,
              isBlock: event.isBlock,
            },
    }
    this.#corrections += 1
    this.#writer.pending.addCorrection(correction)
    this.#bus.publish('correction', { market, at: event.at })
  }

  /** Publishes an event; returns false when the history need not store it. */
  #publish(market: MarketId, event: MarketEvent): boolean {
    const last = this.#lastOf(market)
    switch (event.type) {
      case 'trade_printed':
        this.#bus.publish('trade', { market, event })
        return true
      case 'quote_changed':
        if (!isNewQuote(last, event)) {
          this.#bus.publish('quoteConfirmed', { market, event })
          return false
        }
        this.#bus.publish('quote', { market, event })
        return true
      case 'book_changed': {
        const isStored = isNewBook(last, event)
        this.#bus.publish('book', { market, event, isStored })
        return isStored
      }
      case 'activity_reported': {
        const counters = `${event.volume}|${event.volume24h}|${event.openInterest}|${event.lastPrice}`
        if (counters === last.counters) return false
        last.counters = counters
        this.#bus.publish('activity', { market, event })
        return true
      }
      case 'candle_published':
        if (event.bidClose !== null || event.askClose !== null) {
          this.#writer.pending.add(market, quoteAtEndOf(event))
        }
        return true
    }
  }

  #lastOf(market: MarketId): LastStored {
    let last = this.#lastStored.get(market)
    if (last === undefined) {
      last = nothingStored()
      this.#lastStored.set(market, last)
    }
    return last
  }
}

/**
 * The event with `known at` set to the present: no answer used it before, however long it was
 * delayed. An event of a venue whose clock is ahead is dated now, since nothing is known before it
 * happened. Backfilled events keep the time at which a reader could have known them.
 */
function asKnown<E extends MarketEvent>(event: E, now: Millis): E {
  const { at, receivedAt, origin } = event
  if (origin === 'backfilled' || origin === 'imported') return event
  if (at <= now && receivedAt === now) return event
  return { ...event, at: Math.min(at, now) as Millis, receivedAt: now }
}

/** The quote at the end of the venue's bar, known when the bar is. */
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
