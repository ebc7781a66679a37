import { expect, it } from 'vitest'
import { marketFacts } from '../../../testing/market-facts.ts'
import { play } from '../../../testing/backtest/scenario.ts'
import type { Cents, Millis } from '../../units.ts'
import { FULL_FILLS } from '../broker/fill-model.ts'
import { reportOf } from './report.ts'

const T0 = Date.parse('2026-08-03T12:00:00Z')
const E6 = 1_000_000
type Level = readonly [price: number, size: number]

/** Slippage in dollars of an order that takes two levels, 10 contracts at the first. */
function slippageOf(action: 'buy' | 'sell', limit: number, bids: Level[], asks: Level[]): number {
  const scaled = (levels: readonly Level[]) =>
    levels.map(([price, size]) => [price * 100, size * E6] as const)
  const book = (after: number, own: Level[], other: Level[]) => ({
    known: T0 + after,
    ts: T0 + after,
    market: 0,
    bids: scaled(own),
    asks: scaled(other),
  })
  const facts = marketFacts({ ticker: 'M0', openTime: (T0 - 1) as Millis, closeTime: null })
  const order = (received: number, side: 'buy' | 'sell', price: number) => ({
    received,
    order: {
      market: 0,
      action: side,
      side: 'yes' as const,
      contracts: 20,
      limit: price as Cents,
    },
  })
  const result = play({
    from: T0,
    to: T0 + 60_000,
    markets: [{ venue: 'venue_a', ticker: 'M0' }],
    versions: [{ market: 0, knownAt: (T0 - 1) as Millis, facts }],
    trades: [],
    quotes: [],
    // The position was bought at one price, so that only the sale has slippage.
    books: [book(1, [[30, 100]], [[50, 100]]), book(20, bids, asks)],
    bars: [],
    actions: [...(action === 'sell' ? [order(0, 'buy', 50)] : []), order(1, action, limit)],
    model: { ...FULL_FILLS, latencyMs: 0 as Millis },
    startCash: 1_000 * E6,
  })
  const origin = {
    strategy: 's',
    about: '',
    params: {},
    scope: '',
    gaps: [],
    gapsLeftOut: 0,
    checks: [],
    isDeterministic: null,
    capacity: null,
  }
  return reportOf(result, origin).slippage
}

it('is a cost for a buy above the ask at the decision', () => {
  expect(
    slippageOf(
      'buy',
      47,
      [[40, 10]],
      [
        [45, 10],
        [47, 10],
      ],
    ),
  ).toBeCloseTo(0.2, 9)
})

it('is a cost for a sale below the bid at the decision', () => {
  expect(
    slippageOf(
      'sell',
      38,
      [
        [40, 10],
        [38, 10],
      ],
      [[45, 10]],
    ),
  ).toBeCloseTo(0.2, 9)
})
