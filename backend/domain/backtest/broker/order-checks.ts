import { feeOfFill, type FeeTerms } from '../../fees.ts'
import type { MarketFacts, PriceRange } from '../../market.ts'
import { priceOfCents, sizeOfContracts } from '../../units.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import { ABSENT } from '../event-columns.ts'
import { moneyOf, type FillModel } from './fill-model.ts'
import type { MarketBooks } from './market-books.ts'
import type { Order, OrderEnd } from './orders.ts'

/** Lowest and highest tradable price. */
export const HIGHEST = 9_999 as PriceE4
export const LOWEST = 1 as PriceE4

/**
 * Whether a price on the YES scale is a multiple of the venue's price step; every price is valid
 * when the step is unknown.
 */
export function isOnGrid(price: PriceE4, ranges: readonly PriceRange[]): boolean {
  if (ranges.length === 0) return true
  return ranges.some(
    ({ start, end, step }) => price >= start && price <= end && (price - start) % step === 0,
  )
}

/** Why a price or a size can never be traded; null when it can. */
export function problemOfTerms(
  { limit, size, yesLimit }: Order,
  facts: MarketFacts,
  model: FillModel,
): OrderEnd | null {
  if (limit !== null && (limit <= 0 || limit >= 10_000)) {
    return 'price is not between 0 and 100 cents'
  }
  if (limit !== null && !isOnGrid(yesLimit, facts.priceRanges))
    return 'price is not a multiple of the price step'
  return size < sizeOfContracts(model.leastContracts) ? 'size is below the minimum' : null
}

/** Worst price on the YES scale that a market order takes, given the current touch. */
export function protectedLimit(
  { market, takesAsks }: Pick<Order, 'market' | 'takesAsks'>,
  books: MarketBooks,
  model: FillModel,
): PriceE4 {
  const bestPrice = takesAsks ? books.ask(market) : books.bid(market)
  if (bestPrice === ABSENT) return takesAsks ? HIGHEST : LOWEST
  const protectedTouch = bestPrice + (takesAsks ? 1 : -1) * priceOfCents(model.protectionCents)
  return Math.min(HIGHEST, Math.max(LOWEST, protectedTouch)) as PriceE4
}

/** The price at which a contract's fee is highest. */
const MAX_PRICE = 5_000

/**
 * Money reserved for a buy: its size at the limit plus the largest possible fee and the rounding
 * of two fills.
 */
export function reserveOf(
  terms: FeeTerms,
  order: { readonly at: Millis; readonly price: PriceE4; readonly size: SizeE6 },
  grid: MoneyE6,
): MoneyE6 {
  const { at, size } = order
  if (size === 0) return 0 as MoneyE6
  const price = Math.min(order.price, MAX_PRICE) as PriceE4
  const worst = feeOfFill(terms, { at, side: 'buy', role: 'taker', price, size })
  const rounding = terms?.model === 'quadratic' ? 2 * grid : 0
  return (moneyOf(order.price, size) + worst.fee + rounding) as MoneyE6
}
