import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import { bookColumns } from '../../../testing/history-rows.ts'
import { openMarketHistory } from '../../../testing/market-history.ts'
import type { HistoryStore } from '../../history-store.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
let history: HistoryStore
let market = -1
beforeEach(async () => {
  ;({ history, market } = await openMarketHistory())
})
afterEach(() => history.close())

type Levels = readonly (readonly [number, number])[]
const book = (after: number, bids: Levels, asks: Levels, lag = 0) => ({
  market,
  ts: T0 + after,
  lag,
  bids,
  asks,
})
const bars = (asOf: number, limit = 10) =>
  history.bookBars({ market, width: HOUR, asOf: (T0 + asOf) as Millis, limit })

it('a bar has its newest book, and bars without a book are absent [markets.depth.bars]', async () => {
  await history.append({
    books: bookColumns([
      book(MINUTE, [[4000, 1e6]], [[4200, 2e6]]),
      book(
        2 * MINUTE,
        [
          [4100, 3e6],
          [4000, 5e6],
        ],
        [],
      ),
      book(3 * HOUR, [], [[4300, 4e6]]),
    ]),
  })
  const first = {
    start: T0,
    book: {
      bids: [
        { price: 4100, size: 3e6 },
        { price: 4000, size: 5e6 },
      ],
      asks: [],
    },
  }
  const last = { start: T0 + 3 * HOUR, book: { bids: [], asks: [{ price: 4300, size: 4e6 }] } }
  expect(await bars(4 * HOUR)).toEqual([first, last])
  expect(await bars(4 * HOUR, 1)).toEqual([last])
  expect(await bars(2 * HOUR)).toEqual([first])
  expect(await bars(90_000)).toMatchObject([{ book: { bids: [{ price: 4000 }] } }])
})

it('a book that became known later is in no earlier answer', async () => {
  await history.append({
    books: bookColumns([book(0, [[4000, 1e6]], []), book(MINUTE, [[5000, 1e6]], [], HOUR)]),
  })
  expect(await bars(30 * MINUTE)).toMatchObject([{ book: { bids: [{ price: 4000 }] } }])
  expect(await bars(2 * HOUR)).toMatchObject([{ book: { bids: [{ price: 5000 }] } }])
})
