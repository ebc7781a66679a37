import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeliveryQueue } from '../backend/features/webhooks/delivery-queue.ts'
import { secretsOf } from '../backend/features/webhooks/endpoint-secrets.ts'
import { createUrlPolicy } from '../backend/features/webhooks/url-policy.ts'
import { createSendWebhook } from '../backend/features/webhooks/webhook-request.ts'
import { createWebhooksService } from '../backend/features/webhooks/webhooks.service.ts'
import { createWebhooksStore } from '../backend/features/webhooks/webhooks.store.ts'
import { systemClock as clock } from '../backend/lib/clock.ts'
import { silentLogger as log } from '../backend/lib/logger.ts'
import { PerUserQueue } from '../backend/lib/per-user-queue.ts'
import { createEventOutbox } from '../backend/state/event-outbox.ts'
import { openState } from '../backend/state/open.ts'
import { startHttpsReceiver } from '../backend/testing/https-receiver.ts'
import { addUser } from '../backend/testing/users.ts'
import type { BenchRow } from './bench-row.ts'
import { inTurns, median } from './rounds.ts'

const USER = 'usr_bench'
const DEAD = 10
const EVENTS = 10
const ROUNDS = 9
const installationKey = (): string => 'k'.repeat(43)

/** Webhooks: a receiver that answers, beside ten that never do. */
export async function benchWebhooks(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-'))
  try {
    const [beside, alone] = [
      await openReceivers(join(folder, 'beside.sqlite'), DEAD),
      await openReceivers(join(folder, 'alone.sqlite'), 0),
    ]
    const { ours, baseline, ratio, spread } = await inTurns(
      () => beside.deliver(),
      () => alone.deliver(),
      ROUNDS,
    )
    await beside.close()
    await alone.close()
    return [
      {
        name: `stored event to a receiver beside ${DEAD} that never answer, against alone`,
        ours: Math.round(ours * 100) / 100,
        baseline: Math.round(baseline * 100) / 100,
        unit: 'ms',
        ratio,
        goal: '≤ 1.1 ×',
        note: `${ROUNDS} rounds of ${EVENTS} events, ratio spread ${(spread * 100).toFixed(0)} %`,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A user with one receiver that answers, and so many whose connections stay open. */
async function openReceivers(path: string, deadReceivers: number) {
  const state = await openState(path)
  await addUser(state, USER)
  const [healthy, dead] = [await startHttpsReceiver(), await startHttpsReceiver()]
  dead.answer = () => {}
  const outbox = createEventOutbox(false)
  const store = createWebhooksStore(state)
  const policy = createUrlPolicy({ allowLoopback: true, ownAddresses: ['http://127.0.0.1:1'] })
  const send = createSendWebhook({ policy, clock, extraAuthorities: healthy.certificate })
  const queue = new DeliveryQueue({
    store,
    send,
    channels: {},
    secretsOf: secretsOf(installationKey),
    onEnded: () => {},
    clock,
    log,
  })
  outbox.onWake(() => queue.wake())
  const service = createWebhooksService({
    store,
    queue,
    policy,
    userQueue: new PerUserQueue(),
    installationKey,
    onRemoved: () => Promise.resolve(),
    isReplay: false,
    clock,
  })
  const stop = new AbortController()
  const running = queue.run(stop.signal)
  let events = 0
  /** Time from a stored event to its arrival. */
  const publish = async (): Promise<number> => {
    const got = healthy.received.length + 1
    events += 1
    const event = {
      id: `evt_${events}`,
      userId: USER,
      type: 'alert.fired' as const,
      createdAt: clock.now(),
      data: { title: 'bench' },
      message: 'bench',
      ruleId: null,
      ticker: null,
    }
    const arrived = new Promise<void>((resolve) => {
      healthy.answer = (response) => {
        response.writeHead(204).end()
        if (healthy.received.length >= got) resolve()
      }
    })
    await state.transaction().execute((transaction) => outbox.publish(transaction, event))
    const began = performance.now()
    outbox.wake()
    await arrived
    return performance.now() - began
  }
  await service.create(USER, { url: healthy.url, label: 'healthy' })
  await publish()
  for (let n = 0; n < deadReceivers; n += 1) {
    await service.create(USER, { url: dead.url, label: `dead ${n}` })
  }
  await publish()
  return {
    async deliver(): Promise<number> {
      const spans: number[] = []
      for (let n = 0; n < EVENTS; n += 1) spans.push(await publish())
      return median(spans)
    },
    async close() {
      stop.abort()
      await running
      await Promise.all([healthy.close(), dead.close()])
      await state.destroy()
    },
  }
}
