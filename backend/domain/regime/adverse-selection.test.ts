import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  adverseSelection,
  adverseSelectionPrior,
  printCosts,
  scoreOf,
} from './adverse-selection.ts'
import { EVENT_TYPES, OBSERVABILITIES } from '../topics/event-type-rules.ts'
import type { MarkedQuotes, PrintColumns } from './signed-prints.ts'
import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'

const start = 1_000 * DAY
const now = (start + 3_600_000) as Millis

type Trade = readonly [second: number, price: number, taker?: 'yes' | 'no' | null, size?: number]
type Quote = readonly [second: number, bid: number | null, ask: number | null, until?: number]
const trades = (...list: Trade[]): PrintColumns => ({
  ts: Float64Array.from(list, ([second]) => start + second * 1_000),
  price: Float64Array.from(list, ([, price]) => price),
  size: Float64Array.from(list, ([, , , size]) => size ?? 1),
  taker: Uint8Array.from(list, ([, , taker]) => (taker === 'yes' ? 1 : taker === 'no' ? 2 : 0)),
})
const quotes = (...list: Quote[]): MarkedQuotes => ({
  ts: Float64Array.from(list, ([second]) => start + second * 1_000),
  confirmedUntil: Float64Array.from(list, ([s, , , until]) => start + (until ?? s) * 1_000),
  bid: Float64Array.from(list, ([, bid]) => bid ?? NaN),
  ask: Float64Array.from(list, ([, , ask]) => ask ?? NaN),
  mark: Float64Array.from(list, ([, bid, ask]) => ((bid ?? NaN) + (ask ?? NaN)) / 2),
})
const costs = (halfSpreads: number[], impacts: number[]) =>
  halfSpreads.map((effectiveHalfSpread, i) => ({ effectiveHalfSpread, impact: impacts[i] ?? 0 }))

describe('A11: adverse-selection score', () => {
  it('has the worked examples', () => {
    const measured = adverseSelection(costs([1, 1, 0.5, 1, 1.5], [0.5, 1, 0, -0.5, 1.5]), 0.5)
    expect(measured).toEqual({ score: 0.5, prior: 0.5, nTrades: 5, alpha: 0.5 })
    expect(scoreOf(0.8, 200, 0.5)).toBe(0.74)
    expect(scoreOf(0.1, 200, 0.5)).toBe(0.18)
  })
  it('is the prior when nothing can be measured', () => {
    expect(adverseSelection([], 0.45)).toEqual({
      score: 0.45,
      prior: 0.45,
      nTrades: 0,
      alpha: null,
    })
    expect(adverseSelection(costs([1, 1, 1, 1], [1, 1, 1, 1]), 0.45).alpha).toBeNull()
    expect(adverseSelection(costs([1, -1, 1, -1, 0], [1, 1, 1, 1, 1]), 0.45).score).toBe(0.45)
    expect(adverseSelection(costs([-1, -1, -1, -1, -1], [1, 1, 1, 1, 1]), 0.45).alpha).toBeNull()
  })
  it('has a prior by event type', () => {
    expect(adverseSelectionPrior('data_release', 'high')).toBe(0.5)
    expect(adverseSelectionPrior('financial', 'direct')).toBe(0.75)
    expect(adverseSelectionPrior('political', 'low')).toBe(0.6)
    for (const type of EVENT_TYPES) {
      for (const observability of OBSERVABILITIES) {
        const prior = adverseSelectionPrior(type, observability)
        expect(prior).toBeGreaterThanOrEqual(0.1)
        expect(prior).toBeLessThanOrEqual(0.9)
      }
    }
  })
  it('is between 0 and 1, grows with the loss, and approaches the share with more prints', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(share, share, share, fc.integer({ min: 5, max: 2_000 }), (a, b, prior, n) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        expect(scoreOf(high, n, prior)).toBeGreaterThanOrEqual(scoreOf(low, n, prior))
        expect(scoreOf(a, n, prior)).toBeGreaterThanOrEqual(0)
        expect(scoreOf(a, n, prior)).toBeLessThanOrEqual(1)
        const [few, many] = [scoreOf(a, n, prior), scoreOf(a, 2 * n, prior)]
        expect(Math.abs(many - a)).toBeLessThanOrEqual(Math.abs(few - a) + 0.001)
      }),
    )
  })
})

