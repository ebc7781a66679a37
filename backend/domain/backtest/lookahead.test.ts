import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../testing/backtest/random-scenario.ts'
import { play, scripted, type Scenario } from '../../testing/backtest/scenario.ts'
import type { Millis } from '../units.ts'
import { comparePrefix } from './lookahead.ts'
import type { Strategy } from './strategy.ts'

const RUNS = 300

const cutOf = ({ from, to }: Scenario): Millis => (from + Math.floor((to - from) * 0.6)) as Millis

/** The same scenario as far as it was known by `cut`. */
function cutTo(scenario: Scenario, cut: number): Scenario {
  const known = <Row extends { known: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => row.known <= cut)
  return {
    ...scenario,
    to: cut,
    versions: scenario.versions.filter(({ knownAt }) => knownAt <= cut),
    trades: known(scenario.trades),
    quotes: known(scenario.quotes),
    books: known(scenario.books),
    bars: known(scenario.bars),
  }
}

/** The same past with another future: every price after `cut` is mirrored. */
function withOtherFuture(scenario: Scenario, cut: number): Scenario {
  return {
    ...scenario,
    trades: scenario.trades.map((row) =>
      row.known <= cut ? row : { ...row, price: 10_000 - row.price, size: row.size * 3 },
    ),
    quotes: scenario.quotes.filter(({ known }) => known <= cut),
    bars: scenario.bars.map((row) => (row.known <= cut ? row : { ...row, close: 5_000 })),
  }
}

/** Buys when the next price is higher, because it was given the list. */
function peeking({ trades }: Scenario): Strategy {
  return {
    onEvent(event, run) {
      if (event.kind !== 'trade' || !run.isTradable(event.market)) return
      const later = trades.find(({ market, known }) => market === event.market && known > event.at)
      if (later === undefined || later.price <= event.priceE4) return
      run.buy(event.market, 'yes', 1, 99)
    },
  }
}

describe('look-ahead', () => {
  it('[backtest.lookahead.prefix] removing the future never changes the past', () => {
    let decided = 0
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const cut = cutOf(scenario)
        const check = comparePrefix(play(scenario), play(cutTo(scenario, cut)), cut)
        decided += check.decisions
        expect(check).toMatchObject({ isEqual: true, firstDifferenceAt: null })
      }),
      { numRuns: RUNS },
    )
    expect(decided).toBeGreaterThan(RUNS)
  })

  it('[backtest.lookahead.prefix] a different future does not change the past either', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const cut = cutOf(scenario)
        const check = comparePrefix(play(scenario), play(withOtherFuture(scenario, cut)), cut)
        expect(check.isEqual).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it('[backtest.lookahead.caught] detects a strategy that looks ahead, and when', () => {
    const found = fc.check(
      fc.property(scenarios, (scenario) => {
        const cut = cutOf(scenario)
        const short = cutTo(scenario, cut)
        return comparePrefix(play(scenario, peeking(scenario)), play(short, peeking(short)), cut)
          .isEqual
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
    const [scenario] = found.counterexample ?? []
    const cut = cutOf(scenario!)
    const short = cutTo(scenario!, cut)
    const check = comparePrefix(
      play(scenario!, peeking(scenario!)),
      play(short, peeking(short)),
      cut,
    )
    expect(check.firstDifferenceAt).toBeGreaterThan(scenario!.from)
    expect(check.firstDifferenceAt).toBeLessThanOrEqual(cut)
  })

  it('[backtest.engine.deterministic] equal inputs give equal results for any windows', () => {
    fc.assert(
      fc.property(scenarios, fc.constantFrom(250, 700, 1_300), (scenario, windowMs) => {
        const whole = play(scenario)
        expect(play(scenario)).toEqual(whole)
        expect(play(scenario, scripted(scenario.actions), { windowMs })).toEqual(whole)
      }),
      { numRuns: 200 },
    )
  })
})
