import { describe, expect, it } from 'vitest'
import type { ThesisStrategy } from '../theses/holdings.ts'
import type { Millis } from '../units.ts'
import { decide, type DecisionInput, type DecisionMarket, type HeldMarket } from './decide.ts'
import type { TradingThesis } from './trading-thesis.ts'

const MARKET: DecisionMarket = {
  venue: 'venue_a',
  title: 'Shutdown bill passes',
  status: 'active',
  bid: 42,
  ask: 44,
}
const STRATEGY: ThesisStrategy = {
  id: 'str_1',
  thesisId: 't1',
  ticker: 'KX',
  title: 'Shutdown bill passes',
  venue: 'venue_a',
  direction: 'yes',
  horizon: 'medium',
  status: 'active',
  priority: 50,
  entryBelow: 50,
  entryAbove: null,
  stopLoss: 30,
  takeProfit: 80,
  maxQuantity: 100,
  perOrderQuantity: 40,
  executedQuantity: 0,
  softConditions: null,
  rationale: null,
  createdBy: 'api',
  createdAt: 1 as Millis,
  updatedAt: 1 as Millis,
}
const THESIS: TradingThesis = {
  id: 't1',
  title: 'The bill passes',
  status: 'active',
  confidence: 0.6,
  strategies: [STRATEGY],
  edges: [],
}
const HELD: HeldMarket = {
  ticker: 'KX',
  venue: 'venue_a',
  title: 'Shutdown bill passes',
  direction: 'yes',
  quantity: 40,
  thesisId: 't1',
  strategyId: 'str_1',
}
const INPUT: DecisionInput = {
  theses: [THESIS],
  positions: [],
  markets: new Map([['KX', MARKET]]),
  bought: new Map(),
  withIntents: new Set(),
  limits: { maxSingleOrderCents: 20_000, minEdgeCents: 0 },
}
const withStrategy = (change: Partial<ThesisStrategy>): Partial<DecisionInput> => ({
  theses: [{ ...THESIS, strategies: [{ ...STRATEGY, ...change }] }],
})
const market = (change: Partial<DecisionMarket>): Partial<DecisionInput> => ({
  markets: new Map([['KX', { ...MARKET, ...change }]]),
})
const summaryOf = (change: Partial<DecisionInput>): string[] =>
  decide({ ...INPUT, ...change }).map(({ kind, action, quantity, limitPriceCents, reason }) =>
    kind === 'hold'
      ? `hold: ${reason}`
      : `${kind}: ${action ?? ''} ${quantity ?? ''} at ${limitPriceCents ?? ''}`,
  )

describe('[portfolio.ticks.decide] a strategy', () => {
  it.each<[string, Partial<DecisionInput>]>([
    ['entry: buy 40 at 44', {}],
    ['entry: buy 30 at 44', { bought: new Map([['str_1', 70]]) }],
    ['entry: buy 40 at 58', withStrategy({ direction: 'no', entryBelow: 60, stopLoss: null })],
    ['entry: buy 40 at 44', withStrategy({ entryBelow: null, entryAbove: 44 })],
    ['hold: 44¢ is not at or under 43¢', withStrategy({ entryBelow: 43 })],
    ['hold: maxQuantity of 100 is reached', { bought: new Map([['str_1', 100]]) }],
    ['hold: the market is not open', market({ status: 'paused' })],
    ['hold: the market is not open', { markets: new Map() }],
    ['hold: nothing is offered', market({ ask: null })],
    ['hold: the bid is at the stop', market({ bid: 30, ask: 32 })],
    ['hold: the soft condition waits for its owner', withStrategy({ softConditions: 'a vote' })],
    ['hold: an open intent trades this strategy', { withIntents: new Set(['str_1']) }],
  ])('%s', (expected, change) => {
    expect(summaryOf(change)).toEqual([expected])
  })

  it('[portfolio.ticks.decide] is followed only while it and its thesis are active', () => {
    expect(summaryOf(withStrategy({ status: 'watching' }))).toEqual([])
    expect(summaryOf({ theses: [{ ...THESIS, status: 'paused' }] })).toEqual([])
  })
})