describe('A11: costs of prints', () => {
  const book = quotes([0, 39, 41, 30], [100, 41, 43, 400], [500, 45, 47, 1_000])
  it('are measured from the mark before to the first mark five minutes later', () => {
    expect(printCosts(trades([20, 41, 'yes'], [21, 39, 'no']), book, now)).toEqual([
      expect.objectContaining({ effectiveHalfSpread: 1, impact: 2 }),
      expect.objectContaining({ effectiveHalfSpread: 1, impact: -2 }),
    ])
    // Not confirmed at the fifth minute, so the next quote is the first known mark.
    expect(printCosts(trades([150, 43, 'yes']), book, now)).toEqual([
      expect.objectContaining({ effectiveHalfSpread: 1, impact: 4 }),
    ])
  })
  it('need a recent two-sided quote from before the trade', () => {
    expect(printCosts(trades([91, 41, 'yes']), book, now)).toEqual([])
    expect(printCosts(trades([0, 41, 'yes']), book, now)).toEqual([])
    expect(printCosts(trades([20, 41, 'yes']), quotes([0, 39, null, 99]), now)).toEqual([])
    expect(printCosts(trades([100, 41, 'yes']), book, now)).toEqual([])
    expect(printCosts(trades([90, 41, 'yes']), book, now)).toHaveLength(1)
  })
  it('take the side from the book when the venue does not state it', () => {
    const wide = quotes([0, 39, 41, 400])
    const sides = (...list: Trade[]) =>
      printCosts(trades(...list), wide, now).map((cost) => cost.effectiveHalfSpread)
    expect(sides([10, 40.5], [20, 39])).toEqual([0.5, 1])
    expect(sides([10, 40])).toEqual([])
    expect(sides([10, 39], [20, 40], [30, 40])).toHaveLength(3)
  })
  it('count prints of a side in a second once, at their mean price', () => {
    const list = trades(
      [20, 41, 'yes', 3],
      [20.2, 42, 'yes', 1],
      [20.3, 39, 'no'],
      [20.9, 43, 'yes', 0],
    )
    expect(printCosts(list, book, now).map((cost) => cost.effectiveHalfSpread)).toEqual([1.25, 1])
    expect(printCosts(trades([20.9, 41, 'yes'], [21, 41, 'yes']), book, now)).toHaveLength(2)
  })
  it('cap an impact at ten cents', () => {
    const jump = quotes([0, 39, 41, 30], [100, 79, 81, 900])
    expect(printCosts(trades([20, 41, 'yes']), jump, now)[0]?.impact).toBe(10)
    expect(printCosts(trades([20, 39, 'no']), jump, now)[0]?.impact).toBe(-10)
  })
  it('leave out the last five minutes, what is older than a week and what is not among the newest', () => {
    const quoteSeries = quotes([-8 * 86_400, 39, 41, 3_600])
    const hour = 3_600
    const at = (second: number) => printCosts(trades([second, 41, 'yes']), quoteSeries, now).length
    expect([at(hour - 300), at(hour - 299)]).toEqual([1, 0])
    expect([at(hour - 7 * 86_400), at(hour - 7 * 86_400 + 1)]).toEqual([0, 1])
    const many = trades(...Array.from({ length: 2_100 }, (_, i) => [i, 41, 'yes'] as const))
    expect(printCosts(many, quoteSeries, now)).toHaveLength(2_000)
  })
  const minute = fc.tuple(
    fc.nat(3_600),
    fc.integer({ min: 30, max: 50 }),
    fc.constantFrom('yes', 'no', null),
  )
  const books = fc.array(fc.tuple(fc.nat(3_600), fc.integer({ min: 30, max: 50 })), {
    minLength: 1,
  })
  const bySecond = ([a]: readonly [number, ...unknown[]], [b]: readonly [number, ...unknown[]]) =>
    a - b
  it('do not depend on later data', () => {
    fc.assert(
      fc.property(fc.array(minute), books, fc.nat(3_600), (list, marks, cut) => {
        const at = (start + cut * 1_000) as Millis
        const sorted = list.toSorted(bySecond)
        const quoted = marks.toSorted(bySecond).map(([s, bid]): Quote => [s, bid, bid + 2, s + 60])
        const prefix = printCosts(
          trades(...sorted.filter(([second]) => second <= cut)),
          quotes(...quoted.filter(([second]) => second <= cut)),
          at,
        )
        expect(printCosts(trades(...sorted), quotes(...quoted), at)).toEqual(prefix)
      }),
    )
  })
  it('are the same on the NO scale', () => {
    fc.assert(
      fc.property(fc.array(minute), books, (list, marks) => {
        const sorted = list.toSorted(bySecond)
        const quoted = marks.toSorted(bySecond)
        const own = printCosts(
          trades(...sorted),
          quotes(...quoted.map(([s, bid]): Quote => [s, bid, bid + 2, s + 60])),
          now,
        )
        const flipped = { yes: 'no', no: 'yes' } as const
        const mirrored = printCosts(
          trades(
            ...sorted.map(([s, price, taker]): Trade => [
              s,
              100 - price,
              taker === null ? null : flipped[taker],
            ]),
          ),
          quotes(...quoted.map(([s, bid]): Quote => [s, 98 - bid, 100 - bid, s + 60])),
          now,
        )
        expect(mirrored).toHaveLength(own.length)
        for (const [i, cost] of own.entries()) {
          expect(mirrored[i]?.effectiveHalfSpread).toBeCloseTo(cost.effectiveHalfSpread, 9)
          expect(mirrored[i]?.impact).toBeCloseTo(cost.impact, 9)
        }
      }),
    )
  })
})
