import type { Transaction } from 'kysely'
import { endDelivery, ENDPOINT_PAUSED, type Delivery } from '../domain/webhooks/delivery.ts'
import { storedEndpoint, type WebhookEndpoint } from '../domain/webhooks/endpoint.ts'
import { payloadOf, type OutgoingEvent } from '../domain/webhooks/payload.ts'
import type { Millis } from '../domain/units.ts'
import { newId } from '../lib/ids.ts'
import { insertDelivery } from './delivery-rows.ts'
import type { StateSchema } from './schema.ts'

/** Where an alert rule sends its firing: an endpoint or a person. */
export type RuleTarget =
  | { readonly channel: 'webhook'; readonly endpointId: string }
  | { readonly channel: 'email' | 'telegram'; readonly to: string }

/** The target of a firing with the key of the firing; null for a test. */
export type NamedTarget = RuleTarget & { readonly dedupeKey: string | null }

/**
 * Events leave the service only through this outbox: their deliveries are rows of the transaction
 * that wrote the event, so that a committed event is delivered and one that was rolled back is not.
 */
export interface EventOutbox {
  /** In a replay of history nothing leaves the machine. */
  readonly isReplay: boolean
  /**
   * Writes a delivery for each endpoint of the event's user that subscribes to its type, for the
   * target that an alert rule names, and a notice in the terminal unless the event is a fired
   * alert, whose rule decides about it. The endpoint of a thesis receives events of that thesis
   * only. Returns false and writes nothing when that firing of the rule was written before.
   */
  publish(
    transaction: Transaction<StateSchema>,
    event: OutgoingEvent,
    target?: NamedTarget,
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
  extraFields: { readonly dedupeKey: string | null; readonly isTest: boolean },
  isSuppressed: boolean,
): { readonly delivery: Delivery; readonly body: string } {
  const pending = pendingDelivery(event, {
    channel: 'webhook',
    endpointId: endpoint.id,
    ...extraFields,
  })
  const body = payloadOf(event, pending.id, endpoint.id)
  if (isSuppressed) return { delivery: suppress(pending), body }
  if (endpoint.state === 'paused' && !extraFields.isTest) {
    return { delivery: endDelivery(pending, ENDPOINT_PAUSED, event.createdAt), body }
  }
  return { delivery: pending, body }
}

/** The delivery of an event to a person, due at once; its body is the message. */
export function messageDelivery(
  event: OutgoingEvent,
  { channel, to, dedupeKey }: Extract<NamedTarget, { readonly to: string }>,
  isTest: boolean,
  isSuppressed: boolean,
): { readonly delivery: Delivery; readonly body: string } {
  const pending = pendingDelivery(event, { channel, endpointId: null, dedupeKey, isTest })
  const body = JSON.stringify({ to, subject: `Augury: ${event.message}`, text: event.message })
  return { delivery: isSuppressed ? suppress(pending) : pending, body }
}

const suppress = (pending: Delivery): Delivery => ({
  ...pending,
  status: 'suppressed',
  nextAttemptAt: null,
  finishedAt: pending.createdAt,
})

const pendingDelivery = (
  event: OutgoingEvent,
  extraFields: Pick<Delivery, 'channel' | 'endpointId' | 'dedupeKey' | 'isTest'>,
): Delivery => ({
  id: newId('del', event.createdAt),
  userId: event.userId,
  eventId: event.id,
  event: event.type,
  ...extraFields,
  ruleId: event.ruleId,
  ticker: event.ticker,
  status: 'pending',
  attempts: 0,
  attemptsBefore: 0,
  nextAttemptAt: event.createdAt,
  waitMs: 0,
  lastStatus: null,
  lastError: null,
  replayOf: 0,
  message: event.message,
  createdAt: event.createdAt,
  finishedAt: null,
})

/** A notice in the terminal of something that is no event for endpoints. */
export const plainNotice = (
  about: { readonly userId: string; readonly ruleId: string | null },
  message: string,
  now: Millis,
  dedupeKey: string | null = null,
): Delivery =>
  noticeOf(
    { ...about, id: newId('evt', now), type: null, ticker: null, message, createdAt: now },
    dedupeKey,
  )

/** The key of a notice about a thesis; the notices of a thesis go when it is deleted. */
export const thesisNoticeKey = (thesisId: string, subject: string): string =>
  `thesis:${thesisId}:${subject}`

/** Deletes the notices about a thesis; deliveries to endpoints and people stay. */
export async function deleteThesisNotices(
  transaction: Transaction<StateSchema>,
  thesisId: string,
): Promise<void> {
  const first = thesisNoticeKey(thesisId, '')
  await transaction
    .deleteFrom('delivery')
    .where('channel', '=', 'desktop')
    .where('dedupe_key', '>=', first)
    .where('dedupe_key', '<', `${first}\u{10ffff}`)
    .execute()
}

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
    isReplay,
    async publish(transaction, event, target) {
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
      if (target !== undefined && target.channel !== 'webhook') {
        const { delivery, body } = messageDelivery(event, target, false, isReplay)
        if (!(await insertDelivery(transaction, delivery, body))) return false
      }
      const endpointId = target?.channel === 'webhook' ? target.endpointId : null
      const namedEndpoint = endpoints.find(({ id }) => id === endpointId)
      if (namedEndpoint !== undefined && !(await insert(namedEndpoint, target?.dedupeKey ?? null)))
        return false
      for (const endpoint of endpoints) {
        if (endpoint !== namedEndpoint && receives(endpoint, event)) await insert(endpoint, null)
      }
      if (event.type !== 'alert.fired') {
        const { thesisId } = event.data
        const key = typeof thesisId === 'string' ? thesisNoticeKey(thesisId, event.id) : null
        await insertDelivery(transaction, noticeOf(event, key), null)
      }
      return true
    },
    wake() {
      for (const listener of listeners) listener()
    },
    onWake: (listener) => void listeners.push(listener),
  }
}
