import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTradingService, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
beforeAll(async () => {
  service = await startTradingService()
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
})
afterAll(() => service.stop())

const WAITING = { triggerType: 'price_below', triggerPrice: 1, autoExecute: false }
const patch = (id: string, body: object) =>
  service.send<{ status: string; error?: string; code?: string }>(
    'PATCH',
    `/api/intents/${id}`,
    body,
  )

it('[intents.moves.table] is moved by the caller, and rejects invalid moves', async () => {
  const { id } = await service.intend(WAITING)
  for (const status of ['triggered', 'executing', 'rejected']) {
    const [code, moved] = await patch(id, { status, statusReason: 'my own' })
    expect([code, moved.status]).toEqual([200, status])
  }
  expect(await patch(id, { status: 'cancelled' })).toEqual([
    409,
    {
      error: 'cannot change intent from rejected to cancelled',
      code: 'INVALID_TRANSITION',
      from: 'rejected',
      to: 'cancelled',
    },
  ])
  expect(await service.intent(id)).toMatchObject({ statusReason: 'my own' })
  expect((await service.intent(id)).finishedAt).not.toBeNull()
  const back = await service.intend(WAITING)
  await patch(back.id, { status: 'triggered' })
  expect((await patch(back.id, { status: 'armed' }))[0]).toBe(409)
  expect((await patch(back.id, { status: 'partial' }))[0]).toBe(400)
  expect((await patch(back.id, {}))[1].error).toBe('No valid fields to update')
  expect((await patch(back.id, { status: 'executing', maxPrice: 3 }))[0]).toBe(400)
})

it('[intents.moves.table] accepts that the rest was filled outside', async () => {
  const { id } = await service.intend({ autoExecute: false })
  await patch(id, { status: 'executing' })
  await patch(id, { status: 'filled' })
  expect(await service.intent(id)).toMatchObject({
    status: 'filled',
    filledQuantity: 10,
    avgFillPrice: null,
    fills: [],
  })
  const entries = await service.ledger()
  expect(entries.filter(({ intentId }) => intentId === id)).toEqual([])
})

it('[intents.moves.fields] changes fields while it is pending, and not after', async () => {
  const { id } = await service.intend(WAITING)
  const change = { maxPrice: null, triggerPrice: 12, targetQuantity: 3, rationale: ' why ' }
  expect((await patch(id, change))[0]).toBe(200)
  expect(await service.intent(id)).toMatchObject({
    maxPrice: null,
    triggerPrice: 12,
    targetQuantity: 3,
    rationale: 'why',
    status: 'armed',
  })
  expect((await patch(id, { triggerPrice: null }))[1].error).toContain('triggerPrice is required')
  expect((await patch(id, { maxPrice: 40.5 }))[1].error).toContain('tick')
  await patch(id, { status: 'triggered' })
  expect(await patch(id, { rationale: 'late' })).toMatchObject([409, { code: 'CONFLICT' }])
})

it('[intents.moves.fill] records a fill of the caller once, as live', async () => {
  const { id } = await service.intend({ ...WAITING, maxPrice: null })
  const fill = { orderId: 'order-1', fillQuantity: 4, fillPrice: 40 }
  expect((await patch(id, { fill }))[1].status).toBe('partial')
  expect((await patch(id, { fill }))[1].status).toBe('partial')
  const more = { orderId: 'order-2', fillQuantity: 7, fillPrice: 42 }
  expect((await patch(id, { fill: more }))[1].error).toBe('fillQuantity must be at most 6')
  expect((await patch(id, { fill: { ...more, fillQuantity: 6, fillCostCents: 260 } }))[0]).toBe(200)
  expect(await service.intent(id)).toMatchObject({
    status: 'filled',
    mode: 'live',
    filledQuantity: 10,
    filledCostCents: 420,
    avgFillPrice: 42,
  })
  expect((await patch(id, { fill }))[0]).toBe(200)
  expect((await patch(id, { fill: { ...fill, orderId: 'order-3' } }))[1].code).toBe(
    'INVALID_TRANSITION',
  )
  const booked = (await service.ledger()).filter(({ intentId }) => intentId === id)
  expect(booked.map(({ key }) => key)).toEqual([`i:${id}:order-1`, `i:${id}:order-2`])
  expect(booked[0]).toMatchObject({ mode: 'live', cashDeltaCents: -160, source: 'intent' })
  expect(await service.positions('?mode=live')).toMatchObject([{ quantity: 10, costCents: 412 }])
  expect(await service.positions('?mode=paper')).toEqual([])
})

it('[intents.moves.soft] waits for the caller to judge a soft condition', async () => {
  const soft = { softCondition: 'the speaker resigns', maxPrice: null }
  const now = await service.intend(soft)
  expect(now).toMatchObject({ status: 'pending', softState: 'waiting' })
  const byPrice = await service.intend({ ...soft, triggerType: 'price_below', triggerPrice: 90 })
  await service.quote({ bid: 40, ask: 42, askSize: 50 })
  expect((await service.intent(byPrice.id)).status).toBe('armed')
  await patch(now.id, { status: 'triggered' })
  await service.accept([])
  expect(await service.intent(now.id)).toMatchObject({ status: 'filled', softState: 'met' })
  const cleared = await service.intend(soft)
  await patch(cleared.id, { softCondition: null })
  await service.accept([])
  expect((await service.intent(cleared.id)).status).toBe('filled')
})
