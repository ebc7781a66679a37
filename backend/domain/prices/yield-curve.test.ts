import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { DAY, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'
import {
  curveShape,
  curveSlope,
  forwardHazards,
  pricesByTenor,
  yieldCurves,
} from './yield-curve.ts'
import type { CurveContract } from './yield-curve.ts'

const tenors = (...prices: readonly (readonly [number, number])[]) =>
  prices.map(([tenorDays, price]) => ({ tenorDays, price }))
const contract = (
  ticker: string,
  days: number | null,
  price: number | null,
  volume: number | null = 10,
): CurveContract => ({
  venue: 'venue_a',
  ticker,
  title: ticker,
  family: 'E',
  closeTime: days === null ? null : ((days * DAY) as Millis),
  price: price as Cents | null,
  volume24h: volume,
})

describe('yield curves', () => {
  it('F1: (30, .20), (60, .30), (120, .45)', () => {
    const curve = tenors([30, 20], [60, 30], [120, 45])
    expect(roundTo(curveSlope(curve)!, 2)).toBe(8.21)
    expect(curveShape(curve)).toBe('up')
    expect(forwardHazards(curve).map((hazard) => roundTo(hazard!, 3))).toEqual([0.125, 0.214])
  })

  it('returns the first matching shape', () => {
    expect(curveShape(tenors([30, 20], [60, 22.9]))).toBe('flat')
    expect(curveShape(tenors([30, 20], [60, 30], [90, 25]))).toBe('humped')
    expect(curveShape(tenors([30, 20], [60, 29], [90, 25]))).toBe('up')
    expect(curveShape(tenors([30, 40], [60, 30]))).toBe('inverted')
    expect(curveShape([])).toBe('flat')
  })

  it('merges contracts of one tenor by volume', () => {
    const [curve] = yieldCurves(
      [contract('B', 30, 40, 30), contract('A', 30, 20, 10), contract('C', 60, 50)],
      0 as Millis,
    )
    expect(curve!.points.map(({ ticker }) => ticker)).toEqual(['A', 'B', 'C'])
    expect(pricesByTenor(curve!.points)[0]).toEqual({ tenorDays: 30, price: 35 })
    expect(curve).toMatchObject({
      distinctTenorCount: 2,
      totalVolume24h: 50,
      avgPrice: 36.67,
      shape: 'up',
    })
  })

  it('leaves out contracts without price or close, past ones, and families of one', () => {
    const at = (40 * DAY) as Millis
    expect(yieldCurves([contract('A', 30, 20), contract('B', 60, 30)], at)).toEqual([])
    expect(yieldCurves([contract('A', null, 20), contract('B', 60, null)], at)).toEqual([])
    expect(
      yieldCurves([contract('A', 60, 20, null), contract('B', 90, 30, null)], at)[0],
    ).toMatchObject({ totalVolume24h: null })
    expect(forwardHazards(tenors([1, 100], [2, 100]))).toEqual([null])
  })

  it('does not depend on the order of the contracts; a falling ladder has a negative hazard', () => {
    const list = [contract('A', 30, 40), contract('B', 60, 30), contract('C', 90, 55)]
    fc.assert(
      fc.property(fc.shuffledSubarray([...list], { minLength: 3 }), (shuffled) => {
        expect(yieldCurves(shuffled, 0 as Millis)).toEqual(yieldCurves(list, 0 as Millis))
      }),
    )
    expect(yieldCurves(list, 0 as Millis)[0]!.hazards[0]).toBeLessThan(0)
  })
})
