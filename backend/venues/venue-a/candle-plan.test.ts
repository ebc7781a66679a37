import { describe, expect, it } from 'vitest'
import { planCandleCalls } from './candle-plan.ts'
import { HOUR, SECOND } from '../../domain/units.ts'

const TICKERS = Array.from({ length: 250 }, (_, index) => `KX-${index}`)
const callsOf = (periods: number) => [
  ...planCandleCalls(TICKERS, { from: 0, to: (periods - 1) * HOUR, width: HOUR }),
]

describe('calls for bars', () => {
  it.each([
    [10, [100, 100, 50]],
    [98, [100, 100, 50]],
    [99, [98, 98, 54]],
    [100, [98, 98, 54]],
    [4_900, Array.from({ length: 125 }, () => 2)],
  ])('of %d periods stay within the limit of a call', (periods, sizes) => {
    expect(callsOf(periods).map(({ requested }) => requested.length)).toEqual(sizes)
  })

  it('cover a long range in windows that share no instant', () => {
    const to = 10_000 * HOUR
    const windows = [...planCandleCalls(TICKERS.slice(0, 1), { from: 0, to, width: HOUR })].map(
      ({ range }) => [range.from, range.to],
    )
    expect(windows).toEqual([
      [0, 4_900 * HOUR - SECOND],
      [4_900 * HOUR, 9_800 * HOUR - SECOND],
      [9_800 * HOUR, to],
    ])
  })
})
