import { beforeEach, expect, it } from 'vitest'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { silentLogger } from '../../lib/logger.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import { deliveryOf } from '../../state/delivery-rows.ts'
import { createEventOutbox } from '../../state/event-outbox.ts'
import type { State } from '../../state/open.ts'
import { objectAt, ruleAt, stateWithUser, USER } from '../../testing/alert-rules.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { AlertIndex } from './alert-index.ts'
import { AlertRunner } from './alert-runner.ts'
import { createWatchStore, type WatchStore } from './watch.store.ts'

const clock = new FakeClock()
const rule = ruleAt(clock.now(), { channel: 'webhook', endpointId: 'we_1' })

let state: State
let store: WatchStore
let runner: AlertRunner
let userQueue: PerUserQueue
beforeEach(async () => {
  state = await stateWithUser()
  store = createWatchStore(state, createEventOutbox(false))
  await store.put(objectAt(clock.now()), rule)
  userQueue = new PerUserQueue()
  runner = new AlertRunner({
    store,
    index: new AlertIndex(),
    userQueue,
    // The end of a delivery reads no market.
    board: {} as MarketBoard,
    regimeOf: () => null,
    flushWebhooks: () => {},
    clock,
    log: silentLogger,
  })
  return () => state.destroy()
})

const end = async (...outcomes: ('delivered' | 'failed')[]): Promise<void> => {
  for (const status of outcomes) {
    const ended: Partial<Delivery> = {
      userId: USER,
      ruleId: rule.id,
      endpointId: 'we_1',
      channel: 'webhook',
    }
    runner.recordEnd({ ...ended, isTest: false, status } as Delivery)
  }
  await userQueue.idle()
}
const stored = () => store.rule(USER, rule.id)

it('[webhooks.alert.paused] pauses a rule after five failed deliveries in a row, with a notice', async () => {
  await end('failed', 'failed', 'failed', 'failed', 'delivered')
  expect(await stored()).toMatchObject({ state: 'active', failureCount: 0 })
  await end('failed', 'failed', 'failed', 'failed')
  expect(await stored()).toMatchObject({ state: 'active', failureCount: 4 })
  await end('failed')
  expect(await stored()).toMatchObject({
    state: 'paused',
    pausedReason: 'endpoint_consecutive_failures',
    failureCount: 5,
    endpointId: 'we_1',
  })
  const rows = await state.selectFrom('delivery').select('record').execute()
  expect(rows.map(deliveryOf)).toEqual([
    expect.objectContaining({
      event: 'alert.paused',
      channel: 'desktop',
      message: 'Alert ≥ 70¢ paused: 5 firings in a row failed',
    }),
  ])
})

it('does not count failures of other endpoints that receive the event, or of a channel before', async () => {
  const other: Partial<Delivery> = {
    userId: USER,
    ruleId: rule.id,
    endpointId: 'we_2',
    channel: 'webhook',
  }
  runner.recordEnd({ ...other, isTest: false, status: 'failed' } as Delivery)
  const earlier: Partial<Delivery> = { userId: USER, ruleId: rule.id, endpointId: null }
  runner.recordEnd({ ...earlier, channel: 'email', isTest: false, status: 'failed' } as Delivery)
  await userQueue.idle()
  expect(await stored()).toMatchObject({ failureCount: 0 })
})

it('pauses the rules of a deleted endpoint, with a notice, and leaves archived ones', async () => {
  const archived = { ...rule, id: 'ar_archived', state: 'archived' } as const
  await store.put(null, archived)
  await runner.pauseRulesOfEndpoint(USER, 'we_1')
  expect(await stored()).toMatchObject({ state: 'paused', pausedReason: 'endpoint_gone' })
  expect(await store.rule(USER, archived.id)).toEqual(archived)
  const rows = await state.selectFrom('delivery').select('record').execute()
  expect(rows.map(deliveryOf)).toMatchObject([{ ruleId: rule.id }])
})
