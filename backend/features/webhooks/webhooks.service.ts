import { DAY, SECOND, type Millis } from '../../domain/units.ts'
import {
  EVENT_NAMES,
  isSuccess,
  replayDelivery,
  type Delivery,
} from '../../domain/webhooks/delivery.ts'
import {
  failureRate,
  resumeEndpoint,
  type EndpointState,
  type WebhookEndpoint,
} from '../../domain/webhooks/endpoint.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import type {
  DeliveriesQueued,
  DeliveryDetail,
  EndpointCreated,
  EndpointPage,
  EndpointTested,
  SecretRotated,
  ServedEndpoint,
} from '../../contract/orders/webhooks.ts'
import type { AlertFired } from '../../contract/orders/webhook-events.ts'
import type { DeliveryPage, ServedDelivery } from '../../contract/orders/deliveries.ts'
import { servedDelivery } from '../../http/presenters/delivery.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { rangeIn } from '../../http/request/body-range.ts'
import { listPage, type Paging, byCreation } from '../../http/request/list-page.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import { messageDelivery, webhookDelivery, type RuleTarget } from '../../state/event-outbox.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { newSecret, valid } from './endpoint-secrets.ts'
import type { UrlPolicy } from './url-policy.ts'
import { eventsIn, labelIn, urlIn } from './webhooks-body.ts'
import type { EndpointDeliveryFilter, WebhooksStore } from './webhooks.store.ts'

const MAX_ENDPOINTS = 20
const MAX_REPLAYED = 1_000
const MAX_GRACE_S = (7 * DAY) / SECOND
const DEFAULT_GRACE_S = DAY / SECOND

type TestDelivery = ReturnType<typeof webhookDelivery>
const TEST = { dedupeKey: null, isTest: true }

