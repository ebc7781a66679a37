import { setImmediate } from 'node:timers/promises'
import { headlinePrice, markOf, QUOTE_LIFE, usableBook } from '../../domain/prices/price.ts'
import { centsOf, DAY, type Cents, type Millis, type PriceE4 } from '../../domain/units.ts'
import type { HistoryColumns, SlotColumns } from '../../history/context-store.ts'
import { NO_PRICE } from '../../history/history-batch.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketNumbers } from '../../history/market-rows.ts'
import { columnPages } from './column-pages.ts'
import { rangesOf } from './row-ranges.ts'

/** Equidistant instants: `from`, from + step, …, from + count × step. */
export interface SlotSpan {
  readonly from: Millis
  readonly step: Millis
  readonly count: number
}

/** Prices of one market at each instant of a span, cents; NaN when unknown. */
export interface SlotPrices {
  /** Headline prices, count + 1 of them; the first is that at `from`. */
  readonly prices: Float64Array
  readonly marks: Float64Array
  /** Newest traded price at each instant. */
  readonly lasts: Float64Array
  /** Number of trades in each slot; `count` entries. */
  readonly trades: Int32Array
  /** Dollars traded in each slot. */
  readonly usd: Float64Array
  /** Spread of the valid book at each instant; NaN without one. */
  readonly spreads: Float64Array
}

type SlotHistory = Pick<HistoryColumns, 'slots' | 'lateMarkets'> & Pick<HistoryStore, 'numbersAt'>

/** Markets whose series are computed before yielding. */
const BATCH_SIZE = 250

/** For more markets than this the numbers of all are read. */
const MAX_LISTED = 1_000

/** Rows that arrive later than this are ignored at the start of a span. */
export const LATEST = (7 * DAY) as Millis

/**
 * Prices of all markets at the instants of a span, as known at `asOf`, by the rules of A1: the last
 * trade is carried forward, a quote is valid for the quarter hour after it. A market without data
 * in the span is left out. Statuses are ignored: a paused market's book counts here.
 * @param markets null: all
 */
export async function slotPricesOf(
  history: SlotHistory,
  span: SlotSpan,
  asOf: Millis,
  markets: readonly MarketId[] | null = null,
): Promise<Map<MarketId, SlotPrices>> {
  const read = await slotPricesIn(history, span, asOf)(markets)
  const pricesByMarket = new Map<MarketId, SlotPrices>()
  const columns = columnsOf(span.count)
  for (const [market, prices] of read(() => new SlotReader(columns()))) {
    pricesByMarket.set(market, prices)
    // Yields to other requests.
    if (pricesByMarket.size % BATCH_SIZE === 0) await setImmediate()
  }
  return pricesByMarket
}

/** Prices of one market after another; each iteration overwrites the previous one. */
export type PassingPrices = Iterable<readonly [MarketId, SlotPrices]>

/**
 * The same for one group of markets after another, for callers that need each market only once:
 * common data is read once, and the columns are shared by all markets.
 */
export function passingPrices(
  history: SlotHistory,
  span: SlotSpan,
  asOf: Millis,
): (markets: readonly MarketId[]) => Promise<PassingPrices> {
  const pricesOf = slotPricesIn(history, span, asOf)
  const reader = new SlotReader(columnsOf(span.count)())
  return async (markets) => (await pricesOf(markets))(() => reader)
}

type ReadSlots = (readerOf: () => SlotReader) => PassingPrices

function slotPricesIn(
  history: SlotHistory,
  span: SlotSpan,
  asOf: Millis,
): (markets: readonly MarketId[] | null) => Promise<ReadSlots> {
  let pendingLateMarkets: Promise<MarketId[]> | null = null
  return async (markets) => {
    pendingLateMarkets ??= history.lateMarkets({
      from: (span.from - LATEST) as Millis,
      before: span.from,
      asOf,
    })
    // For many markets a read of all is faster than individual reads.
    const isListed = markets !== null && markets.length <= MAX_LISTED
    const [columns, numbers, correctedMarkets] = await Promise.all([
      history.slots({ ...span, asOf, markets }),
      history.numbersAt(span.from, isListed ? markets : null),
      pendingLateMarkets.then((lateMarkets) =>
        lateStates(history, span.from, asOf, amongOf(lateMarkets, markets)),
      ),
    ])
    const opening = openingStates(span.from, columns, numbers, correctedMarkets)
    const marketSet = isListed || markets === null ? null : new Set(markets)
    return (readerOf) => carryForward(opening, columns, marketSet, readerOf)
  }
}

