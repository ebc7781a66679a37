import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  addLatency,
  emptyHistogram,
  histogramOf,
  histogramText,
  mergeInto,
  quantileOf,
  type Histogram,
} from './latency-histogram.ts'

const counted = (latencies: readonly number[]): Histogram => {
  const histogram = emptyHistogram()
  for (const elapsedMs of latencies) addLatency(histogram, elapsedMs)
  return histogram
}
const latency = fc.double({ min: 0.01, max: 600_000, noNaN: true })
const several = fc.array(latency, { minLength: 1, maxLength: 200 })

describe('a latency histogram', () => {
  // [usage.dashboard.latency]
  it('returns quantiles within five percent', () => {
    fc.assert(
      fc.property(several, fc.constantFrom(0.5, 0.95), (latencies, q) => {
        const sorted = latencies.toSorted((a, b) => a - b)
        const exact = sorted[Math.ceil(q * sorted.length) - 1] ?? Number.NaN
        const estimate = quantileOf(counted(latencies), q) ?? Number.NaN
        expect(Math.abs(estimate - exact) / exact).toBeLessThanOrEqual(0.05)
      }),
    )
  })

  it('is the same merged and whole, stored and restored', () => {
    fc.assert(
      fc.property(several, several, (first, second) => {
        const whole = counted([...first, ...second])
        const parts = histogramOf(histogramText(counted(first)))
        mergeInto(parts, counted(second))
        expect(histogramText(parts)).toBe(histogramText(whole))
      }),
    )
  })

  it.each([
    ['nothing', [], null],
    ['what is too quick to measure', [0, 0, -0.1], 0.0105],
    ['what takes forever', [1e12], 633_000],
  ])('describes %s', (_case, latencies, expected) => {
    const median = quantileOf(counted(latencies), 0.5)
    if (expected === null) expect(median).toBeNull()
    else expect(Math.abs((median ?? 0) - expected) / expected).toBeLessThan(0.06)
  })
})
