import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { impliedYieldYes } from './indicators.ts'
import { binaryOutcome, leaderOf, outcomeShares } from './outcomes.ts'
import { settledPrice } from './price.ts'
import type { Cents, PriceE4 } from './units.ts'

const outcome = (ticker: string, mark: number | null) => ({ ticker, mark: mark as Cents | null })
const field = [outcome('B', 35), outcome('C', 25), outcome('A', 45)]

describe('A17: outcomes', () => {
  it('are normalised as in the worked example, highest first', () => {
    expect(outcomeShares(field, false).map(({ share }) => share)).toEqual([42.86, 33.33, 23.81])
    expect(leaderOf(field)?.ticker).toBe('A')
  })
  it('keep their marks and order where they cannot be normalised', () => {
    const partial = [...field, outcome('D', null)]
    const rows = outcomeShares(partial, false)
    expect(rows.map((row) => row.outcome.ticker).join('')).toBe('ABCD')
    expect(rows.every(({ share }) => share === null)).toBe(true)
    expect(outcomeShares(field, true)[0]?.share).toBeNull()
    expect(leaderOf(partial)?.ticker).toBe('A')
  })
  it('have no leader without a mark; equal ones go by ticker', () => {
    expect(leaderOf([outcome('A', null)])).toBeNull()
    expect(leaderOf([])).toBeNull()
    expect(leaderOf([outcome('B', 0), outcome('A', 0), outcome('C', null)])?.ticker).toBe('A')
  })
  it('have one leader in whatever order they come', () => {
    const marks = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(marks, (list) => {
        const outcomes = list.map((mark, i) => outcome(String.fromCharCode(65 + i), mark))
        expect(leaderOf(outcomes.toReversed())).toEqual(leaderOf(outcomes))
        expect(outcomeShares(outcomes, false)[0]?.outcome).toEqual(leaderOf(outcomes))
      }),
    )
  })
})

describe('A17: scalar and split', () => {
  const paid = (value: number, result: 'scalar' | 'void' = 'scalar') =>
    settledPrice({ result, settlementPrice: value as PriceE4 })
  it('pay their value and are no forecast’s outcome', () => {
    expect(paid(5_000)).toBe(50)
    expect(paid(5_000, 'void')).toBeNull()
    const results = ['yes', 'no', 'scalar', 'void', null] as const
    expect(results.map(binaryOutcome)).toEqual([1, 0, null, null, null])
  })
  it('yield by the same formula, the price read as expected payout', () => {
    expect(impliedYieldYes(40 as Cents, 30)).toBeCloseTo(1825, 9)
  })
})
