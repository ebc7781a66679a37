import { LRUCache } from 'lru-cache'
import type { MarketStatus, OrderBook, Ticker } from '../../domain/market.ts'
import { wholeMinute, type Millis } from '../../domain/units.ts'
import { statusAt } from '../../domain/market-status.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LiveTable } from './live-table.ts'
import type { BoardView, MarketBoard, MarketView } from './market-board.ts'
import { MarketTable } from './market-table.ts'
import { DescribedMarket } from './described-market.ts'
import { keepsLastMark, noNumbers, viewOf } from './market-view.ts'
import { OPEN_STATUSES } from './open-statuses.ts'
import type { PricesThen, ReferencePrices } from './reference-prices.ts'

const NO_PRICES: ReadonlyMap<MarketId, null> = new Map()
/** Number of cached past boards (LRU): an agent sends several requests about one instant. */
const PAST_RETENTION = 6

/**
 * The market board over the live table and history. The present is read from memory; a past instant
 * is read from history and served by the same code, so both give the same answer.
 */
export class Board implements MarketBoard {
  readonly #history: HistoryStore
  readonly #live: LiveTable
  readonly #reference: ReferencePrices
  readonly #clock: Clock
  readonly #pastViews = new LRUCache<string, Promise<BoardView>>({ max: PAST_RETENTION })
  ready = false
  /** Filter of listed markets: a live service hides what a demo left in the same folder. */
  isVisible: (record: MarketRecord) => boolean = () => true

  constructor(deps: {
    history: HistoryStore
    live: LiveTable
    reference: ReferencePrices
    clock: Clock
  }) {
    this.#history = deps.history
    this.#live = deps.live
    this.#reference = deps.reference
    this.#clock = deps.clock
  }

  async at(
    asOf: Millis | null,
    options?: { readonly statuses?: readonly MarketStatus[]; readonly changes?: boolean },
  ): Promise<BoardView> {
    const now = this.#clock.now()
    const statuses = options?.statuses
    if (asOf === null && statuses === undefined) {
      return this.#live.table.snapshot(now, await this.#reference.dayBefore(now))
    }
    // There are many ended markets and they rarely change, so one reading serves a minute.
    const instant = asOf ?? wholeMinute(now)
    if (options?.changes === false) return this.#read(instant, statuses ?? OPEN_STATUSES, NO_PRICES)
    return this.#pastAt(instant, statuses ?? OPEN_STATUSES)
  }

  live(): BoardView {
    return this.#live.table.snapshot(this.#clock.now(), NO_PRICES)
  }

  async market(name: string, asOf: Millis | null): Promise<MarketView | null> {
    const at = asOf ?? this.#clock.now()
    const market = this.#live.table.find(name) ?? this.#history.marketIdOf(name)?.market ?? null
    if (market === null) return null
    const dayAgo = await this.#reference.dayBeforeOf(market, at)
    if (asOf === null && this.#live.table.record(market) !== null) {
      return this.#live.table.snapshot(at, new Map([[market, dayAgo]])).get(name)
    }
    const [record] = await this.#history.recordsAt(at, [market])
    if (record === undefined) return null
    const [numbers] = await this.#history.numbersAt(at, [market])
    return viewOf(new DescribedMarket(record), numbers ?? noNumbers(market), dayAgo, at)
  }

  async markets(
    names: readonly string[],
    asOf: Millis | null,
  ): Promise<ReadonlyMap<string, MarketView>> {
    const at = asOf ?? this.#clock.now()
    const board = await this.at(asOf)
    const viewsByTicker = new Map<string, MarketView>()
    const unlistedMarkets = new Map<string, MarketId>()
    for (const name of new Set(names)) {
      const view = board.get(name)
      const market = this.#live.table.find(name) ?? this.#history.marketIdOf(name)?.market
      if (view !== null) viewsByTicker.set(name, view)
      else if (market !== undefined) unlistedMarkets.set(name, market)
    }
    if (unlistedMarkets.size === 0) return viewsByTicker
    const ids = [...new Set(unlistedMarkets.values())]
    const [records, numbers, dayAgo] = await Promise.all([
      this.#history.recordsAt(at, ids),
      this.#history.numbersAt(at, ids),
      this.#reference.dayBeforeOfThese(ids, at),
    ])
    const table = new MarketTable()
    for (const record of records) table.put(record)
    for (const row of numbers) table.setNumbers(row)
    const boardView = table.snapshot(at, dayAgo)
    for (const [name, market] of unlistedMarkets) {
      const record = table.record(market)
      const view = record === null ? null : boardView.get(record.facts.ticker)
      if (view !== null) viewsByTicker.set(name, view)
    }
    return viewsByTicker
  }

  async book(view: MarketView, asOf: Millis | null): ReturnType<MarketBoard['book']> {
    const live = asOf === null ? this.#live.book(view.market) : null
    if (live !== null) return live
    const storedBook = await this.#history.bookAt(view.market, asOf ?? this.#clock.now())
    return storedBook === null ? null : { book: storedBook.book, at: storedBook.ts }
  }

  async storedBooks(
    views: readonly MarketView[],
    asOf: Millis,
  ): Promise<ReadonlyMap<Ticker, OrderBook>> {
    const markets = views.map(({ market }) => market)
    const storedBooks = await this.#history.booksAt(markets, asOf)
    return new Map(
      views.flatMap(({ market, facts }) => {
        const book = storedBooks.get(market)?.book
        return book === undefined ? [] : [[facts.ticker, book] as const]
      }),
    )
  }

  /** Older history arrived: cached past boards are dropped. */
  invalidateHistory(): void {
    this.#pastViews.clear()
    this.#reference.invalidate()
  }

  #pastAt(asOf: Millis, statuses: readonly MarketStatus[]): Promise<BoardView> {
    const key = `${asOf}:${statuses.join()}`
    const existing = this.#pastViews.get(key)
    if (existing !== undefined) return existing
    const reading = this.#read(asOf, statuses, this.#reference.dayBefore(asOf))
    this.#pastViews.set(key, reading)
    reading.catch(() => this.#pastViews.delete(key))
    return reading
  }

  async #read(
    asOf: Millis,
    statuses: readonly MarketStatus[],
    dayBefore: PricesThen | Promise<PricesThen>,
  ): Promise<BoardView> {
    const [records, numbers, dayAgo] = await Promise.all([
      this.#history.recordsAt(asOf, null, statuses),
      this.#history.numbersAt(asOf, null),
      dayBefore,
    ])
    const table = new MarketTable()
    const endedMarkets: MarketId[] = []
    for (const record of records.filter(this.isVisible)) {
      table.put(record)
      // Open markets drop a book after an hour.
      if (keepsLastMark(statusAt(record.facts, asOf))) endedMarkets.push(record.market)
    }
    for (const row of numbers) if (table.record(row.market) !== null) table.setNumbers(row)
    if (endedMarkets.length > 0) {
      for (const row of await this.#history.numbersAt(asOf, endedMarkets)) table.setNumbers(row)
    }
    return table.snapshot(asOf, dayAgo)
  }
}
