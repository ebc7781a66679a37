import { describe, expect, it } from 'vitest'
import { marketFacts } from '../../testing/market-facts.ts'
import { play, type Scenario } from '../../testing/backtest/scenario.ts'
import type { MarketFacts } from '../market.ts'
import type { Cents, Millis } from '../units.ts'
import { FULL_FILLS, moneyOf, PAPER_FILLS } from './broker/fill-model.ts'
import type { OrderRequest } from './broker/orders.ts'
import type { RunResult } from './report/run-result.ts'
import type { Strategy } from './strategy.ts'

const T0 = Date.parse('2026-08-03T12:00:00Z')
const E6 = 1_000_000
const cents = (value: number): Cents => value as Cents

const facts = (change: Partial<MarketFacts> = {}): MarketFacts =>
  marketFacts({ ticker: 'M0', openTime: (T0 - 1) as Millis, closeTime: null, ...change })

/** One market in which nothing happens by default. */
const scene = (change: Partial<Scenario> = {}): Scenario => ({
  from: T0,
  to: T0 + 60_000,
  markets: [{ venue: 'venue_a', ticker: 'M0' }],
  versions: [{ market: 0, knownAt: (T0 - 1) as Millis, facts: facts() }],
  trades: [],
  quotes: [],
  books: [],
  bars: [],
  actions: [],
  model: { ...FULL_FILLS, latencyMs: 0 as Millis },
  startCash: 1_000 * E6,
  ...change,
})
const book = (
  after: number,
  bids: readonly (readonly [number, number])[],
  asks: readonly (readonly [number, number])[],
) => ({
  known: T0 + after,
  ts: T0 + after,
  market: 0,
  bids: bids.map(([price, size]) => [price * 100, size * E6] as const),
  asks: asks.map(([price, size]) => [price * 100, size * E6] as const),
})
const trade = (after: number, price: number, size: number, taker: 0 | 1 | 2) => ({
  known: T0 + after,
  ts: T0 + after,
  market: 0,
  price: price * 100,
  size: size * E6,
  taker,
})
const order = (change: Partial<OrderRequest>): OrderRequest => ({
  market: 0,
  action: 'buy',
  side: 'yes',
  contracts: 1,
  limit: cents(50),
  ...change,
})
const fillsOf = ({ fills }: RunResult): (readonly [price: number, contracts: number])[] =>
  Array.from(fills.price, (price, i) => [price / 100, (fills.size[i] ?? NaN) / E6] as const)
const endsOf = ({ orderEnds }: RunResult): string[] => Object.keys(orderEnds)

