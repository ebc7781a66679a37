import type { AlertChannel } from '../alerts/alert-rule.ts'
import { SECOND, type Millis } from '../units.ts'

export const EVENT_NAMES = [
  'alert.fired',
  'alert.paused',
  'thesis.confidence_changed',
  'thesis.killed',
  'portfolio.tick_completed',
  'portfolio.halt_triggered',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'suppressed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** A notice of an event on one channel; contract/theses-portfolio.md 6. */
export interface Delivery {
  readonly id: string
  readonly userId: string
  readonly eventId: string
  /** Null for a notice that is no event, such as that of a paused endpoint. */
  readonly event: EventName | null
  readonly channel: AlertChannel
  readonly endpointId: string | null
  readonly ruleId: string | null
  readonly ticker: string | null
  readonly status: DeliveryStatus
  /** Attempts so far, those of earlier schedules included. */
  readonly attempts: number
  /** Attempts before the current schedule: 0 until it is replayed. */
  readonly attemptsBefore: number
  readonly nextAttemptAt: Millis | null
  /** How long the next attempt waits after the one before. */
  readonly waitMs: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly isTest: boolean
  /** Times it was sent again on request. */
  readonly replayOf: number
  readonly message: string
  /** Equal for two firings of a rule within one window, and for a repeated notice; null for a test. */
  readonly dedupeKey: string | null
  readonly createdAt: Millis
  readonly finishedAt: Millis | null
}

/** Waits before the retries, after the end of the attempt before; contract 6.3. */
export const RETRY_WAITS: readonly number[] = [1, 4, 16, 64, 256].map((wait) => wait * SECOND)
/** The longest wait that a receiver may request by `Retry-After`. */
export const MAX_RETRY_AFTER = 3_600 * SECOND

/** Error of an attempt that a stop of the service cut off. */
export const INTERRUPTED = 'interrupted'
/** Error of a delivery whose endpoint was paused before it was delivered. */
export const ENDPOINT_PAUSED = 'endpoint_paused'
/** Error of a delivery whose endpoint was deleted before it was delivered. */
export const ENDPOINT_DELETED = 'endpoint_deleted'

/** The result of one request to an endpoint. */
export interface AttemptResult {
  /** HTTP status; null when no response arrived. */
  readonly status: number | null
  /** Why it failed; null after a 2xx. */
  readonly error: string | null
  readonly durationMs: number
  /** The first kilobyte of the response. */
  readonly responseExcerpt: string | null
  /** Milliseconds that a 429 or 503 requests to wait; null without. */
  readonly retryAfterMs: number | null
}

export const isSuccess = ({ status }: Pick<AttemptResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** A receiver that answers 410 wants no more deliveries. */
export const GONE = 410

/** The delivery while an attempt runs: if the service stops now, the next one follows by schedule. */
export function attemptOpened(delivery: Delivery, startedAt: Millis): Delivery {
  const attempts = delivery.attempts + 1
  // Tests are attempted once, by the request that sends them.
  if (delivery.isTest) return { ...delivery, attempts, nextAttemptAt: null, waitMs: 0 }
  const wait = RETRY_WAITS[attempts - delivery.attemptsBefore - 1] ?? 0
  const nextAttemptAt = (startedAt + wait) as Millis
  return { ...delivery, attempts, nextAttemptAt, waitMs: wait }
}

/** The delivery after an attempt that ended at `endedAt`. Tests have one attempt. */
export function attemptClosed(
  delivery: Delivery,
  result: AttemptResult,
  endedAt: Millis,
): Delivery {
  const { status: lastStatus, error: lastError } = result
  const endedDelivery = { ...delivery, lastStatus, lastError }
  const finishedFields = { nextAttemptAt: null, waitMs: 0, finishedAt: endedAt }
  if (isSuccess(result)) return { ...endedDelivery, ...finishedFields, status: 'delivered' }
  const wait = RETRY_WAITS[delivery.attempts - delivery.attemptsBefore - 1]
  if (wait === undefined || lastStatus === GONE || delivery.isTest) {
    return { ...endedDelivery, ...finishedFields, status: 'failed' }
  }
  const waitMs = Math.max(wait, Math.min(result.retryAfterMs ?? 0, MAX_RETRY_AFTER))
  return { ...endedDelivery, nextAttemptAt: (endedAt + waitMs) as Millis, waitMs }
}

/** A delivery that ends without another attempt. */
export const endDelivery = (delivery: Delivery, lastError: string, now: Millis): Delivery => ({
  ...delivery,
  status: 'failed',
  lastError,
  nextAttemptAt: null,
  waitMs: 0,
  finishedAt: now,
})

/** The same delivery with a full schedule again, starting now. */
export const replayDelivery = (delivery: Delivery, now: Millis): Delivery => ({
  ...delivery,
  status: 'pending',
  attemptsBefore: delivery.attempts,
  nextAttemptAt: now,
  waitMs: 0,
  replayOf: delivery.replayOf + 1,
  finishedAt: null,
})
