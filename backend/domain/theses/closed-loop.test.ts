import { describe, expect, it } from 'vitest'
import {
  CLOSED_QUOTE,
  NO_PROGRESS,
  strategyTrades,
  type StrategyProgress,
  type StrategyQuote,
  type TradedThesis,
} from './closed-loop.ts'
import type { ThesisStrategy } from './holdings.ts'

const strategyOf = (more: Partial<ThesisStrategy> = {}): ThesisStrategy =>
  ({
    id: 'st_1',
    thesisId: 'th_1',
    ticker: 'A',
    title: 'A?',
    venue: 'venue_a',
    direction: 'yes',
    horizon: 'short',
    status: 'active',
    priority: 1,
    entryBelow: 40,
    entryAbove: null,
    stopLoss: null,
    takeProfit: null,
    maxQuantity: 100,
    perOrderQuantity: 30,
    softConditions: null,
    ...more,
  }) as ThesisStrategy
const QUOTE: StrategyQuote = { isOpen: true, cost: 40, proceeds: 38, edge: 3, isDecided: false }
const BOTH = { entry: true, exit: true }

const tradesOf = (
  strategy: Partial<ThesisStrategy> = {},
  quote: Partial<StrategyQuote> = {},
  progress: Partial<StrategyProgress> = {},
  thesis: Partial<TradedThesis> = {},
  loop = BOTH,
) =>
  strategyTrades(
    { status: 'active', strategies: [strategyOf(strategy)], edges: [], ...thesis },
    loop,
    () => ({ ...QUOTE, ...quote }),
    () => ({ ...NO_PROGRESS, ...progress }),
  )

describe('the entry of a strategy', () => {
  it('buys at its price, with its condition', () => {
    expect(tradesOf({ softConditions: 'if it rains' }, { cost: 39 })).toEqual([
      {
        strategyId: 'st_1',
        ticker: 'A',
        direction: 'yes',
        action: 'buy',
        quantity: 30,
        limit: 40,
        softCondition: 'if it rains',
        exitReason: null,
        reason: '39¢ is at or below the entry of 40¢; 3¢ remain after cost',
      },
    ])
    expect(tradesOf({ entryBelow: null, entryAbove: 40 }, { cost: 41, edge: 3.456 })).toMatchObject(
      [{ limit: 41, reason: '41¢ is at or above the entry of 40¢; 3.46¢ remain after cost' }],
    )
  })

  it.each<
    [
      string,
      Partial<ThesisStrategy>,
      Partial<StrategyQuote>,
      Partial<StrategyProgress>,
      number | null,
    ]
  >([
    ['at its price', {}, {}, {}, 30],
    ['above its price', {}, { cost: 40.1 }, {}, null],
    ['at the price from which it buys', { entryBelow: null, entryAbove: 40 }, {}, {}, 30],
    [
      'below the price from which it buys',
      { entryBelow: null, entryAbove: 40 },
      { cost: 39.9 },
      {},
      null,
    ],
    ['with too little edge', {}, { edge: 2.99 }, {}, null],
    ['without an edge', {}, { edge: null }, {}, null],
    ['without an offer', {}, { cost: null }, {}, null],
    ['in a closed market', {}, { isOpen: false }, {}, null],
    ['with a decided condition', {}, { isDecided: true }, {}, null],
    ['that only watches', { status: 'watching' }, {}, {}, null],
    ['with an open purchase', {}, {}, { open: new Set(['buy'] as const) }, null],
    ['with an open sale', {}, {}, { open: new Set(['sell'] as const) }, 30],
    ['with a small rest', {}, {}, { bought: 95 }, 5],
    ['that has bought all', {}, {}, { bought: 100 }, null],
    ['at its stop', { stopLoss: 38 }, {}, {}, null],
    ['above its stop', { stopLoss: 37.9 }, {}, {}, 30],
    ['at its target', { takeProfit: 38 }, {}, {}, null],
    ['below its target', { takeProfit: 38.1 }, {}, {}, 30],
    ['without a bid', { stopLoss: 38, takeProfit: 38 }, { proceeds: null }, {}, 30],
  ])('%s', (_what, strategy, quote, progress, quantity) => {
    const trades = tradesOf(strategy, quote, progress)
    expect(trades.map((trade) => trade.quantity)).toEqual(quantity === null ? [] : [quantity])
  })

  it('needs an active thesis and an open loop', () => {
    expect(tradesOf({}, {}, {}, { status: 'paused' })).toEqual([])
    expect(tradesOf({}, {}, {}, {}, { entry: false, exit: true })).toEqual([])
    expect(tradesOf({}, CLOSED_QUOTE)).toEqual([])
  })
})

