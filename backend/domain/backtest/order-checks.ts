import { feeOfFill, type FeeTerms } from '../fees.ts'
import type { PriceRange } from '../market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { moneyOf } from './fill-model.ts'

/** Whether a price on the YES scale lies on the venue's grid; an unknown grid holds every price. */
export function isOnGrid(price: PriceE4, ranges: readonly PriceRange[]): boolean {
  if (ranges.length === 0) return true
  return ranges.some(
    ({ start, end, step }) => price >= start && price <= end && (price - start) % step === 0,
  )
}

/** Where one contract costs the most in fees. */
const DEAREST = 5_000

/**
 * Money held back for a buy: its size at the limit and the largest fee it can meet, with what the
 * rounding of two fills may add.
 */
export function reserveOf(
  terms: FeeTerms,
  order: { readonly at: Millis; readonly price: PriceE4; readonly size: SizeE6 },
  grid: MoneyE6,
): MoneyE6 {
  const { at, size } = order
  if (size === 0) return 0 as MoneyE6
  const price = Math.min(order.price, DEAREST) as PriceE4
  const worst = feeOfFill(terms, { at, side: 'buy', role: 'taker', price, size })
  const rounding = terms?.venue === 'venue_a' ? 2 * grid : 0
  return (moneyOf(order.price, size) + worst.fee + rounding) as MoneyE6
}
