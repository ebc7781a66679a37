import { describe, expect, it } from 'vitest'
import type { YieldPoint } from '../../../backend/contract/indices.ts'
import { hazardsOf, tenorsOf } from './curve-figures.ts'

const point = (tenorDays: number, price: number | null, volume24h: number | null = null) =>
  ({ ticker: `T${tenorDays}`, tenorDays, price, volume24h }) as YieldPoint

describe('a curve', () => {
  const tenors = [
    { tenorDays: 30, price: 20 },
    { tenorDays: 60, price: 30 },
    { tenorDays: 120, price: 45 },
  ]

  it('has the hazards of the methodology’s example', () => {
    const [first, second, third] = hazardsOf(tenors)
    expect(first).toBeNull()
    expect(second).toBeCloseTo(0.125, 12)
    expect(third).toBeCloseTo(15 / 70, 12)
  })

  it('shows a later deadline that is priced lower as a negative hazard', () => {
    expect(hazardsOf([tenors[1]!, tenors[0]!])[1]).toBeLessThan(0)
  })

  it('has no hazard without dates and after a certainty', () => {
    expect(hazardsOf([])).toEqual([])
    expect(hazardsOf([{ tenorDays: 1, price: 100 }, tenors[2]!])).toEqual([null, null])
  })

  it('combines contracts of one date, by volume where it is known', () => {
    expect(tenorsOf([point(60, 50), point(30, 20, 3), point(30, 40, 1), point(90, null)])).toEqual([
      { tenorDays: 30, price: 25 },
      { tenorDays: 60, price: 50 },
    ])
    expect(tenorsOf([point(30, 20), point(30, 40)])[0]?.price).toBe(30)
    expect(tenorsOf([point(30, 20, 3), point(30, 40)])[0]?.price).toBe(20)
  })
})
