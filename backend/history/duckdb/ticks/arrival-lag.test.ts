import { afterEach, beforeEach, expect, it } from 'vitest'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import type { WholeHistory } from '../../history.ts'
import { openHistory } from '../open.ts'

const T0 = Date.parse('2026-11-20T00:00:00Z')
const at = (minutes: number): Millis => (T0 + minutes * MINUTE) as Millis

let history: WholeHistory
beforeEach(async () => {
  history = await openHistory({ path: ':memory:', threads: 1, logger: silentLogger })
  await history.marketIds([
    { venue: 'venue_a', ticker: 'KXA' },
    { venue: 'venue_b', ticker: '0xb' },
  ])
})
afterEach(() => history.close())

it('returns how late rows of each feed arrived, for rows received live', async () => {
  const prints = Array.from({ length: 100 }, (_, index) => ({
    market: 0,
    ts: at(1) + index,
    lag: index + 1,
    tradeId: `t${index}`,
    price: 10,
  }))
  await history.append({
    trades: tradeColumns([
      ...prints,
      { market: 0, ts: at(1), lag: 50_000, tradeId: 'old', price: 10, origin: 2 },
      { market: 0, ts: at(-1), lag: 40_000, tradeId: 'before', price: 10 },
      { market: 0, ts: at(1), lag: 9 * MINUTE, tradeId: 'not known yet', price: 10 },
    ]),
    quotes: quoteColumns([
      { market: 1, ts: at(2), bid: 1, ask: 2, lag: 700, origin: 1 },
      { market: 1, ts: at(2), bid: 1, ask: 2, lag: 900_000, origin: 3 },
    ]),
  })
  expect(await history.arrivalLag({ from: at(0), to: at(5) })).toEqual([
    { venue: 'venue_a', feed: 'trades', rows: 100, medianMs: 50, p95Ms: 95 },
    { venue: 'venue_b', feed: 'quotes', rows: 1, medianMs: 700, p95Ms: 700 },
  ])
  expect(await history.arrivalLag({ from: at(6), to: at(7) })).toEqual([])
})
