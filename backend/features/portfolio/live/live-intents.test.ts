import { expect, it } from 'vitest'
import type { ServedIntent } from '../../../contract/orders/intents.ts'
import type { SimMarket } from '../../../simulator/catalogue/market.ts'
import type { Simulator } from '../../../simulator/simulator.ts'
import {
  LIVE_VENUES,
  LOOKUP_ROUTES,
  openLive,
  ORDER_ROUTES,
} from '../../../testing/live-autopilot.ts'
import { intentsOf } from '../../../testing/live-intents.ts'

it.each(LIVE_VENUES)(
  '[portfolio.live.intents] an intent buys and sells at %s as a tick with one order, booked once',
  async (venue) => {
    const live = await openLive()
    const { trade, ticks, orders, fills, one } = intentsOf(live, venue)
    await live.goLive()
    const bought = await trade({ rationale: 'the print was low' })
    expect(bought).toMatchObject({ status: 'filled', mode: 'live', filledQuantity: 3 })
    const [tick] = await ticks()
    expect(tick).toMatchObject({
      id: bought.tickId,
      status: 'completed',
      trigger: 'intent',
      mode: 'live',
      actions: [
        {
          kind: 'entry',
          outcome: 'filled',
          filledQuantity: 3,
          orderId: `svc-${bought.tickId}-1`,
          reason: 'the print was low',
          basis: { intentId: bought.id },
        },
      ],
    })
    expect(tick?.actions[0]?.gates.map(({ passed }) => passed)).not.toContain(false)
    expect(bought.fills).toMatchObject([{ orderId: `svc-${bought.tickId}-1`, fillQuantity: 3 }])
    const sold = await trade({ action: 'sell' })
    expect(sold).toMatchObject({ status: 'filled', mode: 'live' })
    expect(orders()).toHaveLength(2)
    expect(await fills()).toMatchObject([
      { source: 'intent', mode: 'live', intentId: bought.id, action: 'buy', confidence: 'exact' },
      { source: 'intent', mode: 'live', intentId: sold.id, action: 'sell', direction: 'yes' },
    ])
    // More is never sold than is held.
    expect(await trade({ action: 'sell' })).toMatchObject({ status: 'rejected' })
    expect(orders()).toHaveLength(2)
    await live.restart()
    expect(await one(bought.id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
    expect((await live.risk()).lastReconcileStatus).toBe('ok')
  },
)

it.each(LIVE_VENUES)(
  '[portfolio.live.intents] an answer that is lost at %s is found, and the order is sent once',
  async (venue) => {
    const live = await openLive()
    const { trade, orders, fills } = intentsOf(live, venue)
    await live.goLive()
    live.fault(venue, 'lost-answer', ORDER_ROUTES[venue])
    expect(await trade()).toMatchObject({ status: 'filled', filledQuantity: 3 })
    expect(orders()).toHaveLength(1)
    expect(await fills()).toHaveLength(1)
  },
)

it('[portfolio.live.intents] while the venue is silent nothing more is ordered, and a restart finds the order', async () => {
  const live = await openLive()
  const { trade, one, ticks, orders, fills, settle } = intentsOf(live)
  await live.goLive()
  live.fault('venue_a', 'lost-answer', ORDER_ROUTES.venue_a)
  live.fault('venue_a', 'status', LOOKUP_ROUTES.venue_a, { status: 500, count: 1_000 })
  const { id, tickId } = await trade()
  expect(await one(id)).toMatchObject({
    status: 'executing',
    statusReason: 'the venue has not answered: the order is looked up each minute',
  })
  await live.clock.advance(61_000)
  live.pilot().publish()
  await settle()
  expect(orders()).toHaveLength(1)
  live.sim.stopFaults()
  await live.restart()
  const stop = new AbortController()
  const running = live.pilot().run(stop.signal)
  await live.clock.advance(61_000)
  await settle()
  stop.abort()
  await running
  expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3, tickId })
  expect((await ticks()).find((tick) => tick.id === tickId)?.actions).toMatchObject([
    { outcome: 'filled', filledQuantity: 3 },
  ])
  expect(orders()).toHaveLength(1)
  expect(await fills()).toHaveLength(1)
})

