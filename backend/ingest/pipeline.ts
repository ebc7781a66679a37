import type { Ticker, Venue } from '../domain/market.ts'
import { MINUTE, type Millis } from '../domain/units.ts'
import type {
  CoverageRow,
  HistoryStore,
  MarketId,
  MarketRecord,
  TradeCorrection,
} from '../history/history-store.ts'
import type { Bus } from '../lib/bus.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
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
import { NewTrades } from './new-trades.ts'

/** What the rest of the process hears of an event once it is taken. */
export type IngestTopics = {
  facts: MarketRecord
  quote: { readonly market: MarketId; readonly event: QuoteChanged }
  /** `isStored` is false for a book whose best five levels a side history has already. */
  book: { readonly market: MarketId; readonly event: BookChanged; readonly isStored: boolean }
  trade: { readonly market: MarketId; readonly event: TradePrinted }
  activity: { readonly market: MarketId; readonly event: ActivityReported }
  /** The venue changed its word on a trade that was told before; `at` as it states it now. */
  correction: { readonly market: MarketId; readonly at: Millis }
}

/** An unchanged quote or book is stored again after this long, as proof that it was still there. */
const CONFIRM_EVERY = 5 * MINUTE

export interface PipelineStats extends WriterStats {
  readonly accepted: number
  readonly duplicates: number
  readonly corrections: number
  readonly unknownMarket: number
}

/** What was last stored of a market, so that the same is not stored again. */
interface LastStored {
  quote: (Pick<QuoteChanged, 'bid' | 'ask' | 'bidSize' | 'askSize'> & When) | null
  counters: string | null
  book: ({ readonly top: string } & When) | null
}

interface When {
  /** When it was learnt, and of which moment it speaks. */
  readonly at: Millis
  readonly ts: Millis
}

type MarketEvent = TradePrinted | QuoteChanged | BookChanged | CandlePublished | ActivityReported

/**
 * Events become rows and news: duplicates fall out, unchanged statements are not stored twice,
 * the rest is published at once and appended to the history in batches.
 */
export class IngestPipeline {
  readonly #bus: Bus<IngestTopics>
  readonly #catalogue: Catalogue
  readonly #newTrades: NewTrades
  readonly #writer: HistoryWriter
  readonly #lastStored = new Map<MarketId, LastStored>()
  readonly #lossListeners: ((lost: LostRows) => void)[] = []
  readonly #clock: Clock
  #accepted = 0
  #corrections = 0
  #unknownMarket = 0

