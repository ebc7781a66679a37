import { DAY, MINUTE, type Cents, type Millis } from '../domain/units.ts'
import type { HistoryStore, MarketId, MarketRecord } from '../history/history-store.ts'
import { OPEN_STATUSES } from './open-statuses.ts'
import { noNumbers, pricesOf } from './market-view.ts'

/** Headline prices of a past instant by market. */
export type PricesThen = ReadonlyMap<MarketId, Cents | null>

const KEPT = 6

/**
 * Headline prices 24 hours before an instant, for `change24h`. Prices are read on the whole minute at
 * or before that instant, so that one reading serves a minute of requests and a later question about
 * the same minute gets the same answer.
 */
export class ReferencePrices {
  readonly #history: HistoryStore
  readonly #readings = new Map<number, Promise<PricesThen>>()

  constructor(history: HistoryStore) {
    this.#history = history
  }

  dayBefore(asOf: Millis): Promise<PricesThen> {
    const instant = (Math.floor((asOf - DAY) / MINUTE) * MINUTE) as Millis
    const held = this.#readings.get(instant)
    if (held !== undefined) return held
    const reading = this.#read(instant)
    this.#readings.set(instant, reading)
    reading.catch(() => this.#readings.delete(instant))
    const oldest = this.#readings.keys().next()
    if (this.#readings.size > KEPT && oldest.done !== true) this.#readings.delete(oldest.value)
    return reading
  }

  /** Older history arrived: what was read before may lack it. */
  forget(): void {
    this.#readings.clear()
  }

  /** Headline price 24 hours before `asOf` of one market. */
  async dayBeforeOf(market: MarketId, asOf: Millis): Promise<Cents | null> {
    const instant = (Math.floor((asOf - DAY) / MINUTE) * MINUTE) as Millis
    const held = this.#readings.get(instant)
    if (held !== undefined) return (await held).get(market) ?? null
    const [record] = await this.#history.recordsAt(instant, [market])
    if (record === undefined) return null
    const [numbers] = await this.#history.numbersAt(instant, [market])
    return pricesOf(record, numbers ?? noNumbers(market), instant).price
  }

  async #read(instant: Millis): Promise<PricesThen> {
    const [records, numbers] = await Promise.all([
      this.#history.recordsAt(instant, null, OPEN_STATUSES),
      this.#history.numbersAt(instant, null),
    ])
    const byMarket = new Map(numbers.map((row) => [row.market, row]))
    const priceOf = (record: MarketRecord): Cents | null =>
      pricesOf(record, byMarket.get(record.market) ?? noNumbers(record.market), instant).price
    return new Map(records.map((record) => [record.market, priceOf(record)]))
  }
}
