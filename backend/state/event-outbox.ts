import type { Transaction } from 'kysely'
import { ended, ENDPOINT_PAUSED, type Delivery } from '../domain/webhooks/delivery.ts'
import { storedEndpoint, type WebhookEndpoint } from '../domain/webhooks/endpoint.ts'
import { payloadOf, type OutgoingEvent } from '../domain/webhooks/payload.ts'
import type { Millis } from '../domain/units.ts'
import { newId } from '../lib/ids.ts'
import { insertDelivery } from './delivery-rows.ts'
import type { StateSchema } from './schema.ts'

/** The endpoint that an alert rule names, and the key of the firing. */
export interface NamedEndpoint {
  readonly endpointId: string
  readonly dedupeKey: string
}

/**
 * Events leave the service only through this outbox: their deliveries are rows of the transaction
 * that wrote the event, so that a committed event is delivered and one that was rolled back is not.
 */
export interface EventOutbox {
  /**
   * Writes a delivery for each endpoint of the event's user that subscribes to its type, for the
   * endpoint that an alert rule names, and a notice in the terminal unless the event is a fired
   * alert, whose rule decides about it. The endpoint of a thesis receives events of that thesis
   * only. Returns false and writes nothing when that firing of the rule was written before.
   */
  publish(
    transaction: Transaction<StateSchema>,
    event: OutgoingEvent,
    named?: NamedEndpoint,
  ): Promise<boolean>
  /** Call it after the transaction: the deliveries are attempted. */
  wake(): void
  /** Calls back after each committed event. */
  onWake(listener: () => void): void
}

/**
 * The delivery of an event to an endpoint, due at once. A paused endpoint keeps it as failed, for
 * a replay; with `isSuppressed` (a replay of history) nothing leaves the machine.
 */
export function webhookDelivery(
  event: OutgoingEvent,
  endpoint: Pick<WebhookEndpoint, 'id' | 'state'>,
  more: { readonly dedupeKey: string | null; readonly isTest: boolean },
  isSuppressed = false,
): { readonly delivery: Delivery; readonly body: string } {
  const { userId, ruleId, ticker, message, createdAt } = event
  const id = newId('del', createdAt)
  const pending: Delivery = {
    id,
    userId,
    eventId: event.id,
    event: event.type,
    channel: 'webhook',
    endpointId: endpoint.id,
    ruleId,
    ticker,
    status: 'pending',
    attempts: 0,
    attemptsBefore: 0,
    nextAttemptAt: createdAt,
    waitMs: 0,
    lastStatus: null,
    lastError: null,
    isTest: more.isTest,
    replayOf: 0,
    message,
    dedupeKey: more.dedupeKey,
    createdAt,
    finishedAt: null,
  }
  const body = payloadOf(event, id, endpoint.id)
  const finished = { ...pending, nextAttemptAt: null, finishedAt: createdAt }
  if (isSuppressed) return { delivery: { ...finished, status: 'suppressed' }, body }
  if (endpoint.state === 'paused' && !more.isTest) {
    return { delivery: ended(pending, ENDPOINT_PAUSED, createdAt), body }
  }
  return { delivery: pending, body }
}

/** A notice in the terminal of something that is no event for endpoints. */
export const plainNotice = (
  about: { readonly userId: string; readonly ruleId: string | null },
  message: string,
  now: Millis,
): Delivery =>
  noticeOf({ ...about, id: newId('evt', now), type: null, ticker: null, message, createdAt: now })

/** Whether an endpoint subscribes to an event. */
const receives = ({ events, thesisId }: WebhookEndpoint, { type, data }: OutgoingEvent): boolean =>
  events.includes(type) && (thesisId === null || thesisId === data['thesisId'])

/**
 * The notice of an event in the terminal and on the desktop: it is delivered once it is stored.
 * @param dedupeKey null for a notice that no other one repeats
 */
export const noticeOf = (
  event: Pick<OutgoingEvent, 'id' | 'userId' | 'ruleId' | 'ticker' | 'message' | 'createdAt'> & {
    readonly type: OutgoingEvent['type'] | null
  },
  dedupeKey: string | null = null,
  isTest = false,
): Delivery => ({
  id: newId('del', event.createdAt),
  userId: event.userId,
  eventId: event.id,
  event: event.type,
  channel: 'desktop',
  endpointId: null,
  ruleId: event.ruleId,
  ticker: event.ticker,
  status: 'delivered',
  attempts: 1,
  attemptsBefore: 0,
  nextAttemptAt: null,
  waitMs: 0,
  lastStatus: null,
  lastError: null,
  isTest,
  replayOf: 0,
  message: event.message,
  dedupeKey,
  createdAt: event.createdAt,
  finishedAt: event.createdAt,
})

export function createEventOutbox(isReplay: boolean): EventOutbox {
  const listeners: (() => void)[] = []
  return {
    async publish(transaction, event, named) {
      const rows = await transaction
        .selectFrom('webhook_endpoint')
        .select('record')
        .where('user_id', '=', event.userId)
        .execute()
      const endpoints = rows.map(storedEndpoint)
      const insert = (endpoint: WebhookEndpoint, dedupeKey: string | null): Promise<boolean> => {
        const { delivery, body } = webhookDelivery(
          event,
          endpoint,
          { dedupeKey, isTest: false },
          isReplay,
        )
        return insertDelivery(transaction, delivery, body)
      }
      const own = endpoints.find(({ id }) => id === named?.endpointId)
      if (own !== undefined && !(await insert(own, named?.dedupeKey ?? null))) return false
      for (const endpoint of endpoints) {
        if (endpoint !== own && receives(endpoint, event)) await insert(endpoint, null)
      }
      if (event.type !== 'alert.fired') {
        await insertDelivery(transaction, noticeOf(event), null)
      }
      return true
    },
    wake() {
      for (const listener of listeners) listener()
    },
    onWake: (listener) => void listeners.push(listener),
  }
}