describe('fills', () => {
  it('[backtest.fills.queue] a resting order waits for its queue: 150 at 40 behind 200', () => {
    const played = play(
      scene({
        books: [book(1, [[40, 200]], [[45, 10]])],
        trades: [trade(10, 40, 300, 2), trade(20, 40, 30, 2)],
        actions: [{ received: 0, order: order({ contracts: 150, limit: cents(40) }) }],
      }),
    )
    expect(fillsOf(played)).toEqual([
      [40, 100],
      [40, 30],
    ])
    expect(played.orderEnds).toEqual({ 'run ended': 1 })
  })

  it('[backtest.fills.walk] a limit order takes the visible size within its limit and rests: 200 at 23 of 120', () => {
    const played = play(
      scene({
        books: [
          book(
            1,
            [[20, 50]],
            [
              [23, 120],
              [24, 80],
            ],
          ),
        ],
        trades: [trade(10, 23, 80, 2)],
        actions: [{ received: 0, order: order({ contracts: 200, limit: cents(23) }) }],
      }),
    )
    expect(fillsOf(played)).toEqual([
      [23, 120],
      [23, 80],
    ])
    expect(Array.from(played.fills.isMaker)).toEqual([0, 1])
  })

  it('[backtest.fills.fees] fees carry the rounding of an order over its fills: 1.49 and 1.02', () => {
    const played = play(
      scene({
        books: [
          book(
            1,
            [[20, 50]],
            [
              [23, 120],
              [24, 80],
            ],
          ),
        ],
        actions: [{ received: 0, order: order({ contracts: 200, limit: null }) }],
      }),
    )
    expect(fillsOf(played)).toEqual([
      [23, 120],
      [24, 80],
    ])
    expect(Array.from(played.fills.fee)).toEqual([1_490_000, 1_020_000])
    expect(played.cash).toBe(1_000 * E6 - 27.6 * E6 - 19.2 * E6 - 2.51 * E6)
  })

  it('[backtest.fills.latency] an order meets the first book of its arrival or later, not an earlier one', () => {
    const model = { ...FULL_FILLS, latencyMs: 250 as Millis }
    const played = play(
      scene({
        model,
        actions: [{ received: 0, order: order({ limit: cents(60) }) }],
        books: [
          book(1, [[40, 50]], [[45, 50]]),
          book(200, [[40, 50]], [[44, 50]]),
          book(300, [[40, 50]], [[52, 50]]),
          book(400, [[40, 50]], [[43, 50]]),
        ],
      }),
    )
    expect(fillsOf(played)).toEqual([[52, 1]])
    expect(played.fills.at[0]).toBe(T0 + 300)
  })

  it('[backtest.fills.protected] a market order takes nothing beyond ten cents from the touch at its decision', () => {
    const playedAt = (ask: number) =>
      play(
        scene({
          model: { ...FULL_FILLS, latencyMs: 250 as Millis },
          books: [book(1, [[30, 200]], [[40, 200]]), book(300, [[30, 200]], [[ask, 200]])],
          actions: [{ received: 0, order: order({ contracts: 100, limit: null }) }],
          startCash: 55 * E6,
        }),
      )
    expect(fillsOf(playedAt(50))).toEqual([[50, 100]])
    const missed = playedAt(80)
    expect(fillsOf(missed)).toEqual([])
    expect(missed.cash).toBe(55 * E6)
    expect(missed.orderEnds).toEqual({ 'no matching offers': 1 })
  })

  it('[backtest.fills.taken] a taken size is unavailable until the level changes', () => {
    const again = (second: number) =>
      fillsOf(
        play(
          scene({
            books: [book(1, [], [[45, 50]]), book(10, [], [[45, second]])],
            actions: [0, 1].map((received) => ({
              received,
              order: order({ contracts: 50, limit: null }),
            })),
          }),
        ),
      ).map(([, contracts]) => contracts)
    expect(again(50)).toEqual([50])
    expect(again(60)).toEqual([50, 50])
  })

  it('[backtest.fills.through] a trade beyond the price fills, up to its size', () => {
    const played = play(
      scene({
        books: [book(1, [[40, 200]], [[45, 10]])],
        trades: [trade(10, 39, 30, 2)],
        actions: [{ received: 0, order: order({ contracts: 150, limit: cents(40) }) }],
      }),
    )
    expect(fillsOf(played)).toEqual([[40, 30]])
  })

  it('[backtest.fills.no-book] without a book a taker pays two cents more, and resting needs a print through', () => {
    const played = play(
      scene({
        trades: [trade(1, 50, 5, 0), trade(10, 50, 100, 0), trade(20, 47, 100, 0)],
        actions: [
          { received: 0, order: order({ contracts: 10, limit: null }) },
          { received: 1, order: order({ contracts: 40, limit: cents(48) }) },
        ],
      }),
    )
    expect(fillsOf(played)).toEqual([
      [52, 10],
      // Placed before the third trade, which prints through it: a quarter of that trade's size.
      [48, 25],
    ])
    expect(Array.from(played.fills.isEstimated)).toEqual([1, 1])
  })

  it('[backtest.fills.paper] the paper broker takes the touch of a recent quote and nothing rests', () => {
    const paper = (age: number) =>
      play(
        scene({
          model: PAPER_FILLS,
          books: [
            {
              ...book(
                100_000,
                [],
                [
                  [45, 5],
                  [46, 50],
                ],
              ),
              ts: T0 + 100_000 - age,
            },
          ],
          to: T0 + 200_000,
          actions: [{ received: 0, order: order({ contracts: 10, limit: cents(50) }) }],
        }),
      )
    expect(fillsOf(paper(0))).toEqual([[45, 5]])
    expect(endsOf(paper(0))).toEqual(['remainder not filled'])
    expect(endsOf(paper(60_001))).toEqual(['quote is too old'])
  })

  it('[backtest.orders.refused] refuses invalid orders: price, grid, size, balance, position, post-only', () => {
    const refusal = (request: Partial<OrderRequest>, startCash = 1_000 * E6) =>
      endsOf(
        play(
          scene({
            books: [book(1, [[40, 50]], [[45, 50]])],
            startCash,
            actions: [{ received: 0, order: order(request) }],
          }),
        ),
      )
    expect(refusal({ limit: cents(0) })).toEqual(['price is not between 0 and 100 cents'])
    expect(refusal({ limit: cents(100) })).toEqual(['price is not between 0 and 100 cents'])
    expect(refusal({ limit: cents(44.5) })).toEqual(['price is not a multiple of the price step'])
    expect(refusal({ contracts: 0.5 })).toEqual(['size is below the minimum'])
    expect(refusal({ contracts: 5_000 })).toEqual(['insufficient balance'])
    expect(refusal({ action: 'sell' })).toEqual(['insufficient position'])
    expect(refusal({ limit: cents(46), postOnly: true })).toEqual([
      'post-only would cross the spread',
    ])
  })

  it('a cancelled order fills no more, and a cancel after the fill changes nothing', () => {
    const cancelledAt = (received: number) =>
      play(
        scene({
          books: [book(1, [[40, 200]], [[45, 10]])],
          trades: [trade(10, 40, 210, 2), trade(20, 40, 300, 2), trade(30, 40, 300, 2)],
          actions: [
            { received: 0, order: order({ contracts: 50, limit: cents(40) }) },
            { received, cancel: 0 },
          ],
        }),
      )
    expect(fillsOf(cancelledAt(1))).toEqual([[40, 10]])
    expect(endsOf(cancelledAt(1))).toEqual(['cancelled by the strategy'])
    expect(fillsOf(cancelledAt(3))).toEqual([
      [40, 10],
      [40, 40],
    ])
    expect(endsOf(cancelledAt(3))).toEqual([])
  })

  it('[backtest.orders.force] fill or kill takes all or nothing, immediate or cancel what is available', () => {
    const ended = (timeInForce: 'fok' | 'ioc') =>
      play(
        scene({
          books: [book(1, [], [[45, 30]])],
          actions: [
            { received: 0, order: order({ contracts: 50, limit: cents(45), timeInForce }) },
          ],
        }),
      )
    expect(fillsOf(ended('fok'))).toEqual([])
    expect(fillsOf(ended('ioc'))).toEqual([[45, 30]])
  })

  it('[backtest.orders.force] fill or kill sells nothing when it is larger than the position', () => {
    const sold = (contracts: number) => {
      const sell = { action: 'sell', contracts, limit: cents(40), timeInForce: 'fok' } as const
      return play(
        scene({
          books: [1, 1_000, 2_000].map((after) => book(after, [[40, 100]], [[45, 100]])),
          model: { ...FULL_FILLS, latencyMs: 250 as Millis },
          actions: [
            { received: 0, order: order({ contracts: 10, limit: cents(45) }) },
            // Both are in transit while ten are held; buying NO leaves four.
            { received: 1, order: order({ side: 'no', contracts: 6, limit: cents(60) }) },
            { received: 1, order: order(sell) },
          ],
        }),
      )
    }
    const before = [
      [45, 10],
      [60, 6],
    ]
    expect(fillsOf(sold(5))).toEqual(before)
    expect(fillsOf(sold(4))).toEqual([...before, [40, 4]])
  })
})

