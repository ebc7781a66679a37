import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  adjustedYield,
  cliffRatio,
  crossVenueRatio,
  impliedYieldNo,
  impliedYieldYes,
  liquidityAdjustedSpread,
  normalizedMarks,
  overround,
  tauAt,
  tauDays,
} from './indicators.ts'
import type { Cents, Millis } from '../units.ts'

const c = (value: number): Cents => value as Cents
const at = (text: string): Millis => Date.parse(text) as Millis
const requested = at('2026-06-22T02:39:20Z')
const close = at('2027-01-01T04:59:00Z')

describe('the recorded market at 22 under 22/23', () => {
  const tau = tauAt(close, requested)
  it('has the recorded tau', () => {
    expect(tau).toBeCloseTo(193.097, 4)
    expect(tauDays(tau)).toBe(193)
  })
  it('has the recorded yields', () => {
    expect(impliedYieldYes(c(22), tau)).toBeCloseTo(670.1766, 3)
    expect(impliedYieldNo(c(22), tau)).toBeCloseTo(53.3145, 3)
  })
  it('has the recorded ratios', () => {
    expect(cliffRatio(c(22))).toBe(3.545)
    const las = liquidityAdjustedSpread(c(22), c(1))
    expect(las).toBe(0.0455)
    expect(adjustedYield(impliedYieldYes(c(22), tau), las)).toBe(639.68)
  })
})

it('has the second worked example', () => {
  const iy = impliedYieldYes(c(40), 30)
  expect(iy).toBeCloseTo(1825, 9)
  const las = liquidityAdjustedSpread(c(40), c(5))
  expect(las).toBe(0.125)
  expect(adjustedYield(iy, las)).toBe(1596.88)
  expect(adjustedYield(iy, 1.2)).toBe(0)
})

describe('unknown stays unknown', () => {
  it.each([null, 0, 100])('at price %s', (price) => {
    const p = price as Cents | null
    expect(impliedYieldYes(p, 30)).toBeNull()
    expect(impliedYieldNo(p, 30)).toBeNull()
    expect(cliffRatio(p)).toBeNull()
    expect(liquidityAdjustedSpread(p, c(1))).toBeNull()
    expect(crossVenueRatio(p, c(20))).toBeNull()
  })
  it('without time, book or counterpart', () => {
    expect(tauAt(null, requested)).toBeNull()
    expect(tauAt(requested, requested)).toBeNull()
    expect(tauAt(requested, close)).toBeNull()
    expect(tauDays(null)).toBeNull()
    expect(impliedYieldYes(c(22), null)).toBeNull()
    expect(impliedYieldNo(c(22), null)).toBeNull()
    expect(liquidityAdjustedSpread(c(22), null)).toBeNull()
    expect(adjustedYield(null, 0.1)).toBeNull()
    expect(adjustedYield(100, null)).toBeNull()
    expect(crossVenueRatio(c(22), null)).toBeNull()
  })
})

it('treats less than an hour as an hour', () => {
  expect(impliedYieldYes(c(50), 1 / 1_000)).toBe(impliedYieldYes(c(50), 1 / 24))
})

it('measures how much more expensive this venue is', () => {
  expect(crossVenueRatio(c(22), c(20))).toBe(0.0909)
})

describe('overround', () => {
  const quoted = (...asks: (number | null)[]) =>
    asks.map((ask) => ({ bid: null, ask: ask as Cents | null, tradable: true }))
  it.each([
    [true, [30, 28, 35], -7],
    [true, [40, 35, 30], 5],
    [false, [40, 35, 30], null],
    [true, [40], null],
    [true, [40, null], null],
    [true, [], null],
  ])('exclusive %s of %j is %s', (exclusive, asks, expected) => {
    expect(overround(exclusive, quoted(...asks))).toBe(expected)
  })
  it('skips an empty placeholder and is unknown with a quoted one', () => {
    const empty = { bid: null, ask: null, tradable: false }
    expect(overround(true, [...quoted(40, 65), empty])).toBe(5)
    expect(overround(true, [...quoted(40, 65), { ...empty, bid: c(1) }])).toBeNull()
  })
})

describe('normalised marks', () => {
  it('sum to 100 for the worked example', () => {
    expect(normalizedMarks([c(45), c(35), c(25)], false)).toEqual([42.86, 33.33, 23.81])
  })
  it('are null when incomplete, far from 100, or when no outcome may win', () => {
    expect(normalizedMarks([c(45), null], false)).toBeNull()
    expect(normalizedMarks([c(45), c(30)], false)).toBeNull()
    expect(normalizedMarks([c(90), c(40)], false)).toBeNull()
    expect(normalizedMarks([c(45), c(35), c(25)], true)).toBeNull()
    expect(normalizedMarks([], false)).toBeNull()
  })
})

const price = fc.integer({ min: 1, max: 9_999 }).map((value) => c(value / 100))
const days = fc.double({ min: 0.001, max: 3_000, noNaN: true })

describe('for any price and time', () => {
  it('the yield of YES is the yield of NO at the mirrored price', () => {
    fc.assert(
      fc.property(price, days, (p, tau) => {
        const mirrored = impliedYieldNo(c(100 - p), tau) ?? NaN
        const own = impliedYieldYes(p, tau) ?? NaN
        expect(Math.abs(own - mirrored)).toBeLessThanOrEqual(1e-6 * own)
      }),
    )
  })
  it('the yield of YES falls as its price rises and as time grows', () => {
    fc.assert(
      fc.property(price, price, days, (a, b, tau) => {
        fc.pre(a < b)
        expect(impliedYieldYes(a, tau)).toBeGreaterThan(impliedYieldYes(b, tau) ?? NaN)
        expect(impliedYieldYes(a, tau)).toBeGreaterThanOrEqual(impliedYieldYes(a, tau * 2) ?? NaN)
      }),
    )
  })
  it('the cliff ratio is symmetric and at least 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), (p) => {
        expect(cliffRatio(c(p))).toBe(cliffRatio(c(100 - p)))
        expect(cliffRatio(c(p))).toBeGreaterThanOrEqual(1)
      }),
    )
  })
  it('the adjusted yield lies between 0 and the yield', () => {
    fc.assert(
      fc.property(price, price, days, (p, spread, tau) => {
        const iy = impliedYieldYes(p, tau) ?? NaN
        const adjusted = adjustedYield(iy, liquidityAdjustedSpread(p, spread)) ?? NaN
        expect(adjusted).toBeGreaterThanOrEqual(0)
        expect(adjusted).toBeLessThanOrEqual(iy + 0.01)
      }),
    )
  })
})
