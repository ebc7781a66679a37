import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { oracleOf } from '../../testing/backtest/oracle.ts'
import { scenarios } from '../../testing/backtest/random-scenario.ts'
import { play, scripted, ticksOf, type Scenario } from '../../testing/backtest/scenario.ts'

const RUNS = 1_000

/** The engine's result in the form of the oracle's. */
function playedAs(scenario: Scenario, feeMultiplier = 1) {
  const result = play(scenario, scripted(scenario.actions), { feeMultiplier })
  const { fills } = result
  return {
    fills: Array.from(fills.at, (at, i) => ({
      at,
      order: fills.order[i],
      price: fills.price[i],
      size: fills.size[i],
      fee: fills.fee[i],
      isMaker: fills.isMaker[i] === 1,
    })),
    cash: result.cash,
    equity: result.equity,
    realised: result.realised,
    received: result.events,
    net: scenario.markets.map((_, market) => {
      const open = result.open.find((one) => one.market === market)
      return open === undefined ? 0 : (open.side === 'yes' ? 1 : -1) * open.size
    }),
  }
}

describe('the engine compared with a slow oracle', () => {
  it(`[backtest.engine.oracle] agrees to the cent on ${RUNS} random runs`, () => {
    const seen = { filled: 0, created: 0, sold: 0, open: 0 }
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { ends: _ends, ...expected } = oracleOf(scenario)
        expect(playedAs(scenario)).toEqual(expected)
        seen.filled += expected.fills.length
        seen.created += expected.fills.filter(({ isMaker }) => isMaker).length
        seen.open += expected.net.filter((net) => net !== 0).length
      }),
      { numRuns: RUNS },
    )
    // Runs in which nothing happens would prove nothing.
    expect(seen.filled).toBeGreaterThan(RUNS)
    expect(seen.created).toBeGreaterThan(RUNS / 10)
    expect(seen.open).toBeGreaterThan(RUNS / 2)
  })

  it.each([{ hasQuotes: true }, { hasQuotes: false }])(
    `[backtest.engine.oracle] agrees on ${RUNS} more with trades and no books, %o`,
    ({ hasQuotes }) => {
      const seen = { filled: 0, open: 0 }
      fc.assert(
        fc.property(scenarios, (full) => {
          const scenario = ticksOf(full, { hasQuotes })
          const { ends: _ends, ...expected } = oracleOf(scenario)
          expect(playedAs(scenario)).toEqual(expected)
          seen.filled += expected.fills.length
          seen.open += expected.net.filter((net) => net !== 0).length
        }),
        { numRuns: RUNS },
      )
      expect(seen.filled).toBeGreaterThan(RUNS / 2)
      expect(seen.open).toBeGreaterThan(RUNS / 5)
    },
  )

  it('[backtest.engine.oracle-bites] finds a fee that is a hundredth too high', () => {
    const found = fc.check(
      fc.property(scenarios, (scenario) => {
        const { ends: _ends, ...expected } = oracleOf(scenario)
        expect(playedAs(scenario, 1.01)).toEqual(expected)
      }),
      { numRuns: 100, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
  })
})