const amongOf = (
  marketIds: readonly MarketId[],
  markets: readonly MarketId[] | null,
): MarketId[] => {
  const marketSet = markets === null ? null : new Set(markets)
  return marketIds.filter((market) => marketSet?.has(market) ?? true)
}

/** The state at `from` of each known market. */
function openingStates(
  from: Millis,
  { market: tradedMarkets }: SlotColumns,
  numbers: readonly MarketNumbers[],
  lateStatesByMarket: ReadonlyMap<MarketId, State>,
): Map<MarketId, State> {
  const states = new Map<MarketId, State>()
  for (const market of tradedMarkets) states.set(market, UNKNOWN)
  for (const { market, last, quote } of numbers) {
    const isCurrent = quote !== null && from - quote.ts < QUOTE_LIFE
    states.set(market, { last: last?.price ?? null, quote: isCurrent ? quote : null })
  }
  for (const [market, state] of lateStatesByMarket) {
    states.set(market, { ...state, last: state.last ?? states.get(market)?.last ?? null })
  }
  return states
}

/** Prices at each instant, from the opening states and the rows of each slot. */
function* carryForward(
  opening: ReadonlyMap<MarketId, State>,
  columns: SlotColumns,
  marketSet: ReadonlySet<MarketId> | null,
  readerOf: () => SlotReader,
): PassingPrices {
  const ranges = rangesOf(columns.market)
  for (const [market, { last, quote }] of opening) {
    const range = ranges.get(market)
    if (range === undefined && last === null) continue
    if (marketSet !== null && !marketSet.has(market)) continue
    const read = readerOf()
    read.open(last, quote)
    read.addColumns(columns, range?.[0] ?? 0, range?.[1] ?? 0)
    yield [market, read.prices]
  }
}

/** The state of a market at an instant. */
interface State {
  readonly last: PriceE4 | null
  readonly quote: { readonly bid: PriceE4 | null; readonly ask: PriceE4 | null } | null
}
const UNKNOWN: State = { last: null, quote: null }

/** States at an instant of the markets for which rows arrived between then and `asOf`. */
async function lateStates(
  history: SlotHistory,
  at: Millis,
  asOf: Millis,
  lateMarketIds: readonly MarketId[],
): Promise<Map<MarketId, State>> {
  if (lateMarketIds.length === 0) return new Map()
  const from = (at - LATEST) as Millis
  // One slot that ends there: its newest trade, and its quote if it is still valid.
  const { market, last, isQuoted, bid, ask } = await history.slots({
    from,
    step: LATEST,
    count: 1,
    asOf,
    markets: lateMarketIds,
  })
  return new Map(
    Array.from(market, (id, row): [MarketId, State] => [
      id,
      {
        last: priceOrNull(last[row]),
        quote:
          isQuoted[row] === 1 ? { bid: priceOrNull(bid[row]), ask: priceOrNull(ask[row]) } : null,
      },
    ]),
  )
}

/** Allocates columns for one market after another. */
function columnsOf(count: number): () => SlotPrices {
  // Separate pages for each kind, so that a caller that keeps prices keeps nothing else.
  const prices = columnPages(Float64Array, count + 1)
  const marks = columnPages(Float64Array, count + 1)
  const lastPrices = columnPages(Float64Array, count + 1)
  const spreads = columnPages(Float64Array, count + 1)
  const usd = columnPages(Float64Array, count)
  const trades = columnPages(Int32Array, count)
  return () => ({
    prices: prices(),
    marks: marks(),
    lasts: lastPrices(),
    trades: trades(),
    usd: usd(),
    spreads: spreads(),
  })
}

/** Reads the slots of one market after another and carries its last trade forward. */
class SlotReader {
  readonly prices: SlotPrices
  #last: Cents | null = null

