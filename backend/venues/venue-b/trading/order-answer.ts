import type { SizeE6 } from '../../../domain/units.ts'
import { scaledOf, textOf, wireOf } from '../../fields.ts'
import { refusalText } from '../../http-client.ts'
import type { OrderAnswer, PreparedOrder, VenueOrder } from '../../trading.ts'

const ALREADY = /already exists|duplicat/i
/** An immediate order that meets no offer is worded as a refusal; it ended without a trade. */
const NO_MATCH = /no orders found to match/i

/** The answer to `POST /order` of an HTTP status; a success with an `errorMsg` is a refusal. */
export function parseOrderAnswer(
  { order, reference }: PreparedOrder,
  status: number,
  body: unknown,
): OrderAnswer {
  const isImmediate = order.timeInForce === 'ioc'
  const wire = wireOf(body)
  const isRefused = status >= 400 || wire?.['success'] === false
  const refusal = textOf(wire?.['errorMsg']) ?? (isRefused ? refusalText(body) : null)
  const accept = (change: Pick<VenueOrder, 'orderId' | 'status' | 'filled'>): OrderAnswer => ({
    kind: 'accepted',
    order: {
      clientOrderId: order.clientOrderId,
      ticker: order.ticker,
      remaining: isImmediate ? (0 as SizeE6) : null,
      ...change,
    },
  })
  if (refusal !== null) {
    if (isImmediate && NO_MATCH.test(refusal)) {
      return accept({ orderId: reference, status: 'cancelled', filled: 0 as SizeE6 })
    }
    if (status >= 400 && ALREADY.test(refusal)) return { kind: 'duplicate' }
    return { kind: 'rejected', reason: status >= 400 ? `${status} ${refusal}` : refusal }
  }
  const orderId = textOf(wire?.['orderID'])
  if (wire === null || orderId === null) {
    return { kind: 'lost', reason: 'the answer names no order' }
  }
  const isResting = textOf(wire['status']) === 'live'
  const filledField = order.action === 'buy' ? 'takingAmount' : 'makingAmount'
  // A delayed order is matched after this answer; a lookup reports what it filled.
  const isDelayed = textOf(wire['status']) === 'delayed'
  return accept({
    orderId,
    status: isImmediate ? 'cancelled' : isResting ? 'resting' : null,
    filled: isDelayed ? null : (scaledOf(wire[filledField], 6) as SizeE6 | null),
  })
}
