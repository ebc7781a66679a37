import { describe, expect, it } from 'vitest'
import { METRIC_VERSION } from '../../domain/metric-version.ts'
import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import type { IndexReading } from '../../domain/world/gauges/index-reading.ts'
import type { IndexRow } from '../../history/context-store.ts'
import { NOON } from '../../testing/builders.ts'
import { contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { structureApp } from '../../testing/structure-app.ts'

const reading = (fields: Partial<IndexReading> = {}): IndexReading => ({
  disagreement: 42,
  geoRisk: 0,
  breadth: 0.13,
  activity: null,
  value: 22,
  components: {
    geoVol: 0,
    geoDelta: 0,
    geoLevel: 0,
    geoBasketSize: 12,
    geoTheatersActive: 0,
    breadthUp: 1401,
    breadthDown: 1068,
    breadthTotal: 2469,
    disagreementSigma: 1.7,
    qualifyingTickers: 310,
    activityChanges_24h: 5000,
    activityBelowCount: 0,
    activityBaselineDays: 2,
    metricVersion: METRIC_VERSION,
  },
  dataNote: 'activity: only 2 days of baseline',
  measuredDisagreement: null,
  ...fields,
})

const row = (at: number, value: number, scope = ''): IndexRow => ({
  scope,
  value,
  disagreement: value,
  geoRisk: 1,
  breadth: 0.5,
  activity: null,
  at: at as Millis,
  body: '{}',
})

describe('/api/public/index', () => {
  // [index.current.gauges] [index.current.null-named]
  it('serves the gauges, their older names, their parts and why one is null', async () => {
    const app = structureApp({
      snapshots: [contextSnapshotOf([], { indices: new Map([['', reading()]]) })],
    })
    await app.stored.appendContext({
      indices: [row(NOON - 3 * DAY, 5), row(NOON - DAY - 10 * MINUTE, 20)],
    })
    const response = await app.get('/api/public/index')
    expect(await response.json()).toMatchObject({
      disagreement: 42,
      geoRisk: 0,
      breadth: 0.13,
      activity: null,
      value: 22,
      uncertainty: 42,
      geopolitical: 0,
      momentum: 0.13,
      delta24h: 2,
      components: { breadthUp: 1401, geoBasketSize: 12, metricVersion: METRIC_VERSION },
      timestamp: '2026-11-20T14:00:00.000Z',
      dataStartDate: '2026-11-17',
      dataNote: 'activity: only 2 days of baseline',
      nextActions: { drill: expect.any(Array) as unknown, related: expect.any(Array) as unknown },
    })
    expect(response.headers.get('last-modified')).toBe('Fri, 20 Nov 2026 14:00:00 GMT')
    const without = (await (await app.get('/api/public/index?nextActions=off')).json()) as object
    expect(without).not.toHaveProperty('nextActions')
  })

  it('returns no change if the last value is older than a day and an hour', async () => {
    const app = structureApp({
      snapshots: [contextSnapshotOf([], { indices: new Map([['', reading()]]) })],
    })
    await app.stored.appendContext({ indices: [row(NOON - DAY - 2 * HOUR, 20)] })
    expect(await (await app.get('/api/public/index')).json()).toMatchObject({ delta24h: null })
  })

  // [index.current.as-of]
  it('serves the past from its snapshot, 404 before the first, and 503 while the current one is missing', async () => {
    const then = contextSnapshotOf([], {
      at: (NOON - HOUR) as Millis,
      indices: new Map([['', reading({ value: 7 })]]),
    })
    const now = contextSnapshotOf([], { indices: new Map([['', reading()]]) })
    const app = structureApp({ snapshots: [then, now] })
    const at = async (asOf: string) => app.get(`/api/public/index?asOf=${asOf}`)
    expect(await (await at('2026-11-20T13:10:00Z')).json()).toMatchObject({ value: 7 })
    expect((await at('2026-11-19T00:00:00Z')).status).toBe(404)
    expect((await at('2027-01-01')).status).toBe(400)
    expect((await structureApp().get('/api/public/index')).status).toBe(503)
  })
})

interface History {
  readonly days: number
  readonly theme: string | null
  readonly stepSeconds: number
  readonly points: readonly { readonly at: string; readonly value: number }[]
  readonly count: number
}

describe('/api/public/index/history', () => {
  const ask = async (app: ReturnType<typeof structureApp>, query: string): Promise<History> =>
    (await (await app.get(`/api/public/index/history?${query}`)).json()) as History

  it('is not ready before the first snapshot', async () => {
    const response = await structureApp().get('/api/public/index/history')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  })

  // [index.history.steps]
  it('returns the last row of each step, with wider steps for more days, ascending', async () => {
    const app = structureApp({ snapshots: [contextSnapshotOf([])] })
    await app.stored.appendContext({
      indices: Array.from({ length: 9 }, (_, i) => row(NOON - i * 15 * MINUTE, i)),
    })
    const fine = await ask(app, 'days=2')
    expect(fine).toMatchObject({ days: 2, theme: null, stepSeconds: 900, count: 9 })
    expect(fine.points.map(({ value }) => value)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0])
    const hourly = await ask(app, 'days=30')
    expect(hourly.stepSeconds).toBe(3600)
    expect(hourly.points.map(({ value }) => value)).toEqual([8, 4, 0])
    const daily = await ask(app, 'days=31')
    expect(daily.stepSeconds).toBe(86_400)
    expect(daily.points[0]).toEqual({
      at: '2026-11-20T14:00:00.000Z',
      value: 0,
      disagreement: 0,
      geoRisk: 1,
      breadth: 0.5,
      activity: null,
      uncertainty: 0,
      geopolitical: 1,
      momentum: 0.5,
    })
  })

  // [index.history.days-clamped]
  it.each([
    ['', 30],
    ['days=0', 1],
    ['days=999', 365],
  ])('reads %s as %i days', async (query, days) => {
    expect(await ask(structureApp({ snapshots: [contextSnapshotOf([])] }), query)).toMatchObject({
      days,
      points: [],
      count: 0,
    })
  })

  // [index.history.theme]
  it('serves the rows of a topic or group and refuses other themes', async () => {
    const app = structureApp({ snapshots: [contextSnapshotOf([])] })
    await app.stored.appendContext({ indices: [row(NOON, 3, 'oil'), row(NOON, 4, 'energy')] })
    expect((await ask(app, 'theme=OIL')).points).toMatchObject([{ value: 3 }])
    expect((await ask(app, 'theme=energy')).points).toMatchObject([{ value: 4 }])
    const refused = await app.get('/api/public/index/history?theme=cheese')
    expect(refused.status).toBe(400)
    expect(((await refused.json()) as { error: string }).error).toMatch(/^theme must be /)
  })

  it('ends at the requested instant', async () => {
    const app = structureApp({ snapshots: [contextSnapshotOf([])] })
    await app.stored.appendContext({ indices: [row(NOON - HOUR, 1), row(NOON, 2)] })
    const past = await ask(app, 'days=1&asOf=2026-11-20T13:30:00Z')
    expect(past.points.map(({ value }) => value)).toEqual([1])
  })
})