it('[portfolio.live.intents] an intent waits while the answer to another order is missing', async () => {
  const live = await openLive()
  const first = intentsOf(live, 'venue_a')
  const second = intentsOf(live, 'venue_b')
  await live.goLive()
  live.fault('venue_a', 'lost-answer', ORDER_ROUTES.venue_a)
  live.fault('venue_a', 'status', LOOKUP_ROUTES.venue_a, { status: 500, count: 1_000 })
  await first.trade()
  const { id } = await second.create()
  const path = `/api/intents/${id}`
  const reason = 'waiting for the answer to an order at venue_a'
  const untilWaiting = async (): Promise<void> => {
    for (;;) {
      const [, { status, statusReason }] = await live.pilot().send<ServedIntent>('GET', path)
      if (statusReason === reason || status !== 'triggered') return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await live.inTime(untilWaiting())
  expect(await second.one(id)).toMatchObject({ status: 'triggered', statusReason: reason })
  expect(second.orders()).toEqual([])
  live.sim.stopFaults()
  await second.settle()
  await live.clock.advance(61_000)
  live.pilot().publish()
  await second.settle()
  expect(await second.one(id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
})

it.each(LIVE_VENUES)(
  '[portfolio.live.intents] an intent whose order met no offer at %s waits for its next turn',
  async (venue) => {
    const live = await openLive()
    const { market, trade, orders, fills } = intentsOf(live, venue)
    await live.goLive()
    takeOffers(live.sim, market, live.clock.now())
    expect(await trade()).toMatchObject({
      status: 'triggered',
      statusReason: 'no matching offers',
      filledQuantity: 0,
    })
    expect(orders()).toMatchObject([{ status: 'canceled' }])
    expect(await fills()).toEqual([])
  },
)

it.each(LIVE_VENUES)(
  '[portfolio.live.intents] an order that meets a rate limit at %s is sent again a minute later',
  async (venue) => {
    const live = await openLive()
    const { trade, one, orders, settle } = intentsOf(live, venue)
    await live.goLive()
    live.fault(venue, 'status', ORDER_ROUTES[venue], { status: 429 })
    const { id, status, statusReason } = await trade()
    expect([status, statusReason]).toEqual(['triggered', 'the venue answered 429'])
    await live.clock.advance(61_000)
    live.pilot().publish()
    await settle()
    expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
    expect(orders()).toHaveLength(1)
  },
)

it('[portfolio.live.intents] what the venue or a limit refuses ends the intent; a halt holds it back', async () => {
  const live = await openLive()
  const { trade, create, one, orders, settle, ticks } = intentsOf(live)
  await live.goLive()
  live.fault('venue_a', 'status', ORDER_ROUTES.venue_a, { status: 400 })
  expect(await trade()).toMatchObject({
    status: 'rejected',
    statusReason: expect.stringMatching(/^EXCHANGE_REJECT: 400/) as string,
  })
  await live.put({ maxSingleOrderCents: 1 })
  const limited = await trade()
  expect(limited).toMatchObject({
    status: 'rejected',
    statusReason: 'RISK_GATE_FAIL:single_order',
  })
  expect((await ticks())[0]).toMatchObject({
    id: limited.tickId,
    actions: [{ outcome: 'rejected_by_gate' }],
  })
  await live.put({ maxSingleOrderCents: 1e7, executionMode: 'halted' })
  const { id } = await create()
  await settle()
  expect(await one(id)).toMatchObject({
    status: 'triggered',
    statusReason: 'execution is halted',
  })
  expect(orders()).toEqual([])
})

it('[portfolio.live.intents] what the venue never got is ordered again after a minute, as another tick', async () => {
  const live = await openLive()
  const { trade, one, ticks, orders, settle } = intentsOf(live)
  await live.goLive()
  live.fault('venue_a', 'reset', ORDER_ROUTES.venue_a)
  const { id, status, statusReason } = await trade()
  expect([status, statusReason]).toEqual(['triggered', 'the venue has no such order'])
  live.pilot().publish()
  await settle()
  expect(orders()).toEqual([])
  await live.clock.advance(61_000)
  live.pilot().publish()
  await settle()
  expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
  expect(orders()).toHaveLength(1)
  expect((await ticks()).map(({ actions }) => actions[0]?.outcome)).toEqual(['filled', 'none'])
})

it('[portfolio.live.intents] a halt ends the wait for an answer, and its purchase is booked', async () => {
  const live = await openLive()
  const { create, one, orders, settle, ticks, fills } = intentsOf(live)
  await live.goLive()
  live.fault('venue_a', 'lost-answer', ORDER_ROUTES.venue_a)
  live.fault('venue_a', 'status', LOOKUP_ROUTES.venue_a, { status: 500, count: 1 })
  const { id } = await create()
  while (orders().length === 0) await live.inTime(new Promise((resolve) => setImmediate(resolve)))
  expect(await live.put({ executionMode: 'halted' })).toMatchObject([
    200,
    { executionMode: 'halted' },
  ])
  await settle()
  expect(orders()).toHaveLength(1)
  expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
  expect(await fills()).toHaveLength(1)
  expect((await ticks())[0]?.actions).toMatchObject([{ outcome: 'filled' }])
})

it('[portfolio.live.modes] an intent stays in the account that it was made for', async () => {
  const live = await openLive()
  const { send, create, one, market, orders, settle } = intentsOf(live)
  const strategyId = `str_${market.id}`
  const resting = { executionStyle: 'limit', maxPrice: 1, expireAt: '10d', strategyId }
  const { id, mode } = await create({ ...resting, thesisId: 't1' })
  expect(mode).toBe('paper')
  const armed = { triggerType: 'price_below', triggerPrice: 1, expireAt: '10d' }
  const waiting = await create(armed)
  const own = await create({ ...armed, autoExecute: false })
  expect(own.mode).toBeNull()
  await live.goLive()
  live.pilot().publish()
  await settle()
  expect((await one(id)).statusReason).toBe('made on paper: waits while trading is live')
  // It stops no strategy from trading live.
  const tick = await live.tick()
  expect(tick.actions.map(({ venue, outcome }) => [venue, outcome])).toEqual([
    ['venue_a', 'filled'],
    ['venue_b', 'filled'],
  ])
  // Only the permission to trade it, given again, moves one that waits.
  const other = await send('PATCH', `/api/intents/${waiting.id}`, { rationale: 'later' })
  expect(other).toMatchObject([200, { mode: 'paper' }])
  for (const moved of [waiting, own]) {
    const sent = await send('PATCH', `/api/intents/${moved.id}`, { autoExecute: true })
    expect(sent).toMatchObject([200, { mode: 'live', autoExecute: true }])
  }
  const wrong = await send('POST', '/api/intents', {
    ...armed,
    marketId: market.id,
    action: 'buy',
    direction: 'yes',
    targetQuantity: 1,
    autoExecute: true,
    mode: 'paper',
  })
  expect(wrong).toMatchObject([
    409,
    { error: 'trading is live now: review the order and send it again' },
  ])
  const made = await create({ mode: 'live' })
  expect(made.mode).toBe('live')
  await settle()
  expect(orders()).toHaveLength(2)
  const waits = await create({
    ...armed,
    triggerType: 'immediate',
    triggerPrice: null,
    maxPrice: 1,
  })
  await settle()
  await live.put({ executionMode: 'dry-run' })
  live.pilot().publish()
  await settle()
  expect((await one(waits.id)).statusReason).toBe(
    'made for live trading: waits until trading is live again',
  )
})

it('[portfolio.live.modes] an intent of one exchange is not traded at another', async () => {
  const live = await openLive()
  const { create, one, send, orders, settle } = intentsOf(live)
  await live.goLive()
  const { id } = await create({ maxPrice: 1, expireAt: '10d' })
  await settle()
  expect((await one(id)).statusReason).toBe('not filled: the book is beyond the limit')
  await live.put({ executionMode: 'dry-run' })
  live.connect({ id: 'venues', epoch: 0 })
  await live.restart()
  await live.confirmLive()
  live.pilot().publish()
  await settle()
  expect(await one(id)).toMatchObject({
    mode: 'live',
    statusReason: 'made for another exchange: cancel it, or allow it here with autoExecute',
  })
  expect(orders()).toEqual([])
  const [status] = await send('DELETE', `/api/intents/${id}`)
  expect(status).toBe(200)
})

it('[portfolio.live.intents] a reconciliation that fails, or is halted, does not end an intent', async () => {
  const live = await openLive()
  const { create, one, orders, settle } = intentsOf(live)
  await live.goLive()
  live.fault('venue_b', 'status', 'balance-allowance', { status: 500, count: 1_000 })
  const { id } = await create({ expireAt: '10d' })
  await settle()
  expect(await one(id)).toMatchObject({
    status: 'triggered',
    statusReason: expect.stringMatching(/^the last reconciliation failed: venue_b/) as string,
  })
  expect(orders()).toEqual([])
  live.sim.stopFaults()
  await live.clock.advance(61_000)
  live.pilot().publish()
  await settle()
  expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
})

it('[portfolio.live.intents] an order whose preparation fails is sent a minute later', async () => {
  const live = await openLive()
  const { trade, one, orders, settle } = intentsOf(live, 'venue_b')
  await live.goLive()
  live.fault('venue_b', 'status', '/(tick-size|neg-risk)', { status: 500, count: 1_000 })
  const { id, status } = await trade()
  expect([status, orders()]).toEqual(['triggered', []])
  live.sim.stopFaults()
  await live.clock.advance(61_000)
  live.pilot().publish()
  await settle()
  expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
})

/** Another account buys what is offered at the best price before an order arrives. */
function takeOffers(sim: Simulator, market: SimMarket, now: number): void {
  const exchange = sim.exchanges[market.venue]
  const [price = 0, size = 0] = sim.book(market).asks[0] ?? []
  const other = exchange.open('other', 1e12)
  exchange.place(
    other,
    {
      clientId: 'first',
      market,
      action: 'buy',
      outcome: 'yes',
      price,
      size: size * 10_000,
      rests: false,
    },
    now,
  )
  expect(other.orders).toMatchObject([{ status: 'executed' }])
}
