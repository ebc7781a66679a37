import { DAY, type Millis } from '../../domain/units.ts'
import {
  attemptClosed,
  attemptOpened,
  GONE,
  isSuccess,
  type AttemptResult,
  type Delivery,
} from '../../domain/webhooks/delivery.ts'
import {
  HEALTH_INTERVAL,
  updateState,
  type WebhookEndpoint,
} from '../../domain/webhooks/endpoint.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { plainNotice } from '../../state/event-outbox.ts'
import type { Message, MessageChannels } from './channels/channel.ts'
import { signatureOf } from './signature.ts'
import type { SendWebhook } from './webhook-request.ts'
import type { WebhooksStore } from './webhooks.store.ts'

const MAX_PER_ENDPOINT = 2
const MAX_IN_FLIGHT = 8
/**
 * Most attempts that run at once to receivers whose last attempt failed, and to these and those that
 * had none yet: those that never answer leave places to the others.
 */
const MAX_FAILING = 4
const MAX_UNKNOWN = 6
/** Receivers whose last outcome is remembered; one that is forgotten is like a new one. */
const MAX_OUTCOMES = 1_000
/** How long ended deliveries are kept. */
const RETENTION = 30 * DAY

export interface DeliveryQueueDeps {
  readonly store: WebhooksStore
  readonly send: SendWebhook
  readonly channels: MessageChannels
  /** The secrets that sign an attempt, the current one first. @throws Error if they are lost */
  readonly secretsOf: (endpoint: WebhookEndpoint, now: Millis) => readonly string[]
  /** Called when a delivery of a rule has ended. */
  readonly onEnded: (delivery: Delivery) => void
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Attempts pending deliveries when they are due: two at a time for an endpoint, or for a user's
 * messages on one channel, and eight in all. Receivers that fail do not get all eight, so that slow
 * ones do not delay the others. All other state is in the store; a stop loses nothing.
 */
export class DeliveryQueue {
  readonly #deps: DeliveryQueueDeps
  /** Running attempts, by delivery. */
  readonly #runningDeliveries = new Map<
    string,
    { readonly queue: string; readonly done: Promise<void> }
  >()
  /** Whether the newest attempt of a queue succeeded, the last answer last. */
  readonly #outcomes = new Map<string, boolean>()
  #isWoken = false
  #wakeUp: () => void = () => {}

  constructor(deps: DeliveryQueueDeps) {
    this.#deps = deps
  }

  /** Deliveries may have become due. */
  wake(): void {
    this.#isWoken = true
    this.#wakeUp()
  }

