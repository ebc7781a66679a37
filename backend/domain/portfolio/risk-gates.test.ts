import fc from '../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import type { Millis, MoneyE6 } from '../units.ts'
import { DEFAULT_CONFIG } from './config.ts'
import {
  checkGates,
  GATES,
  refusalOf,
  type GatedAccount,
  type GatedOrder,
  type GateLimits,
} from './risk-gates.ts'

const dollars = (amount: number): MoneyE6 => (amount * 1e6) as MoneyE6
const ORDER: GatedOrder = {
  isEntry: true,
  opensMarket: true,
  marketStatus: 'active',
  quoteAgeMs: 1_000 as Millis,
  categories: ['technology', 'ai'],
  tauDays: 41,
  adjIy: 800,
  las: 0.03,
  cost: dollars(60),
  fee: dollars(1),
  support: { edgeCents: 4, edgeNote: null, confidence: 0.6 },
  tick: { orders: 0, ticksSinceLoss: null, worseCents: 0 },
  live: null,
}
const ACCOUNT: GatedAccount = {
  balance: dollars(5_000),
  exposure: dollars(0),
  marketExposure: dollars(0),
  dailyPnl: dollars(0),
  openPositions: 0,
}
const LIMITS: GateLimits = { ...DEFAULT_CONFIG, enabled: true }

const tick = (change: Partial<NonNullable<GatedOrder['tick']>>): Partial<GatedOrder> => ({
  tick: { orders: 0, ticksSinceLoss: null, worseCents: 0, ...change },
})
const refusal = (
  order: Partial<GatedOrder>,
  account: Partial<GatedAccount> = {},
  limits: Partial<GateLimits> = {},
): string | null =>
  refusalOf(
    checkGates({ ...ORDER, ...order }, { ...ACCOUNT, ...account }, { ...LIMITS, ...limits }),
  )

it('[portfolio.gates.table] passes an ordinary order and lists every gate in order', () => {
  expect(refusal({})).toBeNull()
  const gates = checkGates(ORDER, ACCOUNT, LIMITS).map(({ gate }) => gate)
  expect(gates).toEqual(GATES.filter((gate) => !['min_edge', 'thesis_confidence'].includes(gate)))
})

it.each<[string, Partial<GatedOrder>, Partial<GatedAccount>, Partial<GateLimits>]>([
  ['RISK_GATE_FAIL:execution_mode', {}, {}, { executionMode: 'halted' }],
  ['RISK_GATE_FAIL:execution_mode', {}, {}, { enabled: false }],
  ['RISK_GATE_FAIL:market_open', { marketStatus: 'paused' }, {}, {}],
  ['STALE_PRICE', { quoteAgeMs: 60_001 as Millis }, {}, {}],
  ['STALE_PRICE', { quoteAgeMs: null }, {}, {}],
  ['CATEGORY_BLOCKED', { categories: ['culture', 'sports'] }, {}, {}],
  ['RISK_GATE_FAIL:tau', { tauDays: 2 }, {}, {}],
  ['RISK_GATE_FAIL:tau', { tauDays: null }, {}, { minTauDays: 0 }],
  ['RISK_GATE_FAIL:adj_iy', { adjIy: 99.9 }, {}, {}],
  ['RISK_GATE_FAIL:adj_iy', { adjIy: null }, {}, { minAdjIy: 0 }],
  ['RISK_GATE_FAIL:las', { las: 0.151 }, {}, {}],
  ['RISK_GATE_FAIL:las', { las: null }, {}, {}],
  ['RISK_GATE_FAIL:min_edge', {}, {}, { minEdgeCents: 4.01 }],
  ['RISK_GATE_FAIL:min_edge', { support: null }, {}, { minEdgeCents: 1 }],
  ['RISK_GATE_FAIL:thesis_confidence', {}, {}, { minThesisConfidence: 0.61 }],
  ['RISK_GATE_FAIL:thesis_confidence', { support: null }, {}, { minThesisConfidence: 0.1 }],
  ['RISK_GATE_FAIL:balance', {}, { balance: dollars(99.99) }, {}],
  ['INSUFFICIENT_BALANCE', {}, { balance: dollars(60.5) }, { minBalanceCents: 0 }],
  ['RISK_GATE_FAIL:single_order', { cost: dollars(200.01) }, {}, {}],
  // The example of methodology J3: the order is not reduced to the remaining limit.
  ['RISK_GATE_FAIL:total_exposure', {}, { exposure: dollars(2_950) }, {}],
  ['RISK_GATE_FAIL:per_market', {}, { marketExposure: dollars(950) }, {}],
  ['RISK_GATE_FAIL:daily_loss', {}, { dailyPnl: dollars(-150.01) }, {}],
  ['RISK_GATE_FAIL:positions', {}, { openPositions: 20 }, {}],
  ['RISK_GATE_FAIL:orders_per_tick', {}, {}, { maxOrdersPerTick: 0 }],
  ['RISK_GATE_FAIL:orders_per_tick', tick({ orders: 3 }), {}, {}],
  ['RISK_GATE_FAIL:cooldown', tick({ ticksSinceLoss: 3 }), {}, {}],
  ['RISK_GATE_FAIL:price_moved', tick({ worseCents: 2.01 }), {}, {}],
])(
  '[portfolio.gates.table] refuses with %s, by one gate alone',
  (reason, order, account, limits) => {
    expect(refusal(order, account, limits)).toBe(reason)
    const gates = checkGates(
      { ...ORDER, ...order },
      { ...ACCOUNT, ...account },
      { ...LIMITS, ...limits },
    )
    expect(gates.filter(({ passed }) => !passed)).toHaveLength(1)
  },
)

