import { expect, it } from 'vitest'
import type { CredentialKey } from '../../../contract/orders/credentials.ts'
import {
  CANCEL_ROUTES,
  openLive,
  ORDER_ROUTES,
  type LiveTest,
} from '../../../testing/live-autopilot.ts'
import { intentsOf } from '../../../testing/live-intents.ts'
import { envelopeBody } from '../../../testing/credentials.ts'
import { simulatedCredentials, SIMULATED_PEM } from '../../../testing/trading-credentials.ts'
import { VENUES_EXCHANGE, type LiveExchange } from './live-exchange.ts'

const BID = { executionStyle: 'limit', maxPrice: 1, expireAt: '10d' }

/** The order of an intent reaches the exchange after its look-ups. */
function arrive(live: LiveTest, market: LiveTest['markets'][number], clientId: string): void {
  const order = { market, action: 'buy', outcome: 'yes', price: 100, size: 3e6 } as const
  const account = live.accountAt('venue_a')
  const sent = { ...order, rests: true, clientId }
  live.sim.exchanges.venue_a.place(account, sent, live.clock.now())
}

/** A user with stored credentials, whose limit intent rests at venue_a. */
async function openStored(exchange: Partial<LiveExchange> = {}) {
  const live = await openLive()
  const pilot = live.pilot()
  const path = '/api/portfolio/secrets'
  const [, key] = await pilot.send<CredentialKey>('POST', `${path}/key`, { venue: 'venue_a' })
  const { keyId } = simulatedCredentials().venue_a
  await pilot.send('POST', path, await envelopeBody(key, { keyId, privateKeyPem: SIMULATED_PEM }))
  live.connect({ ...exchange, openCredentials: null })
  const intents = intentsOf(live)
  await live.goLive()
  await intents.trade(BID)
  return { ...live, ...intents }
}

it('[portfolio.live.resting] deleted credentials cancel what rests first', async () => {
  const { orders, send, settle, passMinutes } = await openStored()
  expect(orders()).toMatchObject([{ status: 'resting' }])
  expect((await send('DELETE', '/api/portfolio/secrets'))[0]).toBe(200)
  await settle()
  await passMinutes()
  expect(orders()).toMatchObject([{ status: 'canceled' }])
})

it('[portfolio.live.resting] what rests is cancelled before its user is removed', async () => {
  const live = await openLive()
  const { trade, orders } = intentsOf(live)
  await live.goLive()
  await trade(BID)
  expect(orders()).toMatchObject([{ status: 'resting' }])
  await live.inTime(live.pilot().endLiveTrading())
  expect(orders()).toMatchObject([{ status: 'canceled' }])
  // No intent sends another one.
  expect(await live.risk()).toMatchObject({ executionMode: 'halted' })
})

/** The venues themselves, whose orders are real. */
const VENUES = { id: VENUES_EXCHANGE, isSample: false, epoch: 0 } as const
const REFUSAL = /not deleted: 1 order may still rest at Kalshi and could not be cancelled\. Retry/

it('[portfolio.live.resting] a user whose order could not be cancelled is not removed', async () => {
  const live = await openStored(VENUES)
  live.fault('venue_a', 'reset', CANCEL_ROUTES.venue_a)
  const end = () => live.inTime(live.pilot().endLiveTrading())
  await expect(end()).rejects.toThrow(REFUSAL)
  expect(live.orders()).toMatchObject([{ status: 'resting' }])
  // Nothing new is sent meanwhile.
  expect(await live.risk()).toMatchObject({ executionMode: 'halted' })
  // The demo exchange does not have the order; it stays at the venue.
  live.connect({ id: 'sample:1', isSample: true, epoch: 1 })
  await expect(end()).rejects.toThrow(REFUSAL)
  live.connect(VENUES)
  const [order] = live.orders()
  if (order === undefined) throw new Error('no order')
  live.sim.exchanges.venue_a.cancel(order)
  await end()
})

it('[portfolio.live.resting] a user without credentials is removed, as only they can cancel', async () => {
  const live = await openStored(VENUES)
  live.fault('venue_a', 'reset', CANCEL_ROUTES.venue_a)
  expect((await live.send('DELETE', '/api/portfolio/secrets'))[0]).toBe(200)
  await live.inTime(live.pilot().endLiveTrading())
  expect(live.orders()).toMatchObject([{ status: 'resting' }])
})

it('[portfolio.live.resting] an order that arrives after its look-ups is not ordered again', async () => {
  const live = await openLive()
  const { create, one, market, orders, settle, passMinutes } = intentsOf(live)
  await live.goLive()
  live.fault('venue_a', 'reset', ORDER_ROUTES.venue_a)
  const { id } = await create(BID)
  await settle()
  expect(orders()).toEqual([])
  const { tickId } = await one(id)
  arrive(live, market, `svc-${tickId}-1`)
  await passMinutes()
  await passMinutes()
  expect(orders()).toMatchObject([{ status: 'resting' }])
  expect(await one(id)).toMatchObject({ statusReason: 'resting at the exchange' })
})

it('[portfolio.live.resting] an order that arrives after its intent was cancelled is cancelled', async () => {
  const live = await openLive()
  const { create, one, market, orders, send, settle, passMinutes } = intentsOf(live)
  await live.goLive()
  live.fault('venue_a', 'reset', ORDER_ROUTES.venue_a)
  const { id } = await create(BID)
  await settle()
  const { tickId } = await one(id)
  expect((await send('DELETE', `/api/intents/${id}`))[0]).toBe(200)
  arrive(live, market, `svc-${tickId}-1`)
  await passMinutes()
  await passMinutes()
  await settle()
  expect(orders()).toMatchObject([{ status: 'canceled' }])
  expect(await one(id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 })
})

it('[portfolio.live.resting] what was filled outside is not bought again by the resting order', async () => {
  const live = await openLive()
  const { trade, one, orders, send, settle, passMinutes } = intentsOf(live)
  await live.goLive()
  const { id } = await trade(BID)
  const fill = { orderId: 'by hand', fillQuantity: 2, fillPrice: 1 }
  expect((await send('PATCH', `/api/intents/${id}`, { fill }))[0]).toBe(200)
  await passMinutes()
  await passMinutes()
  await settle()
  const resting = orders().filter(({ status }) => status === 'resting')
  expect(resting.map(({ size }) => size)).toEqual([1e6])
  expect(await one(id)).toMatchObject({ status: 'partial', filledQuantity: 2 })
})

it('[portfolio.live.resting] a failed cancellation does not let a later one by hand order again', async () => {
  const live = await openLive()
  const { trade, one, orders, settle, passMinutes } = intentsOf(live)
  await live.goLive()
  const { id } = await trade(BID)
  live.fault('venue_a', 'reset', CANCEL_ROUTES.venue_a, { count: 1 })
  await live.put({ executionMode: 'dry-run' })
  await live.confirmLive()
  await passMinutes()
  expect(orders()).toMatchObject([{ status: 'resting' }])
  const [order] = orders()
  if (order === undefined) throw new Error('no order')
  live.sim.exchanges.venue_a.cancel(order)
  await passMinutes()
  await passMinutes()
  await settle()
  expect(await one(id)).toMatchObject({ status: 'cancelled' })
  expect(orders()).toHaveLength(1)
})
