import type { Side } from '../../market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import type { MarketIndex } from '../event-columns.ts'

/** Contracts bought together that are still held (methodology J1). */
export interface Lot {
  readonly side: Side
  readonly size: SizeE6
  readonly price: PriceE4
  /** Entry fee of the contracts that are still held. */
  readonly fee: MoneyE6
  readonly openedAt: Millis
  /** Number of the order's tag. */
  readonly tag: number
}

/** Numbers per lot, stored side by side: one cache line. */
const STRIDE = 8
/** Market number plus one, positive for YES and negative for NO; 0 for an unused entry. */
const OWNER = 0
const SIZE = 1
const PRICE = 2
const FEE = 3
const OPENED_AT = 4
const TAG = 5
const NEXT = 6
/** Set on the first lot of a market only: index of its newest lot. */
const NEWEST = 7
/** Represents the absence of a lot. */
const NO_LOT = -1
const FIRST_ROOM = 8

/**
 * Lots of many markets, oldest first within a market. They are stored in one numeric array whose
 * entries are reused: as objects, open lots would be copied by every garbage collection.
 */
export class Lots {
  #numbers = new Float64Array(FIRST_ROOM * STRIDE)
  /** Number of entries that were ever used. */
  #usedCount = 0
  /** Index of a free entry; its `NEXT` is the next free one. */
  #free = NO_LOT
  /** Oldest lot of each market. */
  #oldest = new Int32Array(FIRST_ROOM).fill(NO_LOT)

  /** Index of a market's oldest lot; null without one. */
  oldest(market: MarketIndex): number | null {
    const offset = this.#oldest[market] ?? NO_LOT
    return offset === NO_LOT ? null : offset
  }
  /** Index of the next newer lot; null for the newest. */
  nextOf(offset: number): number | null {
    const next = this.#numbers[offset + NEXT] as number
    return next === NO_LOT ? null : next
  }
  isYes(offset: number): boolean {
    return (this.#numbers[offset + OWNER] as number) > 0
  }
  size(offset: number): SizeE6 {
    return this.#numbers[offset + SIZE] as SizeE6
  }
  price(offset: number): PriceE4 {
    return this.#numbers[offset + PRICE] as PriceE4
  }
  fee(offset: number): MoneyE6 {
    return this.#numbers[offset + FEE] as MoneyE6
  }
  openedAt(offset: number): Millis {
    return this.#numbers[offset + OPENED_AT] as Millis
  }
  tag(offset: number): number {
    return this.#numbers[offset + TAG] as number
  }

  /** Markets with lots, ascending. */
  markets(): MarketIndex[] {
    const markets = new Set<MarketIndex>()
    for (let offset = 0; offset < this.#usedCount; offset += STRIDE) {
      const owner = this.#numbers[offset + OWNER] as number
      if (owner !== 0) markets.add(Math.abs(owner) - 1)
    }
    return [...markets].sort((a, b) => a - b)
  }

  /** Lots of a market, oldest first. */
  get(market: MarketIndex): Lot[] {
    const lots: Lot[] = []
    for (let offset = this.oldest(market); offset !== null; offset = this.nextOf(offset)) {
      lots.push({
        side: this.isYes(offset) ? 'yes' : 'no',
        size: this.size(offset),
        price: this.price(offset),
        fee: this.fee(offset),
        openedAt: this.openedAt(offset),
        tag: this.tag(offset),
      })
    }
    return lots
  }

  /** Adds the newest lot of a market. */
  add(market: MarketIndex, { side, size, price, fee, openedAt, tag }: Lot): void {
    const offset = this.#allocate()
    const numbers = this.#numbers
    numbers[offset + OWNER] = side === 'yes' ? market + 1 : -market - 1
    numbers[offset + SIZE] = size
    numbers[offset + PRICE] = price
    numbers[offset + FEE] = fee
    numbers[offset + OPENED_AT] = openedAt
    numbers[offset + TAG] = tag
    numbers[offset + NEXT] = NO_LOT
    const oldest = this.oldest(market)
    if (oldest === null) this.#begin(market, offset)
    else numbers[(numbers[oldest + NEWEST] as number) + NEXT] = offset
    numbers[(oldest ?? offset) + NEWEST] = offset
  }

  /** Reduces the oldest lot of a market to `size`; removes it at 0. */
  reduceOldest(market: MarketIndex, size: SizeE6, fee: MoneyE6): void {
    const offset = this.oldest(market)
    if (offset === null) return
    const numbers = this.#numbers
    numbers[offset + SIZE] = size
    numbers[offset + FEE] = fee
    if (size > 0) return
    const next = numbers[offset + NEXT] as number
    this.#oldest[market] = next
    if (next !== NO_LOT) numbers[next + NEWEST] = numbers[offset + NEWEST] as number
    numbers[offset + OWNER] = 0
    numbers[offset + NEXT] = this.#free
    this.#free = offset
  }

  #begin(market: MarketIndex, offset: number): void {
    if (market >= this.#oldest.length) {
      const wider = new Int32Array(Math.max(market + 1, this.#oldest.length * 2)).fill(NO_LOT)
      wider.set(this.#oldest)
      this.#oldest = wider
    }
    this.#oldest[market] = offset
  }

  #allocate(): number {
    const free = this.#free
    if (free !== NO_LOT) {
      this.#free = this.#numbers[free + NEXT] as number
      return free
    }
    const offset = this.#usedCount
    this.#usedCount += STRIDE
    if (this.#usedCount > this.#numbers.length) {
      const wider = new Float64Array(this.#numbers.length * 2)
      wider.set(this.#numbers)
      this.#numbers = wider
    }
    return offset
  }
}