  /** Runs until the signal aborts; attempts that run then are cut off and resumed by a next start. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps
    await store.endInterrupted(clock.now())
    let checkedAt = clock.monotonic()
    while (!signal.aborted) {
      this.#isWoken = false
      const now = clock.now()
      try {
        await this.#startDue(now, signal)
        if (clock.monotonic() - checkedAt >= HEALTH_INTERVAL) {
          checkedAt = clock.monotonic()
          await this.#updateAllStates()
          await store.deleteBefore((clock.now() - RETENTION) as Millis)
        }
        await this.#sleepUntilDue(now, signal)
      } catch (error) {
        log.error({ err: error }, 'webhook deliveries could not be read')
        await sleepUnless(signal, clock, 1_000)
      }
    }
    await Promise.all([...this.#runningDeliveries.values()].map(({ done }) => done))
  }

  /** Resolves when no attempt runs. */
  async waitUntilSettled(): Promise<void> {
    while (this.#runningDeliveries.size > 0) {
      await Promise.all([...this.#runningDeliveries.values()].map(({ done }) => done))
    }
  }

  /** One attempt of a delivery that was just stored, outside the queue. */
  async attemptNow(delivery: Delivery, body: string): Promise<AttemptResult> {
    return await this.#attempt(delivery, body, new AbortController().signal)
  }

  /** Starts what is due at an instant, as far as the queues have room. */
  async #startDue(at: Millis, signal: AbortSignal): Promise<void> {
    const { store } = this.#deps
    for (const { delivery, body } of await store.due(at, this.#fullQueues())) {
      const queue = queueOf(delivery)
      if (this.#isFull(queue) || this.#runningDeliveries.has(delivery.id)) continue
      const attempt = this.#attempt(delivery, body, signal)
        .then(
          (result) => this.#recordOutcome(queue, isSuccess(result)),
          (error: unknown) => {
            const { id } = delivery
            this.#deps.log.error({ err: error, delivery: id }, 'an attempt could not be made')
          },
        )
        .finally(() => {
          this.#runningDeliveries.delete(delivery.id)
          this.wake()
        })
      this.#runningDeliveries.set(delivery.id, { queue, done: attempt })
    }
  }

  #recordOutcome(queue: string, isDelivered: boolean): void {
    this.#outcomes.delete(queue)
    this.#outcomes.set(queue, isDelivered)
    const [oldest] = this.#outcomes.keys()
    if (this.#outcomes.size > MAX_OUTCOMES && oldest !== undefined) this.#outcomes.delete(oldest)
  }

  /** Queues of which nothing can be started now. */
  #fullQueues(): string[] {
    const queues = new Set([...this.#outcomes.keys(), ...this.#queuesRunning()])
    return [...queues].filter((queue) => this.#isFull(queue))
  }
  #queuesRunning(): string[] {
    return [...this.#runningDeliveries.values()].map(({ queue }) => queue)
  }
  #isFull(queue: string): boolean {
    const runningQueues = this.#queuesRunning()
    const queueRuns = runningQueues.filter((queueName) => queueName === queue)
    if (runningQueues.length >= MAX_IN_FLIGHT || queueRuns.length >= MAX_PER_ENDPOINT) return true
    // Attempts to receivers that answer take no place of a failing one, so that its retries continue.
    const capacity = this.#capacityOf(queue)
    return (
      runningQueues.filter((queueName) => this.#capacityOf(queueName) <= capacity).length >=
      capacity
    )
  }
  #capacityOf(queue: string): number {
    const isDelivered = this.#outcomes.get(queue)
    if (isDelivered === undefined) return MAX_UNKNOWN
    return isDelivered ? MAX_IN_FLIGHT : MAX_FAILING
  }

  async #attempt(delivery: Delivery, body: string, signal: AbortSignal): Promise<AttemptResult> {
    const { store, send, clock, onEnded } = this.#deps
    const startedAt = clock.now()
    const openAttempt = attemptOpened(delivery, startedAt)
    await store.openAttempt(openAttempt, startedAt)
    const isMessage = delivery.endpointId === null
    const endpoint = isMessage ? null : await store.endpoint(null, delivery.endpointId)
    const result = isMessage
      ? await this.#messageSent(openAttempt, body, signal)
      : await this.#attemptSent(openAttempt, endpoint, body, send, signal)
    // A stop cut the attempt off: it stays open, and the next start counts it as interrupted.
    if (signal.aborted) return result
    const endedAt = clock.now()
    const current = await store.delivery(openAttempt.endpointId, openAttempt.id)
    // It may have ended meanwhile, because its endpoint was paused or deleted.
    const hasEnded = current !== null && current.delivery.status !== 'pending'
    const closedDelivery =
      hasEnded && !isSuccess(result)
        ? { ...current.delivery, attempts: openAttempt.attempts }
        : attemptClosed(openAttempt, result, endedAt)
    const newest = endpoint === null ? null : await store.endpoint(null, endpoint.id)
    const updatedDelivery =
      newest === null ? null : endpointAfterAttempt(newest, openAttempt, result, endedAt)
    const notice = updatedDelivery === null ? null : pauseNotice(newest, updatedDelivery, endedAt)
    await store.closeAttempt(closedDelivery, result, updatedDelivery, notice, endedAt)
    if (newest !== null && !openAttempt.isTest) await this.#updateStateOf(newest.id)
    if (closedDelivery.status !== 'pending') onEnded(closedDelivery)
    return result
  }

  async #attemptSent(
    delivery: Delivery,
    endpoint: WebhookEndpoint | null,
    body: string,
    send: SendWebhook,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    if (endpoint === null) return failedAttempt('endpoint_deleted')
    const now = this.#deps.clock.now()
    let secrets: readonly string[]
    try {
      secrets = this.#deps.secretsOf(endpoint, now)
    } catch (error) {
      this.#deps.log.error({ err: error, endpoint: endpoint.id }, 'a webhook secret is unreadable')
      return failedAttempt('the signing secret is unreadable: rotate it')
    }
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Augury-Webhook/1',
      'x-svc-signature': signatureOf(secrets, body, now),
      'x-svc-endpoint-id': endpoint.id,
      'x-svc-delivery-id': delivery.id,
      'x-svc-event': delivery.event ?? '',
    }
    return await send({ url: endpoint.url, headers, body }, signal)
  }

  async #messageSent(
    { channel }: Delivery,
    body: string,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const send = channel === 'email' || channel === 'telegram' ? this.#deps.channels[channel] : null
    if (send === undefined || send === null)
      return failedAttempt(`${channel} has no server settings`)
    return await send(JSON.parse(body) as Message, signal)
  }

