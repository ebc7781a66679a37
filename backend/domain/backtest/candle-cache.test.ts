import { expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { CandleCache } from './candle-cache.ts'

const MINUTE = 60_000

it('opens and closes a bar by the venue times of its trades, in whatever order they become known', () => {
  const prints = [
    { ts: 20_000, price: 5_000 },
    { ts: 40_000, price: 5_200 },
    { ts: 10_000, price: 4_800 },
    { ts: 30_000, price: 5_500 },
    { ts: 40_000, price: 5_300 },
  ]
  const cache = new CandleCache('1m')
  for (const { ts, price } of prints) cache.print(0, ts, price, 1_000_000)
  expect(cache.endedBars(0, MINUTE as Millis, 10)).toEqual([
    { start: 0, open: 48, high: 55, low: 48, close: 53, volume: 5 },
  ])
})
