import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../testing/backtest/random-scenario.ts'
import { play, scripted, ticksOf, type Scenario } from '../../testing/backtest/scenario.ts'
import type { Strategy } from './strategy.ts'

const RUNS = 1_000

/** Runs the scenario and records every event it receives, reading the rest at some events only. */
function watching(scenario: Scenario, asksEvery: number) {
  const seen: unknown[] = []
  const script = scripted(scenario.actions)
  let received = 0
  const strategy: Strategy = {
    onEvent(event, run) {
      script.onEvent?.(event, run)
      const { kind, market, at, ts, priceE4, sizeE6, takerCode, bidE4, askE4 } = event
      seen.push({ kind, market, at, ts, priceE4, sizeE6, takerCode, bidE4, askE4, now: run.now })
      if (received++ % asksEvery !== 0) return
      seen.push([
        run.equity,
        run.cash,
        ...run.markets().map((one) => [run.last(one), run.position(one)]),
      ])
    },
    onFill(fill, run) {
      seen.push({ ...fill, order: fill.order.id, equity: run.equity, last: run.last(fill.market) })
    },
    onSettle(note, run) {
      seen.push({ ...note, equity: run.equity })
    },
  }
  return { seen, strategy }
}

describe('trades dispatched without books and bars', () => {
  it.each([
    ...[1, 2, 5, 1_000].map((asksEvery) => ({ asksEvery, hasQuotes: false })),
    ...[1, 3].map((asksEvery) => ({ asksEvery, hasQuotes: true })),
  ])('[backtest.engine.one-tape] have the same effect as among others: %o', (events) => {
    fc.assert(
      fc.property(scenarios, (full) => {
        const scenario = ticksOf(full, events)
        const [alone, mixed] = [
          watching(scenario, events.asksEvery),
          watching(scenario, events.asksEvery),
        ]
        const result = play(scenario, alone.strategy)
        const other = play(scenario, mixed.strategy, { asMixed: true })
        expect(alone.seen).toEqual(mixed.seen)
        expect(result).toEqual(other)
      }),
      { numRuns: RUNS / 4 },
    )
  })
})
