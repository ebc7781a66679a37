import fc from '../../../../scripts/properties.ts'
import { afterAll, describe, expect, it } from 'vitest'
import type { EventWindow, Feed } from '../../../domain/backtest/event-columns.ts'
import { HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import {
  bookColumns,
  candleColumns,
  quoteColumns,
  tradeColumns,
} from '../../../testing/history-rows.ts'
import type { WholeHistory } from '../../history.ts'
import { openHistory } from '../open.ts'

const T0 = Date.parse('2026-11-19T22:00:00Z')
const KEYS = [0, 1, 2, 3].map((n) => ({ venue: 'venue_a' as const, ticker: `KX-${n}` }))

const opened: WholeHistory[] = []
const fresh = async (): Promise<WholeHistory> => {
  const history = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  opened.push(history)
  await history.marketIds(KEYS)
  return history
}
afterAll(async () => {
  for (const history of opened) await history.close()
})

interface PlainRow {
  readonly market: number
  readonly ts: number
  readonly lag: number
  readonly price: number
}

const rows = fc.array(
  fc.record({
    market: fc.integer({ min: 0, max: 3 }),
    ts: fc.integer({ min: 0, max: 240 }).map((n) => T0 + n * MINUTE),
    lag: fc.constantFrom(0, 1_000, 90 * MINUTE, 5 * HOUR),
    price: fc.integer({ min: 1, max: 9_999 }),
  }),
  { minLength: 1, maxLength: 40 },
)

/** The expected rows, by a filter and a sort. */
const expectedOrder = (
  all: readonly PlainRow[],
  from: number,
  to: number,
  markets: readonly number[],
) =>
  all
    .map((row, arrival) => ({
      ...row,
      known: row.ts + row.lag,
      place: markets.indexOf(row.market),
      arrival,
    }))
    .filter(({ known, place }) => known > from && known <= to && place >= 0)
    .sort((a, b) => a.known - b.known || a.ts - b.ts || a.place - b.place || a.arrival - b.arrival)

async function gathered(windows: AsyncIterable<EventWindow>): Promise<EventWindow[]> {
  const all: EventWindow[] = []
  for await (const window of windows) all.push(window)
  return all
}

describe('event windows', () => {
  it('[backtest.source.order] are in event order for any size of frames', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        rows,
        fc.constantFrom(1, 7, 1_000),
        fc.boolean(),
        async (trades, quotes, rowsPerFrame, isSorted) => {
          const history = await fresh()
          await history.append({
            trades: tradeColumns(trades.map((row, n) => ({ ...row, tradeId: `t${n}` }))),
            quotes: quoteColumns(quotes.map((row) => ({ ...row, bid: row.price, ask: null }))),
          })
          // Moved rows keep their order of arrival within a market.
          if (isSorted) await history.sortClosedHours((T0 + 12 * HOUR) as Millis)
          const [from, to] = [(T0 + 30 * MINUTE) as Millis, (T0 + 4 * HOUR) as Millis]
          const markets = [2, 0, 1]
          const feeds: readonly Feed[] = ['trades', 'quotes', 'books', 'bars']
          const windows = await gathered(
            history.eventWindows({ from, to, markets, feeds, rowsPerFrame }),
          )
          const rowsOf = (kind: 'trades' | 'quotes'): number[][] =>
            windows.flatMap((window) => {
              const columns = window[kind]
              if (columns === null) return []
              return Array.from(columns.known, (known, i) => [
                known,
                columns.ts[i] ?? NaN,
                columns.market[i] ?? NaN,
                ('price' in columns ? columns.price : columns.bid)[i] ?? NaN,
              ])
            })
          const asRows = (all: readonly PlainRow[]): number[][] =>
            expectedOrder(all, from, to, markets).map(({ known, ts, place, price }) => [
              known,
              ts,
              place,
              price,
            ])
          expect(rowsOf('trades')).toEqual(asRows(trades))
          expect(rowsOf('quotes')).toEqual(asRows(quotes))
          const ends = windows.map(({ until }) => until)
          expect(ends).toEqual(ends.toSorted((a, b) => a - b))
          for (const [i, window] of windows.entries()) {
            const last = Math.max(
              window.trades?.known.at(-1) ?? 0,
              window.quotes?.known.at(-1) ?? 0,
            )
            expect(last).toBeLessThanOrEqual(window.until)
            const first = Math.min(
              window.trades?.known[0] ?? Infinity,
              window.quotes?.known[0] ?? Infinity,
            )
            expect(first).toBeGreaterThan(windows[i - 1]?.until ?? from)
          }
        },
      ),
      { numRuns: 40, seed: 11 },
    )
  })

  it('[backtest.source.order] keeps the order of arrival of equal stamps with several engine threads', async () => {
    const [marketCount, rowCount] = [300, 60_000]
    const history = await openHistory({
      path: ':memory:',
      threads: 2,
      memoryLimitMb: 256,
      logger: silentLogger,
    })
    opened.push(history)
    const keys = Array.from({ length: marketCount }, (_, n) => ({
      venue: 'venue_a' as const,
      ticker: `KX-${n}`,
    }))
    await history.marketIds(keys)
    const all: PlainRow[] = []
    for (let batch = 0; batch < 6; batch++) {
      // About seven rows of a market share an instant.
      const added = Array.from({ length: rowCount }, (_, n) => ({
        market: (n * 7_919) % marketCount,
        ts: T0 + ((n * 31) % 120) * 15 * MINUTE,
        lag: 500,
        price: 1 + batch * 1_600 + (n % 1_599),
      }))
      all.push(...added)
      await history.append({
        trades: tradeColumns(added.map((row, n) => ({ ...row, tradeId: `${batch}-${n}` }))),
      })
      if (batch % 2 === 1) await history.sortClosedHours((T0 + 20 * HOUR) as Millis)
    }
    const from = T0 as Millis
    const to = (T0 + 40 * HOUR) as Millis
    // The engine uses different plans for few and for many markets.
    for (const markets of [
      Array.from({ length: 20 }, (_, n) => 3 * n),
      Array.from({ length: 120 }, (_, n) => n),
    ]) {
      const query = { from, to, markets, feeds: ['trades'] as const }
      const windows = await gathered(history.eventWindows(query))
      const prices = windows.flatMap(({ trades }) => [...(trades?.price ?? [])])
      expect(prices).toEqual(expectedOrder(all, from, to, markets).map(({ price }) => price))
    }
  })

  it('[backtest.source.kinds] have books by level, bars at their end and no block trades', async () => {
    const history = await fresh()
    await history.append({
      trades: tradeColumns([
        { market: 0, ts: T0 + 1, tradeId: 'a', price: 4_000, taker: 2 },
        { market: 0, ts: T0 + 2, tradeId: 'block', price: 9_000, isBlock: true },
      ]),
      books: bookColumns([
        {
          market: 1,
          ts: T0 + 3,
          bids: [
            [4_000, 5],
            [3_900, 6],
          ],
          asks: [[4_100, 7]],
        },
      ]),
      candles: candleColumns([
        { market: 0, start: T0, width: HOUR, prices: [1, 4, 1, 3], volume: 9, lag: 1_000 },
      ]),
    })
    const query = { from: T0 as Millis, to: (T0 + 2 * HOUR) as Millis, markets: [0, 1] }
    const feeds: readonly Feed[] = ['trades', 'books', 'bars']
    const windows = await gathered(history.eventWindows({ ...query, feeds }))
    expect(windows).toHaveLength(1)
    const [{ trades, books, bars, quotes }] = windows as [EventWindow]
    expect(quotes).toBeNull()
    expect(trades).toMatchObject({ price: Int32Array.of(4_000), taker: Uint8Array.of(2) })
    expect(books?.bidPrice).toEqual(Int32Array.of(4_000, 3_900, -1, -1, -1))
    expect(books?.askSize).toEqual(Float64Array.of(7, NaN, NaN, NaN, NaN))
    expect(bars).toMatchObject({
      known: Float64Array.of(T0 + HOUR + 1_000),
      close: Int32Array.of(3),
      bid: Int32Array.of(-1),
      width: Float64Array.of(HOUR),
    })
    expect(await gathered(history.eventWindows({ ...query, feeds, markets: [] }))).toEqual([])
    expect(await gathered(history.eventWindows({ ...query, feeds, to: query.from }))).toEqual([])
  })

  it('reads the next query after a reader stopped early', async () => {
    const history = await fresh()
    await history.append({
      quotes: quoteColumns(
        Array.from({ length: 50 }, (_, n) => ({
          market: 0,
          ts: T0 + n * MINUTE,
          bid: 1_000 + n,
          ask: null,
        })),
      ),
    })
    const query = { from: (T0 - 1) as Millis, to: (T0 + HOUR) as Millis, markets: [0] }
    for await (const window of history.eventWindows({
      ...query,
      feeds: ['quotes'],
      rowsPerFrame: 5,
    })) {
      expect(window.quotes?.known.length).toBe(5)
      break
    }
    const all = await gathered(history.eventWindows({ ...query, feeds: ['quotes'] }))
    expect(all[0]?.quotes?.known.length).toBe(50)
  })
})
