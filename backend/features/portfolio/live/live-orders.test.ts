import { describe, expect, it, onTestFinished } from 'vitest'
import type { PortfolioConfig } from '../../../domain/portfolio/config.ts'
import type { PriceE4, SizeE6 } from '../../../domain/units.ts'
import type { SimMarket } from '../../../simulator/catalogue/market.ts'
import type { Simulator } from '../../../simulator/simulator.ts'
import { openState } from '../../../state/open.ts'
import { openLiveAccount } from '../../../testing/live-account.ts'
import { startTrading, tradableMarket } from '../../../testing/trading-accounts.ts'
import { addUser } from '../../../testing/users.ts'
import type { TradingClient, TradingVenue } from '../../../venues/trading.ts'
import type { LiveOrderPlan } from './live-orders.ts'

const SIGNAL = AbortSignal.timeout(60_000)
const USER = 'usr_1'
const ONE = 1_000_000 as SizeE6
const VENUES = ['venue_a', 'venue_b'] as const
const WRITES = { venue_a: '^POST .*/portfolio/events/orders$', venue_b: '^POST /order$' }
const READS = { venue_a: '^GET .*/portfolio/orders', venue_b: '^GET /data/order/' }

async function open(venue: TradingVenue) {
  const trading = await startTrading()
  const { sim, clock, openA, openB, inTime } = trading
  const state = await openState(':memory:')
  onTestFinished(() => state.destroy())
  await addUser(state, USER)
  const account = await openLiveAccount(state, clock, USER)
  const client: TradingClient = venue === 'venue_a' ? openA() : openB()
  const market = tradableMarket(sim, venue)
  const fault = (kind: string, route: string, more: object = {}): void =>
    trading.fault(venue, kind, route, more)
  return {
    ...account,
    sim,
    clock,
    client,
    market,
    fault,
    inTime,
    send: (plan: LiveOrderPlan) => inTime(account.orders.send(USER, plan, client, SIGNAL)),
    atVenue: () => sim.exchanges[venue].orders,
  }
}

/** A purchase of one YES contract at the touch. */
function planFor(
  sim: Simulator,
  market: SimMarket,
  change: Partial<LiveOrderPlan> = {},
): LiveOrderPlan {
  const [ask = 0] = sim.book(market).asks[0] ?? []
  return {
    tickId: 'pt_1',
    decision: 1,
    venue: market.venue,
    ticker: market.id,
    marketTitle: market.question,
    category: 'economics',
    action: 'buy',
    direction: 'yes',
    size: ONE,
    limit: ask as PriceE4,
    timeInForce: 'ioc',
    source: 'autopilot',
    intentId: null,
    thesisId: null,
    strategyId: null,
    viewId: null,
    payload: {},
    ...change,
  }
}