  async #updateAllStates(): Promise<void> {
    for (const { id } of await this.#deps.store.notPaused()) await this.#updateStateOf(id)
  }

  async #updateStateOf(id: string): Promise<void> {
    const { store, clock, log } = this.#deps
    const endpoint = await store.endpoint(null, id)
    if (endpoint === null) return
    const next = updateState(endpoint, await store.stats(endpoint, clock.now()))
    if (next.state === endpoint.state) return
    const now = clock.now()
    await store.change({ ...next, updatedAt: now }, now, pauseNotice(endpoint, next, now))
    log.warn({ endpoint: id, state: next.state }, 'the state of a webhook endpoint changed')
  }

  /**
   * Waits until the next delivery is due, at most ten minutes, or until something changed.
   * @param startedAt instant whose due deliveries were started
   */
  async #sleepUntilDue(startedAt: Millis, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#deps
    const dueAt = await store.nextDue()
    // What was due then waits in a full queue for the end of an attempt.
    const isDueLater = dueAt !== null && dueAt > startedAt
    const wait = isDueLater ? Math.max(0, dueAt - clock.now()) : HEALTH_INTERVAL
    if (this.#isWoken || signal.aborted) return
    const abortController = new AbortController()
    const woken = new Promise<void>((resolve) => (this.#wakeUp = resolve))
    await Promise.race([
      woken,
      sleepUnless(
        AbortSignal.any([signal, abortController.signal]),
        clock,
        Math.min(wait, HEALTH_INTERVAL),
      ),
    ])
    abortController.abort()
  }
}

/** Deliveries of one queue are attempted two at a time. */
const queueOf = ({ endpointId, channel, userId }: Delivery): string =>
  endpointId ?? `${channel}:${userId}`

const failedAttempt = (error: string): AttemptResult => ({
  status: null,
  error,
  durationMs: 0,
  responseExcerpt: null,
  retryAfterMs: null,
})

const PAUSE_TEXTS = {
  gone: 'it answered 410 Gone',
  failure_rate: 'more than half of its deliveries of 24 hours were answered with 5xx',
  user: 'on request',
}

/** The notice of an endpoint that its failures paused; null when they did not. */
function pauseNotice(
  before: WebhookEndpoint | null,
  { userId, label, state, pausedReason }: WebhookEndpoint,
  now: Millis,
): Delivery | null {
  if (before?.state === 'paused' || state !== 'paused' || pausedReason === null) return null
  const message = `Webhook endpoint ${label} paused: ${PAUSE_TEXTS[pausedReason]}`
  return plainNotice({ userId, ruleId: null }, message, now)
}

/** The endpoint with its last result; one that answers 410 is paused. */
function endpointAfterAttempt(
  endpoint: WebhookEndpoint,
  delivery: Delivery,
  { status }: AttemptResult,
  now: Millis,
): WebhookEndpoint {
  if (delivery.isTest) return endpoint
  const updatedEndpoint = { ...endpoint, lastDeliveryAt: now, lastStatus: status }
  return status === GONE && endpoint.state !== 'paused'
    ? { ...updatedEndpoint, state: 'paused', pausedReason: 'gone', updatedAt: now }
    : updatedEndpoint
}
