import type { OrderBook } from '../../domain/market.ts'
import type { Millis, SizeE6 } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketNumbers, MarketRecord } from '../../history/market-rows.ts'
import type {
  ActivityReported,
  BookChanged,
  QuoteChanged,
  TradePrinted,
} from '../../venues/connector.ts'
import { MarketTable } from './market-table.ts'
import { OPEN_STATUSES } from './open-statuses.ts'

/** Levels per side that count as depth (methodology A2). */
const DEPTH_LEVELS = 5

/**
 * The current state of all open markets in memory: loaded from history at start, then updated by
 * events. Its size grows with open markets, not with history.
 */
export class LiveTable {
  readonly table = new MarketTable()
  readonly #books = new Map<MarketId, { book: OrderBook; at: Millis }>()
  /** For each load in progress the markets that ended meanwhile: history may not have it yet. */
  readonly #endedWhileLoading = new Set<Set<MarketId>>()

  /**
   * Loads the markets to show from history as known at `now`; data received meanwhile is kept where
   * it is newer. A last trade that did not change meanwhile is replaced by the stored one, which
   * may be corrected.
   * @param flush stores what was received until then; false when that is not possible now, so that
   * stored trades may be older than live ones
   */
  async load(
    history: Pick<HistoryStore, 'recordsAt' | 'numbersAt'>,
    now: Millis,
    isVisible: (record: MarketRecord) => boolean,
    flush: () => Promise<boolean>,
  ): Promise<readonly MarketRecord[]> {
    const lastBefore = new Map<MarketId, MarketNumbers['last']>()
    for (const market of this.table.markets()) lastBefore.set(market, this.lastTrade(market))
    const endedMarkets = new Set<MarketId>()
    this.#endedWhileLoading.add(endedMarkets)
    let storedRecords: readonly MarketRecord[]
    let isStored: boolean
    try {
      isStored = await flush()
      storedRecords = await history.recordsAt(now, null, OPEN_STATUSES)
    } finally {
      this.#endedWhileLoading.delete(endedMarkets)
    }
    const records = storedRecords.filter(
      (record) => isVisible(record) && !endedMarkets.has(record.market),
    )
    for (const record of records) {
      const knownRecord = this.table.record(record.market)
      if (knownRecord === null || knownRecord.knownAt <= record.knownAt) this.table.put(record)
    }
    const ids = records.map((record) => record.market)
    for (const numbers of await history.numbersAt(now, ids)) {
      const { market, last } = numbers
      if (isStored) this.correctLast(market, lastBefore.get(market) ?? null, last)
      this.takeStored(numbers)
    }
    return records
  }

  book(market: MarketId): { readonly book: OrderBook; readonly at: Millis } | null {
    return this.#books.get(market) ?? null
  }

  /** Applies new facts. An ended market is removed; it is served from history. */
  applyFacts(record: MarketRecord): void {
    if (OPEN_STATUSES.includes(record.facts.status)) return this.table.put(record)
    this.table.remove(record.market)
    this.#books.delete(record.market)
    for (const endedMarkets of this.#endedWhileLoading) endedMarkets.add(record.market)
  }

  /**
   * Loads history of a market that is open again; data received since it opened takes precedence
   * where it is newer.
   */
  takeStored(storedNumbers: MarketNumbers): void {
    if (this.table.record(storedNumbers.market) === null) return
    const { last, quote, activity, depth } = this.table.numbers(storedNumbers.market)
    const isOlder = (
      current: { readonly ts: Millis } | null,
      other: { readonly ts: Millis } | null,
    ) => other !== null && (current === null || current.ts < other.ts)
    this.table.setNumbers({
      market: storedNumbers.market,
      last: isOlder(last, storedNumbers.last) ? storedNumbers.last : last,
      quote: isOlder(quote, storedNumbers.quote) ? storedNumbers.quote : quote,
      activity: isOlder(activity, storedNumbers.activity) ? storedNumbers.activity : activity,
      depth: isOlder(depth, storedNumbers.depth) ? storedNumbers.depth : depth,
    })
  }

  /**
   * Handles a wall clock that was set back: data dated later than now would override everything
   * received until then, so it is dropped.
   * @returns the affected markets
   */
  dropAfter(now: Millis): readonly MarketId[] {
    const droppedMarkets: MarketId[] = []
    for (const market of this.table.markets()) {
      const numbers = this.table.numbers(market)
      const isFuture = (current: { readonly ts: Millis } | null): boolean =>
        current !== null && current.ts > now
      const { last, quote, activity, depth } = numbers
      if (![last, quote, activity, depth].some(isFuture)) continue
      droppedMarkets.push(market)
      if (isFuture(last)) numbers.last = null
      if (isFuture(quote)) numbers.quote = null
      if (isFuture(activity)) numbers.activity = null
      if (isFuture(depth)) numbers.depth = null
    }
    for (const [market, { at }] of this.#books) if (at > now) this.#books.delete(market)
    return droppedMarkets
  }

  applyQuote(market: MarketId, event: QuoteChanged): void {
    if (this.table.record(market) === null) return
    const numbers = this.table.numbers(market)
    if (numbers.quote !== null && numbers.quote.ts > event.at) return
    numbers.quote = {
      bid: event.bid,
      ask: event.ask,
      bidSize: event.bidSize,
      askSize: event.askSize,
      ts: event.at,
      knownAt: event.receivedAt,
    }
  }

  applyTrade(market: MarketId, event: TradePrinted): void {
    if (event.isBlock || this.table.record(market) === null) return
    const numbers = this.table.numbers(market)
    if (numbers.last !== null && numbers.last.ts > event.at) return
    numbers.last = { price: event.price, ts: event.at }
  }

  /**
   * Replaces the last trade of a market after the venue corrected a trade.
   * @param correctedTrade the last trade when the correction arrived; a later one is kept
   */
  correctLast(
    market: MarketId,
    correctedTrade: MarketNumbers['last'],
    last: MarketNumbers['last'],
  ): void {
    if (this.table.record(market) === null) return
    const numbers = this.table.numbers(market)
    if (numbers.last === correctedTrade) numbers.last = last
  }

  /** The last trade of a market; null if there is none. */
  lastTrade(market: MarketId): MarketNumbers['last'] {
    return this.table.record(market) === null ? null : this.table.numbers(market).last
  }

  applyActivity(market: MarketId, event: ActivityReported): void {
    if (this.table.record(market) === null) return
    const numbers = this.table.numbers(market)
    if (numbers.activity !== null && numbers.activity.ts > event.at) return
    const { volume, volume24h, openInterest, lastPrice, at } = event
    numbers.activity = { volume, volume24h, openInterest, lastPrice, ts: at }
  }

  /** @param isStored whether history stores this book; its time is that of the newest stored one */
  applyBook(market: MarketId, event: BookChanged, isStored: boolean): void {
    if (this.table.record(market) === null) return
    const current = this.#books.get(market)
    if (current !== undefined && current.at > event.at) return
    const at = isStored ? event.at : (current?.at ?? event.at)
    this.#books.set(market, { book: { bids: event.bids, asks: event.asks }, at })
    const total = (side: BookChanged['bids']): SizeE6 =>
      side.slice(0, DEPTH_LEVELS).reduce((sum, level) => sum + level.size, 0) as SizeE6
    this.table.numbers(market).depth = {
      bid: total(event.bids),
      ask: total(event.asks),
      ts: at,
    }
  }
}
