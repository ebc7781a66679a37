import { expect, it } from 'vitest'
import {
  CANCEL_ROUTES,
  LIVE_VENUES,
  openLive,
  ORDER_ROUTES,
  type LiveTest,
} from '../../../testing/live-autopilot.ts'
import { intentsOf } from '../../../testing/live-intents.ts'
import type { SimOrder } from '../../../simulator/exchange/exchange.ts'

type TestVenue = (typeof LIVE_VENUES)[number]
/** Far below every book, so that no simulated seller meets it. */
const BID = { executionStyle: 'limit', maxPrice: 1, expireAt: '10d' }
const ONE = 1e6

/** A user whose limit intent rests at a venue. */
async function openResting(venue: TestVenue = 'venue_a', body: object = {}) {
  const live = await openLive()
  const intents = intentsOf(live, venue)
  await live.goLive()
  const made = await intents.trade({ ...BID, ...body })
  const order = (): SimOrder => {
    // The autopilot's own orders are immediate.
    const [resting, ...others] = intents.orders().filter(({ rests }) => rests)
    if (resting === undefined || others.length > 0) throw new Error('not one order')
    return resting
  }
  return { ...live, ...intents, id: made.id, made, order, live }
}
const sellTo = (live: LiveTest, venue: TestVenue, order: SimOrder, contracts: number): void => {
  live.sim.exchanges[venue].trade(order, contracts * ONE, live.clock.now())
}

it.each(LIVE_VENUES)(
  '[portfolio.live.resting] a limit intent rests at %s, trades in parts, and its rest is cancelled with it',
  async (venue) => {
    const resting = await openResting(venue)
    const { live, made, id, one, order, fills, ticks, send, settle, passMinutes } = resting
    expect(made).toMatchObject({ status: 'executing', statusReason: 'resting at the exchange' })
    expect(order()).toMatchObject({ status: 'resting', size: 3 * ONE, filled: 0 })
    expect((await ticks())[0]?.actions).toMatchObject([{ outcome: 'resting' }])
    await passMinutes()
    expect(order().status).toBe('resting')
    sellTo(live, venue, order(), 1)
    await passMinutes()
    expect(await one(id)).toMatchObject({ status: 'partial', filledQuantity: 1 })
    expect(await fills()).toMatchObject([{ intentId: id, quantity: 1, priceCents: 1 }])
    expect((await send('DELETE', `/api/intents/${id}`))[0]).toBe(200)
    await passMinutes()
    await settle()
    expect(order()).toMatchObject({ status: 'canceled', filled: ONE })
    expect(await one(id)).toMatchObject({ status: 'cancelled', filledQuantity: 1 })
    const cancelled = (await live.ledger()).filter((one) => one.eventType === 'cancellation')
    expect(cancelled).toMatchObject([
      {
        intentId: id,
        action: 'buy',
        direction: 'yes',
        quantity: 2,
        priceCents: 1,
        cashDeltaCents: 0,
        note: 'the intent is cancelled',
        clientOrderId: `svc-${made.tickId}-1`,
      },
    ])
    expect((await ticks()).at(-1)?.actions).toMatchObject([{ outcome: 'partial' }])
    expect((await live.risk()).lastReconcileStatus).toBe('ok')
  },
)

it.each(LIVE_VENUES)(
  '[portfolio.live.resting] one that is filled at %s after an answer was lost is ordered once',
  async (venue) => {
    const live = await openLive()
    const { create, one, orders, fills, settle, passMinutes } = intentsOf(live, venue)
    await live.goLive()
    live.fault(venue, 'lost-answer', ORDER_ROUTES[venue])
    const { id } = await create(BID)
    await settle()
    const [order] = orders()
    if (order === undefined) throw new Error('no order')
    sellTo(live, venue, order, 3)
    await passMinutes()
    expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3, avgFillPrice: 1 })
    expect(orders()).toHaveLength(1)
    expect(await fills()).toMatchObject([{ quantity: 3, liquidity: 'maker' }])
    expect((await live.ledger()).map(({ eventType }) => eventType)).not.toContain('cancellation')
  },
)

it.each(LIVE_VENUES)(
  '[portfolio.live.resting] what expires is cancelled at %s, also when the first request is lost',
  async (venue) => {
    const resting = await openResting(venue, { expireAt: '1h' })
    const { clock, fault, id, one, order, passMinutes } = resting
    fault(venue, 'reset', CANCEL_ROUTES[venue])
    await clock.advance(3_600_000)
    await passMinutes()
    await passMinutes()
    expect(await one(id)).toMatchObject({ status: 'expired', filledQuantity: 0 })
    expect(order().status).toBe('canceled')
  },
)

it('[portfolio.live.resting] an order that is cancelled at the exchange ends its intent', async () => {
  const { sim, id, one, order, settle, passMinutes } = await openResting()
  sim.exchanges.venue_a.cancel(order())
  await passMinutes()
  await passMinutes()
  await settle()
  expect(await one(id)).toMatchObject({
    status: 'cancelled',
    statusReason: 'cancelled at the exchange',
  })
  expect(order().status).toBe('canceled')
})

it('[portfolio.live.resting] a halt cancels it; it waits, and rests again when trading is live again', async () => {
  const resting = await openResting()
  const { put, id, one, orders, settle, passMinutes } = resting
  await put({ executionMode: 'halted' })
  await settle()
  expect(orders().map(({ status }) => status)).toEqual(['canceled'])
  expect(await one(id)).toMatchObject({ status: 'executing', statusReason: 'execution is halted' })
  await put({ executionMode: 'dry-run' })
  await resting.confirmLive()
  await passMinutes()
  await passMinutes()
  expect(orders().map(({ status }) => status)).toEqual(['canceled', 'resting'])
  expect(await one(id)).toMatchObject({
    status: 'executing',
    statusReason: 'resting at the exchange',
  })
})
