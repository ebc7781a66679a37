import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc, { scaled } from '../../../../scripts/properties.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Cents, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { memoryContext } from '../../../testing/memory-context.ts'
import type {
  ContextRows,
  ContextStore,
  IndexRow,
  IndexRowBack,
  JudgementRow,
  RegimeLabelRow,
  ServedRow,
  SnapshotRow,
} from '../../context-store.ts'
import type { WholeHistory } from '../../history.ts'
import { openHistory } from '../open.ts'

const T0 = Date.parse('2026-11-19T00:00:00Z')
const at = (minutes: number): Millis => (T0 + minutes * MINUTE) as Millis

const reading = (row: Partial<IndexRow> = {}): IndexRow => ({
  scope: '',
  at: at(0),
  value: 12.5,
  disagreement: 40,
  geoRisk: null,
  breadth: -0.25,
  activity: 3,
  body: '{"gauge":"ü"}',
  ...row,
})
const snapshot = (row: Partial<SnapshotRow> = {}): SnapshotRow => ({
  region: '',
  at: at(0),
  body: '{"world":[]}',
  ...row,
})
const label = (row: Partial<RegimeLabelRow> = {}): RegimeLabelRow => ({
  market: 0,
  at: at(0),
  score: 0.25,
  label: 'maker',
  alpha: null,
  trades: 7,
  spread: 2.5 as Cents,
  bidDepthUsd: 100.5,
  askDepthUsd: null,
  volume24h: 1e6,
  ...row,
})
const served = (row: Partial<ServedRow> = {}): ServedRow => ({
  at: at(0),
  isRunning: true,
  contextAt: null,
  hasDayEarlier: false,
  worldAt: null,
  worldContextAt: null,
  publishedContextAt: null,
  publishedWorldAt: null,
  ...row,
})
const judgement = (row: Partial<JudgementRow> = {}): JudgementRow => ({
  kind: 'edge',
  id: 'e-1',
  at: at(0),
  body: '{}',
  ...row,
})

