import { LRUCache } from 'lru-cache'
import { comparableMark, type MarkBasis } from '../../domain/prices/comparable-mark.ts'
import { statusAt } from '../../domain/market-status.ts'
import { DAY, wholeMinute, type Cents, type Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketNumbers } from '../../history/market-rows.ts'
import type { TrailingDayReader, PastState } from '../trailing-day-reader.ts'
import type { MarketView } from './market-board.ts'
import { OPEN_STATUSES } from './open-statuses.ts'
import { keepsLastMark, lastOf, noNumbers, pricesOf } from './market-view.ts'

/** Headline prices at a past instant by market. */
export type PricesThen = ReadonlyMap<MarketId, Cents | null>

/** Prices of a market at a past instant, in cents. */
export interface PriceThen {
  readonly mark: Cents | null
  /** Whether a valid two-sided book was known. */
  readonly isQuoted: boolean
  /** Newest traded price, or the one stated by the venue without a recorded trade. */
  readonly last: { readonly price: Cents; readonly ts: Millis; readonly isTrade: boolean } | null
}

interface Reading {
  readonly headlines: PricesThen
  readonly all: ReadonlyMap<MarketId, PriceThen>
}

/** Number of cached instants (LRU): the day before, and the windows of movers. */
const MAX_CACHED = 16

/**
 * Prices of all markets at past instants, for price changes. They are read at the whole minute at
 * or before the instant, so that one reading serves a minute of requests and a later request for
 * the same minute gets the same answer.
 */
export class ReferencePrices {
  readonly #history: HistoryStore
  readonly #dayBefore: Pick<TrailingDayReader, 'at' | 'invalidate'> | null
  readonly #readings = new LRUCache<number, Promise<Reading>>({ max: MAX_CACHED })

  /** @param dayBefore reader of the day before; by default history */
  constructor(
    history: HistoryStore,
    dayBefore: Pick<TrailingDayReader, 'at' | 'invalidate'> | null = null,
  ) {
    this.#history = history
    this.#dayBefore = dayBefore
  }

  /** Headline prices 24 hours before `asOf`. */
  async dayBefore(asOf: Millis): Promise<PricesThen> {
    return (await this.#reading(dayEarlier(asOf), this.#dayBefore)).headlines
  }

  /** Marks and last prices at an instant of the markets that could trade then. */
  async pricesAt(instant: Millis): Promise<ReadonlyMap<MarketId, PriceThen>> {
    return (await this.#reading(wholeMinute(instant))).all
  }

  /** Older history arrived: cached readings may lack it. */
  invalidate(): void {
    this.#readings.clear()
    this.#dayBefore?.invalidate()
  }

  /** Headline price 24 hours before `asOf` of one market. */
  async dayBeforeOf(market: MarketId, asOf: Millis): Promise<Cents | null> {
    return (await this.dayBeforeOfThese([market], asOf)).get(market) ?? null
  }

  /** Headline prices 24 hours before `asOf` of these markets, in any state at that time. */
  dayBeforeOfThese(markets: readonly MarketId[], asOf: Millis): Promise<PricesThen> {
    return this.headlinesOf(markets, dayEarlier(asOf))
  }

  /** Headline prices at a whole minute of these markets, in any state at that time. */
  async headlinesOf(markets: readonly MarketId[], instant: Millis): Promise<PricesThen> {
    const headlines = (await this.#readings.get(instant))?.headlines
    const prices = new Map<MarketId, Cents | null>()
    // A reading contains markets that could trade then; others had a price too.
    const unread: MarketId[] = []
    for (const market of markets) {
      if (headlines?.has(market) === true) prices.set(market, headlines.get(market) ?? null)
      else unread.push(market)
    }
    if (unread.length === 0) return prices
    const records = await this.#history.recordsAt(instant, unread)
    if (records.length === 0) return prices
    const marketIds = records.map(({ market }) => market)
    const numbers = await this.#history.numbersAt(instant, marketIds)
    const numbersOf = new Map(numbers.map((row) => [row.market, row]))
    for (const record of records) {
      const { market } = record
      const { price } = pricesOf(record, numbersOf.get(market) ?? noNumbers(market), instant)
      prices.set(market, price)
    }
    return prices
  }

  #reading(instant: Millis, reader: Pick<TrailingDayReader, 'at'> | null = null): Promise<Reading> {
    const existing = this.#readings.get(instant)
    if (existing !== undefined) return existing
    const reading = this.#read(instant, reader)
    this.#readings.set(instant, reading)
    reading.catch(() => {
      if (this.#readings.get(instant) === reading) this.#readings.delete(instant)
    })
    return reading
  }

  async #read(instant: Millis, reader: Pick<TrailingDayReader, 'at'> | null): Promise<Reading> {
    const snapshot = reader === null ? null : await reader.at(instant)
    const { records, numbers: byMarket } = snapshot ?? (await this.#storedStateAt(instant))
    const headlines = new Map<MarketId, Cents | null>()
    const all = new Map<MarketId, PriceThen>()
    for (const record of records) {
      const existing = byMarket.get(record.market) ?? noNumbers(record.market)
      const { price, mark, last, hasOrderbook } = pricesOf(record, existing, instant)
      const newest = last === null ? null : lastOf(existing)
      headlines.set(record.market, price)
      all.set(record.market, {
        mark,
        isQuoted: hasOrderbook,
        last:
          last === null || newest === null
            ? null
            : { price: last, ts: newest.ts, isTrade: existing.last !== null },
      })
    }
    return { headlines, all }
  }

  async #storedStateAt(instant: Millis): Promise<PastState> {
    const [records, numbers] = await Promise.all([
      this.#history.recordsAt(instant, null, OPEN_STATUSES),
      this.#history.numbersAt(instant, null),
    ])
    const byMarket = new Map<MarketId, MarketNumbers>(numbers.map((row) => [row.market, row]))
    const endedRecords = records.filter(({ facts }) => keepsLastMark(statusAt(facts, instant)))
    if (endedRecords.length > 0) {
      const ids = endedRecords.map(({ market }) => market)
      for (const row of await this.#history.numbersAt(instant, ids)) byMarket.set(row.market, row)
    }
    return { records, numbers: byMarket }
  }
}

/** The earlier mark that the current one of a market compares with; null when there is none. */
export function comparableMarkThen(view: MarketView, then: PriceThen | undefined): Cents | null {
  if (then === undefined) return null
  const { mark, isQuoted, last } = then
  return comparableMark(markBasisOf(view), { mark, isQuoted, last: last?.price ?? null })
}

/** Basis of the current mark of a market. */
export const markBasisOf = ({ mark, lastPrice, hasOrderbook }: MarketView): MarkBasis => ({
  mark,
  last: lastPrice,
  isQuoted: hasOrderbook,
})

const dayEarlier = (asOf: Millis): Millis => wholeMinute((asOf - DAY) as Millis)