it('[portfolio.gates.table] applies few of them to exits', () => {
  const exit = { isEntry: false, opensMarket: false }
  const poor = { balance: dollars(0), exposure: dollars(9_999), openPositions: 99 }
  expect(refusal({ ...exit, tauDays: null, categories: ['sports'] }, poor)).toBeNull()
  expect(refusal({ ...exit, cost: dollars(201) })).toBe('RISK_GATE_FAIL:single_order')
  expect(refusal(exit, { dailyPnl: dollars(-151) })).toBe('RISK_GATE_FAIL:daily_loss')
  expect(refusal({ ...exit, marketStatus: 'closed' })).toBe('RISK_GATE_FAIL:market_open')
  expect(refusal({ ...exit, ...tick({ ticksSinceLoss: 0 }) })).toBeNull()
})

it('[portfolio.gates.theses] compares edge and confidence of the thesis, and notes why one is unknown', () => {
  const limits = { minEdgeCents: 4, minThesisConfidence: 0.6 }
  expect(refusal({}, {}, limits)).toBeNull()
  const notesOf = (support: GatedOrder['support']) =>
    checkGates({ ...ORDER, support }, ACCOUNT, { ...LIMITS, ...limits }).flatMap((one) =>
      one.gate === 'min_edge' || one.gate === 'thesis_confidence'
        ? [[one.gate, one.value, one.note]]
        : [],
    )
  expect(notesOf(ORDER.support)).toEqual([
    ['min_edge', 4, null],
    ['thesis_confidence', 0.6, null],
  ])
  expect(notesOf(null)).toEqual([
    ['min_edge', null, 'the order follows no thesis'],
    ['thesis_confidence', null, 'the order follows no thesis'],
  ])
  expect(notesOf({ edgeCents: null, edgeNote: 'no book', confidence: null })).toEqual([
    ['min_edge', null, 'no book'],
    ['thesis_confidence', null, 'the thesis has no confidence yet'],
  ])
  expect(refusal({ isEntry: false, support: null }, {}, limits)).toBeNull()
})

