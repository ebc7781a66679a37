import { expect, it } from 'vitest'
import { barsIn } from './chart-range.ts'

it.each([
  ['7d', '1h', 168],
  ['24h', '15m', 96],
  ['5m', '1h', 8],
  [undefined, '1h', 160],
] as const)('shows %s in %s candles as %s bars', (range, timeframe, bars) => {
  expect(barsIn(range, timeframe)).toBe(bars)
})