  constructor(deps: {
    history: HistoryStore
    bus: Bus<IngestTopics>
    clock: Clock
    log: Logger
    /** Rows that may wait for the disk before some are given up. */
    mostWaiting?: number
  }) {
    this.#bus = deps.bus
    this.#clock = deps.clock
    this.#newTrades = new NewTrades(deps.history)
    this.#writer = new HistoryWriter({
      ...deps,
      onShed: (trades) => {
        this.#newTrades.lost(trades)
        // What is said next counts as new, whatever was said before it.
        this.#lastStored.clear()
      },
      onLost: (lost) => {
        for (const one of lost) for (const listener of this.#lossListeners) listener(one)
      },
    })
    this.#catalogue = new Catalogue({
      ...deps,
      onVersion: (record) => {
        this.#accepted += 1
        this.#writer.pending.addFacts([record])
        this.#bus.publish('facts', record)
      },
    })
  }

  /** Learns what the history already holds: call once before the first event. */
  async resume(records: readonly MarketRecord[], venues: readonly Venue[]): Promise<void> {
    for (const record of records) this.#catalogue.learn(record)
    await this.#newTrades.resume(venues)
  }

  /** Learns of trades that came into the history by another way, so that none is taken twice. */
  async learnStored(venues: readonly Venue[]): Promise<void> {
    await this.#newTrades.resume(venues)
  }

  /**
   * Takes events in order. Resolves when they are taken and there is room for more; they are on
   * disk after `flush`. Events of markets never described are counted and dropped.
   */
  async accept(events: readonly VenueEvent[]): Promise<void> {
    const described = events.filter((event) => event.type === 'market_described')
    if (described.length > 0) await this.#catalogue.describe(described)
    const trades = await this.#newTrades.among(
      events.filter((event) => event.type === 'trade_printed'),
      (trade) => this.#catalogue.idOf(trade.ticker),
    )
    for (const event of events) {
      if (event.type === 'market_described') continue
      const market = this.#catalogue.idOf(event.ticker)
      if (market === null) this.#unknownMarket += 1
      else if (event.type === 'trade_busted') this.#correct(market, event)
      else if (event.type !== 'trade_printed' || trades.fresh.has(event))
        this.#take(market, event, event.type === 'trade_printed' && trades.told.has(event))
      else if (trades.corrected.has(event)) this.#correct(market, event)
    }
    await this.#writer.makeRoom()
  }

  /** Number of a market, or null when it was never described. */
  idOf(ticker: Ticker): MarketId | null {
    return this.#catalogue.idOf(ticker)
  }

  /** Hears of rows that were given up because the disk refused them, once nothing waits before. */
  onLost(listener: (lost: LostRows) => void): void {
    this.#lossListeners.push(listener)
  }

  /** Takes statements about the continuity of a feed; durable with the rows around them. */
  cover(rows: readonly CoverageRow[]): void {
    if (rows.length === 0) return
    this.#writer.pending.addCoverage(rows)
    void this.#writer.makeRoom().catch(() => {})
  }

  /** Resolves when everything taken so far is on disk; throws StoreFailed when it cannot be written. */
  async flush(): Promise<void> {
    await this.#catalogue.settled
    await this.#writer.flush()
  }

  /** Resolves when what was known at `asOf` is on disk, or cannot be written now: reads go on. */
  async settle(asOf: Millis): Promise<void> {
    if (!this.#writer.hasAll(asOf)) await this.flush().catch(() => {})
  }

  stats(): PipelineStats {
    return {
      ...this.#writer.stats(),
      accepted: this.#accepted,
      duplicates: this.#newTrades.duplicates,
      corrections: this.#corrections,
      unknownMarket: this.#unknownMarket,
    }
  }

  async close(): Promise<void> {
    await this.#catalogue.settled
    await this.#writer.close()
  }

  #take(market: MarketId, event: MarketEvent, isTold: boolean): void {
    if (!isTold && !this.#publish(market, event)) return
    this.#accepted += 1
    this.#writer.pending.add(market, event)
  }

  /** What was filled in about the past is still learnt now: an earlier answer knew the old figures. */
  #correct(market: MarketId, event: TradePrinted | TradeBusted): void {
    const isLearntNow = event.origin === 'backfilled' || event.origin === 'imported'
    const correction: TradeCorrection = {
      market,
      tradeId: event.tradeId,
      knownAt: isLearntNow ? this.#clock.now() : event.receivedAt,
      corrected:
        event.type === 'trade_busted'
          ? null
          : {
              ts: event.at,
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

  /** Tells the process about an event; false when history need not keep it. */
  #publish(market: MarketId, event: MarketEvent): boolean {
    const last = this.#lastOf(market)
    switch (event.type) {
      case 'trade_printed':
        this.#bus.publish('trade', { market, event })
        return true
      case 'quote_changed':
        if (!isNewQuote(last, event)) return false
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
      last = { quote: null, counters: null, book: null }
      this.#lastStored.set(market, last)
    }
    return last
  }
}

/** Whether a quote says something new, or proves anew that the old one stands; notes it if so. */
function isNewQuote(last: LastStored, event: QuoteChanged): boolean {
  const { bid, ask, bidSize, askSize, origin, receivedAt } = event
  if (origin === 'backfilled' || origin === 'imported') return true
  const held = last.quote
  const isUnchanged =
    held !== null &&
    held.bid === bid &&
    held.ask === ask &&
    held.bidSize === bidSize &&
    held.askSize === askSize
  // A late word about an earlier moment is kept, but what stands is the newer one.
  if (held !== null && event.at < held.ts) return true
  if (isUnchanged && receivedAt - held.at < CONFIRM_EVERY) return false
  last.quote = { bid, ask, bidSize, askSize, at: receivedAt, ts: event.at }
  return true
}

/** The same for the best five levels of a book. */
function isNewBook(last: LastStored, event: BookChanged): boolean {
  const top = JSON.stringify([event.bids.slice(0, 5), event.asks.slice(0, 5)])
  const held = last.book
  if (held !== null && event.at < held.ts) return true
  if (held !== null && held.top === top && event.receivedAt - held.at < CONFIRM_EVERY) return false
  last.book = { top, at: event.receivedAt, ts: event.at }
  return true
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
