import { expect, it } from 'vitest'
import fc, { scaled } from '../../../scripts/properties.ts'
import type { Millis, MoneyE6 } from '../units.ts'
import { DEFAULT_CONFIG } from './config.ts'
import {
  checkGates,
  GATES,
  type GatedAccount,
  type GatedOrder,
  type GateLimits,
} from './risk-gates.ts'
import { TickReserve } from './tick-reserve.ts'

const TICKERS = ['A', 'B', 'C', 'D', 'E'] as const
const money = (cents: number): MoneyE6 => (cents * 10_000) as MoneyE6
const ORDER: GatedOrder = {
  isEntry: true,
  opensMarket: true,
  marketStatus: 'active',
  quoteAgeMs: 0 as Millis,
  categories: ['politics'],
  tauDays: 41,
  adjIy: 800,
  las: 0.03,
  cost: money(1_000),
  fee: money(10),
  support: { edgeCents: 4, edgeNote: null, confidence: 0.6 },
  live: null,
  tick: { orders: 0, ticksSinceLoss: null, worseCents: 0 },
}
const ACCOUNT: GatedAccount = {
  balance: money(100_000),
  exposure: money(0),
  marketExposure: money(0),
  dailyPnl: money(0),
  openPositions: 0,
}
const LIMITS: GateLimits = { ...DEFAULT_CONFIG, enabled: true }

const anyLimits = fc.record({
  maxTotalExposureCents: fc.integer({ min: 0, max: 60_000 }),
  maxPerMarketCents: fc.integer({ min: 0, max: 25_000 }),
  maxSingleOrderCents: fc.integer({ min: 0, max: 12_000 }),
  minBalanceCents: fc.integer({ min: 0, max: 20_000 }),
  maxPositions: fc.integer({ min: 0, max: 6 }),
  maxOrdersPerTick: fc.integer({ min: 0, max: 12 }),
})
const anyOrder = fc.record({
  ticker: fc.constantFrom(...TICKERS),
  action: fc.constantFrom('buy' as const, 'buy' as const, 'buy' as const, 'sell' as const),
  cost: fc.integer({ min: 1, max: 15_000 }),
  fee: fc.integer({ min: 0, max: 300 }),
})
/** Cents that are held in each market; 0 for no position. */
const anyBook = fc.tuple(
  ...TICKERS.map(() => fc.constantFrom(0, 0, 0, 500, 4_000, 12_000)),
) as fc.Arbitrary<readonly number[]>

