import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openStores, type Stores } from '../../app/stores.ts'
import { InstantClock } from '../../testing/instant-clock.ts'
import { openEngine } from '../duckdb/engine/engine.ts'
import { migrate } from '../duckdb/migrations/migrations.ts'
import { openHistory } from '../duckdb/open.ts'
import type { ContextRows, ContextStore, ServedRow } from '../context-store.ts'
import { rebuild } from './rebuild.ts'
import { restoreHistory } from './restore-history.ts'

// Engines are opened repeatedly, some by processes of their own.

const TODAY = Date.parse('2026-11-20T00:00:00Z')
const NOW = (TODAY + 2 * HOUR) as Millis
const { signal } = new AbortController()

const rowsAt = (at: number, market: number): Required<ContextRows> => {
  const stamp = { at: at as Millis, body: `{"at":${at}}` }
  return {
    indices: [
      {
        ...stamp,
        scope: 'iran',
        value: 41.5,
        disagreement: null,
        geoRisk: 3,
        breadth: -0.5,
        activity: 0,
      },
    ],
    snapshots: [{ ...stamp, region: 'iran/oil' }],
    regimes: [
      {
        market,
        at: at as Millis,
        score: 0.75,
        label: 'taker',
        alpha: 1.5,
        trades: 12,
        spread: null,
        bidDepthUsd: 5,
        askDepthUsd: null,
        volume24h: 10,
      },
    ],
    judgements: [{ ...stamp, kind: 'idea', id: 'i-1' }],
    served: [
      {
        at: at as Millis,
        isRunning: true,
        contextAt: at as Millis,
        hasDayEarlier: false,
        worldAt: null,
        worldContextAt: null,
        publishedContextAt: at as Millis,
        publishedWorldAt: null,
      },
    ],
  }
}

/** Publication log rows, searched from the newest back to the first. */
async function servedIn(store: ContextStore): Promise<ServedRow[]> {
  const rows: ServedRow[] = []
  let row = await store.servedAt(NOW)
  while (row !== null) {
    rows.unshift(row)
    row = await store.servedAt((row.at - 1) as Millis)
  }
  return rows
}

/** All computed results of the last two days. */
async function computed(store: ContextStore, market: number): Promise<Required<ContextRows>> {
  const all = { from: (TODAY - DAY) as Millis, to: NOW }
  return {
    indices: await store.indexBetween({ ...all, scope: 'iran', step: 1 as Millis, knownBy: NOW }),
    snapshots: await store.snapshots({ ...all, region: 'iran/oil' }),
    regimes: await store.regimesOf({ ...all, market }),
    judgements: await store.judgements({ ...all, kind: 'idea' }),
    served: await servedIn(store),
  }
}

const joined = (...lots: readonly Required<ContextRows>[]): Required<ContextRows> => ({
  indices: lots.flatMap((rows) => rows.indices),
  snapshots: lots.flatMap((rows) => rows.snapshots),
  regimes: lots.flatMap((rows) => rows.regimes),
  judgements: lots.flatMap((rows) => rows.judgements),
  served: lots.flatMap((rows) => rows.served),
})

