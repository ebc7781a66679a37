import fc from '../../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { NOON_ISH, worldMarket } from '../../../testing/world-markets.ts'
import { HOUR, type Millis } from '../../units.ts'
import {
  breadthOf,
  disagreementOf,
  GAUGE_PARAMS,
  tradedMoves,
  measureActivity,
  measureBreadth,
  measureDisagreement,
} from './gauges.ts'

const moving = (count: number, sigma: number) =>
  Array.from({ length: count }, (_, i) =>
    worldMarket({ ticker: `KX${i}`, tradedMoves: { sigma, changes: 2 } }),
  )

describe('disagreement', () => {
  it('B1: a median movement of 1.68 cents is 42', () => {
    expect(disagreementOf(1.68)).toBe(42)
  })

  it('B1: changes 1, −1, 2, 0, −1 in an hour have sigma 2.646', () => {
    const moves = tradedMoves([50, 51, 50, 52, 52, 51], 1)
    expect(moves?.sigma).toBeCloseTo(2.646, 3)
    expect(moves?.changes).toBe(4)
  })

  it('is per root hour: the same changes in four hours have half the sigma', () => {
    expect(tradedMoves([50, 51, 50, 52, 52, 51], 4)?.sigma).toBeCloseTo(1.323, 3)
  })

  it('skips instants without a price and is null for one price', () => {
    expect(tradedMoves([NaN, 50, NaN, 53], 1)).toEqual({ sigma: 3, changes: 1 })
    expect(tradedMoves([NaN, 50, NaN], 1)).toBeNull()
    expect(tradedMoves([], 1)).toBeNull()
  })

  it('prints the sigma with one decimal and measures with all of them', () => {
    const read = measureDisagreement(moving(10, 1.68), NOON_ISH, 10, null)
    expect(read).toMatchObject({ value: 42, sigma: 1.7, qualifying: 10 })
  })

  it('requires two changes, and no book, which is unknown before a start', () => {
    const markets = [
      ...moving(9, 2),
      worldMarket({ ticker: 'ONE', tradedMoves: { sigma: 9, changes: 1 } }),
      worldMarket({ ticker: 'NONE', tradedMoves: null }),
    ]
    const unquoted = worldMarket({ twoSided: false, tradedMoves: { sigma: 9, changes: 5 } })
    expect(measureDisagreement([...markets, unquoted], NOON_ISH, 10, null).qualifying).toBe(10)
    expect(measureDisagreement(markets, NOON_ISH, 10, null)).toEqual({
      value: null,
      sigma: null,
      qualifying: 9,
      measured: null,
    })
  })

  it('carries the last measured value for six hours', () => {
    const last = { value: 30, at: (NOON_ISH - 6 * HOUR) as Millis }
    expect(measureDisagreement([], NOON_ISH, 10, last)).toMatchObject({ value: 30, measured: last })
    const older = { value: 30, at: (NOON_ISH - 6 * HOUR - 1) as Millis }
    expect(measureDisagreement([], NOON_ISH, 10, older).value).toBeNull()
  })

  it('stays between 0 and 100 and rises with the movement', () => {
    const sigma = fc.double({ min: 0, max: 200, noNaN: true })
    fc.assert(
      fc.property(sigma, sigma, (a, b) => {
        const [less, more] = [disagreementOf(Math.min(a, b)), disagreementOf(Math.max(a, b))]
        expect(less).toBeGreaterThanOrEqual(0)
        expect(more).toBeLessThanOrEqual(100)
        expect(less).toBeLessThanOrEqual(more)
      }),
    )
  })

  it('is equal for YES and NO', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 2 }), (marks) => {
        expect(
          tradedMoves(
            marks.map((mark) => 100 - mark),
            24,
          ),
        ).toEqual(tradedMoves(marks, 24))
      }),
    )
  })
})

describe('breadth', () => {
  it('B3: 1401 up and 1068 down is 0.13', () => {
    expect(breadthOf(1401, 1068)).toBe(0.13)
  })

  it('B3: nothing moved is 0', () => {
    expect(measureBreadth([worldMarket()])).toEqual({ value: 0, up: 0, down: 0, total: 0 })
  })

  it('counts moves of 10 cents or more and ignores unknown ones', () => {
    const markets = [
      worldMarket({ mark: 60.1, markDayAgo: 50.1 }),
      worldMarket({ mark: 40, markDayAgo: 50 }),
      worldMarket({ mark: 20, markDayAgo: 40 }),
      worldMarket({ mark: 59.9, markDayAgo: 50 }),
      worldMarket({ mark: 90, markDayAgo: null }),
      worldMarket({ mark: null, markDayAgo: 50 }),
    ]
    expect(measureBreadth(markets)).toEqual({ value: -0.33, up: 1, down: 2, total: 3 })
  })

  it('changes its sign when YES and NO are swapped', () => {
    const mark = fc.integer({ min: 0, max: 100 })
    fc.assert(
      fc.property(fc.array(fc.tuple(mark, mark)), (pairs) => {
        const of = (flip: boolean) =>
          measureBreadth(
            pairs.map(([now, then]) =>
              worldMarket({ mark: flip ? 100 - now : now, markDayAgo: flip ? 100 - then : then }),
            ),
          ).value
        expect(of(true) + of(false)).toBe(0)
      }),
    )
  })
})

describe('activity', () => {
  it('B4: none of six days below is 0', () => {
    expect(measureActivity(10, [10, 11, 12, 13, 14, 15])).toEqual({
      value: 0,
      changes24h: 10,
      below: 0,
      days: 6,
    })
  })

  it('counts days with strictly fewer changes among those with data', () => {
    expect(measureActivity(10, [9, 10, null, 11]).value).toBe(33)
    expect(measureActivity(10, [9, null, 8]).value).toBeNull()
    expect(measureActivity(10, []).value).toBeNull()
    expect(measureActivity(null, [9, 10, 11]).value).toBeNull()
  })

  it('does not depend on the order of the days', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(fc.option(fc.nat(50)), { maxLength: 30 }), (now, days) => {
        const read = measureActivity(now, days)
        expect(measureActivity(now, days.toReversed())).toEqual(read)
        if (read.value !== null) expect(read.value).toBeLessThanOrEqual(100)
      }),
    )
  })

  it('can be measured with other parameters', () => {
    expect(measureActivity(10, [9], { ...GAUGE_PARAMS, minBaselineDays: 1 }).value).toBe(100)
  })
})