let folder: string
let history: WholeHistory
const open = (): Promise<WholeHistory> =>
  openHistory({
    path: join(folder, 'history.duckdb'),
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-context-'))
  history = await open()
})
afterEach(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('computed rows', () => {
  it('persist over a reopen', async () => {
    const rows = {
      indices: [reading(), reading({ scope: 'iran', value: null })],
      snapshots: [snapshot(), snapshot({ region: 'iran/oil', body: 'x'.repeat(100_000) })],
      regimes: [label(), label({ market: 3, label: 'taker', alpha: -0.5, spread: null })],
      judgements: [judgement(), judgement({ kind: 'gap' })],
    }
    await history.appendContext(rows)
    await history.close()
    history = await open()
    expect(await history.indexAt('iran', at(5), at(5))).toEqual(rows.indices[1])
    expect(await history.snapshotAt('iran/oil', at(0))).toEqual(rows.snapshots[1])
    expect(await history.newestRegimes(at(0))).toEqual(rows.regimes)
    const all = { from: at(-1), to: at(0) }
    expect(await history.judgements({ kind: 'edge', ...all })).toEqual([rows.judgements[0]])
    expect(await history.firstIndexAt(at(5))).toBe(at(0))
  })

  it('of one key and instant keep their first stored version', async () => {
    await history.appendContext({ indices: [reading({ value: 1 }), reading({ value: 2 })] })
    await history.appendContext({
      indices: [reading({ value: 3 }), reading({ at: at(15), value: 4 })],
    })
    const points = await history.indexBetween({
      scope: '',
      from: at(-1),
      to: at(60),
      step: (15 * MINUTE) as Millis,
      knownBy: at(60),
    })
    expect(points.map(({ value }) => value)).toEqual([1, 4])
  })

  it('that were computed late count from then on, and also before the first served snapshot', async () => {
    const late = { knownAt: at(40), value: 1 }
    await history.appendContext({ indices: [reading(late), reading({ at: at(15), value: 2 })] })
    const valueAt = async (knownBy: Millis) =>
      (await history.indexAt('', at(10), knownBy))?.value ?? null
    expect([await valueAt(at(10)), await valueAt(at(60))]).toEqual([1, 1])
    await history.appendContext({ served: [served({ at: at(20) })] })
    expect(await valueAt(at(19))).toBe(1)
    expect([await valueAt(at(20)), await valueAt(at(39)), await valueAt(at(40))]).toEqual([
      null,
      null,
      1,
    ])
    expect(await history.firstIndexAt(at(39))).toBe(at(15))
    const requested = { scope: '', from: at(-1), to: at(60), step: (15 * MINUTE) as Millis }
    expect(await history.indexBetween({ ...requested, knownBy: at(30) })).toHaveLength(1)
    expect(await history.indexBetween({ ...requested, knownBy: at(40) })).toHaveLength(2)
    // Readings computed after a restart do not change what was known before the first service.
    await history.appendContext({ served: [served({ at: at(50) })] })
    await history.appendContext({ indices: [reading({ at: at(5), knownAt: at(55), value: 3 })] })
    expect(await valueAt(at(14))).toBe(1)
    expect(await valueAt(at(60))).toBe(3)
  })

  it('return what was served at an instant, the last row of equal instants', async () => {
    expect(await history.servedAt(at(0))).toBeNull()
    const rows = [
      served({ isRunning: false }),
      served({ contextAt: at(-15), hasDayEarlier: true, publishedContextAt: at(-15) }),
      served({ at: at(5), worldAt: at(0), worldContextAt: at(-15), publishedWorldAt: at(0) }),
    ]
    await history.appendContext({ served: rows })
    await history.close()
    history = await open()
    expect(await history.servedAt(at(-1))).toBeNull()
    expect(await history.servedAt(at(4))).toEqual(rows[1])
    expect(await history.servedAt(at(9))).toEqual(rows[2])
  })

  it('are absent before the first', async () => {
    expect(await history.indexAt('', at(0), at(0))).toBeNull()
    expect(await history.snapshotAt('', at(0))).toBeNull()
    expect(await history.firstIndexAt(at(0))).toBeNull()
    expect(await history.newestRegimes(at(0))).toEqual([])
    await history.appendContext({})
  })

  it('label a market for seven days', async () => {
    await history.appendContext({
      regimes: [label(), label({ market: 1, at: at(60) }), label({ market: 1, at: at(75) })],
    })
    const later = (minutes: number): Millis => (at(minutes) + 7 * DAY) as Millis
    const marketsAt = async (asOf: Millis) =>
      (await history.newestRegimes(asOf)).map((row) => [row.market, row.at])
    expect(await marketsAt(later(0))).toEqual([
      [0, at(0)],
      [1, at(75)],
    ])
    expect(await marketsAt(later(1))).toEqual([[1, at(75)]])
    expect(await marketsAt(at(60))).toEqual([
      [0, at(0)],
      [1, at(60)],
    ])
  })

  it('are thinned: complete for two days, hourly for ninety, then removed', async () => {
    const snapshots = [0, 55, 60, 65, 120, 125].map((minutes) => snapshot({ at: at(minutes) }))
    await history.appendContext({
      snapshots: [...snapshots, snapshot({ region: 'iran', at: at(5) })],
    })
    const left = async (region: string) =>
      (await history.snapshots({ region, from: at(-1), to: at(200) })).map((row) => row.at)
    await history.thinSnapshots((at(119) + 2 * DAY) as Millis)
    expect(await left('')).toEqual([0, 60, 65, 120, 125].map(at))
    await history.thinSnapshots((at(180) + 2 * DAY) as Millis)
    expect(await left('')).toEqual([0, 60, 120, 125].map(at))
    expect(await left('iran')).toEqual([at(5)])
    await history.thinSnapshots((at(60) + 90 * DAY) as Millis)
    expect(await left('')).toEqual([120, 125].map(at))
    expect(await left('iran')).toEqual([])
  })
})

const instant = fc.integer({ min: 0, max: 12 * 24 * 4 }).map((n) => at(5 * n))
const scope = fc.constantFrom('', 'iran', 'iran/oil')
const maybe = fc.option(fc.double({ noNaN: true, min: -100, max: 100 }))
const anyRows = fc.record({
  indices: fc.array(
    fc.record({ scope, at: instant, value: maybe }).map((row) => reading(row)),
    { maxLength: 20 },
  ),
  snapshots: fc.array(
    fc.record({ region: scope, at: instant, body: fc.json() }).map((row) => snapshot(row)),
    { maxLength: 30 },
  ),
  regimes: fc.array(
    fc.record({ market: fc.nat(2), at: instant, score: fc.integer() }).map((row) => label(row)),
    { maxLength: 20 },
  ),
  judgements: fc.array(
    fc
      .record({
        kind: fc.constantFrom('gap' as const, 'pair' as const),
        at: instant,
        id: fc.constantFrom('a', 'b'),
        body: fc.string({ unit: 'binary' }),
      })
      .map((row) => judgement(row)),
    { maxLength: 20 },
  ),
})

const within = (20 * MINUTE) as Millis
const byPlace = (a: IndexRowBack, b: IndexRowBack): number =>
  a.back - b.back || (a.row.scope < b.row.scope ? -1 : 1)

/** The same rows, shifted by a duration. */
const later = (rows: ContextRows, by: number): ContextRows =>
  Object.fromEntries(
    Object.entries(rows).map(([kind, of]: [string, { at: Millis }[]]) => [
      kind,
      of.map((row) => ({ ...row, at: row.at + by })),
    ]),
  )

describe('random computed rows', () => {
  it('are answered like the in-memory rules answer', async () => {
    const rules = memoryContext()
    // Rounds are far apart in time, so that one history serves them all.
    let round = 0
    const apart = 200 * DAY
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRows, { maxLength: 3 }),
        instant,
        instant,
        async (lots, a, b) => {
          const by = (round += 1) * apart
          const [from, to] = (a < b ? [a, b] : [b, a]).map((one) => one + by) as [Millis, Millis]
          for (const rows of lots) {
            for (const store of [history, rules]) await store.appendContext(later(rows, by))
          }
          const thinnedAt = (to + 2 * DAY) as Millis
          const answers = async (store: ContextStore) => ({
            index: await store.indexAt('iran', to, to),
            indices: await store.indexBetween({ scope: '', from, to, step: HOUR, knownBy: to }),
            back: (
              await store.indexBack({ at: to, step: HOUR, count: 3, within, knownBy: to })
            ).toSorted(byPlace),
            first: await store.firstIndexAt(to),
            served: await store.servedAt(to),
            snapshot: await store.snapshotAt('', to),
            snapshots: await store.snapshots({ region: 'iran', from, to }),
            newest: await store.snapshots({ region: 'iran', from, to, newest: 2 }),
            regimes: await store.regimesOf({ market: 1, from, to }),
            labels: await store.newestRegimes(to),
            gaps: await store.judgements({ kind: 'gap', from, to }),
            ofOne: await store.judgements({ kind: 'pair', from, to, id: 'b' }),
            thinned: await store
              .thinSnapshots(thinnedAt)
              .then(() => store.snapshots({ region: '', from: at(-1), to: thinnedAt })),
          })
          expect(await answers(history)).toEqual(await answers(rules))
        },
      ),
      { numRuns: scaled(15) },
    )
  })
})
