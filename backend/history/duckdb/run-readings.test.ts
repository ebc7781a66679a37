import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { quoteColumns, tradeColumns } from '../../testing/history-rows.ts'
import type { WholeHistory } from '../history.ts'
import type { RunReading } from '../run-reads.ts'
import { openHistory } from './open.ts'
import { WindowFile } from './run-file.ts'

const T0 = Date.parse('2026-11-18T00:00:00Z')
const ROWS = 300
const folder = mkdtempSync(join(tmpdir(), 'augury-run-readings-'))
const opened: WholeHistory[] = []
let history: WholeHistory
let data: string

beforeEach(async () => {
  data = join(folder, String(opened.length))
  history = await openHistory({
    ...{ path: join(data, 'history.duckdb'), threads: 1, memoryLimitMb: 256 },
    logger: silentLogger,
  })
  opened.push(history)
  await history.marketIds([0, 1, 2].map((n) => ({ venue: 'venue_a' as const, ticker: `KX-${n}` })))
  const rows = Array.from({ length: ROWS }, (_, n) => ({ market: n % 2, ts: T0 + n * MINUTE, lag: 500 })) // prettier-ignore
  await history.append({
    trades: tradeColumns(rows.map((row, n) => ({ ...row, tradeId: `t${n}`, price: 1_000 + n }))),
  })
})
afterAll(async () => {
  for (const one of opened) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

const QUERY = {
  ...{ from: (T0 + HOUR) as Millis, to: (T0 + 3 * HOUR) as Millis },
  ...{ markets: [0, 1], feeds: ['trades'] as const, rowsAtOnce: 50 },
}
const INSIDE = { market: 0, ts: T0 + 2 * HOUR + 1, tradeId: 'new', price: 7_777 }

async function pricesOf(windows: AsyncIterable<EventWindow>): Promise<number[]> {
  const all: number[] = []
  for await (const { trades } of windows) all.push(...(trades?.price ?? []))
  return all
}
/** What a run that begins now hears. */
async function heard(query: Parameters<WholeHistory['openReading']>[0] = QUERY): Promise<number[]> {
  const reading = await history.openReading(query)
  const prices = await pricesOf(reading.windows())
  await reading.close()
  return prices
}
/** Where its windows lie. */
async function placesOf(reading: RunReading): Promise<number[]> {
  const all: number[] = []
  for await (const { at } of reading.places()) all.push(at)
  return all
}
/** Whether a run that was played is played from where it lies when it is asked for again. */
async function isKeptAfter(write: () => Promise<unknown>): Promise<boolean> {
  const first = await history.openReading(QUERY)
  const lay = await placesOf(first)
  await write()
  const second = await history.openReading(QUERY)
  const lies = await placesOf(second)
  await first.close()
  await second.close()
  return lay.join() === lies.join()
}

describe('readings that are kept between runs', () => {
  it('[backtest.source.shared] are shared by runs at once and by the next one', async () => {
    const [one, two] = [history.openReading(QUERY), history.openReading(QUERY)]
    const both = await Promise.all([placesOf(await one), placesOf(await two)])
    expect(both[0].length).toBeGreaterThan(1)
    expect(both[1]).toEqual(both[0])
    await (await one).close()
    const before = await pricesOf((await two).windows())
    await (await two).close()
    // Another reading takes no room of one that is kept.
    const other = await history.openReading({ ...QUERY, rowsAtOnce: 40 })
    expect(await placesOf(other)).not.toContain(both[0][0])
    const again = await history.openReading(QUERY)
    expect(await placesOf(again)).toEqual(both[0])
    expect(await pricesOf(again.windows())).toEqual(before)
    await Promise.all([other.close(), again.close()])
  })

  it('[backtest.source.fresh] are read anew once rows of theirs were stored, however they come', async () => {
    const before = await heard()
    await history.append({ trades: tradeColumns([INSIDE]) })
    expect(await heard()).toEqual(expect.arrayContaining([7_777]))
    // Before the range by the venue's time, known in it.
    await history.append({ trades: tradeColumns([{ ...INSIDE, ts: T0, lag: 2 * HOUR, tradeId: 'late', price: 8_888 }]) }) // prettier-ignore
    expect(await heard()).toEqual(expect.arrayContaining([7_777, 8_888]))
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
    const after = await heard()
    expect(after.toSorted()).toEqual([...before, 7_777, 8_888, 9_999].toSorted())
  })

  it('[backtest.source.fresh] are not handed on while rows of theirs are being stored', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => ({ ...INSIDE, tradeId: `m${n}` }))
    const before = await heard()
    const written = history.append({ trades: tradeColumns(many) })
    const meanwhile = await history.openReading(QUERY)
    await written
    const after = await heard()
    expect(after.length).toBe(before.length + many.length)
    // All of the write or nothing of it.
    expect([before.length, after.length]).toContain((await pricesOf(meanwhile.windows())).length)
    await meanwhile.close()
  })

  it('[backtest.source.fresh] play what stood there when they were opened', async () => {
    const reading = await history.openReading(QUERY)
    const windows = reading.windows()[Symbol.asyncIterator]()
    const first = await windows.next()
    await history.append({ trades: tradeColumns([INSIDE]) })
    const prices = [...((first.value as EventWindow).trades?.price ?? [])]
    for (let next = await windows.next(); next.done !== true; next = await windows.next()) {
      prices.push(...(next.value.trades?.price ?? []))
    }
    expect(prices).not.toContain(7_777)
    expect(await pricesOf(reading.windows())).toEqual(prices)
    expect(await heard()).toContain(7_777)
    await reading.close()
  })

  it('[backtest.source.shared] stay while rows are stored that are none of theirs', async () => {
    const stay: readonly Parameters<WholeHistory['append']>[0][] = [
      { trades: tradeColumns([{ ...INSIDE, ts: T0 + 4 * HOUR, tradeId: 'live' }]) },
      { trades: tradeColumns([{ ...INSIDE, lag: HOUR, tradeId: 'known later' }]) },
      { trades: tradeColumns([{ ...INSIDE, market: 2, tradeId: 'of another market' }]) },
      { quotes: quoteColumns([{ market: 0, ts: INSIDE.ts, bid: 1, ask: 2 }]) },
      // A run hears trades as they were printed.
      { corrections: [{ market: 0, tradeId: 't100', knownAt: INSIDE.ts as Millis, corrected: null }] }, // prettier-ignore
    ]
    const before = await heard()
    for (const batch of stay) expect(await isKeptAfter(() => history.append(batch))).toBe(true)
    expect(await isKeptAfter(() => history.append({ trades: tradeColumns([INSIDE]) }))).toBe(false)
    const fresh = await heard({ ...QUERY, rowsAtOnce: 70 })
    expect(fresh.filter((price) => price !== 7_777)).toEqual(before)
  })

  it('leave no file with a name, and none at all when the history is closed', async () => {
    await heard()
    const left = () => readdirSync(join(data, 'tmp')).filter((name) => name.startsWith('run-'))
    expect(left()).toEqual([])
    await history.close()
    expect(left()).toEqual([])
    await expect(history.openReading(QUERY)).rejects.toThrow('closed')
  })
})

describe('the file that windows lie in', () => {
  it('takes again what was given back, and gives its end back to the disk', async () => {
    const file = await WindowFile.in(folder)
    const [a, b, c] = [await file.take(10_000), await file.take(5_000), await file.take(1)]
    expect([a.at, b.at, c.at]).toEqual([0, 12_288, 20_480])
    await file.write(Uint8Array.of(1, 2, 3), c.at)
    file.give([a])
    expect((await file.take(8_192)).at).toBe(0)
    expect((await file.take(4_096)).at).toBe(8_192)
    file.give([b])
    const read = new Uint8Array(3)
    await file.read(read, c.at)
    expect(read).toEqual(Uint8Array.of(1, 2, 3))
    file.give([c])
    expect(file.bytes).toBe(12_288)
    // What was cut off is not what is taken next.
    const d = await file.take(4_096)
    await file.write(Uint8Array.of(9), d.at)
    expect(d.at).toBe(12_288)
    await expect(file.read(new Uint8Array(9_000), d.at)).rejects.toThrow('shorter than it was')
    await file.close()
  })
})