const amount = (most: number) => fc.integer({ min: 0, max: most }).map((e6) => e6 as MoneyE6)
const cents = (most: number) => fc.integer({ min: 0, max: most })
const maybe = (most: number) => fc.option(fc.double({ min: 0, max: most, noNaN: true }))
const anyOrder = fc.record<GatedOrder>({
  isEntry: fc.boolean(),
  opensMarket: fc.boolean(),
  marketStatus: fc.constantFrom('active', 'active', 'active', 'paused'),
  quoteAgeMs: fc.option(fc.integer({ min: 0, max: 70_000 }).map((age) => age as Millis)),
  categories: fc.subarray(['sports', 'politics', 'technology']),
  tauDays: maybe(10),
  adjIy: maybe(200),
  las: maybe(0.3),
  cost: amount(4e8),
  fee: amount(1e7),
  support: fc.option(
    fc.record({ edgeCents: maybe(10), edgeNote: fc.constant(null), confidence: maybe(1) }),
  ),
  tick: fc.option(
    fc.record({
      orders: cents(5),
      ticksSinceLoss: fc.option(cents(6)),
      worseCents: fc.double({ min: -5, max: 5, noNaN: true }),
    }),
  ),
  live: fc.constant(null),
})
const anyAccount = fc.record<GatedAccount>({
  balance: amount(1e9),
  exposure: amount(4e9),
  marketExposure: amount(1e9),
  dailyPnl: fc.integer({ min: -3e8, max: 3e8 }).map((e6) => e6 as MoneyE6),
  openPositions: cents(25),
})
const anyLimits = fc.record<GateLimits>({
  enabled: fc.boolean(),
  executionMode: fc.constantFrom('dry-run', 'dry-run', 'halted'),
  excludeCategories: fc.subarray(['sports', 'politics']),
  minTauDays: fc.double({ min: 0, max: 5, noNaN: true }),
  minAdjIy: fc.double({ min: 0, max: 150, noNaN: true }),
  maxLas: fc.double({ min: 0, max: 0.4, noNaN: true }),
  minEdgeCents: fc.constantFrom(0, 0, 4),
  minThesisConfidence: fc.constantFrom(0, 0, 0.5),
  minBalanceCents: cents(50_000),
  maxSingleOrderCents: cents(50_000),
  maxTotalExposureCents: cents(500_000),
  maxPerMarketCents: cents(150_000),
  maxDailyLossCents: cents(30_000),
  maxPositions: cents(30),
  maxOrdersPerTick: cents(5),
  cooldownAfterLossTicks: cents(6),
})

it('[portfolio.ticks.limits] accepts no order that violates a limit', () => {
  let accepted = 0
  fc.assert(
    fc.property(anyOrder, anyAccount, anyLimits, (order, account, limits) => {
      if (refusalOf(checkGates(order, account, limits)) !== null) return
      accepted += 1
      const { tick, support } = order
      expect(limits.enabled && limits.executionMode === 'dry-run').toBe(true)
      expect(order.marketStatus).toBe('active')
      expect(order.cost).toBeLessThanOrEqual(limits.maxSingleOrderCents * 1e4)
      expect(0 - account.dailyPnl).toBeLessThanOrEqual(limits.maxDailyLossCents * 1e4)
      expect(tick?.orders ?? 0).toBeLessThan(limits.maxOrdersPerTick)
      expect(tick?.worseCents ?? 0).toBeLessThanOrEqual(2)
      if (!order.isEntry) return
      expect(order.categories.some((one) => limits.excludeCategories.includes(one))).toBe(false)
      expect(order.tauDays ?? -1).toBeGreaterThanOrEqual(limits.minTauDays)
      expect(order.adjIy ?? -1).toBeGreaterThanOrEqual(limits.minAdjIy)
      expect(order.las ?? Infinity).toBeLessThanOrEqual(limits.maxLas)
      expect(support?.edgeCents ?? 0).toBeGreaterThanOrEqual(limits.minEdgeCents)
      expect(support?.confidence ?? 0).toBeGreaterThanOrEqual(limits.minThesisConfidence)
      expect(account.balance).toBeGreaterThanOrEqual(limits.minBalanceCents * 1e4)
      expect(order.cost + order.fee).toBeLessThanOrEqual(account.balance)
      expect(account.exposure + order.cost).toBeLessThanOrEqual(limits.maxTotalExposureCents * 1e4)
      const inMarket = account.marketExposure + order.cost
      expect(inMarket).toBeLessThanOrEqual(limits.maxPerMarketCents * 1e4)
      if (order.opensMarket) expect(account.openPositions).toBeLessThan(limits.maxPositions)
      const since = tick?.ticksSinceLoss ?? Infinity
      expect(since).toBeGreaterThanOrEqual(limits.cooldownAfterLossTicks)
    }),
    { numRuns: 10_000 },
  )
  expect(accepted).toBeGreaterThan(100)
})
