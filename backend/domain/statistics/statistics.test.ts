import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  correlationOf,
  logit,
  medianOf,
  populationSd,
  quantileOf,
  rankCorrelationOf,
  ranksOf,
  sampleSd,
  sigmoid,
  slopeOf,
  wilsonInterval,
} from './statistics.ts'

describe('samples', () => {
  it('has the methodology’s examples', () => {
    expect(quantileOf([40, 50, 70], 0.75)! - quantileOf([40, 50, 70], 0.25)!).toBe(15)
    const { low, high } = wilsonInterval(18, 20)!
    expect([low.toFixed(3), high.toFixed(3)]).toEqual(['0.699', '0.972'])
  })

  it('is null for samples that are too small', () => {
    expect(sampleSd([1])).toBeNull()
    expect(populationSd([])).toBeNull()
    expect(medianOf([])).toBeNull()
    expect(
      slopeOf([
        [1, 2],
        [1, 3],
      ]),
    ).toBeNull()
    expect(correlationOf([1, 1], [2, 3])).toBeNull()
    expect(wilsonInterval(0, 0)).toBeNull()
  })

  it('measures spread and slope', () => {
    expect(sampleSd([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.13809, 5)
    expect(populationSd([2, 4, 4, 4, 5, 5, 7, 9])).toBe(2)
    expect(
      slopeOf([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).toBe(2)
  })

  it('averages ranks of ties and is invariant to monotone changes', () => {
    expect([...ranksOf([10, 20, 20, 5])]).toEqual([2, 3.5, 3.5, 1])
    expect(rankCorrelationOf([1, 2, 3, 4], [1, 8, 27, 64])).toBeCloseTo(1, 12)
  })
})

describe('properties', () => {
  const numbers = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 2, maxLength: 50 })

  it('keeps quantiles ordered and inside the sample', () => {
    fc.assert(
      fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
        const value = quantileOf(values, q)!
        expect(value).toBeGreaterThanOrEqual(Math.min(...values))
        expect(value).toBeLessThanOrEqual(Math.max(...values))
        expect(value).toBeLessThanOrEqual(quantileOf(values, Math.min(1, q + 0.1))! + 1e-9)
      }),
    )
  })

  it('keeps correlations symmetric and within one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), fc.integer()), { minLength: 2 }), (pairs) => {
        const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)]
        const rho = correlationOf(xs, ys)
        if (rho === null) return
        expect(Math.abs(rho)).toBeLessThanOrEqual(1 + 1e-9)
        expect(correlationOf(ys, xs)).toBeCloseTo(rho, 9)
      }),
    )
  })

  it('inverts log-odds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.005, max: 0.995, noNaN: true }), (chance) => {
        expect(sigmoid(logit(chance))).toBeCloseTo(chance, 9)
      }),
    )
  })
})
