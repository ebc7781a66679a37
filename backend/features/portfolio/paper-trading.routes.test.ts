import type { ServedTick } from '../../contract/orders/ticks.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServedTrade } from '../../contract/orders/ticks.ts'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
beforeEach(async () => {
  service = await startTradingService()
})
afterEach(() => service.stop())

it('[intents.paper.filled] [portfolio.intents.ticks] follows an intent from POST to its ledger entry', async () => {
  await service.quote({ bid: 40, ask: 41, bidSize: 30, askSize: 50 })
  const intent = await service.intend()
  expect(intent).toMatchObject({
    status: 'filled',
    mode: 'paper',
    filledQuantity: 10,
    avgFillPrice: 41,
    filledCostCents: 410,
    statusReason: null,
  })
  expect(intent.gates.every(({ passed }) => passed)).toBe(true)
  const [decision, fill] = await service.ledger()
  expect(decision).toMatchObject({ seq: 1, eventType: 'agent_decision', cashDeltaCents: 0 })
  // Ten contracts at 41 cents and the venue's fee, rounded up to the cent.
  expect(fill).toMatchObject({
    seq: 2,
    eventType: 'fill',
    mode: 'paper',
    source: 'intent',
    action: 'buy',
    direction: 'yes',
    quantity: 10,
    priceCents: 41,
    feeCents: 17,
    cashDeltaCents: -427,
    exact: { cashDelta: '-4.270000', fee: '0.170000', realizedPnl: null },
    intentId: intent.id,
    tickId: intent.tickId,
    key: `p:${intent.tickId}:1`,
    confidence: 'exact',
    liquidity: 'taker',
    slippageCents: 0,
  })
  const [, tick] = await service.send<ServedTick>('GET', `/api/portfolio/ticks/${intent.tickId}`)
  expect(tick).toMatchObject({
    trigger: 'intent',
    status: 'completed',
    mode: 'paper',
    openPositionCount: 1,
    actions: [
      { kind: 'entry', outcome: 'filled', filledQuantity: 10, basis: { intentId: intent.id } },
    ],
  })
  expect(await service.positions()).toMatchObject([
    {
      id: `paper:venue_a:${TICKER}`,
      quantity: 10,
      avgPriceCents: 41,
      costCents: 410,
      currentPriceCents: 40,
      valueCents: 400,
      unrealizedPnlCents: -10,
      status: 'open',
    },
  ])
  const [, risk] = await service.send<{ balance: object }>('GET', '/api/portfolio/risk')
  expect(risk.balance).toMatchObject({ totalCents: 499_573 })
})

it('[intents.paper.touch] fills the shown size once, and the rest when the size changes', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 6 })
  const { id, ...first } = await service.intend({ executionStyle: 'limit' })
  expect(first).toMatchObject({ status: 'partial', filledQuantity: 6 })
  await service.quote({ bid: 40, ask: 41, askSize: 6 })
  await service.quote({ bid: 39, ask: 41, askSize: 6 })
  expect(await service.intent(id)).toMatchObject({ status: 'partial', filledQuantity: 6 })
  await service.quote({ bid: 40, ask: 41, askSize: 9 })
  expect(await service.intent(id)).toMatchObject({ status: 'filled', filledQuantity: 10 })
  const fills = (await service.ledger('?eventType=fill&order=asc')).map(({ quantity }) => quantity)
  expect(fills).toEqual([6, 4])
})

it('[intents.paper.limit] rests beyond its limit and fills when the book reaches it', async () => {
  await service.quote({ bid: 48, ask: 50, askSize: 50 })
  const { id, ...first } = await service.intend({ executionStyle: 'limit' })
  expect(first).toMatchObject({ status: 'executing', filledQuantity: 0 })
  await service.quote({ bid: 44, ask: 45, askSize: 50 })
  expect(await service.intent(id)).toMatchObject({ status: 'filled', avgFillPrice: 45 })
})

it('[intents.paper.ioc] sends an ioc order again on the next quote, once a minute', async () => {
  await service.quote({ bid: 48, ask: 50, askSize: 50 })
  const { id, ...first } = await service.intend()
  expect(first).toMatchObject({
    status: 'triggered',
    statusReason: 'not filled: no matching offers',
  })
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  expect((await service.intent(id)).status).toBe('triggered')
  await service.quote({ bid: 40, ask: 42, askSize: 50 }, 60_000)
  expect(await service.intent(id)).toMatchObject({ status: 'filled', avgFillPrice: 42 })
})

