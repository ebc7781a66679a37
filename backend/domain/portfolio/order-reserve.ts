import { moneyOf } from '../backtest/broker/fill-model.ts'
import { reserveOf } from '../backtest/broker/order-checks.ts'
import { CENT_GRID, generalTerms } from '../fees.ts'
import type { Side, Venue } from '../market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'

/** How far beyond the touch a market order may pay. */
export const MARKET_PROTECTION = 1_000

interface SizedOrder {
  readonly action: 'buy' | 'sell'
  readonly direction: Side
  readonly size: SizeE6
}

/**
 * Amount that an order reserves: its cost at the limit, and the venue's fee. For a sale the cost is
 * its proceeds.
 * @param bestPrice best price of the order's side; null for an empty book
 */
export function reserveOfOrder(
  { action, size, limit }: SizedOrder & { readonly limit: PriceE4 | null },
  bestPrice: PriceE4 | null,
  venue: Venue,
  now: Millis,
): { readonly cost: MoneyE6; readonly fee: MoneyE6 } {
  const worst = bestPrice === null ? 9_999 : Math.min(9_999, bestPrice + MARKET_PROTECTION)
  const price = (limit ?? (action === 'buy' ? worst : (bestPrice ?? 1))) as PriceE4
  const cost = moneyOf(price, size)
  const reserve = reserveOf(generalTerms(venue), { at: now, price, size }, CENT_GRID)
  return { cost, fee: (reserve - cost) as MoneyE6 }
}

/**
 * Whether an order enters a market: a buy that does more than close the other side, which many
 * limits are for.
 * @param position the position in its market; null for none
 */
export const isEntryOrder = (
  { action, direction, size }: SizedOrder,
  position: { readonly direction: Side; readonly size: SizeE6 } | null,
): boolean =>
  action === 'buy' &&
  (position === null || position.direction === direction || position.size < size)