describe.each(VENUES)('live orders at %s', (venue) => {
  it('are written, sent, and booked once with their tick', async () => {
    const { sim, market, send, reconcile, client, fills, store } = await open(venue)
    const sent = await send(planFor(sim, market))
    expect(sent).toMatchObject({ kind: 'written', order: { status: 'traded', filled: ONE } })
    const first = await reconcile(USER, client, SIGNAL)
    expect(first).toMatchObject({ status: 'ok', booked: 1, mismatches: [] })
    expect(first.balance).toBeLessThan(1_000_000_000)
    expect(await fills()).toMatchObject([
      { mode: 'live', source: 'autopilot', tickId: 'pt_1', confidence: 'exact', size: ONE },
    ])
    expect(await reconcile(USER, client, SIGNAL)).toMatchObject({ status: 'ok', booked: 0 })
    expect(await store.open(USER)).toEqual([])
  })

  it('books a sale in the terms of its order', async () => {
    const { sim, market, send, reconcile, client, fills } = await open(venue)
    await send(planFor(sim, market))
    const [bid = 0] = sim.book(market).bids[0] ?? []
    const limit = bid as PriceE4
    const sale = planFor(sim, market, { decision: 2, action: 'sell', limit })
    // The purchase is not booked yet: nothing is held that could be sold.
    expect(await send(sale)).toMatchObject({ kind: 'refused' })
    await reconcile(USER, client, SIGNAL)
    await send(sale)
    expect(await reconcile(USER, client, SIGNAL)).toMatchObject({ status: 'ok', booked: 1 })
    expect((await fills())[1]).toMatchObject({ action: 'sell', direction: 'yes', price: limit })
  })

  it('has one order for one decision, whatever is tried', async () => {
    const { sim, market, send, atVenue } = await open(venue)
    await send(planFor(sim, market))
    await expect(send(planFor(sim, market))).rejects.toThrow('UNIQUE')
    expect(atVenue()).toHaveLength(1)
  })

  it('finds an order whose answer was lost, and sends it once', async () => {
    const { sim, market, send, atVenue, fault } = await open(venue)
    fault('lost-answer', WRITES[venue])
    const sent = await send(planFor(sim, market))
    expect(sent).toMatchObject({ kind: 'written', order: { status: 'traded', filled: ONE } })
    expect(atVenue()).toHaveLength(1)
  })

  it('ends an order that the venue never got', async () => {
    const { sim, market, send, atVenue, fault } = await open(venue)
    fault('reset', WRITES[venue])
    expect(await send(planFor(sim, market))).toMatchObject({
      order: { status: 'none', reason: 'the venue has no such order' },
    })
    expect(atVenue()).toEqual([])
  })

  it('leaves an order unknown while the venue is silent, and blocks entries until it is known', async () => {
    const { sim, market, send, orders, client, inTime, fault } = await open(venue)
    fault('lost-answer', WRITES[venue])
    fault('status', READS[venue], { status: 500, count: 1_000 })
    const sent = await send(planFor(sim, market))
    expect(sent).toMatchObject({ order: { status: 'unknown', lookups: 3 } })
    const other = planFor(sim, market, { decision: 2 })
    expect(await send(other)).toEqual({ kind: 'refused', reason: 'RISK_GATE_FAIL:reconcile' })
    sim.stopFaults()
    // The client does not call a host that kept failing for a while.
    const [resolved] = await inTime(orders.resolve(USER, client, SIGNAL))
    expect(resolved?.status).toMatch(/traded|unknown/)
    const [later] =
      resolved?.status === 'traded'
        ? [resolved]
        : await inTime(orders.resolve(USER, client, SIGNAL))
    expect(later).toMatchObject({ status: 'traded', filled: ONE })
    expect(sim.exchanges[venue].orders).toHaveLength(1)
  })

  it('records what the venue rejects', async () => {
    const { sim, market, send, fault } = await open(venue)
    fault('status', WRITES[venue], { status: 400 })
    expect(await send(planFor(sim, market))).toMatchObject({
      order: {
        status: 'rejected',
        reason: expect.stringMatching(/^EXCHANGE_REJECT: 400/) as string,
      },
    })
  })

  it.each([425, 429])('was not placed after status %d, which refuses it unread', async (status) => {
    const { sim, market, send, fault } = await open(venue)
    fault('status', WRITES[venue], { status })
    expect(await send(planFor(sim, market))).toMatchObject({
      order: { status: 'none', reason: `the venue answered ${status}` },
    })
    expect(sim.exchanges[venue].orders).toEqual([])
  })

  it('cancels what rests', async () => {
    const { sim, market, send, orders, client, store, reconcile } = await open(venue)
    const [bid = 0] = sim.book(market).bids[0] ?? []
    const resting = planFor(sim, market, { limit: bid as PriceE4, timeInForce: 'gtc' })
    expect(await send(resting)).toMatchObject({ order: { status: 'resting' } })
    expect(await orders.cancel(USER, client, () => 'live trading ended', SIGNAL)).toEqual([])
    // Its end is booked by the next reconciliation.
    await reconcile(USER, client, SIGNAL)
    expect(await store.open(USER)).toEqual([])
    expect(await client.openOrders(SIGNAL)).toEqual([])
  })

  it('reports what was traded elsewhere, and holdings that differ', async () => {
    const { sim, market, client, reconcile, fills } = await open(venue)
    const { limit, action, direction, size, timeInForce } = planFor(sim, market)
    const order = {
      clientOrderId: 'own',
      ticker: market.id,
      action,
      direction,
      size,
      limit,
      timeInForce,
    }
    await client.placeOrder(await client.prepareOrder(order, SIGNAL), SIGNAL)
    expect(await reconcile(USER, client, SIGNAL)).toMatchObject({ status: 'ok', booked: 1 })
    expect(await fills()).toMatchObject([
      { source: 'reconcile', tickId: null, confidence: 'unknown' },
    ])
    const id = venue === 'venue_a' ? 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c' : `0x${'1'.repeat(40)}`
    sim.exchanges[venue].account(id, 0)?.holdings.set(market.id, { yes: 0, no: 5 * ONE })
    expect(await reconcile(USER, client, SIGNAL)).toMatchObject({
      status: 'mismatch',
      mismatches: [{ venue, marketId: market.id, ours: 1, theirs: -5 }],
    })
  })

  it('reports a venue that does not answer', async () => {
    const { sim, client, reconcile, inTime } = await open(venue)
    await sim.close()
    expect(await inTime(reconcile(USER, client, SIGNAL))).toMatchObject({
      status: 'failed',
      balance: null,
    })
  })
})

