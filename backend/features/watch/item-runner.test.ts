import { beforeEach, describe, expect, it } from 'vitest'
import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import type { AlertItem } from '../../domain/alerts/alert-item.ts'
import { DAY, SECOND, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import { deliveryOf } from '../../state/delivery-rows.ts'
import { createEventOutbox } from '../../state/event-outbox.ts'
import type { State } from '../../state/open.ts'
import { objectAt, ruleAt, stateWithUser, USER } from '../../testing/alert-rules.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { ItemRunner } from './item-runner.ts'
import { createWatchStore, type WatchStore } from './watch.store.ts'

let clock: FakeClock
let state: State
let store: WatchStore
let items: AlertItem[]
let status: MarketView['status']
let runner: ItemRunner

const newRunner = () =>
  new ItemRunner({
    store,
    userQueue: new PerUserQueue(),
    sources: [
      {
        kinds: ['news'],
        itemsBetween: (from, until) =>
          Promise.resolve(items.filter(({ at }) => at > from && at <= until)),
      },
    ],
    board: { live: () => ({ get: () => ({ status }) }) } as unknown as MarketBoard,
    flushWebhooks: () => {},
    clock,
    log: silentLogger,
  })
const RULE = {
  condition: 'semantic_match',
  threshold: 0.75,
  match: 'fed cut',
  windowSeconds: 60,
} as const

beforeEach(async () => {
  clock = new FakeClock()
  state = await stateWithUser()
  store = createWatchStore(state, createEventOutbox(false))
  items = []
  status = 'active'
  await store.put(objectAt(clock.now()), ruleAt(clock.now(), { ...RULE, label: 'Like fed cut' }))
  runner = newRunner()
  return () => state.destroy()
})

const publish = (title: string, at: Millis = clock.now()): void => {
  const more = { text: '', source: 'wire', url: null, tickers: [], topics: [], refs: [] }
  items.push({ id: `${title}-${at}`, kind: 'news', title, at, ...more })
}
/** Publishes after a time, and evaluates. */
const later = async (span: number, ...titles: readonly string[]): Promise<void> => {
  await clock.advance(span)
  for (const title of titles) publish(title)
  await runner.evaluateDue()
}
const messages = async (): Promise<string[]> => {
  const rows = await state.selectFrom('delivery').select('record').orderBy('created_at').execute()
  return rows.map((row) => deliveryOf(row).message)
}
const stored = () => store.rule(USER, 'ar_1')

describe('a rule on items', () => {
  it('[alerts.items.once] fires once for each new item that meets it, also after a restart', async () => {
    await later(30 * SECOND, 'Fed cuts rates', 'Rain in Lisbon')
    await later(30 * SECOND)
    runner = newRunner()
    await later(30 * SECOND)
    expect(await messages()).toEqual(['Like fed cut: Fed cuts rates (wire)'])
    await later(30 * SECOND, 'A cut by the Fed')
    expect(await messages()).toHaveLength(2)
    expect(await stored()).toMatchObject({ fireCount: 2, suppressedCount: 0 })
  })

  it('[alerts.items.window] counts further items within its window, and does not queue them', async () => {
    await later(30 * SECOND, 'Fed cut one', 'Fed cut two')
    await later(30 * SECOND, 'Fed cut three')
    await later(90 * SECOND)
    expect(await messages()).toEqual(['Like fed cut: Fed cut one (wire)'])
    expect(await stored()).toMatchObject({ fireCount: 1, suppressedCount: 2 })
  })

  it('[alerts.items.before] fires for nothing from before the rule, or before it was resumed', async () => {
    publish('Fed cut at its creation')
    await later(30 * SECOND)
    const rule = await stored()
    await store.put(null, { ...ruleAt(clock.now(), rule ?? {}), state: 'paused' })
    await later(30 * SECOND, 'Fed cut while paused')
    await store.put(null, { ...ruleAt(clock.now(), rule ?? {}), itemsFrom: clock.now() })
    await later(30 * SECOND)
    expect(await messages()).toEqual([])
    await later(30 * SECOND, 'Fed cut now')
    expect(await messages()).toHaveLength(1)
  })

  it('forgets items after 90 days', async () => {
    await later(30 * SECOND, 'Fed cut')
    expect(await store.itemsOf('ar_1')).toHaveProperty('size', 1)
    await later(91 * DAY)
    expect(await store.itemsOf('ar_1')).toHaveProperty('size', 0)
    expect(await messages()).toHaveLength(1)
  })

  it('is archived after a last check when its market has settled', async () => {
    status = 'settled'
    await later(30 * SECOND, 'Fed cut')
    expect(await messages()).toHaveLength(1)
    expect(await stored()).toMatchObject({ state: 'archived', fireCount: 1 })
  })

  it('marks an item from before the start of the service as late', async () => {
    await clock.advance(60 * SECOND)
    publish('Fed cut')
    await clock.advance(60 * SECOND)
    await store.put(
      null,
      ruleAt(items[0]?.at ?? clock.now(), { ...RULE, channel: 'webhook', itemsFrom: 0 as Millis }),
    )
    const record = JSON.stringify({
      id: 'we_1',
      userId: USER,
      events: ['alert.fired'],
      thesisId: null,
      state: 'paused',
    })
    await state
      .insertInto('webhook_endpoint')
      .values({
        id: 'we_1',
        user_id: USER,
        label: 'a',
        url: 'https://a',
        state: 'paused',
        record,
        created_at: 0,
      })
      .execute()
    runner = newRunner()
    await runner.evaluateDue()
    const row = await state.selectFrom('delivery').select('body').executeTakeFirstOrThrow()
    expect(JSON.parse(row.body ?? '{}')).toMatchObject({
      data: { snapshot: { late: true, item: { title: 'Fed cut', source: 'wire' } } },
    })
  })
})
