import type { MarketIndex } from '../event-columns.ts'

/** A side of the book that orders take from. */
export type BookSide = 'bids' | 'asks'

interface TakenLevel {
  readonly price: number
  displayed: number
  /** Size left at the level. */
  rest: number
}

/**
 * Sizes that orders took from levels that still show the same size, so that none is taken twice.
 */
export class TakenLevels {
  readonly #levels = new Map<number, TakenLevel[]>()

  /** Size that may still be taken from a level that shows `displayed`. */
  remaining(market: MarketIndex, side: BookSide, price: number, displayedSize: number): number {
    const level = this.#levels
      .get(keyOf(market, side))
      ?.find((candidate) => candidate.price === price)
    return level === undefined ? displayedSize : Math.min(level.rest, displayedSize)
  }

  /** Records a size taken from a level that showed `displayed`. */
  consume(
    market: MarketIndex,
    side: BookSide,
    price: number,
    displayedSize: number,
    size: number,
  ): void {
    const key = keyOf(market, side)
    let levels = this.#levels.get(key)
    if (levels === undefined) {
      levels = []
      this.#levels.set(key, levels)
    }
    const level = levels.find((candidate) => candidate.price === price)
    if (level === undefined)
      levels.push({ price, displayed: displayedSize, rest: displayedSize - size })
    else level.rest -= size
  }

  /**
   * Updates after a book change: a taken size is remembered until the level shows a different size
   * that is larger than its rest, or leaves the book.
   * @param shownAt size shown at a price, 0 for no level
   * @returns whether any taken size of the market is still remembered
   */
  update(market: MarketIndex, shownAt: (side: BookSide, price: number) => number): boolean {
    let isLeft = false
    for (const side of ['bids', 'asks'] as const) {
      const key = keyOf(market, side)
      const remainingLevels = this.#levels.get(key)?.filter((level) => {
        const displayedSize = shownAt(side, level.price)
        if (displayedSize === level.displayed) return true
        if (displayedSize === 0 || displayedSize > level.rest) return false
        level.rest = level.displayed = displayedSize
        return true
      })
      if (remainingLevels === undefined || remainingLevels.length === 0) this.#levels.delete(key)
      else {
        this.#levels.set(key, remainingLevels)
        isLeft = true
      }
    }
    return isLeft
  }
}

const keyOf = (market: MarketIndex, side: BookSide): number =>
  market * 2 + (side === 'bids' ? 0 : 1)
