import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Venue } from '../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../domain/units.ts'
import { parseFault } from '../simulator/faults/parse-fault.ts'
import type { SimMarket } from '../simulator/catalogue/market.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { START, until } from '../testing/simulated-venues.ts'
import { startTrading, tradableMarket } from '../testing/trading-accounts.ts'
import { simulatedCredentials } from '../testing/trading-credentials.ts'
import type { NewOrder, TradingClient } from './trading.ts'

const SIGNAL = AbortSignal.timeout(60_000)
const ONE = 1_000_000 as SizeE6
const ALL_TIME = (START - 3_600_000) as Millis
const ROUTE: Record<Venue, string> = {
  venue_a: '^POST /trade-api/v2/portfolio/events/orders$',
  venue_b: '^POST /order$',
}

async function open(venue: Venue) {
  const started = await startTrading()
  const client: TradingClient = venue === 'venue_a' ? started.openA() : started.openB()
  const market = tradableMarket(started.sim, venue)
  return { ...started, client, market, place: placer(client) }
}

const placer = (client: TradingClient) => async (order: NewOrder) =>
  client.placeOrder(await client.prepareOrder(order, SIGNAL), SIGNAL)

/** An order at the best opposite price, of one YES contract. */
function touching(sim: Simulator, market: SimMarket, change: Partial<NewOrder> = {}): NewOrder {
  const { bids, asks } = sim.book(market)
  const action = change.action ?? 'buy'
  const [price] = (action === 'buy' ? asks : bids)[0] ?? [0]
  return {
    clientOrderId: 'svc-pt_1-1',
    ticker: market.id,
    action,
    direction: 'yes',
    size: ONE,
    limit: price as PriceE4,
    timeInForce: 'ioc',
    ...change,
  }
}

function fault(sim: Simulator, venue: Venue, kind: string, more: object = {}): void {
  const parsed = parseFault({ venue, kind, route: ROUTE[venue], ...more })
  if (typeof parsed === 'string') throw new Error(parsed)
  sim.scheduleFaults([parsed])
}

