import type { PriceE4, SizeE6 } from '../../units.ts'
import { ABSENT, type BookRows, type MarketIndex, type QuoteRows } from '../event-columns.ts'
import { TakenLevels, type BookSide } from './taken-levels.ts'

/** Numbers per market, stored side by side so that a quote touches one place in memory. */
const STRIDE = 8
const BID = 0
const BID_SIZE = 1
const ASK = 2
const ASK_SIZE = 3
/** Venue time of the newest book update. */
const BOOK_TS = 4
/** Position: positive for YES, negative for NO. */
const NET = 5
/** Contracts reserved by sell orders, including those in transit. */
const SELLING = 6
/** The part of the position's value that does not depend on the traded price. */
const BASE = 7
/** Levels two to five: four prices and four sizes per side. */
const BELOW_TOP = 4
const DEEP_STRIDE = 4 * BELOW_TOP
/**
 * Numbers that every trade reads; stored apart from the books so that they stay in the processor's
 * cache.
 */
export const MARKS = 2
/** Newest traded price. */
export const LAST = 0
/** The position is worth this multiple of the newest traded price, plus `BASE`. */
export const PRICE_SLOPE = 1

/** Flags: what must be handled when a market changes. */
export const LISTED = 1
export const TRADABLE = 2
export const HELD = 4
export const ORDERED = 8
/** Orders took size from this market's book, and it is remembered. */
export const TAKEN = 16
const DEEP_BIDS = 32
const DEEP_ASKS = 64
/** The book was published in full: there are no orders below its last level. */
const FULL_BOOK = 128
/** The position is marked to its book; otherwise it keeps its value. */
export const VALUED = 256
/** The position's value is not linear in the traded price: it must be revalued as a whole. */
export const UNEVEN = 512
/** A book update affects money or orders. */
export const BOOK_MATTERS = HELD | ORDERED
/** A trade does more than change the position's value linearly. */
export const TRADE_MATTERS = ORDERED | UNEVEN

/** Books of many markets as known to the run, and the sizes taken from them. */
export class MarketBooks {
  #top: Float64Array
  #deepSizes: Float64Array
  #marks: Float64Array
  #flags: Uint16Array
  readonly #takenLevels = new TakenLevels()
  readonly #defaultDepth: SizeE6

  /** @param defaultDepth size of a quoted level without a stated size */
  constructor(markets: number, defaultDepth: SizeE6) {
    this.#defaultDepth = defaultDepth
    this.#top = new Float64Array(markets * STRIDE)
    this.#marks = new Float64Array(markets * MARKS)
    this.#flags = new Uint16Array(markets)
    this.#deepSizes = new Float64Array(markets * DEEP_STRIDE).fill(ABSENT)
    for (let m = 0; m < markets; m++) this.#clear(m)
  }

  /** `LAST` and `PRICE_SLOPE` of each market, side by side. `grow` replaces the array. */
  get marks(): Float64Array {
    return this.#marks
  }
  /** Flags of each market. `grow` replaces the array. */
  get allFlags(): Uint16Array {
    return this.#flags
  }

  get count(): number {
    return this.#top.length / STRIDE
  }

