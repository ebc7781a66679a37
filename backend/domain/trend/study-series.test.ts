import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  bollingerSeries,
  exponentialMeans,
  realisedVolatilities,
  relativeStrengths,
  simpleMeans,
  volumeProfile,
  volumeWeightedMeans,
  vwapPeriod,
  type TradedBar,
} from './study-series.ts'
import { bollingerBands, exponentialMean, relativeStrength, simpleMean } from './technicals.ts'

const closes = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 60 })
const length = fc.integer({ min: 1, max: 20 })

describe('studies over a series [terminal.chart.studies]', () => {
  it('agree in every bar with the technicals of the closes so far', () => {
    const same = (left: number | null | undefined, right: number | null) => {
      if (right === null) expect(left).toBeNull()
      else expect(left).toBeCloseTo(right, 6)
    }
    fc.assert(
      fc.property(closes, length, (all, n) => {
        const at = all.length - 1
        same(simpleMeans(all, n)[at], simpleMean(all, n))
        same(exponentialMeans(all, n)[at], exponentialMean(all, n))
        same(relativeStrengths(all, n)[at], relativeStrength(all, n))
        same(
          bollingerSeries(all, n, 2)[at]?.upper ?? null,
          bollingerBands(all, n, 2)?.upper ?? null,
        )
      }),
    )
  })

  it('leave bars without a price out and continue after them', () => {
    expect(simpleMeans([10, null, 20, 30, null], 2)).toEqual([null, null, null, 25, null])
    expect(exponentialMeans([10, null, 20], 1)).toEqual([null, null, 20])
  })

  it.each([
    // Changes of 3 and 4 cents in two hours: √(25 / 2).
    { closes: [50, 53, 49], n: 2, seconds: 3_600, last: Math.sqrt(12.5) },
    { closes: [50, 53, 49], n: 2, seconds: 900, last: Math.sqrt(50) },
    { closes: [50, 50, 50], n: 2, seconds: 60, last: 0 },
    { closes: [10, 50, 53, 49], n: 2, seconds: 3_600, last: Math.sqrt(12.5) },
    { closes: [50, 53], n: 2, seconds: 60, last: null },
  ])('volatility of $closes over $n bars of $seconds s', ({ closes, n, seconds, last }) => {
    const value = realisedVolatilities(closes, n, seconds).at(-1)
    if (last === null) expect(value).toBeNull()
    else expect(value).toBeCloseTo(last, 9)
  })
})

const DAY = 86_400
const bar = (time: number, price: number, volume: number | null): TradedBar => ({
  time,
  high: price,
  low: price,
  close: price,
  volume,
})

describe('volume-weighted average price', () => {
  it('starts again with each period and carries over bars without trades', () => {
    const bars = [null, bar(0, 40, 1), bar(60, 60, 3), null, bar(120, 99, null), bar(DAY, 20, 5)]
    expect(volumeWeightedMeans(bars, vwapPeriod(60))).toEqual([null, 40, 55, 55, 55, 20])
  })

  it.each([
    { seconds: 60, from: '2026-11-26T23:59:00Z', to: '2026-11-27T00:00:00Z' },
    { seconds: 3_600, from: '2026-11-29T23:00:00Z', to: '2026-11-30T00:00:00Z' },
    { seconds: DAY, from: '2026-11-30T00:00:00Z', to: '2026-12-01T00:00:00Z' },
    { seconds: DAY, from: '2026-12-31T00:00:00Z', to: '2027-01-01T00:00:00Z' },
    { seconds: DAY, from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
    { seconds: 3_599, from: '2026-11-25T23:59:00Z', to: '2026-11-26T00:00:00Z' },
    { seconds: DAY - 1, from: '2026-11-29T00:00:00Z', to: '2026-11-30T00:00:00Z' },
  ])('bars of $seconds s begin a period at $to', ({ seconds, from, to }) => {
    const periodOf = vwapPeriod(seconds)
    const [before, after] = [Date.parse(from) / 1000, Date.parse(to) / 1000]
    expect(periodOf(after)).not.toBe(periodOf(before))
    expect(periodOf(after + seconds)).toBe(periodOf(after))
  })
})

it.each([
  { seconds: 3_600, first: '2026-11-23T00:00:00Z', last: '2026-11-29T23:00:00Z' },
  { seconds: DAY, first: '2026-11-01T00:00:00Z', last: '2026-11-30T00:00:00Z' },
])('bars of $seconds s from $first to $last are in one period', ({ seconds, first, last }) => {
  const periodOf = vwapPeriod(seconds)
  expect(periodOf(Date.parse(first) / 1000)).toBe(periodOf(Date.parse(last) / 1000))
})

describe('volume profile', () => {
  it('spreads a bar over its range and marks 70 % around the largest price', () => {
    const wide = { ...bar(0, 40, 4), high: 43, low: 40 }
    const profile = volumeProfile([wide, bar(60, 41, 10), null, bar(60, 80, 1)], 1)
    expect(profile.map(({ from, volume }) => [from, volume])).toEqual([
      [40, 1],
      [41, 11],
      [42, 1],
      [43, 1],
      [80, 1],
    ])
    expect(profile.filter(({ isValue }) => isValue).map(({ from }) => from)).toEqual([41])
    expect(volumeProfile([null], 1)).toEqual([])
  })

  it('keeps the whole volume', () => {
    const bars = fc.array(
      fc.record({ low: fc.integer({ min: 0, max: 60 }), wide: fc.integer({ min: 0, max: 30 }) }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(bars, (all) => {
        const traded = all.map(({ low, wide }) => ({ ...bar(0, low, 7), high: low + wide, low }))
        const sum = volumeProfile(traded, 2).reduce((total, { volume }) => total + volume, 0)
        expect(sum).toBeCloseTo(7 * all.length, 6)
      }),
    )
  })
})
