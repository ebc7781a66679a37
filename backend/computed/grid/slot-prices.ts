import { headlinePrice, markOf, standingBook } from '../../domain/price.ts'
import { centsOf, type Cents, type Millis, type PriceE4 } from '../../domain/units.ts'
import type { HistoryColumns, SlotColumns } from '../../history/context-store.ts'
import { NO_PRICE, type HistoryStore, type MarketId } from '../../history/history-store.ts'

/** Instants at equal distances: `from`, from + step, …, from + count × step. */
export interface SlotSpan {
  readonly from: Millis
  readonly step: Millis
  readonly count: number
}

/** What one market cost at each instant of a span, cents; NaN where nothing was known. */
export interface SlotPrices {
  /** Headline prices, count + 1 of them; the first stood at `from`. */
  readonly prices: Float64Array
  readonly marks: Float64Array
  /** Trades in each slot, count of them. */
  readonly trades: Int32Array
  /** Dollars traded in each slot. */
  readonly usd: Float64Array
  /** Bid and ask that stood at each instant as a valid book; NaN without one. */
  readonly spreads: Float64Array
}

type SlotHistory = Pick<HistoryColumns, 'slots'> & Pick<HistoryStore, 'numbersAt'>

/**
 * Prices of all markets at the instants of a span, as known at `asOf`, by the rules of A1: the last
 * trade is carried on, a quote counts for the quarter hour after it. A market of which nothing is
 * known in the span is left out. Statuses are not looked at: a paused market's book counts here.
 * @param markets null: all
 */
export async function slotPricesOf(
  history: SlotHistory,
  span: SlotSpan,
  asOf: Millis,
  markets: readonly MarketId[] | null = null,
): Promise<Map<MarketId, SlotPrices>> {
  const [columns, before] = await Promise.all([
    history.slots({ ...span, asOf, markets }),
    history.numbersAt(span.from, markets),
  ])
  const rows = rowsOf(columns)
  const found = new Map<MarketId, SlotPrices>()
  for (const numbers of before) {
    const { market, last, quote } = numbers
    const read = new SlotReader(span.count)
    read.open(
      last?.price ?? null,
      quote === null ? null : { ...quote, ageMs: span.from - quote.knownAt },
    )
    const range = rows.get(market)
    read.take(columns, range?.[0] ?? 0, range?.[1] ?? 0)
    if (range !== undefined || last !== null) found.set(market, read.prices)
  }
  for (const [market, [first, end]] of rows) {
    if (found.has(market)) continue
    const read = new SlotReader(span.count)
    read.open(null, null)
    read.take(columns, first, end)
    found.set(market, read.prices)
  }
  return found
}

/** First row and the one after the last, by market. */
function rowsOf({ market }: SlotColumns): Map<MarketId, readonly [first: number, end: number]> {
  const ranges = new Map<MarketId, readonly [number, number]>()
  for (let first = 0; first < market.length;) {
    const id = market[first] ?? -1
    let end = first + 1
    while (market[end] === id) end++
    ranges.set(id, [first, end])
    first = end
  }
  return ranges
}

/** Walks the slots of one market and carries its last trade on. */
class SlotReader {
  readonly prices: SlotPrices
  #last: Cents | null = null

  constructor(count: number) {
    this.prices = {
      prices: new Float64Array(count + 1).fill(NaN),
      marks: new Float64Array(count + 1).fill(NaN),
      trades: new Int32Array(count),
      usd: new Float64Array(count),
      spreads: new Float64Array(count + 1).fill(NaN),
    }
  }

  open(
    last: PriceE4 | null,
    quote: { bid: PriceE4 | null; ask: PriceE4 | null; ageMs: number } | null,
  ): void {
    this.#last = last === null ? null : centsOf(last)
    this.#put(0, orCents(quote?.bid), orCents(quote?.ask), quote?.ageMs ?? null)
  }

  take(columns: SlotColumns, first: number, end: number): void {
    const { prices } = this
    let row = first
    for (let slot = 0; slot < prices.trades.length; slot++) {
      if (row >= end || columns.slot[row] !== slot) {
        this.#put(slot + 1, null, null, null)
        continue
      }
      const last = columns.last[row] ?? NO_PRICE
      if (last !== NO_PRICE) this.#last = centsOf(last as PriceE4)
      prices.trades[slot] = columns.trades[row] ?? 0
      prices.usd[slot] = columns.usd[row] ?? 0
      const isQuoted = columns.isQuoted[row] === 1
      this.#put(
        slot + 1,
        isQuoted ? orCents(columns.bid[row]) : null,
        isQuoted ? orCents(columns.ask[row]) : null,
        isQuoted ? 0 : null,
      )
      row++
    }
  }

  #put(index: number, bid: Cents | null, ask: Cents | null, ageMs: number | null): void {
    const book = standingBook({ bid, ask, ageMs, paused: false })
    const { price } = headlinePrice({ last: this.#last, ...book })
    const { prices, marks, spreads } = this.prices
    prices[index] = price ?? NaN
    marks[index] = markOf({ price, ...book }) ?? NaN
    spreads[index] =
      book.bookValid && book.bid !== null && book.ask !== null ? book.ask - book.bid : NaN
  }
}

const orCents = (price: number | null | undefined): Cents | null =>
  price === undefined || price === null || price === NO_PRICE ? null : centsOf(price as PriceE4)

/** The number of a column, null where it is NaN or beyond the ends. */
export const centsAt = (column: Float64Array | undefined, index: number): Cents | null => {
  const value = column?.[index]
  return value === undefined || Number.isNaN(value) ? null : (value as Cents)
}
