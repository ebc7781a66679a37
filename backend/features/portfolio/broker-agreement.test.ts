import { expect, it } from 'vitest'
import fc from '../../../scripts/properties.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import { play } from '../../testing/backtest/scenario.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { PaperAccount, paperModel } from './paper-account.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
const START_CASH = 300_000_000
const MARKET = 7 as MarketId
const facts = marketFacts({ openTime: (T0 - 1) as Millis, closeTime: null })

const sizes = fc.integer({ min: 1, max: 60 })
const book = fc
  .record({
    bid: fc.integer({ min: 6, max: 90 }),
    spread: fc.integer({ min: 1, max: 4 }),
    bids: fc.array(sizes, { minLength: 1, maxLength: 5 }),
    asks: fc.array(sizes, { minLength: 1, maxLength: 5 }),
    hasLevels: fc.boolean(),
  })
  .map(({ bid, spread, bids, asks, hasLevels }) => ({
    hasLevels,
    bids: bids.map((size, n) => [(bid - n) * 100, size * 1e6] as const),
    asks: asks.map((size, n) => [(bid + spread + n) * 100, size * 1e6] as const),
  }))
const order = fc.record({
  action: fc.constantFrom('buy', 'buy', 'sell'),
  side: fc.constantFrom('yes', 'no'),
  contracts: fc.integer({ min: 1, max: 150 }),
  limit: fc.option(fc.integer({ min: 1, max: 99 })),
})
const steps = fc
  .array(
    fc.record({
      book,
      // One at a time: a backtest checks all orders of an event before it fills the first.
      orders: fc.array(order, { maxLength: 1 }),
      wait: fc.constantFrom(1_000, 70_000),
      isRepeated: fc.boolean(),
    }),
    { minLength: 1, maxLength: 24 },
  )
  // The contracts taken from a level are not offered again while its size stays the same.
  .map((all) =>
    all.map((step, n) => ({
      ...step,
      book: (step.isRepeated ? all[n - 1] : step)?.book ?? step.book,
    })),
  )
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never
type Rule = 'touch' | 'cross'

const timesOf = (all: Steps): number[] => {
  let at = T0
  return all.map(({ wait }) => (at += wait))
}

function byBacktest(all: Steps, rule: Rule) {
  const times = timesOf(all)
  const rows = all.map((step, n) => {
    const at = times[n] ?? NaN
    return { ...step.book, known: at, ts: at, market: 0 }
  })
  const quoteOf = ({ bids, asks, ...row }: (typeof rows)[number]) => {
    const [[bid = 0, bidSize = 0] = [], [ask = 0, askSize = 0] = []] = [bids[0], asks[0]]
    return { ...row, bid, ask, bidSize, askSize }
  }
  const { fills, cash } = play({
    from: T0,
    to: (times.at(-1) ?? T0) + 1,
    markets: [{ venue: 'venue_a', ticker: facts.ticker }],
    versions: [{ market: 0, knownAt: (T0 - 1) as Millis, facts }],
    trades: [],
    bars: [],
    books: rows.filter(({ hasLevels }) => hasLevels),
    quotes: rows.filter(({ hasLevels }) => !hasLevels).map(quoteOf),
    actions: all.flatMap(({ orders }, received) =>
      orders.map(({ limit, ...one }) => ({
        received,
        order: { ...one, market: 0, limit: limit as Cents | null, timeInForce: 'ioc' as const },
      })),
    ),
    model: paperModel(rule),
    startCash: START_CASH,
  })
  const traded = Array.from(fills.price, (price, n) => [price, fills.size[n], fills.fee[n]])
  return { traded, cash: Number(cash) }
}

function byPaper(all: Steps, rule: Rule) {
  const [at, balance] = [T0 as Millis, START_CASH as MoneyE6]
  const account = new PaperAccount({ rule, balance, positions: [], at })
  account.describe(MARKET, facts, 'active', at)
  const times = timesOf(all)
  const traded: number[][] = []
  for (const [n, { book: known, orders }] of all.entries()) {
    const now = times[n] as Millis
    const [[bid = 0, bidSize = 0] = [], [ask = 0, askSize = 0] = []] = [
      known.bids[0],
      known.asks[0],
    ]
    const levels = (side: typeof known.bids) =>
      side.map(([price, size]) => ({ price: price as PriceE4, size: size as SizeE6 }))
    account.applyBook(MARKET, {
      bid: bid as PriceE4,
      ask: ask as PriceE4,
      bidSize: bidSize as SizeE6,
      askSize: askSize as SizeE6,
      levels: known.hasLevels ? { bids: levels(known.bids), asks: levels(known.asks) } : null,
      ts: now,
      arrivedAt: now,
      version: n + 1,
    })
    for (const { contracts, limit, ...one } of orders) {
      const size = (contracts * 1e6) as SizeE6
      const price = limit === null ? null : ((limit * 100) as PriceE4)
      const { fills } = account.execute({ ...one, market: MARKET, size, limit: price }, now)
      traded.push(...fills.map(({ fill }) => [fill.price, fill.size, fill.fee]))
    }
  }
  return { traded, cash: Number(account.balance) }
}

it.each(['touch', 'cross'] as const)(
  '[portfolio.paper.agrees] fills, fees and cash are those of a backtest of the same events, %s',
  (rule) => {
    let filled = 0
    fc.assert(
      fc.property(steps, (all) => {
        const paper = byPaper(all, rule)
        expect(paper).toEqual(byBacktest(all, rule))
        filled += paper.traded.length
      }),
      { numRuns: 500 },
    )
    expect(filled).toBeGreaterThan(250)
  },
)
