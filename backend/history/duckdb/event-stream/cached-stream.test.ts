import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { bookColumns, quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import type { WholeHistory } from '../../history.ts'
import type { EventStream } from '../../event-streams.ts'
import { openHistory } from '../open.ts'

const T0 = Date.parse('2026-11-18T00:00:00Z')
const MARKETS = 3
/** More one-minute spans than four sort groups hold. */
const MINUTES = 1_700
const folder = mkdtempSync(join(tmpdir(), 'augury-event-stream-'))
let history: WholeHistory

beforeAll(async () => {
  history = await openHistory({
    path: join(folder, 'history.duckdb'),
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  await history.marketIds(
    Array.from({ length: MARKETS }, (_, n) => ({ venue: 'venue_a' as const, ticker: `KX-${n}` })),
  )
  // Market after market, as an import stores them, each over the whole range.
  const rows = Array.from({ length: MARKETS * MINUTES }, (_, n) => ({
    market: Math.floor(n / MINUTES),
    ts: T0 + (n % MINUTES) * MINUTE + ((n * 7_919) % 50) * 1_000,
    lag: n % 11 === 0 ? 3 * HOUR : 1_000,
  }))
  await history.append({
    trades: tradeColumns(
      rows.map((row, n) => ({ ...row, tradeId: `t${n}`, price: 1 + (n % 9_999) })),
    ),
    quotes: quoteColumns(
      rows.map((row, n) => ({ ...row, ts: row.ts + 500, bid: 1 + (n % 4_999), ask: null })),
    ),
    books: bookColumns(
      rows
        .slice(0, 400)
        .map((row, n) => ({ ...row, bids: [[100 + n, 5]], asks: [[6_000 + n, 7]] })),
    ),
  })
  await history.sortClosedHours((T0 + 20 * HOUR) as Millis)
})
afterAll(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

const QUERY = {
  from: (T0 + 10 * MINUTE) as Millis,
  to: (T0 + MINUTES * MINUTE) as Millis,
  markets: [0, 2, 1],
  feeds: ['trades', 'quotes', 'books'] as const,
}
type Windows = ReturnType<EventStream['windows']>

/** Every number of every row, feed by feed. */
async function valuesOf(windows: Windows): Promise<number[][]> {
  const all: number[][] = [[], [], []]
  for await (const { trades, quotes, books } of windows) {
    for (const [i, rows] of [trades, quotes, books].entries()) {
      if (rows === null) continue
      for (let row = 0; row < rows.known.length; row++) {
        const top =
          'price' in rows ? rows.price[row] : 'bid' in rows ? rows.bid[row] : rows.bidPrice[row * 5]
        all[i]?.push(
          rows.known[row] ?? NaN,
          rows.ts[row] ?? NaN,
          rows.market[row] ?? NaN,
          top ?? NaN,
        )
      }
    }
  }
  return all
}

describe('an event stream', () => {
  it('[backtest.source.order] has the same rows each time and with any size of frames', async () => {
    const whole = await valuesOf(history.eventWindows(QUERY))
    expect(whole.map(({ length }) => length / 4)).toEqual([
      expect.toSatisfy((rows: number) => rows > MARKETS * MINUTES * 0.8),
      expect.toSatisfy((rows: number) => rows > MARKETS * MINUTES * 0.8),
      expect.toSatisfy((rows: number) => rows > 200),
    ])
    const pieces = await history.openEventStream({ ...QUERY, rowsPerFrame: 1 })
    expect(await valuesOf(pieces.windows())).toEqual(whole)
    // A second pass reads the same frames.
    expect(await valuesOf(pieces.windows())).toEqual(whole)
    await pieces.close()
  })

  it('[backtest.source.prefix] cut at an instant, equals a query that ends there', async () => {
    const stream = await history.openEventStream({ ...QUERY, rowsPerFrame: 700 })
    for (const share of [0.001, 0.37, 0.5, 0.93, 1]) {
      const to = Math.floor(QUERY.from + (QUERY.to - QUERY.from) * share) as Millis
      expect(await valuesOf(stream.windows(to))).toEqual(
        await valuesOf(history.eventWindows({ ...QUERY, to })),
      )
      for await (const { until } of stream.windows(to)) expect(until).toBeLessThanOrEqual(to)
    }
    await stream.close()
  })

  it('leaves no file behind, and rejects reads after it was closed', async () => {
    const stream = await history.openEventStream({ ...QUERY, rowsPerFrame: 100 })
    const windows = stream.windows()[Symbol.asyncIterator]()
    expect((await windows.next()).done).toBe(false)
    expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('events-'))).toEqual(
      [],
    )
    await stream.close()
    // The first window is ready, the next is not.
    await expect(
      (async () => {
        for (;;) if ((await windows.next()).done === true) return
      })(),
    ).rejects.toThrow()
    await expect(stream.windows()[Symbol.asyncIterator]().next()).rejects.toThrow('was closed')
  })
})
