import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { silentLogger } from '../../lib/logger.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import { createEventOutbox } from '../../state/event-outbox.ts'
import { openState, type State } from '../../state/open.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { selfSigned, startHttpsReceiver, type HttpsReceiver } from '../../testing/https-receiver.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import { createUrlPolicy } from './url-policy.ts'
import { createSendWebhook } from './webhook-request.ts'
import { secretsOf } from './endpoint-secrets.ts'
import { createWebhooksService } from './webhooks.service.ts'
import { createWebhooksStore } from './webhooks.store.ts'
import { addUser } from '../../testing/users.ts'

const USER = 'user_1'
const KEY = 'k'.repeat(43)
const installationKey = () => KEY

let folder: string
let state: State
let clock: FakeClock
let receiver: HttpsReceiver
let running: ReturnType<typeof start>

/** Queue and service over the store, as after a start of the process. */
function start(isReplay = false, storeOf = createWebhooksStore) {
  const stop = new AbortController()
  const outbox = createEventOutbox(isReplay)
  const store = storeOf(state)
  const policy = createUrlPolicy({ allowLoopback: true, ownAddresses: ['http://127.0.0.1:1'] })
  const send = createSendWebhook({ policy, clock, extraAuthorities: receiver.certificate })
  const endedDeliveries: Delivery[] = []
  const onEnded = (delivery: Delivery) => void endedDeliveries.push(delivery)
  const log = silentLogger
  const channels = {}
  const parts = {
    store,
    send,
    channels,
    secretsOf: secretsOf(installationKey),
    onEnded,
    clock,
    log,
  }
  const queue = new DeliveryQueue(parts)
  outbox.onWake(() => queue.wake())
  const service = createWebhooksService({
    store,
    queue,
    policy,
    userQueue: new PerUserQueue(),
    installationKey,
    onRemoved: () => Promise.resolve(),
    isReplay,
    clock,
  })
  const done = queue.run(stop.signal)
  return {
    store,
    queue,
    service,
    endedDeliveries,
    publish: async (title = 'a market') => {
      await state.transaction().execute((transaction) =>
        outbox.publish(transaction, {
          id: `evt_${title}`,
          userId: USER,
          type: 'alert.fired',
          createdAt: clock.now(),
          data: { title },
          message: title,
          ruleId: null,
          ticker: null,
        }),
      )
      outbox.wake()
    },
    async stop() {
      stop.abort()
      await done
    },
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-webhooks-'))
  state = await openState(join(folder, 'state.sqlite'))
  clock = new FakeClock()
  receiver = await startHttpsReceiver()
  await addUser(state, USER)
  running = start()
})
afterEach(async () => {
  await running.stop()
  await receiver.close()
  await state.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const deliveriesOf = async (id: string) =>
  (
    await running.service.deliveries(
      USER,
      id,
      { status: null, event: null, since: null },
      { limit: 50, cursor: null },
    )
  ).data
const untilReceived = (count: number) =>
  vi.waitFor(() => expect(receiver.received).toHaveLength(count), { timeout: 30_000, interval: 5 })
const untilStatus = (id: string, status: string) =>
  vi.waitFor(
    async () => {
      const found = await deliveriesOf(id)
      expect(found.length).toBeGreaterThan(0)
      for (const delivery of found) expect(delivery.status).toBe(status)
    },
    { timeout: 30_000, interval: 5 },
  )
/** Whether the newest attempts have ended and the next one waits for its time. */
const untilWaiting = (id: string, attempts: number) =>
  vi.waitFor(
    async () => {
      const [delivery] = await deliveriesOf(id)
      expect(delivery).toMatchObject({ attempts, lastStatus: 500 })
      const { attemptLog } = await running.service.delivery(USER, id, delivery?.id ?? '')
      expect(attemptLog.at(-1)?.status).toBe(500)
    },
    { timeout: 30_000, interval: 5 },
  )
const isSigned = (index: number, secret: string): boolean => {
  const { headers, body } = receiver.received[index] ?? { headers: {}, body: '' }
  const signature = String(headers['x-svc-signature'])
  const time = /^t=(\d+)/.exec(signature)?.[1] ?? ''
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return signature.split(',').includes(`v1=${expected}`)
}

describe('a webhook', () => {
  it('[webhooks.delivery.signed] is sent once, signed, with the bytes that are stored', async () => {
    const { id, secret } = await running.service.create(USER, { url: receiver.url })
    expect(secret).toMatch(/^whsec_[\w-]{43}$/)
    await running.publish('“Fed”: 25 bps €')
    await untilStatus(id, 'delivered')
    const [delivery] = await deliveriesOf(id)
    const [sent] = receiver.received
    expect(receiver.received).toHaveLength(1)
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Augury-Webhook/1',
      'x-svc-endpoint-id': id,
      'x-svc-delivery-id': delivery?.id,
      'x-svc-event': 'alert.fired',
    })
    expect(isSigned(0, secret)).toBe(true)
    expect(isSigned(0, 'whsec_other')).toBe(false)
    const body = JSON.parse(sent?.body ?? '') as object
    expect(body).toMatchObject({ deliveryId: delivery?.id, data: { title: '“Fed”: 25 bps €' } })
    const stored = await running.service.delivery(USER, id, delivery?.id ?? '')
    expect(stored.body).toEqual(body)
    const attempt = { n: 1, status: 204, error: null, responseExcerpt: '' }
    expect(stored.attemptLog).toEqual([expect.objectContaining(attempt)])
    const row = await state.selectFrom('webhook_endpoint').select('record').executeTakeFirst()
    expect(row?.record).not.toContain(secret)
  })

  it('[webhooks.secret.rotation] is signed with both secrets until the old one ends', async () => {
    const { id, secret } = await running.service.create(USER, { url: receiver.url })
    const rotated = await running.service.rotate(USER, id, { graceSeconds: 60 })
    await running.publish('one')
    await untilReceived(1)
    expect([isSigned(0, secret), isSigned(0, rotated.secret)]).toEqual([true, true])
    await clock.advance(61 * SECOND)
    await running.publish('two')
    await untilReceived(2)
    expect([isSigned(1, secret), isSigned(1, rotated.secret)]).toEqual([false, true])
    const last = await running.service.rotate(USER, id, { graceSeconds: 0 })
    expect(last.previousSecretExpiresAt).toBeNull()
    await running.publish('three')
    await untilReceived(3)
    expect([isSigned(2, rotated.secret), isSigned(2, last.secret)]).toEqual([false, true])
  })

  it('[webhooks.attempts.restart] is retried by its schedule, over a restart in the middle', async () => {
    receiver.answer = (response) => response.writeHead(500).end('broken')
    const { id } = await running.service.create(USER, { url: receiver.url })
    await running.publish()
    await untilReceived(1)
    await untilWaiting(id, 1)
    for (const [index, wait] of [1, 4].entries()) {
      await clock.advance(wait * SECOND - 1)
      expect(receiver.received).toHaveLength(index + 1)
      await clock.advance(1)
      await untilReceived(index + 2)
      await untilWaiting(id, index + 2)
    }
    await running.stop()
    running = start()
    // Overdue ones go at once.
    await clock.advance(60 * SECOND)
    await untilReceived(4)
    await untilWaiting(id, 4)
    receiver.answer = (response) => response.writeHead(200).end('fine')
    await clock.advance(64 * SECOND)
    await untilStatus(id, 'delivered')
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  it('is retried in time when it becomes due while the queue reads what is due', async () => {
    await running.stop()
    let isSlow = false
    running = start(false, (from) => {
      const store = createWebhooksStore(from)
      return {
        ...store,
        async nextDue() {
          const due = await store.nextDue()
          if (isSlow) await clock.sleepThrough(2 * SECOND)
          isSlow = false
          return due
        },
      }
    })
    const { id } = await running.service.create(USER, { url: receiver.url })
    receiver.answer = (response) => {
      isSlow = receiver.received.length === 1
      response.writeHead(500).end('broken')
    }
    await running.publish()
    await untilReceived(1)
    await untilWaiting(id, 1)
    await vi.waitFor(
      async () => {
        await clock.advance(0)
        expect(receiver.received).toHaveLength(2)
      },
      { timeout: 5_000, interval: 5 },
    )
  })

  it.each(['seconds', 'a date'])('waits as long as Retry-After in %s states', async (form) => {
    const { id } = await running.service.create(USER, { url: receiver.url })
    const dueAt = new Date(clock.now() + 30 * SECOND)
    const header = form === 'seconds' ? '30' : dueAt.toUTCString()
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': header }).end()
    await running.publish()
    await vi.waitFor(async () => {
      const [delivery] = await deliveriesOf(id)
      const nextAttemptAt = dueAt.toISOString()
      expect(delivery).toMatchObject({ attempts: 1, lastStatus: 503, nextAttemptAt })
    })
    await clock.advance(30 * SECOND)
    await untilReceived(2)
  })

  it('counts as interrupted when the service stops during the request', async () => {
    const release = Promise.withResolvers<void>()
    receiver.answer = () => release.resolve()
    const { id } = await running.service.create(USER, { url: receiver.url })
    await running.publish()
    await release.promise
    await running.stop()
    receiver.answer = (response) => response.writeHead(204).end()
    running = start()
    await clock.advance(2 * SECOND)
    await untilStatus(id, 'delivered')
    const [delivery] = await deliveriesOf(id)
    const { attemptLog } = await running.service.delivery(USER, id, delivery?.id ?? '')
    expect(attemptLog.map(({ error }) => error)).toEqual(['interrupted', null])
  })

  it('[webhooks.endpoint.isolation] is not delayed by an endpoint that never answers', async () => {
    let atOnce = 0
    let max = 0
    const slow = await startHttpsReceiver()
    slow.answer = () => {
      atOnce += 1
      max = Math.max(max, atOnce)
    }
    await running.service.create(USER, { url: slow.url, label: 'slow' })
    const { id } = await running.service.create(USER, { url: receiver.url, label: 'fast' })
    for (let n = 0; n < 5; n += 1) await running.publish(`event ${n}`)
    await untilReceived(5)
    await untilStatus(id, 'delivered')
    await vi.waitFor(() => expect(max).toBe(2), { timeout: 30_000 })
    expect(slow.received).toHaveLength(2)
    await slow.close()
  })

  it('[webhooks.endpoint.isolation] is not delayed by ten endpoints that never answer', async () => {
    const dead = await startHttpsReceiver()
    const { id } = await running.service.create(USER, { url: receiver.url, label: 'fast' })
    await running.publish('before')
    await untilStatus(id, 'delivered')
    dead.answer = (response) => response.writeHead(500).end()
    for (let n = 0; n < 10; n += 1) {
      await running.service.create(USER, { url: dead.url, label: `dead ${n}` })
    }
    await running.publish('they fail')
    await vi.waitFor(() => expect(dead.received).toHaveLength(10), { timeout: 30_000 })
    // From now on their requests hang, and every place that they may have is taken.
    dead.answer = () => {}
    await clock.advance(2 * SECOND)
    await vi.waitFor(() => expect(dead.received).toHaveLength(14), { timeout: 30_000 })
    for (let n = 0; n < 5; n += 1) await running.publish(`event ${n}`)
    await untilReceived(7)
    expect(dead.received).toHaveLength(14)
    await dead.close()
  })

  it('[webhooks.endpoint.isolation] is retried in its turn while others are always busy', async () => {
    const failing = await startHttpsReceiver()
    failing.answer = (response) => response.writeHead(500).end()
    const failed = await running.service.create(USER, { url: failing.url, label: 'failing' })
    for (let n = 0; n < 4; n += 1) {
      await running.service.create(USER, { url: receiver.url, label: `busy ${n}` })
    }
    await running.publish('before')
    await untilReceived(4)
    await untilWaiting(failed.id, 1)
    await running.service.change(USER, failed.id, { events: ['alert.paused'] })
    const held: (() => void)[] = []
    receiver.answer = (response) => void held.push(() => response.writeHead(204).end())
    for (let n = 0; n < 3; n += 1) await running.publish(`early ${n}`)
    await untilReceived(12)
    await clock.advance(1 * SECOND)
    for (let n = 0; n < 6; n += 1) await running.publish(`late ${n}`)
    // What is older than the retry ends, one by one; the others take its places but one.
    for (let n = 1; n <= 12; n += 1) {
      held.shift()?.()
      await vi.waitFor(() => expect(held).toHaveLength(8), { timeout: 30_000, interval: 5 })
    }
    expect(failing.received).toHaveLength(2)
    for (const end of held) end()
    receiver.answer = (response) => response.writeHead(204).end()
    await failing.close()
  })

  it('is a failure when it is redirected, and 410 pauses the endpoint', async () => {
    receiver.answer = (response) => response.writeHead(301, { location: receiver.url }).end()
    const { id } = await running.service.create(USER, { url: receiver.url })
    expect(await running.service.test(USER, id)).toMatchObject({ ok: false, status: 301 })
    expect(receiver.received).toHaveLength(1)
    receiver.answer = (response) => response.writeHead(410).end()
    await running.publish()
    await vi.waitFor(
      async () =>
        expect(await running.service.byId(USER, id)).toMatchObject({
          state: 'paused',
          pausedReason: 'gone',
        }),
      { timeout: 30_000, interval: 5 },
    )
    // While it is paused, events are stored for a replay.
    await running.publish('later')
    const [delivery] = await deliveriesOf(id)
    expect(delivery).toMatchObject({ status: 'failed', lastError: 'endpoint_paused', attempts: 0 })
    await expect(running.service.replayOne(USER, id, delivery?.id ?? '')).rejects.toThrow(
      'endpoint is paused',
    )
    receiver.answer = (response) => response.writeHead(200).end()
    await running.service.resume(USER, id)
    expect(await running.service.replayAll(USER, id, { since: '1h' })).toEqual({ queued: 3 })
    await vi.waitFor(
      async () =>
        expect((await deliveriesOf(id)).map(({ status }) => status)).toContain('delivered'),
      { timeout: 30_000, interval: 5 },
    )
  })

  it('pauses an endpoint that answers 5xx to more than half of ten deliveries', async () => {
    receiver.answer = (response) => response.writeHead(500).end()
    const { id } = await running.service.create(USER, { url: receiver.url })
    for (let n = 0; n < 10; n += 1) await running.publish(`event ${n}`)
    await vi.waitFor(
      async () =>
        expect(await running.service.byId(USER, id)).toMatchObject({
          state: 'paused',
          pausedReason: 'failure_rate',
        }),
      { timeout: 60_000, interval: 5 },
    )
    for (const { status } of await deliveriesOf(id)) expect(status).toBe('failed')
    const notices = await state.selectFrom('delivery').selectAll().where('event', '=', '').execute()
    expect(notices.map(({ channel, record }) => [channel, record])).toEqual([
      ['desktop', expect.stringContaining('paused: more than half of its deliveries')],
    ])
  })

  it('is not sent from a replay of history', async () => {
    await running.stop()
    running = start(true)
    const { id } = await running.service.create(USER, { url: receiver.url })
    await running.publish()
    await running.queue.waitUntilSettled()
    const tested = await running.service.test(USER, id)
    expect(tested).toMatchObject({ ok: false, error: 'a replay of history sends nothing' })
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual([
      'suppressed',
      'suppressed',
    ])
    expect(receiver.received).toEqual([])
  })

  it('fails for certificates that no authority signed, and ends with its endpoint', async () => {
    const other = await startHttpsReceiver(selfSigned())
    const { id } = await running.service.create(USER, { url: other.url })
    const tested = await running.service.test(USER, id)
    expect(tested).toMatchObject({ ok: false, status: null })
    expect(tested.error).toMatch(/certificate/)
    await running.publish()
    await vi.waitFor(async () => expect((await deliveriesOf(id))[0]?.attempts).toBe(1), {
      timeout: 30_000,
    })
    await running.service.remove(USER, id)
    const rows = await state.selectFrom('delivery').select(['status', 'record']).execute()
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'failed'])
    expect(rows.some(({ record }) => record.includes('endpoint_deleted'))).toBe(true)
    await clock.advance(10 * MINUTE)
    expect(other.received).toEqual([])
    await other.close()
  })

  it('waits no longer than its own delay when the clock is set back', async () => {
    receiver.answer = (response) => response.writeHead(500).end()
    const { id } = await running.service.create(USER, { url: receiver.url })
    await running.publish()
    await untilWaiting(id, 1)
    const [delivery] = await running.store.deliveries(
      id,
      { status: null, event: null, since: null },
      null,
      1,
    )
    const later = ((delivery?.nextAttemptAt ?? 0) + 60 * MINUTE) as Millis
    await running.store.write([{ ...(delivery as Delivery), nextAttemptAt: later }])
    running.queue.wake()
    await vi.waitFor(
      async () => {
        await clock.advance(1 * SECOND)
        expect(receiver.received.length).toBeGreaterThan(1)
      },
      { timeout: 30_000 },
    )
  })
})