  /** Makes room for `markets` markets in total. */
  grow(markets: number): void {
    const previous = this.count
    if (markets <= previous) return
    const [top, deepSizes] = [
      new Float64Array(markets * STRIDE),
      new Float64Array(markets * DEEP_STRIDE).fill(ABSENT),
    ]
    const [marks, flags] = [new Float64Array(markets * MARKS), new Uint16Array(markets)]
    top.set(this.#top)
    deepSizes.set(this.#deepSizes)
    marks.set(this.#marks)
    flags.set(this.#flags)
    this.#top = top
    this.#deepSizes = deepSizes
    this.#marks = marks
    this.#flags = flags
    for (let m = previous; m < markets; m++) this.#clear(m)
  }

  flags(market: MarketIndex): number {
    return this.#flags[market] as number
  }
  raise(market: MarketIndex, flag: number): void {
    this.#flags[market] = this.flags(market) | flag
  }
  lower(market: MarketIndex, flag: number): void {
    this.#flags[market] = this.flags(market) & ~flag
  }

  /** Best bid, `ABSENT` for none. */
  bid(market: MarketIndex): number {
    return this.#top[market * STRIDE + BID] as number
  }
  ask(market: MarketIndex): number {
    return this.#top[market * STRIDE + ASK] as number
  }
  bidSize(market: MarketIndex): number {
    return this.#top[market * STRIDE + BID_SIZE] as number
  }
  askSize(market: MarketIndex): number {
    return this.#top[market * STRIDE + ASK_SIZE] as number
  }
  /** Newest traded price, `ABSENT` for none. */
  last(market: MarketIndex): number {
    return this.#marks[market * MARKS + LAST] as number
  }
  /** Venue time of the newest book update; −Infinity before the first. */
  bookTs(market: MarketIndex): number {
    return this.#top[market * STRIDE + BOOK_TS] as number
  }
  /** Value of the position at its last valuation, 1e-6 dollars. */
  value(market: MarketIndex): number {
    const at = market * MARKS
    const follows = (this.#marks[at + PRICE_SLOPE] as number) * (this.#marks[at + LAST] as number)
    return follows + (this.#top[market * STRIDE + BASE] as number)
  }
  /**
   * Sets the position's current value and its slope in the traded price: 1e-6 dollars per 1e-4
   * dollars of price.
   */
  follow(market: MarketIndex, value: number, slope: number): void {
    this.#top[market * STRIDE + BASE] = value - slope * this.last(market)
    this.#marks[market * MARKS + PRICE_SLOPE] = slope
    this.lower(market, UNEVEN)
  }
  /** Keeps the position's value until it is revalued as a whole at the next trade. */
  markUneven(market: MarketIndex): void {
    this.#keepValue(market)
    this.raise(market, UNEVEN)
  }

  /** Positive for YES, negative for NO; 1e-6 contracts. */
  net(market: MarketIndex): number {
    return this.#top[market * STRIDE + NET] ?? 0
  }
  /** Contracts reserved by sell orders, 1e-6. */
  selling(market: MarketIndex): number {
    return this.#top[market * STRIDE + SELLING] ?? 0
  }
  addSelling(market: MarketIndex, size: number): void {
    this.#top[market * STRIDE + SELLING] = this.selling(market) + size
  }
  /** Stores the position of a market after a fill or a settlement. */
  setNet(market: MarketIndex, net: number): void {
    this.#top[market * STRIDE + NET] = net
    if (net === 0) this.lower(market, HELD)
    else this.raise(market, HELD)
  }

  /** Stores a traded price. The position keeps its value until it is revalued. */
  trade(market: MarketIndex, price: number): void {
    this.#keepValue(market)
    this.#marks[market * MARKS + LAST] = price
  }

  /**
   * Stores the best price of both sides. Prices 0 and 100 mean an empty side; crossed sides are
   * dropped. A side whose best price changed loses its deeper levels, because nothing confirms
   * them.
   */
  quote(
    market: MarketIndex,
    ts: number,
    bid: number,
    bidSize: number,
    ask: number,
    askSize: number,
  ): void {
    const at = market * STRIDE
    const top = this.#top
    if (bid <= 0 || bid >= 10_000) bid = ABSENT
    if (ask <= 0 || ask >= 10_000) ask = ABSENT
    if (ask !== ABSENT && bid >= ask) bid = ask = ABSENT
    const flags = this.flags(market)
    if ((flags & DEEP_BIDS) !== 0 && bid !== top[at + BID]) this.#dropDeep(market, 'bids')
    if ((flags & DEEP_ASKS) !== 0 && ask !== top[at + ASK]) this.#dropDeep(market, 'asks')
    top[at + BID] = bid
    top[at + BID_SIZE] = bidSize
    top[at + ASK] = ask
    top[at + ASK_SIZE] = askSize
    top[at + BOOK_TS] = ts
    if ((flags & TAKEN) !== 0) this.#updateTakenFlag(market)
  }

  /** Applies `quote` to a row. */
  quoteRow(rows: QuoteRows, row: number): void {
    const { market, ts, bid, bidSize, ask, askSize } = rows
    this.quote(
      market[row] as number,
      ts[row] as number,
      bid[row] as number,
      bidSize[row] as number,
      ask[row] as number,
      askSize[row] as number,
    )
  }

  /** Stores five levels per side of a row. */
  book(market: MarketIndex, ts: number, rows: BookRows, row: number): void {
    const at = market * STRIDE
    const deepAt = market * DEEP_STRIDE
    const from = row * 5
    const [top, deepSizes] = [this.#top, this.#deepSizes]
    let [bid, ask] = [rows.bidPrice[from] as number, rows.askPrice[from] as number]
    if (bid <= 0 || bid >= 10_000) bid = ABSENT
    if (ask <= 0 || ask >= 10_000) ask = ABSENT
    if (ask !== ABSENT && bid >= ask) bid = ask = ABSENT
    top[at + BID] = bid
    top[at + BID_SIZE] = rows.bidSize[from] as number
    top[at + ASK] = ask
    top[at + ASK_SIZE] = rows.askSize[from] as number
    top[at + BOOK_TS] = ts
    for (let k = 0; k < BELOW_TOP; k++) {
      deepSizes[deepAt + k] = bid === ABSENT ? ABSENT : (rows.bidPrice[from + 1 + k] as number)
      deepSizes[deepAt + 4 + k] = rows.bidSize[from + 1 + k] as number
      deepSizes[deepAt + 8 + k] = ask === ABSENT ? ABSENT : (rows.askPrice[from + 1 + k] as number)
      deepSizes[deepAt + 12 + k] = rows.askSize[from + 1 + k] as number
    }
    this.raise(market, DEEP_BIDS | DEEP_ASKS | FULL_BOOK)
    if ((this.flags(market) & TAKEN) !== 0) this.#updateTakenFlag(market)
  }

  /** Price of a level of a side, 0 is the best; `ABSENT` beyond the last. */
  levelPrice(market: MarketIndex, side: BookSide, level: number): number {
    if (level === 0) return side === 'bids' ? this.bid(market) : this.ask(market)
    const flags = this.flags(market)
    if ((flags & (side === 'bids' ? DEEP_BIDS : DEEP_ASKS)) === 0) return ABSENT
    return this.#deepSizes[market * DEEP_STRIDE + (side === 'bids' ? 0 : 8) + level - 1] as number
  }

  /** Size shown at a level; NaN where it was not stated. */
  levelSize(market: MarketIndex, side: BookSide, level: number): number {
    if (level === 0) return side === 'bids' ? this.bidSize(market) : this.askSize(market)
    return this.#deepSizes[market * DEEP_STRIDE + (side === 'bids' ? 4 : 12) + level - 1] as number
  }

  /** Size that an order may still take from a level, after earlier takes. */
  available(market: MarketIndex, side: BookSide, level: number): SizeE6 {
    const displayedSize = this.#sizeOrAssumed(this.levelSize(market, side, level))
    if ((this.flags(market) & TAKEN) === 0) return displayedSize as SizeE6
    return this.#takenLevels.remaining(
      market,
      side,
      this.levelPrice(market, side, level),
      displayedSize,
    ) as SizeE6
  }

  /** Records a size taken from a level. */
  consume(market: MarketIndex, side: BookSide, level: number, size: SizeE6): void {
    const price = this.levelPrice(market, side, level)
    const displayedSize = this.#sizeOrAssumed(this.levelSize(market, side, level))
    this.#takenLevels.consume(market, side, price, displayedSize, size)
    this.raise(market, TAKEN)
  }

  /**
   * Size shown at a price: 0 when the book has no such level, Infinity when it is unknown (below
   * the last recorded level, or at a level without a size).
   */
  sizeAt(market: MarketIndex, side: BookSide, price: PriceE4): number {
    const sign = side === 'bids' ? 1 : -1
    for (let level = 0; level <= BELOW_TOP; level++) {
      const levelPrice = this.levelPrice(market, side, level)
      if (levelPrice === ABSENT) {
        const isWhole = (this.flags(market) & FULL_BOOK) !== 0
        const isReported = level === 0 || (isWhole && this.#hasDeep(market, side))
        return isReported ? 0 : Infinity
      }
      if (levelPrice === price) {
        const size = this.levelSize(market, side, level)
        return Number.isNaN(size) ? Infinity : size
      }
      if (sign * (price - levelPrice) > 0) return 0
    }
    return Infinity
  }

  #keepValue(market: MarketIndex): void {
    this.#top[market * STRIDE + BASE] = this.value(market)
    this.#marks[market * MARKS + PRICE_SLOPE] = 0
  }

  #hasDeep(market: MarketIndex, side: BookSide): boolean {
    return (this.flags(market) & (side === 'bids' ? DEEP_BIDS : DEEP_ASKS)) !== 0
  }

  #sizeOrAssumed(size: number): number {
    return Number.isNaN(size) ? this.#defaultDepth : size
  }

  #updateTakenFlag(market: MarketIndex): void {
    const shownAt = (side: BookSide, price: number): number => this.#shownAt(market, side, price)
    if (!this.#takenLevels.update(market, shownAt)) this.lower(market, TAKEN)
  }

  #shownAt(market: MarketIndex, side: BookSide, price: number): number {
    for (let level = 0; level <= BELOW_TOP; level++) {
      const at = this.levelPrice(market, side, level)
      if (at === ABSENT) return 0
      if (at === price) return this.#sizeOrAssumed(this.levelSize(market, side, level))
    }
    return 0
  }

  #dropDeep(market: MarketIndex, side: BookSide): void {
    this.lower(market, side === 'bids' ? DEEP_BIDS : DEEP_ASKS)
  }

  #clear(market: MarketIndex): void {
    const at = market * STRIDE
    this.#top.fill(0, at, at + STRIDE)
    this.#top[at + BID] = this.#top[at + ASK] = ABSENT
    this.#flags[market] = 0
    this.#marks.fill(0, market * MARKS, market * MARKS + MARKS)
    this.#marks[market * MARKS + LAST] = ABSENT
    this.#top[at + BID_SIZE] = this.#top[at + ASK_SIZE] = NaN
    this.#top[at + BOOK_TS] = -Infinity
  }
}
