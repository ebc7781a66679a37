import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import { quoteColumns } from '../../../testing/history-rows.ts'
import { openMarketHistory } from '../../../testing/market-history.ts'
import type { HistoryStore } from '../../history-store.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
let history: HistoryStore
let market = -1
beforeEach(async () => {
  ;({ history, market } = await openMarketHistory())
})
afterEach(() => history.close())

const quote = (after: number, bid: number, ask: number, lag = 0) => ({
  market,
  ts: T0 + after,
  lag,
  bid,
  ask,
  bidSize: 1,
  askSize: 1,
})
const bars = (asOf: number, limit = 10, before = Infinity) =>
  history.quoteBars({
    market,
    width: HOUR,
    asOf: (T0 + asOf) as Millis,
    before: before as Millis,
    limit,
  })

it('a bar has the newest sides, and midpoints of narrow books only', async () => {
  await history.append({
    quotes: quoteColumns([
      quote(MINUTE, 4000, 4200),
      quote(2 * MINUTE, 4400, 4600),
      quote(3 * MINUTE, 1000, 9000),
      quote(2 * HOUR, 3000, 3100),
    ]),
  })
  expect(await bars(5 * HOUR)).toEqual([
    { start: T0, bid: 1000, ask: 9000, open: 4100, high: 4500, low: 4100, close: 4500 },
    { start: T0 + 2 * HOUR, bid: 3000, ask: 3100, open: 3050, high: 3050, low: 3050, close: 3050 },
  ])
  expect(await bars(5 * HOUR, 1)).toMatchObject([{ start: T0 + 2 * HOUR }])
  expect(await bars(5 * HOUR, 5, T0 + 2 * HOUR)).toMatchObject([{ start: T0 }])
})

it('a quote that became known later is in no earlier answer', async () => {
  await history.append({
    quotes: quoteColumns([quote(0, 4000, 4200), quote(MINUTE, 5000, 5200, HOUR)]),
  })
  expect(await bars(2 * MINUTE)).toMatchObject([{ bid: 4000 }])
  expect(await bars(2 * HOUR)).toMatchObject([{ bid: 5000 }])
})
