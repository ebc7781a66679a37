import type { ServedDelivery } from '../../backend/contract/orders/deliveries.ts'
import type { ServedEndpoint } from '../../backend/contract/orders/webhooks.ts'
import { EVENT_NAMES } from '../../backend/domain/webhooks/delivery.ts'

const AT = '2026-11-20T09:00:00.000Z'

/** An active endpoint that was delivered to once. */
export const endpointUnderTest = (more: Partial<ServedEndpoint> = {}): ServedEndpoint => ({
  id: 'we_1',
  url: 'https://hooks.example.com/augury',
  label: 'Trading desk',
  events: [...EVENT_NAMES],
  state: 'active',
  pausedReason: null,
  thesisId: null,
  stats24h: { attempts: 2, delivered: 1, http5xx: 1, networkErrors: 0, failureRate: 0.5 },
  previousSecretExpiresAt: null,
  lastDeliveryAt: AT,
  lastStatus: 204,
  createdAt: AT,
  updatedAt: AT,
  ...more,
})

/** A delivery that failed after all attempts. */
export const deliveryUnderTest = (more: Partial<ServedDelivery> = {}): ServedDelivery => ({
  id: 'del_1',
  eventId: 'evt_1',
  event: 'alert.fired',
  channel: 'webhook',
  endpointId: 'we_1',
  ruleId: 'ar_1',
  status: 'failed',
  attempts: 6,
  nextAttemptAt: null,
  lastStatus: 503,
  lastError: 'HTTP 503',
  test: false,
  replayOf: 0,
  message: 'KXFED-26DEC reached 70¢',
  ticker: 'KXFED-26DEC',
  createdAt: AT,
  finishedAt: AT,
  ...more,
})