describe('settlement', () => {
  const held = (versions: Scenario['versions'], more: Partial<Scenario> = {}) =>
    play(
      scene({
        books: [book(1, [[40, 50]], [[45, 50]])],
        actions: [{ received: 0, order: order({ contracts: 10, limit: cents(45) }) }],
        versions: [{ market: 0, knownAt: (T0 - 1) as Millis, facts: facts() }, ...versions],
        ...more,
      }),
    )
  const version = (after: number, change: Partial<MarketFacts>) => ({
    market: 0,
    knownAt: (T0 + after) as Millis,
    facts: facts(change),
  })
  // Ten at 45 cents and their fee of 0.18.
  const paid = 1_000 * E6 - 4.5 * E6 - 180_000

  it('[backtest.settlement.values] pays 100, 0, a value, or the cost of a void', () => {
    const settled = (change: Partial<MarketFacts>) =>
      held([version(30_000, { status: 'settled', ...change })]).cash
    expect(settled({ result: 'yes' })).toBe(paid + 10 * E6)
    expect(settled({ result: 'no' })).toBe(paid)
    expect(settled({ result: 'scalar', settlementPrice: 5_000 as never })).toBe(paid + 5 * E6)
    expect(settled({ result: 'void' })).toBe(paid + 4.5 * E6)
  })

  it('[backtest.settlement.unknown] leaves a position open and reports it when no value is recorded', () => {
    const run = held([version(30_000, { status: 'settled', result: 'scalar' })])
    expect(run).toMatchObject({ unpaidSettlements: 1, open: [{ side: 'yes' }] })
    const settledAs = (after: number, title: string) =>
      version(after, { status: 'settled', result: 'scalar', title })
    expect(held([settledAs(30_000, 'Before'), settledAs(40_000, 'After')]).unpaidSettlements).toBe(
      1,
    )
    const paidLater = version(40_000, { status: 'settled', result: 'yes' })
    expect(held([settledAs(30_000, 'Before'), paidLater])).toMatchObject({
      unpaidSettlements: 0,
      open: [],
    })
  })

  it.each([
    ['yes', 'no', 0],
    ['yes', 'void', 4.5],
    ['no', 'void', 4.5],
    ['void', 'yes', 10],
    ['void', 'no', 0],
  ] as const)(
    '[backtest.settlement.amended] a changed result is paid afterwards: %s to %s',
    (first, second, payout) => {
      const run = held([
        version(30_000, { status: 'settled', result: first }),
        version(40_000, { status: 'settled', result: second }),
      ])
      expect(run.cash).toBe(paid + payout * E6)
    },
  )

  it('[backtest.settlement.amended] pays a position of a market that opened again', () => {
    const run = play(
      scene({
        books: [book(1, [], [[45, 50]]), book(31_000, [], [[45, 50]])],
        actions: [
          { received: 0, order: order({ contracts: 10, limit: cents(45) }) },
          { received: 3, order: order({ contracts: 10, limit: cents(45) }) },
        ],
        versions: [
          { market: 0, knownAt: (T0 - 1) as Millis, facts: facts() },
          version(10_000, { status: 'settled', result: 'void' }),
          version(20_000, { status: 'active', result: null }),
          version(40_000, { status: 'settled', result: 'yes' }),
        ],
      }),
    )
    expect(run.open).toEqual([])
    expect(run.cash).toBe(paid + 4.5 * E6 + 10 * E6 - 4.5 * E6 - 180_000)
  })

  it('[backtest.orders.closed] nothing trades after the close, and settlement may come before it', () => {
    const late: Strategy = {
      onTimer(_timer, run) {
        expect(run.isTradable(0)).toBe(false)
        run.buy(0, 'yes', 1, cents(50))
      },
      onStart: (run) => run.timer(T0 + 20_000),
    }
    const closed = play(
      scene({
        books: [book(1, [], [[45, 50]])],
        versions: [
          {
            market: 0,
            knownAt: (T0 - 1) as Millis,
            facts: facts({ closeTime: (T0 + 10_000) as Millis }),
          },
        ],
      }),
      late,
    )
    expect(closed.orderEnds).toEqual({ 'market is not open': 1 })
    const early = held([version(5_000, { status: 'settled', result: 'yes' })])
    expect(early.cash).toBe(paid + 10 * E6)
  })

  it('[backtest.order.instant] at one instant the settlement acts first, then the book, then the timer', () => {
    const seen: string[] = []
    const watching: Strategy = {
      onStart: (run) => run.timer(T0 + 5_000),
      onEvent(event) {
        if (event.at === T0 + 5_000) seen.push(event.kind)
      },
      onTimer(_timer, run) {
        seen.push(`timer: ${run.status(0)}`)
      },
    }
    play(
      scene({
        books: [book(5_000, [], [[45, 50]])],
        trades: [trade(5_000, 45, 1, 1)],
        versions: [
          { market: 0, knownAt: (T0 - 1) as Millis, facts: facts() },
          version(5_000, { status: 'settled', result: 'yes' }),
        ],
      }),
      watching,
    )
    expect(seen).toEqual(['settlement', 'book', 'trade', 'timer: settled'])
  })
})

describe('money', () => {
  it('is exact when a float product is not', () => {
    const [price, size] = [9_999, 123_456_789_123_457]
    expect(BigInt(moneyOf(price, size as never))).toBe(
      (BigInt(price) * BigInt(size) * 2n + 10_000n) / 20_000n,
    )
  })
})
