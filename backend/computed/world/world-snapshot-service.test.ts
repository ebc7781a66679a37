import { describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE, type Cents, type Millis } from '../../domain/units.ts'
import { regionOf } from '../../domain/world/regions/region.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { FakeBoard } from '../../testing/fake-board.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { marketQuantities, contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { memoryContext } from '../../testing/memory-context.ts'
import { reading } from '../../testing/world-app.ts'
import { scopeOf, SCOPES } from './scopes.ts'
import { memoryOf, memoryRow, MEMORY_REGION, storedSnapshotOf } from './stored-snapshot.ts'
import { createWorldSnapshotService } from './world-snapshot-service.ts'

const WORLD_INTERVAL_MS = (5 * MINUTE) as Millis
const snapshotTime = (i: number) => (NOON + i * WORLD_INTERVAL_MS) as Millis

const surprising = (ticker: string, residualVr: number, fields = {}) =>
  marketQuantities({
    view: marketView({ liquidityScore: 'high', facts: { ticker, eventId: ticker }, ...fields }),
    surprise: { vr: residualVr, expectedVr: 0, residualVr },
  })

function startedService(markets = [surprising('KXA', 3)], marks: Record<string, number> = {}) {
  const store = memoryContext()
  const clock = new FakeClock()
  const board = new FakeBoard(markets.map(({ view }) => view))
  const requested: Millis[] = []
  const reference = {
    pricesAt: (when: Millis) => {
      requested.push(when)
      return Promise.resolve(
        new Map(
          board.views.map(({ market, facts, mark }) => [
            market,
            { mark: (marks[facts.ticker] ?? mark) as Cents | null, last: null, isQuoted: true },
          ]),
        ),
      )
    },
  }
  const indices = new Map([
    ['', reading({ disagreement: 42, value: 17 })],
    ['iran', reading({ disagreement: 80 })],
  ])
  const snapshot = contextSnapshotOf(markets, { indices })
  const newService = () => createWorldSnapshotService({ board, reference, store, clock })
  return { store, clock, board, snapshot, requested, newService, service: newService() }
}

describe('the world snapshot service', () => {
  it('reads prices at the start of the interval and marks at its baseline', async () => {
    const { service, snapshot, requested } = startedService(undefined, { KXA: 30 })
    const { world } = await service.build(snapshotTime(1), snapshot)
    expect(world.baseline).toEqual({ at: at('2026-11-20T02:05:00Z'), reason: 'last 12h' })
    expect(requested).toEqual([world.baseline.at])
    expect(world.marketOf('KXA')).toMatchObject({ mark: 42, markAtBaseline: 30, residualVr: 3 })
  })

  it('stores the world, the topics and the groups of each snapshot, and the item state', async () => {
    const { service, snapshot, store } = startedService()
    await service.build(snapshotTime(0), snapshot)
    for (const scope of SCOPES) {
      const row = await store.snapshotAt(scope, snapshotTime(0))
      expect(row?.at).toBe(snapshotTime(0))
    }
    const row = await store.snapshotAt('', snapshotTime(0))
    expect(row === null ? null : storedSnapshotOf(row, 'http://here')).toMatchObject({
      at: snapshotTime(0),
      label: 'Steady — no dominant macro signal',
      gauges: { disagreement: 42 },
      value: 17,
      salient: [{ rank: 0, type: 'residual', pull: [{ op: 'explain' }, {}, {}] }],
    })
    const [pull] = row === null ? [] : (storedSnapshotOf(row, 'http://here').salient[0]?.pull ?? [])
    expect(pull?.url).toMatch(/^http:\/\/here\/api\/agent\/world\?op=explain&item=s-\w{6}$/)
  })

  it('notifies its listeners of a stored world whose older ones cannot be thinned', async () => {
    const { service, snapshot, store } = startedService()
    const received: Millis[] = []
    service.onWorld(({ world }) => received.push(world.at))
    const thin = vi.spyOn(store, 'thinSnapshots').mockRejectedValueOnce(new Error('disk full'))
    await expect(service.build(snapshotTime(0), snapshot)).rejects.toThrow('disk full')
    expect(received).toEqual([snapshotTime(0)])
    await service.build(snapshotTime(1), snapshot)
    expect(thin).toHaveBeenCalledTimes(2)
  })

  it('ages an item over snapshots and restarts', async () => {
    const { service, snapshot, newService } = startedService()
    const scores: number[] = []
    for (let i = 0; i < 3; i++) {
      const { world } = await service.build(snapshotTime(i), snapshot)
      scores.push(world.candidates[0]?.score ?? NaN)
    }
    const restarted = newService()
    expect(restarted.newest()).toBeNull()
    const { world } = await restarted.build(snapshotTime(3), snapshot)
    scores.push(world.candidates[0]?.score ?? NaN)
    const [first = NaN] = scores
    const aged = (i: number) => first * 2 ** (-(i * WORLD_INTERVAL_MS) / (12 * HOUR))
    for (const [i, score] of scores.entries()) expect(score).toBeCloseTo(aged(i), 9)
  })

  it('makes an item new again after a day of absence, not before', async () => {
    const { service, snapshot, newService } = startedService()
    const score = async (created: ReturnType<typeof newService>, when: Millis) =>
      (await created.build(when, snapshot)).world.candidates[0]?.score ?? NaN
    const first = await score(service, snapshotTime(0))
    expect(await score(newService(), (NOON + DAY) as Millis)).toBeLessThan(first / 2)
    expect(await score(newService(), (NOON + 3 * DAY) as Millis)).toBe(first)
  })

  it('recomputes a past snapshot with the item state that it had', async () => {
    const { service, snapshot, newService } = startedService()
    await service.build(snapshotTime(0), snapshot)
    const { world: existed } = await service.build(snapshotTime(1), snapshot)
    await service.build(snapshotTime(2), snapshot)
    const { world } = await newService().past(snapshotTime(1), snapshot)
    expect(world.candidates).toEqual(existed.candidates)
    expect(world.memory).toEqual(existed.memory)
  })

  it('applies another baseline to the same world', async () => {
    const { service, snapshot } = startedService()
    const created = await service.build(snapshotTime(0), snapshot)
    const since = { at: (NOON - 3 * DAY) as Millis, reason: 'since 3d' }
    const counted = await service.since(created, since)
    expect(counted.world.baseline).toEqual(since)
    expect(counted.world.candidates).toEqual(created.world.candidates)
    expect(await service.since(created, since)).toBe(counted)
  })

  it('names no market novel on a first load that opened before', async () => {
    const old = { firstSeenAt: (NOON - HOUR) as Millis, volume24hUsd: 1e6 }
    const opened = (openTime: Millis) =>
      marketQuantities({
        view: marketView({ ...old, facts: { ticker: `KX${openTime}`, openTime } }),
      })
    const { service, snapshot } = startedService([
      opened((NOON - 30 * DAY) as Millis),
      opened((NOON - 2 * HOUR) as Millis),
    ])
    const { world } = await service.build(snapshotTime(0), snapshot)
    expect(world.candidates.map(({ type, legs }) => [type, legs[0]?.ticker])).toEqual([
      ['novel', `KX${NOON - 2 * HOUR}`],
    ])
  })

  it('uses readings of the requested instant, and no older ones', async () => {
    const { service, snapshot, store } = startedService()
    const row = (when: number, value: number) => ({
      scope: '',
      at: when as Millis,
      value,
      disagreement: 42,
      geoRisk: null,
      breadth: null,
      activity: null,
      body: JSON.stringify(reading({ value })),
    })
    await store.appendContext({ indices: [row(NOON - DAY, 10), row(NOON - 14 * HOUR, 11)] })
    const created = await service.build(snapshotTime(0), snapshot)
    expect(await created.valueDayAgo('')).toBe(10)
    expect(await created.valueDayAgo('iran')).toBeNull()
    expect(await created.readingAtBaseline('')).toBeNull()
  })

  it('notifies listeners once the snapshot is stored', async () => {
    const { service, snapshot, store } = startedService()
    const received: (number | null)[] = []
    const stop = service.onWorld(({ world }) => {
      void store.snapshotAt('', world.at).then((row) => received.push(row?.at ?? null))
    })
    await service.build(snapshotTime(0), snapshot)
    stop()
    await service.build(snapshotTime(1), snapshot)
    expect(received).toEqual([snapshotTime(0)])
  })

  it('thins stored snapshots', async () => {
    const { service, snapshot, store } = startedService()
    await service.build(snapshotTime(1), snapshot)
    await service.build(snapshotTime(2), snapshot)
    await service.build((NOON + 3 * DAY) as Millis, snapshot)
    const stored = await store.snapshots({
      region: '',
      from: 0 as Millis,
      to: (NOON + 4 * DAY) as Millis,
    })
    expect(stored.map((row) => row.at)).toEqual([snapshotTime(2), NOON + 3 * DAY])
    const memories = { region: MEMORY_REGION, from: 0 as Millis, to: snapshotTime(2) }
    expect(await store.snapshots(memories)).toHaveLength(1)
  })
})

describe('stored state', () => {
  it('restores items exactly', () => {
    const memory = new Map([
      ['s-abcdef', { since: (NOON - 7 * HOUR) as Millis, x: 1 / 3 + 1, lastAt: NOON }],
      ['s-000001', { since: NOON, x: 2, lastAt: NOON }],
    ])
    expect(memoryOf(memoryRow(memory, NOON))).toEqual(memory)
    expect(memoryOf(memoryRow(new Map(), NOON))).toEqual(new Map())
  })
})

describe('the scope of a region', () => {
  const scope = (...path: string[]) => {
    const region = regionOf(path, new Map([['kxfed', 'Fed']]))
    return region === null ? undefined : scopeOf(region)
  }
  it('is the world, a topic or a group, by any path', () => {
    expect([scope(), scope('iran'), scope('geopolitics'), scope('geopolitics', 'iran')]).toEqual([
      '',
      'iran',
      'geopolitics',
      'iran',
    ])
  })
  it('is null for a part of these', () => {
    expect([
      scope('economy', 'iran'),
      scope('iran', 'oil'),
      scope('kxfed'),
      scope('ceasefire'),
      scope('iran', 'ceasefire'),
      scope('geopolitics', 'iran', 'iran'),
    ]).toEqual([null, null, null, null, null, null])
  })
})
