import type { BookLevel, OrderBook } from '../domain/market.ts'
import type { PriceE4, SizeE6 } from '../domain/units.ts'

export type BookSide = 'bid' | 'ask'

/** A book built from a snapshot and its changes, on the YES scale. */
export class LevelBook {
  readonly #sides: Readonly<Record<BookSide, Map<PriceE4, SizeE6>>> = {
    bid: new Map(),
    ask: new Map(),
  }

  constructor(snapshot: OrderBook) {
    for (const { price, size } of snapshot.bids) this.#sides.bid.set(price, size)
    for (const { price, size } of snapshot.asks) this.#sides.ask.set(price, size)
  }

  /** Sets the size at a price; 0 removes the level. */
  set(side: BookSide, price: PriceE4, size: SizeE6): void {
    if (size === 0) this.#sides[side].delete(price)
    else this.#sides[side].set(price, size)
  }

  /** Changes the size at a price; false when it would become negative. */
  add(side: BookSide, price: PriceE4, change: number): boolean {
    const size = (this.#sides[side].get(price) ?? 0) + change
    if (size < 0) return false
    this.set(side, price, size as SizeE6)
    return true
  }

  /** All levels, bids descending and asks ascending. */
  levels(): OrderBook {
    const sortedLevels = (side: BookSide, sign: 1 | -1): BookLevel[] =>
      [...this.#sides[side]]
        .map(([price, size]) => ({ price, size }))
        .sort((a, b) => sign * (a.price - b.price))
    return { bids: sortedLevels('bid', -1), asks: sortedLevels('ask', 1) }
  }
}

/** Whether the best bid reaches the best ask, so that the book cannot be valid. */
export const isCrossed = ({ bids, asks }: OrderBook): boolean =>
  bids[0] !== undefined && asks[0] !== undefined && bids[0].price >= asks[0].price
