import type { PriceE4, SizeE6 } from '../../../domain/units.ts'

/** Amounts of an order in 1e-6 dollars and 1e-6 shares: what is given and what is received. */
export interface OrderAmounts {
  readonly makerAmount: bigint
  readonly takerAmount: bigint
}

/** Shares of an order have two decimals, and so have the dollars of an immediate purchase. */
const HUNDREDTH = 10_000n
/** Decimals of the shares of an immediate purchase, by price step in 1e-4 dollars. */
const SHARE_DECIMALS = new Map([
  [1_000, 3],
  [100, 4],
  [50, 5],
  [25, 6],
  [10, 5],
  [1, 6],
])

/** Whether the venue's decimals for this price step are known. */
export const isKnownStep = (step: PriceE4): boolean => SHARE_DECIMALS.has(step)

/**
 * Amounts of an order. They are never above the requested size, nor worse than the limit: an
 * immediate purchase spends whole cents, so that its size becomes what these buy at the limit.
 */
export function orderAmounts(order: {
  readonly action: 'buy' | 'sell'
  readonly size: SizeE6
  readonly limit: PriceE4
  readonly isImmediate: boolean
  readonly step: PriceE4
}): OrderAmounts {
  const limit = BigInt(order.limit)
  const shares = floorTo(BigInt(order.size), HUNDREDTH)
  const dollars = (shares * limit) / 10_000n
  if (order.action === 'sell') return { makerAmount: shares, takerAmount: dollars }
  if (!order.isImmediate) return { makerAmount: dollars, takerAmount: shares }
  const spentDollars = floorTo(dollars, HUNDREDTH)
  const unit = 10n ** BigInt(6 - (SHARE_DECIMALS.get(order.step) ?? 4))
  return { makerAmount: spentDollars, takerAmount: floorTo((spentDollars * 10_000n) / limit, unit) }
}

const floorTo = (value: bigint, unit: bigint): bigint => (value / unit) * unit
