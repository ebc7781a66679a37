import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import {
  candleColumns,
  quoteColumns,
  tradeColumns,
  type CandleInput,
} from '../../../testing/history-rows.ts'
import { openMarketHistory } from '../../../testing/market-history.ts'
import type { HistoryStore } from '../../history-store.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
const at = (ms: number) => T0 + ms

describe('native candles and quote mids', () => {
  let history: HistoryStore
  let market = -1
  beforeEach(async () => {
    ;({ history, market } = await openMarketHistory())
  })
  afterEach(() => history.close())

  const bar = (
    start: number,
    width: number,
    price: number,
    volume: number | null,
    rest: Partial<CandleInput> = {},
  ): CandleInput => ({
    market,
    start: at(start),
    width,
    prices: [price, price + 9, price - 9, price + 1],
    volume,
    origin: 3,
    ...rest,
  })
  const candles = (width: number, asOf = at(2 * DAY), limit = 10) =>
    history.candles({
      market,
      width: width as Millis,
      asOf: asOf as Millis,
      before: Infinity as Millis,
      limit,
    })

  it('are native bars, aggregated from an exact divisor of the requested width', async () => {
    await history.append({
      candles: candleColumns([
        bar(0, MINUTE, 100, 5),
        bar(3 * MINUTE, MINUTE, 200, 7),
        bar(6 * MINUTE, MINUTE, 300, 1),
      ]),
    })
    expect(await candles(5 * MINUTE)).toEqual([
      {
        start: at(0),
        open: 100,
        high: 209,
        low: 91,
        close: 201,
        volume: 12,
        source: 'venue',
        crossesGap: false,
      },
      {
        start: at(5 * MINUTE),
        open: 300,
        high: 309,
        low: 291,
        close: 301,
        volume: 1,
        source: 'venue',
        crossesGap: false,
      },
    ])
    expect((await candles(3 * MINUTE)).map((row) => row.volume)).toEqual([5, 7, 1])
  })

  it('are known only from the end of the bar', async () => {
    await history.append({ candles: candleColumns([bar(0, HOUR, 100, 5, { lag: 1_000 })]) })
    expect(await candles(HOUR, at(HOUR + 999))).toEqual([])
    expect(await candles(HOUR, at(HOUR + 1_000))).toHaveLength(1)
  })

  it('use the newest known version of a bar', async () => {
    await history.append({
      candles: candleColumns([bar(0, HOUR, 100, 5), bar(0, HOUR, 500, 6, { lag: 5_000 })]),
    })
    expect((await candles(HOUR, at(HOUR)))[0]?.volume).toBe(5)
    expect((await candles(HOUR, at(HOUR + 5_000)))[0]?.volume).toBe(6)
  })

  it('exclude days that begin at an Eastern midnight, and never count two widths twice', async () => {
    const day = at(0) - (at(0) % DAY) - T0
    await history.append({
      candles: candleColumns([
        bar(day + 5 * HOUR, DAY, 700, 99),
        bar(0, HOUR, 100, 5),
        bar(0, MINUTE, 100, 2),
      ]),
    })
    expect((await candles(DAY)).map((row) => row.volume)).toEqual([5])
  })

  it('are not used in periods with stored trades', async () => {
    await history.append({
      candles: candleColumns([
        bar(0, HOUR, 100, 5),
        bar(HOUR, HOUR, 200, 6),
        bar(2 * HOUR, HOUR, 300, 7),
      ]),
      trades: tradeColumns([
        { market, ts: at(HOUR + 5), tradeId: 'x', price: 1234, size: 3 },
        { market, ts: at(2 * HOUR + 5), tradeId: 'y', price: 1, size: 3, isBlock: true },
      ]),
    })
    expect((await candles(HOUR)).map((row) => [row.start - T0, row.close, row.volume])).toEqual([
      [0, 101, 5],
      [HOUR, 1234, 3],
    ])
  })

  it('leave out bars without prices, and use those without volume where others are missing', async () => {
    await history.append({
      candles: candleColumns([
        bar(0, HOUR, 100, 5),
        bar(HOUR, HOUR, 200, null),
        bar(2 * HOUR, HOUR, 0, 0, { prices: null }),
      ]),
    })
    expect((await candles(HOUR)).map((row) => [row.start, row.volume])).toEqual([
      [at(0), 5],
      [at(HOUR), null],
    ])
  })

  it('carry no volume when the native bars have none', async () => {
    await history.append({ candles: candleColumns([bar(0, HOUR, 100, null)]) })
    expect(await candles(HOUR)).toEqual([
      {
        start: at(0),
        open: 100,
        high: 109,
        low: 91,
        close: 101,
        volume: null,
        source: 'venue',
        crossesGap: false,
      },
    ])
  })

  it('are mids of recorded, valid quotes at most ten cents wide where there is nothing else', async () => {
    const quotes = [
      { ts: at(1), bid: 4000, ask: 4100 },
      { ts: at(2), bid: 4000, ask: 5001 },
      { ts: at(3), bid: null, ask: 4100 },
      { ts: at(4), bid: 4200, ask: 4200 },
      { ts: at(5), bid: 0, ask: 200 },
      { ts: at(6), bid: 4000, ask: 5000 },
      { ts: at(7), bid: 4100, ask: 4105 },
    ]
    await history.append({
      quotes: quoteColumns(quotes.map((row) => ({ ...row, market, origin: 3 }))),
    })
    const bars = [
      {
        start: at(0),
        open: 4050,
        high: 4500,
        low: 4050,
        close: 4103,
        volume: null,
        source: 'mids',
        crossesGap: false,
      },
    ]
    expect(await candles(MINUTE)).toEqual(bars)
    await history.sortClosedHours(at(DAY) as Millis)
    expect(await candles(MINUTE)).toEqual(bars)

    await history.append({
      trades: tradeColumns([{ market, ts: at(HOUR), tradeId: 'x', price: 10, isBlock: true }]),
    })
    expect(await candles(MINUTE)).toEqual(bars)
    expect(await candles(2 * HOUR)).toEqual([])
  })

  it('fill each bucket from trades, then bars of the venue, then mids, and name the source', async () => {
    await history.append({
      quotes: quoteColumns(
        [0, 1, 2, 3].map((hour) => ({
          market,
          ts: at(hour * HOUR + 7),
          bid: 4000,
          ask: 4100,
          origin: 3,
        })),
      ),
      candles: candleColumns([
        bar(HOUR, HOUR, 200, null),
        bar(2 * HOUR, HOUR, 300, 7),
        bar(3 * HOUR, HOUR, 400, 8),
      ]),
      trades: tradeColumns([{ market, ts: at(3 * HOUR + 5), tradeId: 'x', price: 1234, size: 3 }]),
    })
    const rows = await candles(HOUR)
    expect(rows.map(({ start, close, source }) => [start - T0, close, source])).toEqual([
      [0, 4050, 'mids'],
      [HOUR, 201, 'venue'],
      [2 * HOUR, 301, 'venue'],
      [3 * HOUR, 1234, 'trades'],
    ])
    expect((await candles(HOUR, at(2 * DAY), 2)).map(({ start }) => start - T0)).toEqual([
      2 * HOUR,
      3 * HOUR,
    ])
  })

  it('are not built from quotes that were collected live', async () => {
    await history.append({
      quotes: quoteColumns([{ market, ts: at(1), bid: 4000, ask: 4100, origin: 0 }]),
    })
    expect(await candles(MINUTE)).toEqual([])
  })

  it('reach back over years without trades for the newest bars', async () => {
    const days = Array.from({ length: 5_000 }, (_, index) => index)
    await history.append({
      trades: tradeColumns(
        days.map((day) => ({
          market,
          ts: at(0) - day * DAY,
          tradeId: `d${day}`,
          price: 100 + (day % 50),
        })),
      ),
    })
    const found = await candles(MINUTE, at(DAY), 3)
    expect(found.map((row) => row.start)).toEqual([at(-2 * DAY), at(-1 * DAY), at(0)])
  })
})
