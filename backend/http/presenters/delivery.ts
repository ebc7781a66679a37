import type { ServedDelivery } from '../../contract/orders/deliveries.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { isoOf } from '../../lib/clock.ts'
import { isoOrNull } from './market-ref.ts'

/** A delivery as routes return it. */
export function servedDelivery(delivery: Delivery): ServedDelivery {
  const { id, eventId, event, channel, endpointId, ruleId, status, attempts } = delivery
  const { lastStatus, lastError, isTest, replayOf, message, ticker } = delivery
  return {
    id,
    eventId,
    event,
    channel,
    endpointId,
    ruleId,
    status,
    attempts,
    nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
    lastStatus,
    lastError,
    test: isTest,
    replayOf,
    message,
    ticker,
    createdAt: isoOf(delivery.createdAt),
    finishedAt: isoOrNull(delivery.finishedAt),
  }
}
