import { describe, expect, it } from 'vitest'
import { HOUR, SECOND, type Millis } from '../units.ts'
import {
  attemptClosed,
  attemptOpened,
  replayDelivery,
  RETRY_WAITS,
  type AttemptResult,
  type Delivery,
} from './delivery.ts'
import {
  failureRate,
  updateState,
  resumeEndpoint,
  type EndpointStats,
  type WebhookEndpoint,
} from './endpoint.ts'
import { payloadOf, type OutgoingEvent } from './payload.ts'

const at = (seconds: number): Millis => (seconds * SECOND) as Millis
const pending: Delivery = {
  id: 'del_1',
  userId: 'u',
  eventId: 'evt_1',
  event: 'alert.fired',
  channel: 'webhook',
  endpointId: 'we_1',
  ruleId: null,
  ticker: null,
  status: 'pending',
  attempts: 0,
  attemptsBefore: 0,
  nextAttemptAt: at(0),
  waitMs: 0,
  lastStatus: null,
  lastError: null,
  isTest: false,
  replayOf: 0,
  message: 'm',
  dedupeKey: null,
  createdAt: at(0),
  finishedAt: null,
}
const answered = (status: number | null, more: Partial<AttemptResult> = {}): AttemptResult => ({
  status,
  error: status === null ? 'refused' : `HTTP ${status}`,
  durationMs: 0,
  responseExcerpt: null,
  retryAfterMs: null,
  ...more,
})
/** The delivery after attempts that take no time, and the seconds at which they started. */
function attempted(delivery: Delivery, result: AttemptResult): [Delivery, number[]] {
  let one = delivery
  const starts: number[] = []
  while (one.status === 'pending' && starts.length < 20) {
    const start = one.nextAttemptAt ?? at(0)
    starts.push(start / SECOND)
    one = attemptClosed(attemptOpened(one, start), result, start)
  }
  return [one, starts]
}

describe('attempts of a delivery', () => {
  it('[webhooks.attempts.schedule] follow at 1, 4, 16, 64 and 256 s, then it has failed', () => {
    const [failed, starts] = attempted(pending, answered(500))
    expect(starts).toEqual([0, 1, 5, 21, 85, 341])
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 6,
      lastStatus: 500,
      lastError: 'HTTP 500',
      nextAttemptAt: null,
      finishedAt: at(341),
    })
    const [again, restarts] = attempted(replayDelivery(failed, at(1_000)), answered(null))
    expect(restarts).toEqual([1_000, 1_001, 1_005, 1_021, 1_085, 1_341])
    expect(again).toMatchObject({ status: 'failed', attempts: 12, replayOf: 1, lastStatus: null })
  })

  it.each([
    ['a 2xx delivers', answered(204), 'delivered', null],
    ['a redirect is a failure and is retried', answered(301), 'pending', 1_000],
    ['410 is not retried', answered(410), 'failed', null],
    ['Retry-After lengthens a wait', answered(429, { retryAfterMs: 90_000 }), 'pending', 90_000],
    ['by an hour at most', answered(503, { retryAfterMs: 9e9 }), 'pending', HOUR],
    ['and never shortens it', answered(503, { retryAfterMs: 0 }), 'pending', 1_000],
  ] as const)('%s', (_, result, status, waits) => {
    const closed = attemptClosed(attemptOpened(pending, at(0)), result, at(7))
    expect(closed.status).toBe(status)
    expect(closed.nextAttemptAt).toBe(waits === null ? null : at(7) + waits)
  })

  it('are stored with the next one before the request, so that a crash follows the schedule', () => {
    expect(attemptOpened(pending, at(3))).toMatchObject({ attempts: 1, nextAttemptAt: at(4) })
    const last = { ...pending, attempts: RETRY_WAITS.length }
    expect(attemptOpened(last, at(3))).toMatchObject({ attempts: 6, waitMs: 0 })
  })

  it('are one only for a test', () => {
    const test = attemptOpened({ ...pending, isTest: true }, at(0))
    expect(test.nextAttemptAt).toBeNull()
    expect(attemptClosed(test, answered(500), at(0)).status).toBe('failed')
  })
})

const endpoint: WebhookEndpoint = {
  id: 'we_1',
  userId: 'u',
  url: 'https://example.com/',
  label: 'example.com',
  events: ['alert.fired'],
  thesisId: null,
  state: 'active',
  pausedReason: null,
  secrets: [],
  windowFrom: at(0),
  lastDeliveryAt: null,
  lastStatus: null,
  createdAt: at(0),
  updatedAt: at(0),
}
const stats = (attempts: number, http5xx: number, networkErrors: number): EndpointStats => ({
  attempts,
  delivered: attempts - http5xx - networkErrors,
  http5xx,
  networkErrors,
  deliveries: attempts,
  deliveries5xx: http5xx,
})

describe('the state of an endpoint [webhooks.endpoint.states]', () => {
  it.each([
    ['nine attempts say nothing', stats(9, 9, 0), 'active'],
    ['19 % of failures', stats(100, 10, 9), 'active'],
    ['20 % of failures', stats(100, 10, 10), 'degraded'],
    ['network errors never pause', stats(10, 0, 10), 'degraded'],
    ['5xx on half of the deliveries', stats(10, 5, 0), 'degraded'],
    ['5xx on more than half', stats(10, 6, 0), 'paused'],
  ] as const)('%s', (_, counted, state) => {
    expect(updateState(endpoint, counted).state).toBe(state)
  })

  it('recovers by itself from degraded, and by a person from paused', () => {
    expect(updateState({ ...endpoint, state: 'degraded' }, stats(10, 1, 0)).state).toBe('active')
    const paused = { ...endpoint, state: 'paused', pausedReason: 'failure_rate' } as const
    expect(updateState(paused, stats(10, 0, 0))).toBe(paused)
    const back = { state: 'active', pausedReason: null, windowFrom: at(9) }
    expect(resumeEndpoint(paused, at(9))).toMatchObject(back)
  })

  it('has no failure rate without attempts', () => {
    expect(failureRate(stats(0, 0, 0))).toBeNull()
    expect(failureRate(stats(4, 1, 1))).toBe(0.5)
  })
})

describe('the body of a delivery', () => {
  const event = (title: string): OutgoingEvent => ({
    id: 'evt_1',
    userId: 'u',
    type: 'thesis.killed',
    createdAt: at(0),
    data: { thesisId: 't', title, list: [{ title }] },
    message: 'm',
    ruleId: null,
    ticker: null,
  })

  it('is complete up to 20 kB', () => {
    const body = payloadOf(event('é'.repeat(1_000)), 'del_1', 'we_1')
    expect(JSON.parse(body)).toEqual({
      id: 'evt_1',
      type: 'thesis.killed',
      createdAt: '1970-01-01T00:00:00.000Z',
      deliveryId: 'del_1',
      endpointId: 'we_1',
      data: event('é'.repeat(1_000)).data,
    })
  })

  it.each(['x', 'é', '€', '😀'])('is cut to 20 kB by its texts (%s)', (character) => {
    const body = payloadOf(event(character.repeat(30_000)), 'del_1', 'we_1')
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000)
    const cut = JSON.parse(body) as {
      truncated: boolean
      data: { thesisId: string; title: string }
    }
    expect(cut).toMatchObject({ truncated: true, data: { thesisId: 't' } })
    expect(cut.data.title.length).toBeGreaterThan(100)
    expect(cut.data.title.isWellFormed()).toBe(true)
  })
})