/** Webhook endpoints of users; contract/theses-portfolio.md 6. */
export function createWebhooksService(deps: {
  readonly store: WebhooksStore
  readonly queue: DeliveryQueue
  readonly policy: UrlPolicy
  readonly userQueue: PerUserQueue
  /** The key with which secrets are encrypted at rest. */
  readonly installationKey: () => string
  /** Rules that name a deleted endpoint are paused. */
  readonly onRemoved: (userId: string, endpointId: string) => Promise<void>
  /** Nothing is sent in a replay of history. */
  readonly isReplay: boolean
  readonly clock: Clock
}) {
  const { store, queue, policy, userQueue, installationKey, onRemoved, isReplay, clock } = deps

  const findOwnEndpoint = async (userId: string, id: string): Promise<WebhookEndpoint> => {
    const endpoint = await store.endpoint(userId, id)
    if (endpoint === null) throw new NotFound('Endpoint not found')
    return endpoint
  }
  const toResponse = async (endpoint: WebhookEndpoint): Promise<ServedEndpoint> => {
    const now = clock.now()
    const stats = await store.stats(endpoint, now)
    const { attempts, delivered, http5xx, networkErrors } = stats
    const { id, url, label, events, state, pausedReason, lastStatus } = endpoint
    const previous = valid(endpoint, now).find(({ endsAt }) => endsAt !== null)
    return {
      id,
      url,
      label,
      events: [...events],
      state,
      pausedReason,
      thesisId: endpoint.thesisId,
      stats24h: { attempts, delivered, http5xx, networkErrors, failureRate: failureRate(stats) },
      previousSecretExpiresAt: isoOrNull(previous?.endsAt ?? null),
      lastDeliveryAt: isoOrNull(endpoint.lastDeliveryAt),
      lastStatus,
      createdAt: isoOf(endpoint.createdAt),
      updatedAt: isoOf(endpoint.updatedAt),
    }
  }
  const expectFreeName = async ({ userId, label, url, id }: WebhookEndpoint): Promise<void> => {
    if (await store.hasName(userId, label, url, id)) {
      throw new Conflict('an endpoint with this label and url exists')
    }
  }
  const expectRoom = async (userId: string): Promise<void> => {
    if ((await store.count(userId)) >= MAX_ENDPOINTS) {
      throw new Conflict(`at most ${MAX_ENDPOINTS} endpoints may exist: delete one first`)
    }
  }
  /** Adds an endpoint with a new secret. @throws Conflict for a taken name or one too many */
  const addEndpoint = async (
    newEndpoint: Pick<WebhookEndpoint, 'userId' | 'url' | 'label' | 'events' | 'thesisId'>,
  ): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> => {
    await expectRoom(newEndpoint.userId)
    const now = clock.now()
    const { secret, sealed } = newSecret(installationKey())
    const endpoint: WebhookEndpoint = {
      id: newId('we', now),
      ...newEndpoint,
      state: 'active',
      pausedReason: null,
      secrets: [sealed],
      windowFrom: now,
      lastDeliveryAt: null,
      lastStatus: null,
      createdAt: now,
      updatedAt: now,
    }
    await expectFreeName(endpoint)
    await store.add(endpoint)
    return { endpoint, secret }
  }
  const ownedDelivery = async (userId: string, id: string, deliveryId: string) => {
    const endpoint = await findOwnEndpoint(userId, id)
    const storedDelivery = await store.delivery(endpoint.id, deliveryId)
    if (storedDelivery === null) throw new NotFound('Delivery not found')
    return { endpoint, ...storedDelivery }
  }
  const sendTest = async ({ delivery, body }: TestDelivery): Promise<EndpointTested> => {
    if (delivery.status === 'suppressed') {
      await store.insert(delivery, body)
      const error = 'a replay of history sends nothing'
      return { ok: false, deliveryId: delivery.id, status: null, durationMs: 0, error }
    }
    // It is attempted here, and not by the queue.
    await store.insert({ ...delivery, nextAttemptAt: null }, body)
    const { status, durationMs, error } = await queue.attemptNow(delivery, body)
    return { ok: isSuccess({ status }), deliveryId: delivery.id, status, durationMs, error }
  }

  return {
    /** @throws Conflict when the user has as many endpoints as may exist */
    expectRoom,
    /** Adds an endpoint; call it in the queue of its user. */
    add: addEndpoint,
    /** @throws NotFound */
    async expectOwn(userId: string, id: string): Promise<void> {
      await findOwnEndpoint(userId, id)
    },
    create: (userId: string, body: unknown): Promise<EndpointCreated> =>
      userQueue.run(userId, async () => {
        const fields = new BodyFields(body)
        const url = await urlIn(fields, policy)
        if (url === undefined) throw new InvalidInput('url is required')
        const newEndpoint = {
          userId,
          url,
          label: labelIn(fields) ?? new URL(url).hostname,
          events: eventsIn(fields) ?? EVENT_NAMES,
          thesisId: null,
        }
        const { endpoint, secret } = await addEndpoint(newEndpoint)
        return { ...(await toResponse(endpoint)), secret }
      }),
    async page(
      userId: string,
      filter: { readonly state: EndpointState | null },
      paging: Paging,
    ): Promise<EndpointPage> {
      const { rows, pageInfo } = await listPage(
        paging,
        filter,
        (after, max) => store.endpoints(userId, filter.state, after, max),
        byCreation,
      )
      const data = await Promise.all(rows.map(toResponse))
      return { data, endpoints: data, pageInfo }
    },
    byId: async (userId: string, id: string) => toResponse(await findOwnEndpoint(userId, id)),
    change: (userId: string, id: string, body: unknown): Promise<ServedEndpoint> =>
      userQueue.run(userId, async () => {
        const endpoint = await findOwnEndpoint(userId, id)
        const fields = new BodyFields(body)
        if (!fields.has('url', 'label', 'events', 'state')) {
          throw new InvalidInput('No valid fields to update')
        }
        if (endpoint.thesisId !== null && fields.has('url', 'label', 'events')) {
          throw new Conflict('its thesis manages this endpoint: change webhookUrl of the thesis')
        }
        const now = clock.now()
        const state = fields.word('state', ['active', 'paused'])
        const newEndpointRow: WebhookEndpoint = {
          ...endpoint,
          url: (await urlIn(fields, policy)) ?? endpoint.url,
          label: labelIn(fields) ?? endpoint.label,
          events: eventsIn(fields) ?? endpoint.events,
          updatedAt: now,
        }
        const next: WebhookEndpoint =
          state === 'paused' && newEndpointRow.state !== 'paused'
            ? { ...newEndpointRow, state: 'paused', pausedReason: 'user' }
            : state === 'active'
              ? resumeEndpoint(newEndpointRow, now)
              : newEndpointRow
        await expectFreeName(next)
        await store.change(next, now)
        return toResponse(next)
      }),
    remove: (userId: string, id: string): Promise<{ ok: true }> =>
      userQueue.run(userId, async () => {
        if (!(await store.remove(userId, id, clock.now()))) throw new NotFound('Endpoint not found')
        await onRemoved(userId, id)
        return { ok: true }
      }),
    /** Sends a synthetic alert now, with one attempt, also to a paused endpoint. */
    async test(userId: string, id: string): Promise<EndpointTested> {
      const endpoint = await findOwnEndpoint(userId, id)
      const event = syntheticAlert(userId, clock.now())
      return await sendTest(webhookDelivery(event, endpoint, TEST, isReplay))
    },
    /** Sends a test of an alert rule to its target now, with one attempt. */
    async testRule(event: OutgoingEvent, target: RuleTarget): Promise<EndpointTested> {
      if (target.channel !== 'webhook') {
        return await sendTest(
          messageDelivery(event, { ...target, dedupeKey: null }, true, isReplay),
        )
      }
      const endpoint = await findOwnEndpoint(event.userId, target.endpointId)
      return await sendTest(webhookDelivery(event, endpoint, TEST, isReplay))
    },
    rotate: (userId: string, id: string, body: unknown): Promise<SecretRotated> =>
      userQueue.run(userId, async () => {
        const endpoint = await findOwnEndpoint(userId, id)
        const grace =
          new BodyFields(body ?? {}).number('graceSeconds', {
            min: 0,
            max: MAX_GRACE_S,
            isInteger: true,
          }) ?? DEFAULT_GRACE_S
        const now = clock.now()
        const { secret, sealed } = newSecret(installationKey())
        const endsAt = grace === 0 ? null : ((now + grace * SECOND) as Millis)
        const previous = endpoint.secrets.find((sealedSecret) => sealedSecret.endsAt === null)
        const previousSecrets =
          previous === undefined || endsAt === null ? [] : [{ ...previous, endsAt }]
        await store.change(
          { ...endpoint, secrets: [sealed, ...previousSecrets], updatedAt: now },
          now,
        )
        return {
          id,
          secret,
          previousSecretExpiresAt: isoOrNull(previousSecrets.length === 0 ? null : endsAt),
        }
      }),
    resume: (userId: string, id: string): Promise<ServedEndpoint> =>
      userQueue.run(userId, async () => {
        const next = resumeEndpoint(await findOwnEndpoint(userId, id), clock.now())
        await store.change(next, clock.now())
        return toResponse(next)
      }),
    async deliveries(
      userId: string,
      id: string,
      filter: EndpointDeliveryFilter,
      paging: Paging,
    ): Promise<DeliveryPage> {
      const endpoint = await findOwnEndpoint(userId, id)
      const { rows, pageInfo } = await listPage(
        paging,
        { id, ...filter },
        (after, max) => store.deliveries(endpoint.id, filter, after, max),
        byCreation,
      )
      return { data: rows.map(servedDelivery), pageInfo }
    },
    async delivery(userId: string, id: string, deliveryId: string): Promise<DeliveryDetail> {
      const { delivery, body } = await ownedDelivery(userId, id, deliveryId)
      const attempts = await store.attempts(deliveryId)
      return {
        ...servedDelivery(delivery),
        body: JSON.parse(body) as Record<string, unknown>,
        attemptLog: attempts.map((attempt) => ({
          n: attempt.n,
          at: isoOf(attempt.started_at as Millis),
          status: attempt.status,
          error: attempt.error,
          durationMs: attempt.duration_ms ?? 0,
          responseExcerpt: attempt.response_excerpt,
        })),
      }
    },
    replayOne: (userId: string, id: string, deliveryId: string): Promise<ServedDelivery> =>
      userQueue.run(userId, async () => {
        const { endpoint, delivery } = await ownedDelivery(userId, id, deliveryId)
        if (endpoint.state === 'paused') throw new Conflict('endpoint is paused')
        if (delivery.status === 'pending') throw new Conflict('delivery is still pending')
        const next = replayDelivery(delivery, clock.now())
        await store.write([next])
        queue.wake()
        return servedDelivery(next)
      }),
    /** Sends the failed deliveries of a time again, oldest first. */
    replayAll: (userId: string, id: string, body: unknown): Promise<DeliveriesQueued> =>
      userQueue.run(userId, async () => {
        const endpoint = await findOwnEndpoint(userId, id)
        if (endpoint.state === 'paused') throw new Conflict('endpoint is paused')
        const now = clock.now()
        const { since, until } = rangeIn(new BodyFields(body), now, null)
        const failedDeliveries: Delivery[] = await store.failed(
          endpoint.id,
          since,
          until,
          MAX_REPLAYED,
        )
        await store.write(failedDeliveries.map((delivery) => replayDelivery(delivery, now)))
        queue.wake()
        return { queued: failedDeliveries.length }
      }),
  }
}
export type WebhooksService = ReturnType<typeof createWebhooksService>

/** The event of an endpoint's test; it names no market. */
function syntheticAlert(userId: string, now: Millis): OutgoingEvent {
  const data: AlertFired = {
    ruleId: null,
    watchedObjectId: null,
    ticker: null,
    condition: 'price_above',
    threshold: 50,
    rule: null,
    watchedObject: null,
    snapshot: { priceCents: 50, volume24h: null, regimeLabel: null, item: null, late: false },
    firedAt: isoOf(now),
    test: true,
  }
  return {
    id: newId('evt', now),
    userId,
    type: 'alert.fired',
    createdAt: now,
    message: 'Test of the endpoint',
    ruleId: null,
    ticker: null,
    data,
  }
}