it('[intents.trigger.price] triggers on a later quote, of its own side', async () => {
  await service.quote({ bid: 20, ask: 22, askSize: 50 })
  const trigger = { triggerType: 'price_below', triggerPrice: 30, maxPrice: null }
  const yes = await service.intend(trigger)
  const no = await service.intend({ ...trigger, direction: 'no' })
  expect([yes.status, no.status]).toEqual(['armed', 'armed'])
  await service.quote({ bid: 60, ask: 61, askSize: 50 })
  expect((await service.intent(yes.id)).status).toBe('armed')
  await service.quote({ bid: 71, ask: 72, bidSize: 50 })
  expect(await service.intent(no.id)).toMatchObject({ status: 'filled', avgFillPrice: 29 })
  expect((await service.intent(yes.id)).status).toBe('armed')
})

it('[intents.trigger.stale] waits for a fresh quote', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.clock.advance(61_000)
  const { id, ...first } = await service.intend()
  expect(first).toMatchObject({
    status: 'triggered',
    statusReason: 'waiting for a quote younger than 60 s',
  })
  // The same quote received again confirms the book.
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  expect((await service.intent(id)).status).toBe('filled')
})

it('[intents.time.expiry] triggers and expires by the clock alone', async () => {
  const at = new Date(service.clock.now() + 120_000).toISOString()
  const timed = await service.intend({ triggerType: 'time', triggerAt: at, autoExecute: false })
  const { id } = await service.intend({
    triggerType: 'price_below',
    triggerPrice: 1,
    expireAt: '5m',
  })
  await service.clock.advance(121_000)
  await service.accept([])
  expect((await service.intent(timed.id)).status).toBe('triggered')
  await service.clock.advance(180_000)
  await service.accept([])
  expect(await service.intent(id)).toMatchObject({ status: 'expired' })
})

it('[intents.settlement.paid] pays positions, and cancels pending intents', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.intend()
  const { id } = await service.intend({ triggerType: 'price_below', triggerPrice: 1 })
  await service.describe({ status: 'settled', result: 'yes' })
  expect(await service.intent(id)).toMatchObject({
    status: 'cancelled',
    statusReason: 'market_settled',
  })
  const settled = (await service.ledger()).at(-1)
  expect(settled).toMatchObject({
    eventType: 'settlement',
    quantity: 10,
    priceCents: 100,
    cashDeltaCents: 1_000,
    result: 'yes',
    key: `p:settle:0:${TICKER}`,
    realizedPnlCents: 573,
  })
  expect(await service.positions()).toEqual([])
  expect(await service.positions('?status=settled')).toMatchObject([
    { status: 'settled', realizedPnlCents: 573, quantity: 0 },
  ])
})

it('[intents.restart.resumed] resumes after a restart from the ledger', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.intend()
  const armed = await service.intend({
    triggerType: 'price_above',
    triggerPrice: 60,
    maxPrice: null,
  })
  const dying = await service.intend({
    triggerType: 'price_below',
    triggerPrice: 1,
    expireAt: '2m',
  })
  await service.clock.advance(180_000)
  await service.restart()
  expect((await service.intent(dying.id)).status).toBe('expired')
  expect((await service.intent(armed.id)).status).toBe('armed')
  const sell = { action: 'sell', maxPrice: 50, targetQuantity: 10 }
  await service.quote({ bid: 55, ask: 61, bidSize: 50, askSize: 20 })
  expect((await service.intent(armed.id)).status).toBe('filled')
  expect(await service.intend(sell)).toMatchObject({ status: 'filled', avgFillPrice: 55 })
  const [, risk] = await service.send<{ balance: { totalCents: number } }>(
    'GET',
    '/api/portfolio/risk',
  )
  const cash = (await service.ledger()).reduce((sum, { exact }) => sum + Number(exact.cashDelta), 0)
  expect(risk.balance.totalCents).toBe(Math.round(500_000 + cash * 100))
})

it('[portfolio.paper.reset] starts again and keeps the entries', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.intend()
  const reset = (body: object) => service.send<object>('POST', '/api/portfolio/paper/reset', body)
  expect((await reset({}))[0]).toBe(400)
  expect(await reset({ confirm: true })).toEqual([200, { ok: true, epoch: 1 }])
  expect(await service.positions('?status=all')).toEqual([])
  expect(await service.ledger()).toHaveLength(2)
  const [, risk] = await service.send<{ balance: object }>('GET', '/api/portfolio/risk')
  expect(risk.balance).toMatchObject({ totalCents: 500_000 })
  const sold = await service.intend({ action: 'sell', maxPrice: null })
  expect(sold).toMatchObject({
    status: 'rejected',
    statusReason: 'EXCHANGE_REJECT: insufficient position',
  })
})