describe('computed rows', () => {
  let folder: string
  let stores: Stores
  let market: number
  const open = () => openStores(folder, silentLogger, new InstantClock(10_000, NOW))
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'augury-computed-'))
    stores = await open()
    ;[market = -1] = await stores.history.marketIds([{ venue: 'venue_b', ticker: 'KX' }])
  })
  afterEach(async () => {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const upkeep = () => {
    if (stores.upkeep === undefined) throw new Error('stores of a folder have upkeep')
    return stores.upkeep
  }
  const copiedDays = () =>
    upkeep()
      .copies.files.all()
      .map(({ kind, venue, rows, dirty }) => `${kind} ${venue} ${rows}${dirty ? ' dirty' : ''}`)
      .toSorted()

  it('of closed days are copied without snapshots, and again when some arrived late', async () => {
    await stores.history.appendContext(rowsAt(TODAY - 5, market))
    await stores.history.appendContext(rowsAt(TODAY + 5, market))
    await upkeep().copies.copyDue(signal)
    expect(copiedDays()).toEqual([
      'indices all 1',
      'judgements all 1',
      'regimes venue_b 1',
      'served all 1',
    ])
    await stores.history.appendContext(rowsAt(TODAY - 4, market))
    expect(copiedDays()).toEqual([
      'indices all 1 dirty',
      'judgements all 1 dirty',
      'regimes venue_b 1 dirty',
      'served all 1 dirty',
    ])
    await upkeep().copies.copyDue(signal)
    expect(copiedDays()).toEqual([
      'indices all 2',
      'judgements all 2',
      'regimes venue_b 2',
      'served all 2',
    ])
  })

  it('are restored from the copies when the file is lost, except the snapshots', async () => {
    const yesterday = rowsAt(TODAY - 5, market)
    await stores.history.appendContext(yesterday)
    await upkeep().copies.copyDue(signal)
    await stores.close()
    writeFileSync(join(folder, 'history.duckdb'), 'not a database')
    stores = await open()
    const again = stores.history.marketIdOf('KX')?.market ?? -1
    expect(await computed(stores.history, again)).toEqual({
      ...yesterday,
      snapshots: [],
      regimes: yesterday.regimes.map((row) => ({ ...row, market: again })),
    })
  })

  it('are salvaged from the readable part of a damaged file', async () => {
    const rows = [rowsAt(TODAY - 5, market), rowsAt(TODAY + 5, market)] as const
    for (const lot of rows) await stores.history.appendContext(lot)
    await stores.close()
    const into = join(folder, 'rebuilt.duckdb')
    const damaged = join(folder, 'history.duckdb')
    const report = await rebuild({ dataDir: folder, into, damaged, historyStart: TODAY, now: NOW })
    expect(report.lost).toEqual([])
    const rebuilt = await openHistory({ path: into, logger: silentLogger })
    expect(await computed(rebuilt, market)).toEqual(joined(...rows))
    await rebuilt.close()
    stores = await open()
  })

  it('are not reported missing in a damaged file of an older schema', async () => {
    const damaged = join(folder, 'older.duckdb')
    const engine = await openEngine({ path: damaged, dataDir: folder })
    await migrate(engine.writer, 4)
    engine.close()
    const into = join(folder, 'rebuilt.duckdb')
    const report = await rebuild({ dataDir: folder, into, damaged, historyStart: TODAY, now: NOW })
    expect(report).toEqual({ fromCopies: 0, salvaged: 0, lost: [] })
  })

  it('are part of a backup, snapshots too', async () => {
    const rows = [rowsAt(TODAY - 5, market), rowsAt(TODAY + 5, market)] as const
    for (const lot of rows) await stores.history.appendContext(lot)
    await upkeep().copies.copyDue(signal)
    const into = join(folder, 'backup', 'one')
    mkdirSync(into, { recursive: true })
    const work = { signal, onFile: () => {} }
    const { history: copy } = await upkeep().copyInto(into, work, () => Promise.resolve())
    await restoreHistory(into, copy)
    expect(existsSync(join(into, 'parquet/snapshots/venue=all/2026-11-19.parquet'))).toBe(false)
    expect(existsSync(join(into, 'parquet/indices/venue=all/2026-11-19.parquet'))).toBe(true)
    const restored = await openHistory({
      path: join(into, 'history.duckdb'),
      logger: silentLogger,
    })
    expect(await computed(restored, market)).toEqual(joined(...rows))
    await restored.close()
  })

  it('are not restored from a backup with a missing file', async () => {
    const rows = [rowsAt(TODAY - DAY - 5, market), rowsAt(TODAY - 5, market)]
    for (const lot of rows) await stores.history.appendContext(lot)
    await upkeep().copies.copyDue(signal)
    const into = join(folder, 'backup', 'two')
    mkdirSync(into, { recursive: true })
    const work = { signal, onFile: () => {} }
    const { history: copy } = await upkeep().copyInto(into, work, () => Promise.resolve())
    rmSync(join(into, 'parquet/indices/venue=all/2026-11-19.parquet'))
    await expect(restoreHistory(into, copy)).rejects.toThrow(
      'The history was not restored: files of the backup are missing or damaged. Nothing was changed.',
    )
  })

  it('are migrated from the previous schema', async () => {
    const path = join(folder, 'older.duckdb')
    const engine = await openEngine({ path, dataDir: folder })
    await migrate(engine.writer, 4)
    await engine.writer.run(`insert into market values (0, 'venue_a', 'KX-OLD')`)
    await engine.writer.run(
      `insert into trade_recent values (0, ${TODAY}, 0, 0, 'a', 4100, 1, 1, false)`,
    )
    engine.close()
    const upgraded = await openHistory({ path, logger: silentLogger })
    const rows = rowsAt(TODAY + 5, 0)
    await upgraded.appendContext(rows)
    expect(await computed(upgraded, 0)).toEqual(rows)
    const { price } = await upgraded.printsOf({
      from: 0 as Millis,
      to: NOW,
      asOf: NOW,
      markets: null,
    })
    expect([...price]).toEqual([4_100])
    await upgraded.close()
  })
})
