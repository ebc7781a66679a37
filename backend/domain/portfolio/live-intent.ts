import { moneyOf, otherSide } from '../backtest/broker/fill-model.ts'
import type { Millis, SizeE6 } from '../units.ts'
import { isOpen, transition, type Intent, type IntentFill } from './intent.ts'
import { isVenueFill, type LedgerEntry } from './ledger.ts'
import {
  cancelText,
  isCancelled,
  isFillOf,
  OPEN_STATUSES,
  RESTING_TEXT,
  type LiveOrder,
} from './live-order.ts'

/**
 * The intent with what the ledger has of its orders. Fills are only ever added, and one that ended
 * keeps its state.
 */
export function withLiveFills(
  intent: Intent,
  orders: readonly LiveOrder[],
  entries: readonly LedgerEntry[],
  now: Millis,
): Intent {
  const orderIds = idsOf(orders)
  const fills = [
    ...intent.fills.filter(({ orderId }) => !orderIds.has(orderId)),
    ...entries.filter(isVenueFill).flatMap((entry) => fillOf(orders, entry)),
  ]
  const filledSize = fills.reduce((sum, { size }) => sum + size, 0) as SizeE6
  if (filledSize <= intent.filledSize) return intent
  const next = { ...intent, fills, filledSize, updatedAt: now }
  if (!isOpen(intent)) return next
  const isFilled = filledSize >= intent.targetSize
  return {
    ...next,
    status: isFilled ? 'filled' : 'partial',
    statusReason: null,
    ...(isFilled && { finishedAt: now }),
  }
}

/**
 * The intent after its last order left the book with an untraded rest. What somebody cancelled at
 * the exchange is not ordered again; what this service cancelled waits for its next turn.
 */
export function withEndedOrder(intent: Intent, orders: readonly LiveOrder[], now: Millis): Intent {
  const last = orders.at(-1)
  if (last === undefined || !isOpen(intent) || !isCancelled(last)) return intent
  const reason = cancelText(last)
  if (last.cancelReason === undefined) return transition(intent, 'cancelled', now, reason)
  return intent.statusReason === RESTING_TEXT
    ? { ...intent, statusReason: reason, updatedAt: now }
    : intent
}

/**
 * Whether the open orders of an intent may trade more than it has left: it was filled elsewhere
 * meanwhile, or an order that got lost arrived late.
 */
export function mayTradeTooMuch(
  { targetSize, fills }: Intent,
  orders: readonly LiveOrder[],
): boolean {
  const orderIds = idsOf(orders)
  const otherFills = fills.filter(({ orderId }) => !orderIds.has(orderId))
  const sizes = orders.map((order) =>
    OPEN_STATUSES.includes(order.status) && order.status !== 'traded' ? order.size : order.filled,
  )
  const largestSizes = [...sizes, ...otherFills.map(({ size }) => size)]
  return largestSizes.reduce((sum, size) => sum + size, 0) > targetSize
}

/** Every id under which fills name the orders. */
const idsOf = (orders: readonly LiveOrder[]): ReadonlySet<string> =>
  new Set(
    orders.flatMap(({ clientOrderId, venueOrderId, reference }) => [
      clientOrderId,
      venueOrderId ?? clientOrderId,
      reference,
    ]),
  )

function fillOf(orders: readonly LiveOrder[], entry: LedgerEntry): IntentFill[] {
  const order = orders.find((candidate) => isFillOf(candidate, entry))
  const { size, price, action, direction, occurredAt } = entry
  if (order === undefined || size === null || price === null) return []
  // An import may have booked a sale of YES as a purchase of NO.
  const isMirrored = action !== order.action && direction !== order.direction
  const orderPrice = isMirrored ? otherSide(price) : price
  return [
    {
      orderId: order.clientOrderId,
      size,
      price: orderPrice,
      cost: moneyOf(orderPrice, size),
      at: occurredAt,
    },
  ]
}
