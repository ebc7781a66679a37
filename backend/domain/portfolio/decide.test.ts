import { describe, expect, it } from 'vitest'
import type { ThesisStrategy } from '../theses/holdings.ts'
import type { Millis } from '../units.ts'
import { decide } from './decide.ts'
import type {
  DecisionInput,
  DecisionMarket,
  HeldMarket,
  TradingPair,
  TradingView,
} from './decisions/decision-parts.ts'
import { orderGroups } from './tick.ts'
import type { TradingThesis } from './trading-thesis.ts'

const MARKET: DecisionMarket = {
  venue: 'venue_a',
  title: 'Shutdown bill passes',
  status: 'active',
  bid: 42,
  ask: 44,
  bidSize: 500,
  askSize: 500,
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
  viewId: null,
}
const VIEW: TradingView = {
  id: 'vw_1',
  title: 'It passes',
  tickers: ['KX'],
  direction: 'yes',
  conviction: 8,
  thesisId: null,
}
const INPUT: DecisionInput = {
  theses: [THESIS],
  views: [],
  pairs: [],
  positions: [],
  markets: new Map([['KX', MARKET]]),
  bought: new Map(),
  strategiesWithIntents: new Set(),
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
    ['hold: 44¢ is not at or below 43¢', withStrategy({ entryBelow: 43 })],
    ['hold: maxQuantity of 100 is reached', { bought: new Map([['str_1', 100]]) }],
    ['hold: maxQuantity of 100 is reached', { bought: new Map([['str_1', 100 - 1e-13]]) }],
    ['hold: the market is not open', market({ status: 'paused' })],
    ['hold: the market is not open', { markets: new Map() }],
    ['hold: nothing is offered', market({ ask: null })],
    ['hold: the bid is at the stop', market({ bid: 30, ask: 32 })],
    ['hold: the soft condition waits for its owner', withStrategy({ softConditions: 'a vote' })],
    ['hold: an open intent trades this strategy', { strategiesWithIntents: new Set(['str_1']) }],
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
    [['hold: 44¢ is not at or below 43¢'], withStrategyAndEdge()],
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

  it('[portfolio.ticks.decide] waits for at most 20 markets a tick, the largest edges', () => {
    const tickers = Array.from({ length: 30 }, (_, n) => `K${n}`)
    const decisions = decide({
      ...INPUT,
      theses: [
        {
          ...THESIS,
          strategies: [],
          edges: tickers.map((ticker, n) => ({ ticker, yes: 60 - n, no: null, rationale: '' })),
        },
      ],
      // Nothing is offered, except in the last market.
      markets: new Map(
        tickers.map((ticker, n) => [ticker, n === 29 ? MARKET : { ...MARKET, ask: null }]),
      ),
    })
    expect(decisions.map(({ kind, marketId }) => [kind, marketId])).toEqual([
      ['entry', 'K29'],
      ...tickers.slice(0, 20).map((ticker) => ['hold', ticker]),
    ])
  })

  it('[portfolio.ticks.decide] leaves its market to a view when it is not entered itself', () => {
    const tickers = Array.from({ length: 21 }, (_, n) => `K${n}`)
    const entered = tickers.map((ticker, n) => ({ ticker, yes: 30 - n, no: null, rationale: '' }))
    const dear = { ticker: 'DEAR', yes: 60, no: null, rationale: '' }
    const viewed = ['K20', 'DEAR']
    const decisions = decide({
      ...INPUT,
      theses: [{ ...THESIS, strategies: [], edges: [dear, ...entered] }],
      views: [{ ...VIEW, tickers: viewed }],
      markets: new Map([
        ...tickers.map((ticker) => [ticker, MARKET] as const),
        ['DEAR', { ...MARKET, bid: null, ask: null }],
      ]),
    })
    expect(decisions.filter(({ kind }) => kind === 'entry')).toHaveLength(21)
    expect(
      decisions.flatMap(({ kind, marketId, basis, reason }) =>
        basis.viewId === null ? [] : [[marketId, kind, reason]],
      ),
    ).toEqual([
      ['K20', 'entry', expect.stringContaining('conviction')],
      ['DEAR', 'hold', 'the view “It passes” waits: nothing is offered'],
    ])
  })
})

