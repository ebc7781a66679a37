import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  BUY,
  startTradingService,
  TICKER,
  type TradingService,
} from '../../testing/trading-service.ts'
import type { IntentPage } from '../../contract/orders/intents.ts'

let service: TradingService
beforeAll(async () => {
  service = await startTradingService(null)
})
afterAll(() => service.stop())

const pageAt = async (path: string): Promise<IntentPage> =>
  (await service.send<IntentPage>('GET', path))[1]
const errorOf = async (change: object): Promise<string> => {
  const [status, body] = await service.send<{ error: string; code: string }>(
    ...(['POST', '/api/intents', { ...BUY, ...change }] as const),
  )
  return `${status} ${body.code}: ${body.error}`
}

it('[intents.create.defaults] fills in defaults', async () => {
  const { action, marketId, direction } = BUY
  const body = { action, ticker: marketId.toLowerCase(), side: direction, qty: 2.5, priceCents: 45 }
  const [status, created] = await service.send('POST', '/api/intents', body)
  expect(status).toBe(201)
  expect(created).toMatchObject({
    venue: 'venue_a',
    marketId: TICKER,
    marketTitle: 'Will the test pass?',
    direction: 'yes',
    targetQuantity: 2.5,
    filledQuantity: 0,
    maxPrice: 45,
    executionStyle: 'ioc',
    triggerType: 'immediate',
    softState: 'none',
    autoExecute: false,
    source: 'agent',
    status: 'triggered',
    mode: null,
    fills: [],
    gates: [],
    thesisId: null,
  })
  expect(created.id).toMatch(/^in_[0-9a-z]+$/)
  expect(Date.parse(created.expireAt) - Date.parse(created.createdAt)).toBe(86_400_000)
  expect(created.triggeredAt).toBe(created.createdAt)
})

it.each([
  [{ action: 'hold' }, '400 VALIDATION_ERROR: action must be buy or sell'],
  [{ marketId: 'NOPE' }, '404 NOT_FOUND: Market not found'],
  [
    { targetQuantity: 0 },
    '400 VALIDATION_ERROR: targetQuantity must be a number above 0 and at most 1000000',
  ],
  [
    { targetQuantity: '5' },
    '400 VALIDATION_ERROR: targetQuantity must be a number above 0 and at most 1000000',
  ],
  [{ venue: 'venue_b' }, `400 VALIDATION_ERROR: venue must be venue_a for ${TICKER}`],
  [{ maxPrice: 100 }, '400 VALIDATION_ERROR: maxPrice must be a number from 0.1 to 99.9'],
  [{ maxPrice: 40.5 }, '400 VALIDATION_ERROR: maxPrice must be on the venue’s tick of 1¢'],
  [
    { triggerType: 'price_below' },
    '400 VALIDATION_ERROR: triggerPrice is required for price_below',
  ],
  [{ triggerType: 'time' }, '400 VALIDATION_ERROR: triggerAt is required for time'],
  [
    { triggerType: 'time', triggerAt: '2020-01-01T00:00:00Z' },
    '400 VALIDATION_ERROR: triggerAt must be in the future',
  ],
  [
    { triggerType: 'time', triggerAt: '2026-12-20T00:00:00Z' },
    '400 VALIDATION_ERROR: triggerAt must be before expireAt',
  ],
  [{ expireAt: '91d' }, '400 VALIDATION_ERROR: expireAt must be at most 90 days away'],
  [{ expireAt: '2020-01-01T00:00:00Z' }, '400 VALIDATION_ERROR: expireAt must be in the future'],
  [{ thesisId: 'x' }, '404 NOT_FOUND: Thesis not found'],
  [{ strategyId: 'str_x' }, '404 NOT_FOUND: Strategy not found'],
  [{ autoExecute: 1 }, '400 VALIDATION_ERROR: autoExecute must be boolean'],
  [
    { source: 'robot' },
    '400 VALIDATION_ERROR: source must be agent, manual, idea, thesis or strategy',
  ],
  [
    { softCondition: 'x'.repeat(1001) },
    '400 VALIDATION_ERROR: softCondition must be a string of at most 1000 characters',
  ],
])('[intents.create.refused] refuses %j', async (change, message) => {
  expect(await errorOf(change)).toBe(message)
})

