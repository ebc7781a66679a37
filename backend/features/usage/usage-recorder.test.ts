import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, SECOND, type Millis } from '../../domain/units.ts'
import type { AnswerListener } from '../../http/answered-request.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createUsageRecorder, dayOf, type UsageRecorder } from './usage-recorder.ts'
import type { UsageStore, UsageTally } from './usage.store.ts'

type Answered = Parameters<AnswerListener>[0]
const START = Date.parse('2026-11-20T23:59:00Z')

describe('the count of requests', () => {
  let clock: FakeClock
  let batches: UsageTally[][]
  let forgotten: Millis[]
  let isStoreBroken: boolean
  let usage: UsageRecorder
  const routes = ['/a', '/b/:id'].map((path) => ({ method: 'GET', path }) as Answered['route'])
  beforeEach(() => {
    clock = new FakeClock(START)
    batches = []
    forgotten = []
    isStoreBroken = false
    const store: Pick<UsageStore, 'add' | 'deleteBefore'> = {
      add: (tallies) => {
        if (isStoreBroken) return Promise.reject(new Error('no space left'))
        batches.push([...tallies])
        return Promise.resolve()
      },
      deleteBefore: (day) => Promise.resolve(void forgotten.push(day)),
    }
    usage = createUsageRecorder({ store: store as UsageStore, clock, logger: silentLogger })
  })
  const answered = (more: Partial<Answered> = {}, caller: object = {}): void =>
    usage.record({
      caller: { id: 'key k1', userId: 'ann', credential: { kind: 'key', id: 'k1' }, ...caller },
      route: routes[0],
      status: 200,
      elapsedMs: 5,
      spent: null,
      ...more,
    } as unknown as Answered)
  /** User, key, day from the start, route and numbers of each written row. */
  const rows = () =>
    batches
      .flat()
      .map((tally) => [
        tally.userId,
        tally.keyId,
        (tally.day - dayOf(START as Millis)) / DAY,
        tally.route,
        tally.requests,
        tally.errors,
        tally.rateLimited,
      ])

  it('adds up by route and credential, without the launch secret', async () => {
    answered()
    answered({ status: 499 })
    answered({ status: 500 })
    answered({ status: 429 })
    answered({ route: routes[1] as Answered['route'] })
    answered({}, { id: 'session s1', credential: { kind: 'session', id: 's1' } })
    answered({}, { id: 'launch', credential: { kind: 'launch', id: 'l' } })
    await usage.flush()
    expect(rows()).toEqual([
      ['ann', 'k1', 0, 'GET /a', 4, 1, 1],
      ['ann', null, 0, 'GET /a', 1, 0, 0],
      ['ann', 'k1', 0, 'GET /b/{id}', 1, 0, 0],
    ])
    await usage.flush()
    expect(batches).toHaveLength(1)
  })

  it('adds the cost of language models', async () => {
    const spent = { calls: 2, inputTokens: 10, outputTokens: 5, costUsd: 0.25 }
    answered({ spent })
    answered({ spent })
    await usage.flush()
    expect(batches.flat()).toMatchObject([
      { modelCalls: 4, inputTokens: 20, outputTokens: 10, costUsd: 0.5 },
    ])
  })

  it('is written ten seconds after the first request, and each day on its own row', async () => {
    answered()
    await clock.advance(9_999)
    answered()
    expect(batches).toEqual([])
    await clock.advance(1)
    await expect.poll(() => batches.length).toBe(1)
    expect(rows()).toEqual([['ann', 'k1', 0, 'GET /a', 2, 0, 0]])
    batches.length = 0
    await clock.advance(49 * SECOND)
    answered()
    await clock.advance(SECOND)
    answered()
    await usage.flush()
    expect(rows()).toEqual([
      ['ann', 'k1', 0, 'GET /a', 1, 0, 0],
      ['ann', 'k1', 1, 'GET /a', 1, 0, 0],
    ])
  })

  it('is written fifty rows at a time', async () => {
    for (let n = 0; n < 101; n += 1) answered({}, { id: `key ${n}`, userId: `user ${n}` })
    await usage.flush()
    expect(batches.map((batch) => batch.length)).toEqual([50, 50, 1])
  })

  it('is deleted after 400 days, once a day', async () => {
    const today = dayOf(START as Millis)
    await usage.flush()
    await usage.flush()
    expect(forgotten).toEqual([today - 400 * DAY])
    await clock.advance(DAY)
    await usage.flush()
    expect(forgotten).toEqual([today - 400 * DAY, today - 399 * DAY])
  })

  it('is kept while it cannot be written, in one row, and tried again', async () => {
    const spent = { calls: 1, inputTokens: 2, outputTokens: 3, costUsd: 4 }
    isStoreBroken = true
    answered({ status: 500, spent })
    await usage.flush()
    answered({ status: 429, spent })
    await usage.flush()
    answered({}, { id: 'key k2', userId: 'bob' })
    await usage.flush()
    expect(forgotten).toEqual([])
    isStoreBroken = false
    await clock.advance(10 * SECOND)
    await expect.poll(() => forgotten.length).toBe(1)
    expect(rows()).toEqual([
      ['ann', 'k1', 0, 'GET /a', 2, 1, 1],
      ['bob', 'k1', 0, 'GET /a', 1, 0, 0],
    ])
    expect(batches.flat()[0]).toMatchObject({
      modelCalls: 2,
      inputTokens: 4,
      outputTokens: 6,
      costUsd: 8,
    })
  })

  it('is written at the close, and no more after it', async () => {
    answered()
    await usage.close()
    expect(rows()).toHaveLength(1)
    answered()
    await clock.advance(60 * SECOND)
    expect(batches).toHaveLength(1)
  })
})