describe('[portfolio.trades.intents] the trade journal', () => {
  const trades = async () => (await service.send<ServedTrade[]>('GET', '/api/portfolio/trades'))[1]
  const sell = (targetQuantity: number) =>
    service.intend({ action: 'sell', targetQuantity, maxPrice: null })

  it('has the trades of intents with results that add up to the ledger', async () => {
    await service.quote({ bid: 40, ask: 41, bidSize: 30, askSize: 50 })
    const bought = await service.intend({ rationale: 'the vote is near' })
    expect(await trades()).toMatchObject([
      {
        status: 'open',
        direction: 'buy_yes',
        intentId: bought.id,
        tickId: bought.tickId,
        rationale: 'the vote is near',
        realizedPnlCents: null,
        exact: { cost: '4.100000', fees: '0.170000', realizedPnl: null },
      },
    ])
    await service.quote({ bid: 55.3, ask: 56, bidSize: 30, askSize: 50 })
    await sell(3)
    await service.quote({ bid: 12.7, ask: 13, bidSize: 30, askSize: 50 })
    await sell(5)
    const rows = await trades()
    expect(rows.map(({ quantity, status }) => [quantity, status]).toSorted()).toEqual([
      [2, 'open'],
      [3, 'closed'],
      [5, 'closed'],
    ])
    const micros = (text: string | null | undefined) => Math.round(Number(text ?? 0) * 1e6)
    const journal = rows.reduce((sum, { exact }) => sum + micros(exact?.realizedPnl), 0)
    const ledger = (await service.ledger('?eventType=fill')).reduce(
      (sum, { exact }) => sum + micros(exact.realizedPnl),
      0,
    )
    expect(journal).toBe(ledger)
    expect(journal).not.toBe(0)
  })

  it('has a fill that the caller reported, and its sale', async () => {
    await service.quote({ bid: 40, ask: 41 })
    const intent = async (body: object, fillPrice: number) => {
      const { id } = await service.intend({ autoExecute: false, ...body })
      const fill = { orderId: `o-${fillPrice}`, fillQuantity: 10, fillPrice }
      expect((await service.send('PATCH', `/api/intents/${id}`, { fill }))[0]).toBe(200)
    }
    await intent({}, 40)
    await intent({ action: 'sell' }, 55)
    expect(await trades()).toMatchObject([
      { mode: 'live', status: 'closed', realizedPnlCents: 150, exitReason: 'manual' },
    ])
  })
})

it('[portfolio.corrections.paper] a result that the venue changes is paid again, also after a restart', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.intend()
  const balance = async () =>
    (await service.send<{ balance: { totalCents: number } }>('GET', '/api/portfolio/risk'))[1]
      .balance.totalCents
  const before = await balance()
  const results = async () =>
    (await service.ledger('?eventType=settlement&order=asc')).map((entry) => [
      entry.cashDeltaCents,
      entry.realizedPnlCents,
      entry.payload['reversal'] === true ? 'reversal' : entry.result,
    ])
  await service.describe({ status: 'settled', result: 'yes' })
  expect(await results()).toEqual([[1_000, 573, 'yes']])
  await service.describe({ status: 'settled', result: 'no' })
  const changed = [
    [1_000, 573, 'yes'],
    [-1_000, -573, 'reversal'],
    [0, -427, 'no'],
  ]
  expect(await results()).toEqual(changed)
  expect(await balance()).toBe(before)
  expect(await service.positions('?status=settled')).toMatchObject([{ realizedPnlCents: -427 }])
  await service.describe({ status: 'settled', result: 'no' })
  expect(await results()).toEqual(changed)
  await service.restart()
  await service.describe({ status: 'settled', result: 'void' })
  expect((await results()).slice(3)).toEqual([
    [0, 427, 'reversal'],
    [410, -17, 'void'],
  ])
  expect(await balance()).toBe(before + 410)
  const [, trades] = await service.send<ServedTrade[]>('GET', '/api/portfolio/trades')
  expect(trades).toMatchObject([
    { status: 'closed', exitReason: 'settlement', realizedPnlCents: -17 },
  ])
})