it('[intents.create.repeated] returns the same result for a repeated request with the same key', async () => {
  const send = async (
    body: object,
    key: string,
  ): Promise<[number, { id?: string; code?: string }]> => {
    const response = await fetch(`${service.url}/api/intents`, {
      method: 'POST',
      headers: {
        authorization: service.authorization,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    })
    return [response.status, (await response.json()) as { id?: string; code?: string }]
  }
  const body = { ...BUY, autoExecute: false, rationale: 'once' }
  const [status, first] = await send(body, 'key-of-this-test')
  const [, second] = await send(body, 'key-of-this-test')
  expect([status, second.id]).toEqual([201, first.id])
  expect(await send({ ...body, rationale: 'twice' }, 'key-of-this-test')).toMatchObject([
    409,
    { code: 'IDEMPOTENCY_MISMATCH' },
  ])
  expect((await send(body, 'a key with blanks'))[0]).toBe(201)
  expect(await send(body, 'short')).toMatchObject([400, { code: 'VALIDATION_ERROR' }])
})

it('[intents.list.pages] lists the newest first, page by page', async () => {
  for (let n = 0; n < 3; n++) await service.intend({ autoExecute: false })
  const ids: string[] = []
  let path: string | null = '/api/intents?limit=2&active=true'
  while (path !== null) {
    const page: IntentPage = await pageAt(path)
    expect(page.intents).toEqual(page.data)
    ids.push(...page.data.map(({ id }) => id))
    const { nextCursor } = page.pageInfo
    path = nextCursor === null ? null : `/api/intents?limit=2&active=true&cursor=${nextCursor}`
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual([...ids].sort().reverse())
  const [, all] = await service.send<IntentPage>('GET', '/api/intents')
  expect(ids).toEqual(all.data.map(({ id }) => id))
  const [, first] = await service.send<IntentPage>('GET', '/api/intents?limit=2')
  const other = `/api/intents?status=armed&cursor=${first.pageInfo.nextCursor}`
  expect(await service.send('GET', other)).toEqual([
    400,
    { error: 'cursor is invalid', code: 'VALIDATION_ERROR' },
  ])
  expect((await service.send('GET', '/api/intents?status=odd'))[0]).toBe(400)
  const [, armed] = await service.send<IntentPage>('GET', '/api/intents?status=armed')
  expect(armed.data).toEqual([])
})

it('[intents.cancel.once] cancels once, and keeps the row', async () => {
  const { id } = await service.intend({ autoExecute: false })
  const path = `/api/intents/${id}`
  expect(await service.send('DELETE', path)).toEqual([200, { ok: true, id, status: 'cancelled' }])
  expect((await service.intent(id)).status).toBe('cancelled')
  expect(await service.send('DELETE', path)).toEqual([
    409,
    {
      error: 'cannot change intent from cancelled to cancelled',
      code: 'INVALID_TRANSITION',
      from: 'cancelled',
      to: 'cancelled',
    },
  ])
  const unknown = { error: 'Intent not found', code: 'NOT_FOUND' }
  expect(await service.send('GET', '/api/intents/in_none')).toEqual([404, unknown])
  expect(await service.send('DELETE', '/api/intents/in_none')).toEqual([404, unknown])
  expect((await service.ask('GET', '/api/intents', undefined, null)).status).toBe(401)
})

it('[portfolio.config.unasked] trades nothing until the portfolio is enabled', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  const intent = await service.intend()
  expect(intent).toMatchObject({ status: 'triggered', statusReason: 'portfolio is not enabled' })
  expect(await service.ledger()).toEqual([])
})
