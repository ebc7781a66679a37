import type { BookLevel, OrderBook } from './market.ts'
import { centsOf, contractsOf, roundTo, sizeOfContracts } from './units.ts'
import type { Cents } from './units.ts'

/** Size, in contracts, at which executable prices are compared. */
export const REFERENCE_SIZE = 100
/** Cents assumed to be lost per side where nothing is known of the book, and where little is. */
const UNKNOWN_COST = 2
const LEAST_COST = 1

/** What taking contracts from one side of a book gives. */
export interface Walk {
  /** Size-weighted price in cents, not rounded; null when nothing could be taken. */
  readonly price: Cents | null
  /** Contracts taken, less than asked where the depth ends. */
  readonly filled: number
}

/**
 * Takes contracts from the best level on. Methodology A14.
 * @param levels of the side that is taken, best first: asks to buy YES, bids to sell it
 */
export function walk(levels: readonly BookLevel[], contracts: number): Walk {
  let wanted: number = sizeOfContracts(contracts)
  let [taken, paid] = [0, 0]
  for (const { price, size } of levels) {
    const part = Math.min(size, wanted)
    if (part <= 0) break
    taken += part
    paid += part * centsOf(price)
    wanted -= part
  }
  return {
    price: taken === 0 ? null : ((paid / taken) as Cents),
    filled: contractsOf(taken as BookLevel['size']),
  }
}

/** Contracts of a side that cost no more than `within` cents beyond its best level. */
export function depthWithin(levels: readonly BookLevel[], within: number): number {
  const best = levels[0]
  if (best === undefined) return 0
  let size = 0
  for (const level of levels) {
    if (roundTo(Math.abs(centsOf(level.price) - centsOf(best.price)), 4) > within) break
    size += level.size
  }
  return contractsOf(size as BookLevel['size'])
}

/** Middle of the best bid and ask in cents; null for a one-sided book. */
export function midOfBook(book: OrderBook): Cents | null {
  const [bid, ask] = [book.bids[0], book.asks[0]]
  if (bid === undefined || ask === undefined) return null
  return ((centsOf(bid.price) + centsOf(ask.price)) / 2) as Cents
}

/** Price at which a size can be traded at once, on the YES scale. */
export interface Execution extends Walk {
  /** Cents worse than the middle of the book; null where there is no middle. */
  readonly slippage: number | null
  /** No book was known: the price is the market's, worsened by half the spread. */
  readonly estimated: boolean
}

/**
 * Executable price of buying or selling YES. Without a book it is the market's price worsened by
 * half the spread, a cent at least and two where the spread is unknown; null without either.
 * @param market headline price and spread in cents, for the estimate
 */
export function executionOf(
  side: 'buy' | 'sell',
  contracts: number,
  book: OrderBook | null,
  market: { readonly price: Cents | null; readonly spread: Cents | null },
): Execution {
  const sign = side === 'buy' ? 1 : -1
  if (book === null) {
    if (market.price === null) return { price: null, filled: 0, slippage: null, estimated: true }
    const cost = market.spread === null ? UNKNOWN_COST : Math.max(market.spread / 2, LEAST_COST)
    const price = Math.min(Math.max(market.price + sign * cost, 0), 100) as Cents
    return { price, filled: contracts, slippage: cost, estimated: true }
  }
  const { price, filled } = walk(side === 'buy' ? book.asks : book.bids, contracts)
  const mid = midOfBook(book)
  const slippage = price === null || mid === null ? null : roundTo(sign * (price - mid), 4)
  return { price, filled, slippage, estimated: false }
}