describe('[portfolio.ticks.decide] a position', () => {
  const full = { bought: new Map([['str_1', 100]]) }
  it.each<[string, Partial<DecisionInput>]>([
    ['exit: sell 40 at 30', market({ bid: 30, ask: 32 })],
    ['exit: sell 40 at 80', market({ bid: 80, ask: 82 })],
    [
      'exit: sell 40 at 30',
      { ...market({ bid: 30, ask: 32 }), theses: [{ ...THESIS, status: 'paused' }] },
    ],
    ['exit: sell 40 at 42', { theses: [{ ...THESIS, status: 'killed' }] }],
    [
      'exit: sell 23 at 42',
      {
        theses: [{ ...THESIS, status: 'killed' }],
        limits: { maxSingleOrderCents: 1_000, minEdgeCents: 0 },
      },
    ],
    ['hold: held: no exit of The bill passes is due', {}],
  ])('%s', (expected, change) => {
    const [first] = summaryOf({ ...full, positions: [HELD], ...change })
    expect(first).toBe(expected)
  })

  it('is left alone when it follows no thesis', () => {
    const positions = [{ ...HELD, thesisId: null, strategyId: null }]
    expect(summaryOf({ theses: [], positions })).toEqual([])
  })
})

describe('[portfolio.ticks.decide] an edge', () => {
  const edges = [{ ticker: 'KX', yes: 6, no: -9, rationale: '' }]
  const theses = [{ ...THESIS, strategies: [], edges }]
  it.each<[string[], Partial<DecisionInput>]>([
    [['entry: buy 50 at 44'], {}],
    [['entry: buy 22 at 44'], { limits: { maxSingleOrderCents: 1_000, minEdgeCents: 0 } }],
    [[], { limits: { maxSingleOrderCents: 20_000, minEdgeCents: 7 } }],
    [[], { theses: [{ ...THESIS, strategies: [], edges: [{ ...edges[0], yes: 2.9 }] }] } as never],
    [['hold: 44¢ is not at or under 43¢'], withStrategyAndEdge()],
    [
      ['hold: a contract costs more than maxSingleOrderCents'],
      { limits: { maxSingleOrderCents: 40, minEdgeCents: 0 } },
    ],
  ])('%j', (expected, change) => {
    expect(summaryOf({ theses, ...change })).toEqual(expected)
  })

  function withStrategyAndEdge(): Partial<DecisionInput> {
    return { theses: [{ ...THESIS, strategies: [{ ...STRATEGY, entryBelow: 43 }], edges }] }
  }

  it('[portfolio.ticks.decide] of several theses is traded once, after exits and strategies', () => {
    const markets = new Map(['KX', 'KY', 'KZ'].map((ticker) => [ticker, MARKET]))
    const second = { ...THESIS, id: 't2', strategies: [] }
    const edge = { rationale: '', no: null }
    const decisions = decide({
      ...INPUT,
      markets,
      positions: [{ ...HELD, ticker: 'KZ', thesisId: 't3', strategyId: null }],
      theses: [
        { ...second, edges: [{ ...edge, ticker: 'KY', yes: 4 }] },
        { ...second, id: 't4', edges: [{ ...edge, ticker: 'KY', yes: 5 }] },
        THESIS,
        { ...second, id: 't3', status: 'killed' },
      ],
    })
    expect(
      decisions.map(({ n, kind, marketId, basis }) => [n, kind, marketId, basis.thesisId]),
    ).toEqual([
      [1, 'exit', 'KZ', 't3'],
      [2, 'entry', 'KX', 't1'],
      [3, 'entry', 'KY', 't4'],
    ])
  })
})
