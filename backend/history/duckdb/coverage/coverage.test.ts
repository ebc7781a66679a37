import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { candleColumns, quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import type { CoverageRow } from '../../coverage.ts'
import type { HistoryStore } from '../../history-store.ts'
import { openHistory } from '../open.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
const at = (minutes: number): Millis => (T0 + minutes * MINUTE) as Millis

const gap = (from: number, to: number | null, rest: Partial<CoverageRow> = {}): CoverageRow => ({
  venue: 'venue_a',
  market: null,
  feed: 'trades',
  state: 'gap',
  from: at(from),
  to: to === null ? null : at(to),
  knownAt: at(to ?? from),
  reason: 'socket closed',
  ...rest,
})

describe('coverage on disk', () => {
  let folder = ''
  let history: HistoryStore
  let [a, b, foreign] = [-1, -1, -1]
  const open = () =>
    openHistory({
      path: join(folder, 'history.duckdb'),
      memoryLimitMb: 256,
      logger: silentLogger,
    })
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'augury-coverage-'))
    history = await open()
    const ids = await history.marketIds([
      { venue: 'venue_a', ticker: 'KX-A' },
      { venue: 'venue_a', ticker: 'KX-B' },
      { venue: 'venue_b', ticker: '0xabc' },
    ])
    ;[a = -1, b = -1, foreign = -1] = ids
  })
  afterEach(async () => {
    await history.close()
    rmSync(folder, { recursive: true })
  })

  const crossing = async (market: number, asOf = at(60)) => {
    const rows = await history.candles({
      market,
      asOf,
      width: MINUTE,
      limit: 100,
      before: Infinity as Millis,
    })
    return rows.flatMap((row) => (row.crossesGap ? [(row.start - T0) / MINUTE] : []))
  }
  const everyMinute = (market: number) =>
    tradeColumns(
      Array.from({ length: 10 }, (_, n) => ({
        market,
        ts: at(n),
        price: 4_000,
        tradeId: `${market}-${n}`,
      })),
    )

  it('marks the bars that a gap overlaps, as was known', async () => {
    await history.append({ trades: everyMinute(a), coverage: [gap(3, null)] })
    expect(await crossing(a)).toEqual([3, 4, 5, 6, 7, 8, 9])
    await history.append({ coverage: [gap(3, 5)] })
    expect(await crossing(a)).toEqual([3, 4])
    expect(await crossing(a, at(4.5))).toEqual([3, 4])
    await history.append({ coverage: [gap(3, 5, { state: 'repaired', knownAt: at(7) })] })
    expect(await crossing(a)).toEqual([])
    expect(await crossing(a, (at(7) - 1) as Millis)).toEqual([3, 4])
  })

  it('ends a bar where the next begins', async () => {
    const half = { from: (at(3) - 1) as Millis, to: at(3) }
    await history.append({ trades: everyMinute(a), coverage: [gap(2, 3, half)] })
    expect(await crossing(a)).toEqual([2])
  })

  it('applies a gap of a market to that market, and one of a venue to all of its markets', async () => {
    await history.append({
      trades: everyMinute(a),
      coverage: [gap(1, 2, { market: b }), gap(5, 6, { feed: 'quotes' }), gap(8, 9)],
    })
    await history.append({ trades: everyMinute(b) })
    await history.append({ trades: everyMinute(foreign) })
    expect(await crossing(a)).toEqual([8])
    expect(await crossing(b)).toEqual([1, 8])
    expect(await crossing(foreign)).toEqual([])
  })

  it('marks bars of quotes by the quote feed, and never a native bar', async () => {
    await history.append({
      quotes: quoteColumns([{ market: a, ts: at(2), bid: 4_000, ask: 4_100, origin: 3 }]),
      candles: candleColumns([
        {
          market: b,
          start: at(2),
          width: MINUTE,
          volume: 7,
          prices: [4_000, 4_000, 4_000, 4_000],
        },
      ]),
      coverage: [gap(0, 9), gap(2, 3, { feed: 'quotes', market: a })],
    })
    expect(await crossing(a)).toEqual([2])
    expect(await crossing(b)).toEqual([])
  })

  it('persists over a reopen, in statements and in marks', async () => {
    await history.append({
      trades: everyMinute(a),
      coverage: [
        gap(0, null, { state: 'live', reason: null }),
        gap(3, 5),
        gap(7, 8, { market: a }),
      ],
    })
    const requested = async () => [
      await crossing(a),
      await history.coverage({
        market: a,
        feed: 'trades' as const,
        from: at(0),
        to: at(9),
        asOf: at(60),
      }),
    ]
    const before = await requested()
    expect(before).toEqual([
      [3, 4, 7],
      [
        { state: 'live', from: at(0), to: at(3), reason: null },
        { state: 'gap', from: at(3), to: at(5), reason: 'socket closed' },
        { state: 'live', from: at(5), to: at(7), reason: null },
        { state: 'gap', from: at(7), to: at(8), reason: 'socket closed' },
        { state: 'live', from: at(8), to: at(9), reason: null },
      ],
    ])
    await history.close()
    history = await open()
    expect(await requested()).toEqual(before)
  })

  it('lists gaps and repairs, newest first', async () => {
    const repair = gap(3, 5, { state: 'repaired', knownAt: at(7) })
    const rows = [
      gap(3, null),
      gap(3, 5),
      repair,
      gap(7, 8, { market: a }),
      gap(7, 8, { venue: 'venue_b' }),
      gap(20, null, { market: b }),
      gap(0, null, { state: 'live' }),
    ]
    await history.append({ coverage: rows })
    const ask = (rest: Partial<Parameters<HistoryStore['gaps']>[0]> = {}) =>
      history.gaps({
        venue: 'venue_a',
        from: at(0),
        to: at(60),
        asOf: at(60),
        limit: 10,
        ...rest,
      })
    expect(await ask()).toEqual([rows[5], rows[3], repair, rows[1]])
    expect(await ask({ venue: null, limit: 3 })).toEqual([rows[5], rows[4], rows[3]])
    expect(await ask({ from: at(5), to: at(20) })).toEqual([rows[3]])
    expect(await ask({ asOf: at(4), from: at(4) })).toEqual([])
    expect(await ask({ asOf: at(4) })).toEqual([rows[0]])
  })

  it('lists coverage without an end, of one venue', async () => {
    const live = gap(0, null, { state: 'live', reason: null })
    const single = gap(2, null, { state: 'live', market: a, reason: null })
    const rows = [
      live,
      single,
      gap(3, null),
      gap(3, 5),
      gap(6, null, { market: b }),
      { ...single, to: at(4), knownAt: at(4) },
      gap(1, null, { venue: 'venue_b' }),
    ]
    await history.append({ coverage: rows })
    expect(await history.openCoverage('venue_a')).toEqual([live, rows[4]])
    expect(await history.openCoverage('venue_b')).toEqual([rows[6]])
  })

  it('stores nothing of a batch that fails', async () => {
    const trades = tradeColumns([{ market: a, ts: at(1), tradeId: 'x', price: 1 }])
    const broken = { ...trades, price: new BigInt64Array(1) as unknown as Int32Array }
    await expect(history.append({ trades: broken, coverage: [gap(3, 5)] })).rejects.toThrow()
    await history.append({ trades: everyMinute(a) })
    expect(await crossing(a)).toEqual([])
    expect(
      await history.gaps({ venue: null, from: at(0), to: at(60), asOf: at(60), limit: 10 }),
    ).toEqual([])
  })
})
