import { mkdtempSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { EventWindow } from '../../../domain/backtest/event-columns.ts'
import { HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import type { WholeHistory } from '../../history.ts'
import type { EventStream } from '../../event-streams.ts'
import { openHistory } from '../open.ts'
import { FrameFile } from './frame-file.ts'

const T0 = Date.parse('2026-11-18T00:00:00Z')
const ROWS = 300
const folder = mkdtempSync(join(tmpdir(), 'augury-event-cache-'))
const opened: WholeHistory[] = []
let history: WholeHistory
let data: string

beforeEach(async () => {
  data = join(folder, String(opened.length))
  history = await openHistory({
    path: join(data, 'history.duckdb'),
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  opened.push(history)
  await history.marketIds([0, 1, 2].map((n) => ({ venue: 'venue_a' as const, ticker: `KX-${n}` })))
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    market: n % 2,
    ts: T0 + n * MINUTE,
    lag: 500,
  }))
  await history.append({
    trades: tradeColumns(rows.map((row, n) => ({ ...row, tradeId: `t${n}`, price: 1_000 + n }))),
  })
})
afterAll(async () => {
  for (const one of opened) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

const QUERY = {
  from: (T0 + HOUR) as Millis,
  to: (T0 + 3 * HOUR) as Millis,
  markets: [0, 1],
  feeds: ['trades'] as const,
  rowsPerFrame: 50,
}
const INSIDE = { market: 0, ts: T0 + 2 * HOUR + 1, tradeId: 'new', price: 7_777 }

async function pricesOf(windows: AsyncIterable<EventWindow>): Promise<number[]> {
  const all: number[] = []
  for await (const { trades } of windows) all.push(...(trades?.price ?? []))
  return all
}
/** Prices of a run that starts now. */
async function pricesOfRun(
  query: Parameters<WholeHistory['openEventStream']>[0] = QUERY,
): Promise<number[]> {
  const stream = await history.openEventStream(query)
  const prices = await pricesOf(stream.windows())
  await stream.close()
  return prices
}
/** Offsets of its frames. */
async function placesOf(stream: EventStream): Promise<number[]> {
  const all: number[] = []
  for await (const { at } of stream.frames()) all.push(at)
  return all
}
/** Whether a stream is still cached after a write. */
async function isKeptAfter(write: () => Promise<unknown>): Promise<boolean> {
  const first = await history.openEventStream(QUERY)
  const before = await placesOf(first)
  await write()
  const second = await history.openEventStream(QUERY)
  const after = await placesOf(second)
  await first.close()
  await second.close()
  return before.join() === after.join()
}

describe('the cache of event streams', () => {
  it('[backtest.source.shared] shares a stream between concurrent and later runs', async () => {
    const [one, two] = [history.openEventStream(QUERY), history.openEventStream(QUERY)]
    const both = await Promise.all([placesOf(await one), placesOf(await two)])
    expect(both[0].length).toBeGreaterThan(1)
    expect(both[1]).toEqual(both[0])
    await (await one).close()
    const before = await pricesOf((await two).windows())
    await (await two).close()
    // Another stream does not take the space of a cached one.
    const other = await history.openEventStream({ ...QUERY, rowsPerFrame: 40 })
    expect(await placesOf(other)).not.toContain(both[0][0])
    const again = await history.openEventStream(QUERY)
    expect(await placesOf(again)).toEqual(both[0])
    expect(await pricesOf(again.windows())).toEqual(before)
    await Promise.all([other.close(), again.close()])
  })

  it('[backtest.source.fresh] reads a stream again after rows of it were appended or imported', async () => {
    const before = await pricesOfRun()
    await history.append({ trades: tradeColumns([INSIDE]) })
    expect(await pricesOfRun()).toEqual(expect.arrayContaining([7_777]))
    // Before the range by the venue's time, but known inside it.
    await history.append({
      trades: tradeColumns([{ ...INSIDE, ts: T0, lag: 2 * HOUR, tradeId: 'late', price: 8_888 }]),
    })
    expect(await pricesOfRun()).toEqual(expect.arrayContaining([7_777, 8_888]))
    const file = join(data, 'staged.parquet')
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(
      `copy (select 1::integer as market, ${T0 + HOUR} as ts, ${HOUR} as lag, 3 as origin, 'adopted' as trade_id,
                    9_999 as price, 1000000 as size, 1 as taker, false as is_block) to '${file}' (format parquet)`,
    )
    connection.closeSync()
    instance.closeSync()
    expect(await history.adopt('trades', file)).toEqual({ taken: 1, known: 0 })
    const after = await pricesOfRun()
    expect(after.toSorted()).toEqual([...before, 7_777, 8_888, 9_999].toSorted())
  })

  it('[backtest.source.fresh] does not share a stream while rows of it are being stored', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => ({ ...INSIDE, tradeId: `m${n}` }))
    const before = await pricesOfRun()
    const written = history.append({ trades: tradeColumns(many) })
    const meanwhile = await history.openEventStream(QUERY)
    await written
    const after = await pricesOfRun()
    expect(after.length).toBe(before.length + many.length)
    // A write is visible entirely or not at all.
    expect([before.length, after.length]).toContain((await pricesOf(meanwhile.windows())).length)
    await meanwhile.close()
  })

  it('[backtest.source.fresh] keeps an open stream as it was when rows of it are stored', async () => {
    const stream = await history.openEventStream(QUERY)
    const windows = stream.windows()[Symbol.asyncIterator]()
    const first = await windows.next()
    await history.append({ trades: tradeColumns([INSIDE]) })
    const prices = [...((first.value as EventWindow).trades?.price ?? [])]
    for (let next = await windows.next(); next.done !== true; next = await windows.next()) {
      prices.push(...(next.value.trades?.price ?? []))
    }
    expect(prices).not.toContain(7_777)
    expect(await pricesOf(stream.windows())).toEqual(prices)
    expect(await pricesOfRun()).toContain(7_777)
    await stream.close()
  })

  it('[backtest.source.shared] keeps a stream when rows outside of it are stored', async () => {
    const stay: readonly Parameters<WholeHistory['append']>[0][] = [
      { trades: tradeColumns([{ ...INSIDE, ts: T0 + 4 * HOUR, tradeId: 'live' }]) },
      { trades: tradeColumns([{ ...INSIDE, lag: HOUR, tradeId: 'known later' }]) },
      { trades: tradeColumns([{ ...INSIDE, market: 2, tradeId: 'of another market' }]) },
      { quotes: quoteColumns([{ market: 0, ts: INSIDE.ts, bid: 1, ask: 2 }]) },
      // A run receives trades as printed.
      {
        corrections: [
          { market: 0, tradeId: 't100', knownAt: INSIDE.ts as Millis, corrected: null },
        ],
      },
    ]
    const before = await pricesOfRun()
    for (const batch of stay) expect(await isKeptAfter(() => history.append(batch))).toBe(true)
    expect(await isKeptAfter(() => history.append({ trades: tradeColumns([INSIDE]) }))).toBe(false)
    const fresh = await pricesOfRun({ ...QUERY, rowsPerFrame: 70 })
    expect(fresh.filter((price) => price !== 7_777)).toEqual(before)
  })

  it('leaves no named file, and none after the history is closed', async () => {
    await pricesOfRun()
    const left = () => readdirSync(join(data, 'tmp')).filter((name) => name.startsWith('events-'))
    expect(left()).toEqual([])
    await history.close()
    expect(left()).toEqual([])
    await expect(history.openEventStream(QUERY)).rejects.toThrow('closed')
  })
})

describe('the frame file', () => {
  it('reuses released extents and truncates free space at its end', async () => {
    const file = await FrameFile.create(folder)
    const [a, b, c] = [
      await file.allocate(10_000),
      await file.allocate(5_000),
      await file.allocate(1),
    ]
    expect([a.at, b.at, c.at]).toEqual([0, 12_288, 20_480])
    writeSync(file.writableFd, Uint8Array.of(1, 2, 3), 0, 3, c.at)
    file.release([a])
    expect((await file.allocate(8_192)).at).toBe(0)
    expect((await file.allocate(4_096)).at).toBe(8_192)
    file.release([b])
    const read = new Uint8Array(3)
    await file.read(read, c.at)
    expect(read).toEqual(Uint8Array.of(1, 2, 3))
    file.release([c])
    expect(file.bytes).toBe(12_288)
    // The truncated space must not be allocated again.
    const d = await file.allocate(4_096)
    writeSync(file.writableFd, Uint8Array.of(9), 0, 1, d.at)
    expect(d.at).toBe(12_288)
    await expect(file.read(new Uint8Array(9_000), d.at)).rejects.toThrow('shorter than expected')
    await file.close()
  })
})