  /** @param prices output columns */
  constructor(prices: SlotPrices) {
    this.prices = prices
  }

  open(last: PriceE4 | null, quote: State['quote']): void {
    const { prices, marks, lasts, trades, usd, spreads } = this.prices
    for (const column of [prices, marks, lasts, spreads]) column.fill(NaN)
    for (const column of [trades, usd]) column.fill(0)
    this.#last = orCents(last)
    this.#store(0, orCents(quote?.bid), orCents(quote?.ask), quote === null ? null : 0)
  }

  /** @param first first row of the market, `end` the one after its last; rows ascend by slot */
  addColumns(columns: SlotColumns, first: number, end: number): void {
    const { prices } = this
    let next = 1
    for (let row = first; row < end; row++) {
      const slot = columns.slot[row] ?? 0
      this.#carry(next, slot + 1)
      const last = columns.last[row] ?? NO_PRICE
      if (last !== NO_PRICE) this.#last = centsOf(last as PriceE4)
      prices.trades[slot] = columns.trades[row] ?? 0
      prices.usd[slot] = columns.usd[row] ?? 0
      const isQuoted = columns.isQuoted[row] === 1
      this.#store(
        slot + 1,
        isQuoted ? orCents(columns.bid[row]) : null,
        isQuoted ? orCents(columns.ask[row]) : null,
        isQuoted ? 0 : null,
      )
      next = slot + 2
    }
    this.#carry(next, prices.prices.length)
  }

  /** Fills instants without a book: the last trade is the price and the mark (A1). */
  #carry(first: number, end: number): void {
    if (this.#last === null) return
    this.prices.prices.fill(this.#last, first, end)
    this.prices.marks.fill(this.#last, first, end)
    this.prices.lasts.fill(this.#last, first, end)
  }

  #store(index: number, bid: Cents | null, ask: Cents | null, ageMs: number | null): void {
    const book = usableBook({ bid, ask, ageMs, paused: false })
    const { price } = headlinePrice({ last: this.#last, ...book })
    const { prices, marks, lasts, spreads } = this.prices
    lasts[index] = this.#last ?? NaN
    prices[index] = price ?? NaN
    marks[index] = markOf({ price, ...book }) ?? NaN
    spreads[index] =
      book.bookValid && book.bid !== null && book.ask !== null ? book.ask - book.bid : NaN
  }
}

const priceOrNull = (price: number | undefined): PriceE4 | null =>
  price === undefined || price === NO_PRICE ? null : (price as PriceE4)

const orCents = (price: number | null | undefined): Cents | null =>
  price === undefined || price === null || price === NO_PRICE ? null : centsOf(price as PriceE4)

/**
 * Prices at each instant that are not set back to a trade older than a quote: where a book was last
 * known an hour ago, as between the hourly bars of a fetched past, its price stays until the next
 * trade or book.
 */
export function newestPrices({
  prices,
  trades,
  spreads,
}: Pick<SlotPrices, 'prices' | 'trades' | 'spreads'>): Float64Array {
  let newest = NaN
  return prices.map((price, i) => {
    const isQuoted = !Number.isNaN(spreads[i])
    const isTraded = i > 0 && (trades[i - 1] ?? 0) > 0
    if (isQuoted || isTraded || Number.isNaN(newest)) newest = price
    return newest
  })
}

/**
 * The same from prices and traded prices alone: a price that differs from the last trade is that of
 * a book, and stays until a trade at another price or the next book.
 */
export function newestOf({ prices, lasts }: Pick<SlotPrices, 'prices' | 'lasts'>): Float64Array {
  let newest = NaN
  let lastThen = NaN
  return prices.map((price, i) => {
    const last = lasts[i] ?? NaN
    const isUnchanged = price === last && last === lastThen
    if (!isUnchanged || Number.isNaN(newest)) [newest, lastThen] = [price, last]
    return newest
  })
}

/** The number at an index; null when it is NaN or out of range. */
export const centsAt = (column: Float64Array | undefined, index: number): Cents | null => {
  const value = column?.[index]
  return value === undefined || Number.isNaN(value) ? null : (value as Cents)
}
