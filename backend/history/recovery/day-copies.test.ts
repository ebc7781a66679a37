import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openStores, type Stores } from '../../app/stores.ts'
import { tradeColumns } from '../../testing/history-rows.ts'
import { InstantClock } from '../../testing/instant-clock.ts'

// Engines are opened repeatedly, once by a process of its own.

const TODAY = Date.parse('2026-11-20T00:00:00Z')
const EVER = { from: 0 as Millis, to: Infinity as Millis, asOf: Infinity as Millis }
const KEY = { kind: 'trades', venue: 'venue_a', day: TODAY / DAY - 1 }
const HOURLY = { kind: 'trades', venue: 'venue_a', day: TODAY / DAY, hour: 0 }
const { signal } = new AbortController()

describe('copies of closed days', () => {
  let folder: string
  let stores: Stores
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'augury-copies-'))
    stores = await open()
  })
  afterEach(async () => {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const open = (at = TODAY + 2 * HOUR) =>
    openStores(folder, silentLogger, new InstantClock(10_000, at))
  const copies = () => {
    if (stores.upkeep === undefined) throw new Error('stores of a folder have upkeep')
    return stores.upkeep.copies
  }
  const append = async (times: readonly number[]): Promise<void> => {
    const [market = -1] = await stores.history.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
    const rows = times.map((ts, n) => ({ market, ts, tradeId: `${ts}-${n}`, price: 4_000 + n }))
    await stores.history.append({ trades: tradeColumns(rows) })
  }
  const tradesNow = async () => {
    const market = stores.history.marketIdOf('KX')?.market ?? -1
    return stores.history.trades({ market, ...EVER })
  }

  it('contain closed days and closed hours of the open one, once', async () => {
    await append([TODAY - 5, TODAY - 4, TODAY + 5, TODAY + HOUR, TODAY + 2 * HOUR - 1])
    expect(await copies().copyDue(signal)).toMatchObject({ files: 2, rows: 3 })
    expect(copies().files.all()).toMatchObject([{ ...KEY, rows: 2, dirty: false }])
    expect(copies().files.hours()).toMatchObject([{ ...HOURLY, rows: 1, dirty: false }])
    expect(await copies().copyDue(signal)).toMatchObject({ files: 0 })
  })

  it('rewrite an hour when late rows arrive, and remove it with its day', async () => {
    await append([TODAY + 5])
    await copies().copyDue(signal)
    await append([TODAY + 6])
    expect(copies().files.get(HOURLY)?.dirty).toBe(true)
    expect(await copies().copyDue(signal)).toMatchObject({ files: 1, rows: 2 })
    const path = copies().files.pathOf(HOURLY)
    expect(existsSync(path)).toBe(true)
    await stores.close()
    stores = await open(TODAY + DAY + 2 * HOUR)
    expect(await copies().copyDue(signal)).toMatchObject({ files: 1, rows: 2 })
    expect(copies().files.hours()).toEqual([])
    expect(existsSync(path)).toBe(false)
    expect(copies().files.get({ ...KEY, day: TODAY / DAY })).toMatchObject({ rows: 2 })
  })

  it('rewrite an hour when rows of it are adopted from a file', async () => {
    await append([TODAY + 5])
    await copies().copyDue(signal)
    const market = stores.history.marketIdOf('KX')?.market ?? -1
    const staged = join(folder, 'staged.parquet')
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`copy (select ${market}::integer as market, ${TODAY + 7} as ts, 5000 as lag,
        3 as origin, 4000 as bid, 4100 as ask, 1000000 as bid_size, 1000000 as ask_size)
      to '${staged}' (format parquet)`)
    connection.closeSync()
    instance.closeSync()
    await stores.history.adopt('quotes', staged)
    const hour = { ...HOURLY, kind: 'quotes' }
    expect(copies().files.get(hour)?.dirty).toBe(true)
    expect(await copies().copyDue(signal)).toMatchObject({ files: 1, rows: 1 })
    expect(copies().files.get(hour)).toMatchObject({ rows: 1, dirty: false })
  })

  it('of hours restore the trades of a new folder before its first day is over', async () => {
    await append([TODAY + 5, TODAY + HOUR - 1, TODAY + HOUR])
    const before = await tradesNow()
    await copies().copyDue(signal)
    await stores.close()
    rmSync(join(folder, 'history.duckdb'))
    stores = await open()
    expect(await tradesNow()).toEqual(before.slice(0, 2))
    const gaps = await stores.history.gaps({ ...EVER, venue: 'venue_a', limit: 100 })
    const trades = gaps.filter(({ feed }) => feed === 'trades')
    const covers = (at: number) => trades.some(({ from, to }) => from <= at && (to ?? 0) > at)
    expect([TODAY + 5, TODAY + HOUR - 1, TODAY + HOUR].map(covers)).toEqual([false, false, true])
  })

  it('of days are written once', async () => {
    await append([TODAY - 5, TODAY - 4])
    expect(await copies().copyDue(signal)).toMatchObject({ files: 1, rows: 2 })
    expect(await copies().copyDue(signal)).toMatchObject({ files: 0 })
  })

  it('are written again when late rows arrive, also after a restart', async () => {
    await append([TODAY - 5])
    await copies().copyDue(signal)
    await append([TODAY - 3])
    expect(copies().files.get(KEY)?.dirty).toBe(true)
    await stores.close()
    stores = await open()
    expect(await copies().copyDue(signal)).toMatchObject({ files: 1, rows: 2 })
    expect(copies().files.get(KEY)).toMatchObject({ rows: 2, dirty: false })
  })

  it('are set aside and written again when their content changed', async () => {
    await append([TODAY - 5])
    await copies().copyDue(signal)
    const path = copies().files.pathOf(KEY)
    const sound = readFileSync(path)
    writeFileSync(path, Buffer.concat([sound, Buffer.from('x')]))
    expect(await copies().verify(signal)).toEqual(['trades/venue=venue_a/2026-11-19.parquet'])
    await copies().copyDue(signal)
    expect(await copies().verify(signal)).toEqual([])
  })

  it('restore a lost history, with a gap for what no copy contains', async () => {
    await append([TODAY - 5, TODAY - 4])
    await copies().copyDue(signal)
    await append([TODAY + 5])
    const before = await tradesNow()
    await stores.close()
    writeFileSync(join(folder, 'history.duckdb'), 'not a database')
    const messages: string[] = []
    stores = await open()
    stores.upkeep?.onDamage(({ quarantined }) => messages.push(String(quarantined)))
    expect(messages).toEqual(['history.duckdb.corrupt-2026-11-20T020000Z'])
    expect(await tradesNow()).toEqual(before.slice(0, 2))
    const gaps = await stores.history.gaps({ ...EVER, venue: 'venue_a', limit: 100 })
    const ofToday = gaps.filter(({ from, to }) => from <= TODAY + 5 && (to ?? 0) > TODAY + 5)
    // There were no quotes when the hour was copied.
    expect(ofToday.map(({ feed }) => feed)).toEqual(['trades'])
  })
})