describe('the exit of a strategy', () => {
  const edge = (thesisPrice: number) => ({ ticker: 'A', thesisPrice, evaluatedPrice: 50 })

  it('sells all that it holds at the market', () => {
    expect(tradesOf({ stopLoss: 38 }, {}, { held: 12.3456789 })).toEqual([
      {
        strategyId: 'st_1',
        ticker: 'A',
        direction: 'yes',
        action: 'sell',
        quantity: 12.345679,
        limit: null,
        softCondition: null,
        exitReason: 'stop_loss',
        reason: 'bid 38¢ is at or below the stop of 38¢',
      },
    ])
  })

  const sell = new Set(['sell'] as const)
  it.each<
    [
      string,
      Partial<ThesisStrategy>,
      Partial<StrategyQuote>,
      Partial<StrategyProgress>,
      Partial<TradedThesis>,
      string | null,
    ]
  >([
    ['above its stop', { stopLoss: 37.9 }, {}, {}, {}, null],
    ['at its target', { takeProfit: 38 }, {}, {}, {}, 'take_profit'],
    ['below its target', { takeProfit: 38.1 }, {}, {}, {}, null],
    ['at its stop and its target', { stopLoss: 38, takeProfit: 38 }, {}, {}, {}, 'stop_loss'],
    ['without a bid', { stopLoss: 38 }, { proceeds: null }, {}, {}, null],
    ['of a killed thesis', {}, { proceeds: null }, {}, { status: 'killed' }, 'thesis_exit'],
    ['whose edge is gone', {}, {}, {}, { edges: [edge(48)] }, 'thesis_exit'],
    ['whose edge is nearly gone', {}, {}, {}, { edges: [edge(48.01)] }, null],
    ['in a closed market', { stopLoss: 38 }, { isOpen: false }, {}, {}, null],
    ['with an open sale', { stopLoss: 38 }, {}, { open: sell }, {}, null],
    ['that holds nothing', { stopLoss: 38 }, {}, { held: 0 }, {}, null],
  ])('%s', (_what, strategy, quote, progress, thesis, reason) => {
    const loop = { entry: false, exit: true }
    const trades = tradesOf(strategy, quote, { held: 5, ...progress }, thesis, loop)
    expect(trades.map((trade) => trade.exitReason)).toEqual(reason === null ? [] : [reason])
    expect(
      tradesOf(strategy, quote, { held: 5, ...progress }, thesis, { entry: false, exit: false }),
    ).toEqual([])
  })
})

it('exits come first, then entries by priority, and none of a strategy that leaves', () => {
  const strategies = [
    strategyOf({ id: 'low', priority: 1 }),
    strategyOf({ id: 'high', priority: 9 }),
    strategyOf({ id: 'leaves', priority: 5, stopLoss: 38 }),
  ]
  const trades = strategyTrades(
    { status: 'active', strategies, edges: [] },
    BOTH,
    ({ id }) => (id === 'leaves' ? QUOTE : { ...QUOTE, proceeds: 39 }),
    ({ id }) => ({ ...NO_PROGRESS, held: id === 'leaves' ? 1 : 0 }),
  )
  expect(trades.map(({ strategyId, action }) => [strategyId, action])).toEqual([
    ['leaves', 'sell'],
    ['high', 'buy'],
    ['low', 'buy'],
  ])
})