describe.each(['venue_a', 'venue_b'] as const)('orders at %s', (venue) => {
  it('buys at the touch, and balance, position and fill show it', async () => {
    const { sim, client, market, place } = await open(venue)
    expect(await client.balance(SIGNAL)).toBe(1_000_000_000)
    expect(await client.positions(SIGNAL)).toEqual([])
    const order = touching(sim, market)
    const answer = await place(order)
    if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer))
    expect(answer.order.filled).toBe(ONE)
    const cost = (1_000_000_000 - (await client.balance(SIGNAL))) / ONE
    expect(cost).toBeGreaterThanOrEqual(order.limit / 10_000)
    expect(cost).toBeLessThan(order.limit / 10_000 + 0.03)
    expect(await client.positions(SIGNAL)).toEqual([{ ticker: market.id, size: ONE }])
    const { rows, next } = await client.fills(ALL_TIME, null, SIGNAL)
    expect(next).toBeNull()
    expect(rows).toMatchObject([
      {
        orderId: answer.order.orderId,
        ticker: market.id,
        action: 'buy',
        direction: 'yes',
        size: ONE,
        price: order.limit,
        liquidity: 'taker',
        at: START,
      },
    ])
    expect(rows[0]?.key).toMatch(venue === 'venue_a' ? /^a:fill:/ : /^b:fill:/)
  })

  it('buys NO against the bids, and sells what it holds', async () => {
    const { sim, client, market, place } = await open(venue)
    const [bid = 0] = sim.book(market).bids[0] ?? []
    const limit = (10_000 - bid) as PriceE4
    await place(touching(sim, market, { direction: 'no', limit }))
    expect(await client.positions(SIGNAL)).toEqual([{ ticker: market.id, size: -1_000_000 }])
    const [ask = 0] = sim.book(market).asks[0] ?? []
    const sale = touching(sim, market, {
      clientOrderId: 'svc-pt_1-2',
      action: 'sell',
      direction: 'no',
      limit: (10_000 - ask) as PriceE4,
    })
    const answer = await place(sale)
    expect(answer).toMatchObject({ kind: 'accepted', order: { filled: ONE } })
    expect(await client.positions(SIGNAL)).toEqual([])
  })

  it('fills in part what the touch does not cover', async () => {
    const { sim, market, place } = await open(venue)
    const [, shown = 0] = sim.book(market).asks[0] ?? []
    const size = ((shown + 500) * 10_000) as SizeE6
    const answer = await place(touching(sim, market, { size }))
    if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer))
    expect(answer.order.filled).toBe(shown * 10_000)
    expect(answer.order.remaining).toBe(0)
  })

  it('rests, is found by its reference, and is cancelled', async () => {
    const { sim, client, market } = await open(venue)
    const [bid = 0] = sim.book(market).bids[0] ?? []
    const order = touching(sim, market, { limit: bid as PriceE4, timeInForce: 'gtc' })
    const prepared = await client.prepareOrder(order, SIGNAL)
    expect(await client.orderByReference(prepared, SIGNAL)).toBeNull()
    const answer = await client.placeOrder(prepared, SIGNAL)
    if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer))
    const found = await client.orderByReference(prepared, SIGNAL)
    expect(found).toMatchObject({
      orderId: answer.order.orderId,
      status: 'resting',
      remaining: ONE,
    })
    expect(await client.openOrders(SIGNAL)).toMatchObject([{ orderId: answer.order.orderId }])
    await client.cancelOrder(answer.order, SIGNAL)
    expect(await client.openOrders(SIGNAL)).toEqual([])
    await client.cancelOrder(answer.order, SIGNAL)
    expect(await client.orderByReference(prepared, SIGNAL)).toMatchObject({ status: 'cancelled' })
  })

  it('reports a repeated order as a duplicate, and the venue has one', async () => {
    const { sim, client, market } = await open(venue)
    const prepared = await client.prepareOrder(touching(sim, market), SIGNAL)
    expect(await client.placeOrder(prepared, SIGNAL)).toMatchObject({ kind: 'accepted' })
    expect(await client.placeOrder(prepared, SIGNAL)).toEqual({ kind: 'duplicate' })
    expect(sim.exchanges[venue].orders).toHaveLength(1)
  })

  it('finds an order whose answer was lost after the venue accepted it', async () => {
    const { sim, clock, client, market } = await open(venue)
    const prepared = await client.prepareOrder(touching(sim, market), SIGNAL)
    fault(sim, venue, 'lost-answer')
    const sent = client.placeOrder(prepared, SIGNAL)
    await until(() => sim.exchanges[venue].orders.length === 1)
    await clock.advance(10_000)
    expect(await sent).toMatchObject({ kind: 'lost', reason: 'no answer within 10000 ms' })
    const found = await client.orderByReference(prepared, SIGNAL)
    expect(found).toMatchObject({ filled: ONE, clientOrderId: 'svc-pt_1-1' })
    expect(sim.exchanges[venue].orders).toHaveLength(1)
  })

  it('finds nothing when the request was lost before the venue accepted it', async () => {
    const { sim, client, market } = await open(venue)
    const prepared = await client.prepareOrder(touching(sim, market), SIGNAL)
    fault(sim, venue, 'reset')
    expect(await client.placeOrder(prepared, SIGNAL)).toMatchObject({ kind: 'lost' })
    expect(await client.orderByReference(prepared, SIGNAL)).toBeNull()
    expect(sim.exchanges[venue].orders).toEqual([])
  })

  it.each([
    [425, 'not_sent'],
    [429, 'not_sent'],
    [400, 'rejected'],
    [500, 'lost'],
    [503, 'lost'],
  ])('takes status %d for %s', async (status, kind) => {
    const { sim, market, place } = await open(venue)
    fault(sim, venue, 'status', { status })
    expect(await place(touching(sim, market))).toMatchObject({ kind })
    expect(sim.exchanges[venue].orders).toEqual([])
  })

  it('is refused beyond its funds, and against its own resting order', async () => {
    const { sim, market, place } = await open(venue)
    const size = (5_000 * ONE) as SizeE6
    const limit = 9_000 as PriceE4
    expect(await place(touching(sim, market, { size, limit }))).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/insufficient|not enough/) as string,
    })
    const [bid = 0] = sim.book(market).bids[0] ?? []
    const resting = touching(sim, market, {
      clientOrderId: 'svc-pt_1-3',
      timeInForce: 'gtc',
      limit: bid as PriceE4,
    })
    expect(await place(resting)).toMatchObject({ kind: 'accepted' })
    const opposite = touching(sim, market, {
      clientOrderId: 'svc-pt_1-4',
      direction: 'no',
      limit: (10_000 - bid) as PriceE4,
    })
    expect(await place(opposite)).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/self-trade|same account/) as string,
    })
  })

  it('ends an immediate order that meets no offer without a fill', async () => {
    const { sim, market, client, place } = await open(venue)
    const [bid = 0] = sim.book(market).bids[0] ?? []
    const answer = await place(touching(sim, market, { limit: bid as PriceE4 }))
    expect(answer).toMatchObject({
      kind: 'accepted',
      order: { clientOrderId: 'svc-pt_1-1', status: 'cancelled', filled: 0, remaining: 0 },
    })
    expect(await client.openOrders(SIGNAL)).toEqual([])
    expect(await client.balance(SIGNAL)).toBe(1_000_000_000)
  })
})

describe('credentials', () => {
  it('that do not fit are refused by both venues', async () => {
    const { sim, openA, openB } = await startTrading()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const other = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { venue_a: a, venue_b: b } = simulatedCredentials()
    const clientA = openA({ ...a, privateKeyPem: other })
    await expect(clientA.balance(SIGNAL)).rejects.toMatchObject({ status: 401 })
    const market = tradableMarket(sim, 'venue_a')
    expect(await placer(clientA)(touching(sim, market))).toMatchObject({ kind: 'rejected' })
    const keyed = {
      apiKey: 'api-key',
      apiSecret: Buffer.from('d3Jvbmc='),
      passphrase: Buffer.from('pass'),
    }
    await expect(openB({ ...b, ...keyed }).balance(SIGNAL)).rejects.toMatchObject({ status: 401 })
    const forged = openB({ ...b, privateKey: Buffer.alloc(32, 7) })
    await expect(forged.balance(SIGNAL)).rejects.toMatchObject({ status: 401 })
  })

  it.each([0, 1, 2, 3] as const)(
    'of a wallet of type %d sign orders that the venue takes',
    async (signatureType) => {
      const { sim, openB } = await startTrading()
      const client = openB({ ...simulatedCredentials().venue_b, signatureType })
      const market = tradableMarket(sim, 'venue_b')
      expect(await placer(client)(touching(sim, market))).toMatchObject({ kind: 'accepted' })
    },
  )
})

describe('an order off the venue’s grid', () => {
  it('is refused before it is signed', async () => {
    const { sim, openA, openB } = await startTrading()
    const tiny = touching(sim, tradableMarket(sim, 'venue_a'), { size: 9_999 as SizeE6 })
    expect(() => openA().prepareOrder(tiny)).toThrow('smaller than 0.01')
    const off = touching(sim, tradableMarket(sim, 'venue_b'), { limit: 5_001 as PriceE4 })
    await expect(openB().prepareOrder(off, SIGNAL)).rejects.toThrow('multiple of 1¢')
  })
})
