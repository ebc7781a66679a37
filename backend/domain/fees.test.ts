import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { CENT_GRID, feeOfFill, feePerContract, takerFee } from './fees.ts'
import type { Fill, QuadraticTerms, ScheduleTerms } from './fees.ts'
import { dollarsOf, priceOfCents, sizeOfContracts } from './units.ts'
import type { Cents, Millis, MoneyE6 } from './units.ts'

const at = 1_000 as Millis
/** Cash increment of direct members: 1e-4 dollars. */
const directIncrement = 100 as MoneyE6
const quadratic = (change: Partial<QuadraticTerms> = {}): QuadraticTerms => ({
  model: 'quadratic',
  kind: 'quadratic_with_maker_fees',
  multiplier: 1,
  waivedUntil: null,
  ...change,
})
const schedule = (rate: number, change: Partial<ScheduleTerms> = {}): ScheduleTerms => ({
  model: 'schedule',
  rate,
  exponent: 1,
  takerOnly: true,
  ...change,
})
const fill = (contracts: number, cents: number, change: Partial<Fill> = {}): Fill => ({
  at,
  side: 'buy',
  role: 'taker',
  price: priceOfCents(cents as Cents),
  size: sizeOfContracts(contracts),
  ...change,
})

describe('fees by quadratic terms', () => {
  it.each([
    [1, 50, 'taker', 0.02],
    [100, 50, 'taker', 1.75],
    [10, 7, 'taker', 0.05],
    [100, 95, 'taker', 0.34],
    [100, 23, 'taker', 1.24],
    [100, 50, 'maker', 0.44],
  ] as const)('for %s at %s¢ as %s are $%s', (contracts, cents, role, dollars) => {
    for (const side of ['buy', 'sell'] as const) {
      expect(dollarsOf(feeOfFill(quadratic(), fill(contracts, cents, { role, side })).fee)).toBe(
        dollars,
      )
    }
  })

  it('depend on kind, multiplier and waiver', () => {
    const maker = fill(100, 50, { role: 'maker' })
    const dollars = (change: Partial<QuadraticTerms>, of = maker) =>
      dollarsOf(feeOfFill(quadratic(change), of).fee)
    expect(dollars({ kind: 'quadratic' })).toBe(0)
    expect(dollars({ kind: 'quadratic_with_combo_maker_fees' })).toBe(0.88)
    expect(dollars({ multiplier: 0.5 }, fill(100, 50))).toBe(0.88)
    expect(dollars({ waivedUntil: 1_001 as Millis }, fill(100, 50))).toBe(0)
    expect(dollars({ waivedUntil: at }, fill(100, 50))).toBe(1.75)
    expect(feeOfFill(quadratic({ kind: 'flat' }), fill(100, 50))).toMatchObject({
      fee: 1_750_000,
      approximate: true,
    })
  })

  it('stay close to the model on the grid of direct members', () => {
    expect(dollarsOf(feeOfFill(quadratic(), fill(10, 7), 0 as MoneyE6, directIncrement).fee)).toBe(
      0.0456,
    )
  })

  it('pay roundings back over the fills of an order', () => {
    let accumulator = 0 as MoneyE6
    const fees: number[] = []
    for (let index = 0; index < 4; index++) {
      const outcome = feeOfFill(quadratic(), fill(1, 50), accumulator)
      fees.push(dollarsOf(outcome.fee))
      accumulator = outcome.accumulator
    }
    // 0.0175 each: three times 0.02, and the fourth rebates the accumulated cent.
    expect(fees).toEqual([0.02, 0.02, 0.02, 0.01])
    expect(accumulator).toBe(0)
  })

  it('over an order exceed the model by less than two steps of the grid', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 99 }))
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 20 }), (parts) => {
        let [accumulator, paid, model] = [0 as MoneyE6, 0, 0]
        for (const [contracts, cents] of parts) {
          const outcome = feeOfFill(quadratic(), fill(contracts, cents), accumulator)
          expect(outcome.fee).toBeGreaterThanOrEqual(0)
          accumulator = outcome.accumulator
          paid += outcome.fee
          model += contracts * 1e4 * feePerContract(quadratic(), cents as Cents)
        }
        expect(paid).toBeGreaterThanOrEqual(Math.floor(model))
        expect(paid - model - accumulator).toBeLessThan(parts.length + 1)
        expect(accumulator).toBeLessThan(2 * CENT_GRID)
      }),
    )
  })
})

describe('fees by schedule', () => {
  it.each([
    [100, 30, 0.05, 1.05],
    [100, 50, 0.04, 1],
    [1, 50, 0.07, 0.0175],
    [0.001, 1, 0.04, 0],
    [1, 33.3, 0.04, 0.00888],
  ])('for %s at %s¢, rate %s are $%s', (contracts, cents, rate, dollars) => {
    expect(dollarsOf(feeOfFill(schedule(rate), fill(contracts, cents)).fee)).toBe(dollars)
  })
  it('exempt makers when only takers pay, and markets without a schedule', () => {
    const maker = fill(100, 50, { role: 'maker' })
    expect(feeOfFill(schedule(0.05), maker).fee).toBe(0)
    expect(feeOfFill(schedule(0.05, { takerOnly: false }), maker).fee).toBe(1_250_000)
    expect(feeOfFill(null, fill(100, 50)).fee).toBe(0)
  })
  it('follow the exponent of older schedules', () => {
    expect(dollarsOf(feeOfFill(schedule(0.25, { exponent: 2 }), fill(100, 50)).fee)).toBe(1.5625)
  })
})

it('gives the fee of a contract in cents without rounding', () => {
  expect(feePerContract(quadratic(), 23 as Cents)).toBeCloseTo(1.2397, 10)
  expect(feePerContract(schedule(0.05), 30 as Cents)).toBeCloseTo(1.05, 10)
  expect(feePerContract(null, 30 as Cents)).toBe(0)
})

describe('the taker fee by the general terms of a venue', () => {
  it('is 1.75¢ and 1¢ at even odds, and nothing at the ends', () => {
    expect(takerFee('venue_a', 50 as Cents)).toBeCloseTo(1.75, 9)
    expect(takerFee('venue_b', 50 as Cents)).toBeCloseTo(1, 9)
    expect(takerFee('venue_a', 100 as Cents)).toBe(0)
  })

  it('is the same for YES and NO, and grows with the size', () => {
    expect(takerFee('venue_a', 20 as Cents)).toBeCloseTo(takerFee('venue_a', 80 as Cents), 9)
    expect(takerFee('venue_b', 30 as Cents, 100)).toBeCloseTo(84, 9)
  })
})
