import type { BookLevel, OrderBook } from '../market.ts'
import { centsOf, contractsOf, roundTo, sizeOfContracts } from '../units.ts'
import type { Cents } from '../units.ts'
/** Assumed cost in cents per side when nothing is known of the book, and the minimum otherwise. */
const UNKNOWN_COST = 2
const MIN_COST = 1

/** Result of taking contracts from one side of a book. */
export interface Walk {
  /** Size-weighted price in cents, not rounded; null when nothing was available. */
  readonly price: Cents | null
  /** Contracts taken; fewer than requested when the depth ends. */
  readonly filled: number
}

/**
 * Takes contracts from the best level on. Methodology A14.
 * @param levels of the side that is taken, best first: asks to buy YES, bids to sell it
 */
export function walk(levels: readonly BookLevel[], contracts: number): Walk {
  let remainingSize: number = sizeOfContracts(contracts)
  let [filledSize, paidAmount] = [0, 0]
  for (const { price, size } of levels) {
    const part = Math.min(size, remainingSize)
    if (part <= 0) break
    filledSize += part
    paidAmount += part * centsOf(price)
    remainingSize -= part
  }
  return {
    price: filledSize === 0 ? null : ((paidAmount / filledSize) as Cents),
    filled: contractsOf(filledSize as BookLevel['size']),
  }
}

/** Midpoint of the best bid and ask in cents; null for a one-sided book. */
export function midOfBook(book: OrderBook): Cents | null {
  const [bid, ask] = [book.bids[0], book.asks[0]]
  if (bid === undefined || ask === undefined) return null
  return ((centsOf(bid.price) + centsOf(ask.price)) / 2) as Cents
}

/** Price at which a size can be traded immediately, on the YES scale. */
export interface Execution extends Walk {
  /** Cents worse than the midpoint; null when there is no midpoint. */
  readonly slippage: number | null
  /** No book was known: the price is the market price worsened by half the spread. */
  readonly estimated: boolean
}

/**
 * Executable price of buying or selling YES. Without a book it is the market price worsened by
 * half the spread, at least one cent, and two when the spread is unknown; null without a price.
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
    const cost = market.spread === null ? UNKNOWN_COST : Math.max(market.spread / 2, MIN_COST)
    const price = Math.min(Math.max(market.price + sign * cost, 0), 100) as Cents
    return { price, filled: contracts, slippage: cost, estimated: true }
  }
  const { price, filled } = walk(side === 'buy' ? book.asks : book.bids, contracts)
  const mid = midOfBook(book)
  const slippage = price === null || mid === null ? null : roundTo(sign * (price - mid), 4)
  return { price, filled, slippage, estimated: false }
}