describe('[portfolio.ticks.views] a view', () => {
  const viewed = (change: Partial<TradingView>, rest: Partial<DecisionInput> = {}) => ({
    theses: [],
    views: [{ ...VIEW, ...change }],
    ...rest,
  })
  const waits = 'hold: the view “It passes” waits: '
  it.each<[string, Partial<DecisionInput>]>([
    ['entry: buy 50 at 44', viewed({})],
    // NO costs 58 and 1.71 of fee: 60 less both is 0.29.
    [
      `${waits}conviction 6 of 10 values NO at 60¢; at 58¢ and 1.71¢ of fee 0.29¢ remain, and 3¢ are required`,
      viewed({ direction: 'no', conviction: 6 }),
    ],
    ['entry: buy 50 at 58', viewed({ direction: 'no', conviction: 7 })],
    [
      `${waits}conviction 5 of 10 values YES at 50¢; at 44¢ and 1.72¢ of fee 4.28¢ remain, and 5¢ are required`,
      viewed({ conviction: 5 }, { limits: { maxSingleOrderCents: 20_000, minEdgeCents: 5 } }),
    ],
    [`${waits}it names no side`, viewed({ direction: null })],
    [`${waits}the market is not open`, viewed({}, market({ status: 'paused' }))],
    [`${waits}nothing is offered`, viewed({}, market({ ask: null }))],
    [`${waits}its thesis is not active`, viewed({ thesisId: 't9' })],
    ['entry: buy 10 at 44', viewed({}, { limits: { maxSingleOrderCents: 449, minEdgeCents: 0 } })],
  ])('%s', (expected, change) => {
    expect(summaryOf(change)).toEqual([expected])
  })

  it('[portfolio.ticks.views] yields to strategies, and the view of most conviction is first', () => {
    const views = [VIEW, { ...VIEW, id: 'vw_2', title: 'It fails', direction: 'no' as const }]
    expect(summaryOf({ theses: [], views })).toEqual([
      'entry: buy 50 at 44',
      'hold: the view “It fails” waits: the market is held or entered for another reason',
    ])
    expect(summaryOf({ views: [VIEW] })[0]).toBe('entry: buy 40 at 44')
    const [first] = decide({ ...INPUT, theses: [], views })
    expect(first).toMatchObject({
      confidence: 0.8,
      basis: { viewId: 'vw_1', thesisId: null },
      support: { edgeCents: 34.28, confidence: 0.8 },
      boundPriceCents: 75.28,
    })
  })

  it('[portfolio.ticks.views] is left at its value, and held when it is no longer used', () => {
    const position = { ...HELD, thesisId: null, strategyId: null, viewId: 'vw_1' }
    const held = (change: Partial<DecisionMarket>, views: readonly TradingView[]) =>
      summaryOf({ theses: [], positions: [position], views, ...market(change) })
    expect(held({ bid: 80, ask: 82 }, [VIEW])).toEqual(['exit: sell 40 at 80'])
    expect(held({}, [VIEW])).toEqual([
      'hold: held for the view “It passes”: bid 42¢ is below its value of 80¢',
    ])
    expect(held({ bid: 90, ask: 92 }, [])[0]).toContain('the view was paused, deleted or has ended')
    // A view that turned round sells, whatever the price; one without a side does not.
    expect(held({}, [{ ...VIEW, direction: 'no' }])[0]).toBe('exit: sell 40 at 42')
    expect(held({ bid: 90 }, [{ ...VIEW, direction: null }])[0]).toContain('no longer covers this')
    expect(held({ bid: 90 }, [{ ...VIEW, tickers: [] }])[0]).toContain('no longer covers this')
  })
})

describe('[portfolio.ticks.pairs] a pair of venues', () => {
  const PAIR: TradingPair = { id: 'p1', a: 'KX', b: 'PM', inverted: false, confidence: 0.9 }
  const other = (change: Partial<DecisionMarket>): DecisionMarket => ({
    ...MARKET,
    venue: 'venue_b',
    ...change,
  })
  const paired = (
    there: Partial<DecisionMarket>,
    change: Partial<DecisionInput> = {},
  ): Partial<DecisionInput> => ({
    theses: [],
    pairs: [PAIR],
    markets: new Map([
      ['KX', MARKET],
      ['PM', other(there)],
    ]),
    ...change,
  })
  const legsOf = (change: Partial<DecisionInput>) =>
    decide({ ...INPUT, ...change }).map(({ marketId, direction, quantity, limitPriceCents }) =>
      [marketId, direction, quantity, limitPriceCents].join(' '),
    )
  it.each<[string[], Partial<DecisionInput>]>([
    // YES at 44 and NO at 100 − 52 cost 92 and the fees of both.
    [['KX yes 50 44', 'PM no 50 48'], paired({ bid: 52, ask: 54 })],
    // The other way: NO at 58 here, YES at 36 there.
    [['KX no 50 58', 'PM yes 50 36'], paired({ bid: 34, ask: 36 })],
    // Opposite questions: NO of the opposite is YES.
    [
      ['KX yes 50 44', 'PM yes 50 48'],
      paired({ bid: 46, ask: 48 }, { pairs: [{ ...PAIR, inverted: true }] }),
    ],
    // Equal contracts of both legs, at most what both offer.
    [['KX yes 7 44', 'PM no 7 48'], paired({ bid: 52, ask: 54, bidSize: 7.9 })],
    [['KX yes 25 44', 'PM no 25 48'], paired({ bid: 52, ask: 54, bidSize: null })],
    // The fees take what is left.
    [[], paired({ bid: 45, ask: 47 })],
    // A profit of more than 20¢ is an error in the match.
    [[], paired({ bid: 80, ask: 82 })],
    [[], paired({ bid: 52, ask: 54, status: 'paused' })],
    [[], paired({ bid: null, ask: null })],
    [[], paired({ bid: 52, ask: 54 }, { pairs: [] })],
    [[], paired({ bid: 52, ask: 54 }, { limits: { maxSingleOrderCents: 47, minEdgeCents: 0 } })],
  ])('%j', (expected, change) => {
    expect(legsOf(change)).toEqual(expected)
  })

  it('[portfolio.ticks.pairs] names its costs, and both legs are one group of orders', () => {
    const decisions = decide({ ...INPUT, ...paired({ bid: 52, ask: 54 }) })
    expect(decisions[0]?.reason).toMatch(
      /^a pair of both venues costs \d+(\.\d+)?¢ with both fees and pays 100¢ if .* both legs or none$/,
    )
    expect(decisions).toMatchObject([{ basis: { pair: true } }, { pairId: 'p1', confidence: 0.9 }])
    expect(orderGroups(decisions).map((group) => group.length)).toEqual([2])
  })

  it('[portfolio.ticks.pairs] is left out while one of its markets is held', () => {
    const positions = [{ ...HELD, thesisId: null, strategyId: null }]
    expect(legsOf(paired({ bid: 52, ask: 54 }, { positions }))).toEqual([])
  })
})
