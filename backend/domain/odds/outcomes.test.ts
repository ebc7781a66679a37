import { describe, expect, it } from 'vitest'
import { impliedYieldYes } from '../prices/indicators.ts'
import { binaryOutcome } from './outcomes.ts'
import { settledPrice } from '../prices/price.ts'
import type { Cents, PriceE4 } from '../units.ts'

describe('A17: scalar and split', () => {
  const paid = (value: number, result: 'scalar' | 'void' = 'scalar') =>
    settledPrice({ result, settlementPrice: value as PriceE4 })
  it('pay their value and do not count as outcomes of forecasts', () => {
    expect(paid(5_000)).toBe(50)
    expect(paid(5_000, 'void')).toBeNull()
    const results = ['yes', 'no', 'scalar', 'void', null] as const
    expect(results.map(binaryOutcome)).toEqual([1, 0, null, null, null])
  })
  it('have a yield by the same formula, with the price as expected payout', () => {
    expect(impliedYieldYes(40 as Cents, 30)).toBeCloseTo(1825, 9)
  })
})