describe('the last check before an order is sent', () => {
  const cases: [string, Partial<PortfolioConfig>, string][] = [
    ['halted', { executionMode: 'halted' }, 'execution is halted'],
    ['on paper', { executionMode: 'dry-run' }, 'live trading was switched off'],
    ['disabled', { enabled: false }, 'the portfolio was disabled'],
    ['too large', { maxSingleOrderCents: 1 }, 'RISK_GATE_FAIL:single_order'],
    ['one too many', { maxOrdersPerTick: 0 }, 'RISK_GATE_FAIL:orders_per_tick'],
    ['too much at stake', { maxTotalExposureCents: 1 }, 'RISK_GATE_FAIL:total_exposure'],
    ['too much in its market', { maxPerMarketCents: 1 }, 'RISK_GATE_FAIL:per_market'],
  ]
  it.each(cases)(
    'refuses an order that is %s, and nothing is written',
    async (_, config, reason) => {
      const { sim, market, send, configure, store, atVenue } = await open('venue_a')
      await configure(config)
      expect(await send(planFor(sim, market))).toEqual({ kind: 'refused', reason })
      expect(await store.ordersOfTick(USER, 'pt_1')).toEqual([])
      expect(atVenue()).toEqual([])
    },
  )

  it('counts what an order of the tick bought before it is booked', async () => {
    const { sim, market, send, configure } = await open('venue_a')
    const plan = planFor(sim, market)
    await configure({ maxTotalExposureCents: 1e6, maxPerMarketCents: Math.ceil(plan.limit / 100) })
    expect(await send(plan)).toMatchObject({ order: { status: 'traded' } })
    expect(await send({ ...plan, decision: 2 })).toEqual({
      kind: 'refused',
      reason: 'RISK_GATE_FAIL:per_market',
    })
  })

  it('counts resting orders and positions', async () => {
    const { sim, market, send, configure, client, reconcile } = await open('venue_a')
    const plan = planFor(sim, market)
    const cents = plan.limit / 100
    await configure({ maxTotalExposureCents: Math.ceil(cents * 2), maxPerMarketCents: 1e6 })
    const [bid = 0] = sim.book(market).bids[0] ?? []
    await send(planFor(sim, market, { limit: bid as PriceE4, timeInForce: 'gtc' }))
    expect(await send({ ...plan, decision: 2 })).toMatchObject({ kind: 'written' })
    await reconcile(USER, client, SIGNAL)
    expect(await send({ ...plan, decision: 3 })).toMatchObject({
      kind: 'refused',
      reason: 'RISK_GATE_FAIL:total_exposure',
    })
  })
})