it('[portfolio.ticks.reserve] accepts no orders of a tick that violate a limit in sum', () => {
  const orders = fc.array(anyOrder, { maxLength: 16 })
  const balance = fc.integer({ min: 0, max: 80_000 })
  fc.assert(
    fc.property(anyLimits, anyBook, balance, orders, (changed, book, cash, sent) => {
      const limits = { ...LIMITS, ...changed }
      const heldIn = (ticker: string): number =>
        book[TICKERS.indexOf(ticker as (typeof TICKERS)[number])] ?? 0
      const exposure = book.reduce((sum, cents) => sum + cents, 0)
      const openPositions = book.filter((cents) => cents > 0).length
      const account = {
        ...ACCOUNT,
        balance: money(cash),
        exposure: money(exposure),
        openPositions,
      }
      const reserve = new TickReserve()
      const accepted: typeof sent = []
      for (const { ticker, action, cost, fee } of sent) {
        const isEntry = action === 'buy'
        const opensMarket = heldIn(ticker) === 0
        const tick = { orders: reserve.orders, ticksSinceLoss: null, worseCents: 0 }
        const order = {
          ...ORDER,
          isEntry,
          tick,
          opensMarket: opensMarket && !reserve.opensPosition(ticker),
          cost: money(cost),
          fee: money(fee),
        }
        const own = { ...account, marketExposure: money(heldIn(ticker)) }
        const gates = checkGates(order, reserve.accountAfter(own, ticker), limits)
        if (gates.some(({ passed }) => !passed)) continue
        reserve.take({ ticker, action, cost: money(cost), fee: money(fee), opensMarket })
        accepted.push({ ticker, action, cost, fee })
      }
      // The sums, without the reserve.
      const bought = accepted.filter(({ action }) => action === 'buy')
      const costs = bought.reduce((sum, { cost }) => sum + cost, 0)
      const fees = bought.reduce((sum, { fee }) => sum + fee, 0)
      expect(accepted.length).toBeLessThanOrEqual(limits.maxOrdersPerTick)
      for (const { cost } of accepted) expect(cost).toBeLessThanOrEqual(limits.maxSingleOrderCents)
      if (bought.length === 0) return
      expect(costs + fees).toBeLessThanOrEqual(cash)
      expect(exposure + costs).toBeLessThanOrEqual(limits.maxTotalExposureCents)
      // The last purchase found at least the smallest balance.
      const last = bought.at(-1)
      const before = cash - costs - fees + (last?.cost ?? 0) + (last?.fee ?? 0)
      expect(before).toBeGreaterThanOrEqual(limits.minBalanceCents)
      for (const ticker of new Set(bought.map((one) => one.ticker))) {
        const inMarket = bought
          .filter((one) => one.ticker === ticker)
          .reduce((sum, { cost }) => sum + cost, heldIn(ticker))
        expect(inMarket).toBeLessThanOrEqual(limits.maxPerMarketCents)
      }
      const opened = new Set(bought.map(({ ticker }) => ticker).filter((one) => heldIn(one) === 0))
      if (opened.size > 0) {
        expect(openPositions + opened.size).toBeLessThanOrEqual(limits.maxPositions)
      }
    }),
    // 10,500 cases on request.
    { numRuns: scaled(2_100) },
  )
})

type Case = [string, Partial<GatedOrder>, Partial<GatedAccount>, Partial<GateLimits>]
const tick = (change: object): Partial<GatedOrder> => ({
  tick: { orders: 0, ticksSinceLoss: null, worseCents: 0, ...change },
})
const ALONE: readonly Case[] = [
  ['execution_mode', {}, {}, { enabled: false }],
  ['market_open', { marketStatus: 'paused' }, {}, {}],
  ['category', { categories: ['sports'] }, {}, {}],
  ['tau', { tauDays: 1 }, {}, {}],
  ['adj_iy', { adjIy: 1 }, {}, {}],
  ['las', { las: 0.5 }, {}, {}],
  ['min_edge', {}, {}, { minEdgeCents: 5 }],
  ['thesis_confidence', {}, {}, { minThesisConfidence: 0.7 }],
  ['balance', {}, { balance: money(9_999) }, {}],
  ['funds', {}, { balance: money(1_009) }, { minBalanceCents: 0 }],
  ['single_order', {}, {}, { maxSingleOrderCents: 999 }],
  ['total_exposure', {}, { exposure: money(299_001) }, {}],
  ['per_market', {}, { marketExposure: money(99_001) }, {}],
  ['daily_loss', {}, { dailyPnl: money(-15_001) }, {}],
  ['positions', {}, { openPositions: 20 }, {}],
  ['orders_per_tick', tick({ orders: 3 }), {}, {}],
  ['cooldown', tick({ ticksSinceLoss: 3 }), {}, {}],
  ['price_moved', tick({ worseCents: 2.1 }), {}, {}],
]
it.each(ALONE)(
  '[portfolio.gates.alone] %s rejects an order by itself',
  (gate, order, own, change) => {
    const account = { ...ACCOUNT, ...own }
    const results = checkGates({ ...ORDER, ...order }, account, { ...LIMITS, ...change })
    expect(results.filter(({ passed }) => !passed).map((one) => one.gate)).toEqual([gate])
  },
)
it('[portfolio.gates.alone] leaves out the gates of live trading alone', () => {
  const missing = GATES.filter((gate) => !ALONE.some(([name]) => name === gate))
  expect(missing).toEqual(['reconcile', 'credentials'])
})
