import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { bookColumns, quoteColumns, tradeColumns } from '../../testing/history-rows.ts'
import type { WholeHistory } from '../history.ts'
import type { RunReading } from '../run-reads.ts'
import { openHistory } from './open.ts'

const T0 = Date.parse('2026-11-18T00:00:00Z')
const MARKETS = 3
/** More stretches of a minute than four deals hold. */
const MINUTES = 1_700
const folder = mkdtempSync(join(tmpdir(), 'augury-run-reading-'))
let history: WholeHistory

beforeAll(async () => {
  history = await openHistory({
    ...{ path: join(folder, 'history.duckdb'), threads: 1, memoryLimitMb: 256 },
    logger: silentLogger,
  })
  await history.marketIds(
    Array.from({ length: MARKETS }, (_, n) => ({ venue: 'venue_a' as const, ticker: `KX-${n}` })),
  )
  // Market after market, as an import leaves them: each of them over the whole range.
  const rows = Array.from({ length: MARKETS * MINUTES }, (_, n) => ({
    market: Math.floor(n / MINUTES),
    ts: T0 + (n % MINUTES) * MINUTE + ((n * 7_919) % 50) * 1_000,
    lag: n % 11 === 0 ? 3 * HOUR : 1_000,
  }))
  await history.append({
    trades: tradeColumns(rows.map((row, n) => ({ ...row, tradeId: `t${n}`, price: 1 + (n % 9_999) }))), // prettier-ignore
    quotes: quoteColumns(rows.map((row, n) => ({ ...row, ts: row.ts + 500, bid: 1 + (n % 4_999), ask: null }))), // prettier-ignore
    books: bookColumns(
      rows.slice(0, 400).map((row, n) => ({ ...row, bids: [[100 + n, 5]], asks: [[6_000 + n, 7]] })), // prettier-ignore
    ),
  })
  await history.sortClosedHours((T0 + 20 * HOUR) as Millis)
})
afterAll(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

const QUERY = {
  ...{ from: (T0 + 10 * MINUTE) as Millis, to: (T0 + MINUTES * MINUTE) as Millis },
  ...{ markets: [0, 2, 1], feeds: ['trades', 'quotes', 'books'] as const },
}
type Windows = ReturnType<RunReading['windows']>

/** Every number of every row, feed by feed. */
async function told(windows: Windows): Promise<number[][]> {
  const all: number[][] = [[], [], []]
  for await (const { trades, quotes, books } of windows) {
    for (const [i, rows] of [trades, quotes, books].entries()) {
      if (rows === null) continue
      for (let row = 0; row < rows.known.length; row++) {
        const top = 'price' in rows ? rows.price[row] : 'bid' in rows ? rows.bid[row] : rows.bidPrice[row * 5] // prettier-ignore
        all[i]?.push(rows.known[row] ?? NaN, rows.ts[row] ?? NaN, rows.market[row] ?? NaN, top ?? NaN) // prettier-ignore
      }
    }
  }
  return all
}

describe('a reading of a run’s events', () => {
  it('[backtest.source.order] tells the same rows however often and in however many pieces it is played', async () => {
    const whole = await told(history.eventWindows(QUERY))
    expect(whole.map(({ length }) => length / 4)).toEqual([
      expect.toSatisfy((rows: number) => rows > MARKETS * MINUTES * 0.8),
      expect.toSatisfy((rows: number) => rows > MARKETS * MINUTES * 0.8),
      expect.toSatisfy((rows: number) => rows > 200),
    ])
    const pieces = await history.openReading({ ...QUERY, rowsAtOnce: 1 })
    expect(await told(pieces.windows())).toEqual(whole)
    // The oldest pieces are gone by now and are read anew.
    expect(await told(pieces.windows())).toEqual(whole)
    await pieces.close()
  })

  it('[backtest.source.prefix] tells by an instant what a query that ends there tells', async () => {
    const reading = await history.openReading({ ...QUERY, rowsAtOnce: 700 })
    for (const share of [0.001, 0.37, 0.5, 0.93, 1]) {
      const to = Math.floor(QUERY.from + (QUERY.to - QUERY.from) * share) as Millis
      expect(await told(reading.windows(to))).toEqual(await told(history.eventWindows({ ...QUERY, to }))) // prettier-ignore
      for await (const { until } of reading.windows(to)) expect(until).toBeLessThanOrEqual(to)
    }
    await reading.close()
  })

  it('leaves no file behind, and refuses who listens after it was closed', async () => {
    const reading = await history.openReading({ ...QUERY, rowsAtOnce: 100 })
    const windows = reading.windows()[Symbol.asyncIterator]()
    expect((await windows.next()).done).toBe(false)
    expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('run-'))).toEqual([])
    await reading.close()
    // One window is ready, the next is not.
    await expect(
      (async () => {
        for (;;) if ((await windows.next()).done === true) return
      })(),
    ).rejects.toThrow()
    await expect(reading.windows()[Symbol.asyncIterator]().next()).rejects.toThrow('was closed')
  })
})
