import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from '../../domain/units.ts'
import { bind, type BoundAddress } from '../../http/server.ts'
import { startDemoService, type DemoService } from '../../testing/demo-service.ts'
import { BUY, OPEN_LIMITS } from '../../testing/trading-service.ts'
import type { ServedIntent } from '../../contract/orders/intents.ts'
import type { LedgerPage } from '../../contract/portfolio.ts'

const SECRET = 'launch-secret-of-the-demo'
let demo: DemoService
let bound: BoundAddress

beforeAll(async () => {
  demo = await startDemoService({ seed: 5, markets: 24, start: '2026-11-20T14:00:00.000Z' })
  bound = await bind({ host: '127.0.0.1', port: 0 })
  demo.service.serveOn(bound, SECRET)
})
afterAll(async () => {
  await bound.close(0)
  await demo.stop()
})

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(bound.url + path, {
    method,
    headers: { authorization: `Launch ${SECRET}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as T
}

it('[intents.paper.demo] trades at the prices of the demo venues', async () => {
  await send('PUT', '/api/portfolio/config', { ...OPEN_LIMITS, excludeCategories: [] })
  const listed = demo.service.data.board.live().list(new Set(['active'] as const))
  const markets = listed.filter(({ bestAsk, tau }) => bestAsk !== null && tau !== null).slice(0, 8)
  const ids: string[] = []
  for (const { facts } of markets) {
    const body = { ...BUY, marketId: facts.ticker, maxPrice: null, targetQuantity: 2 }
    const { id } = await send<ServedIntent>('POST', '/api/intents', body)
    ids.push(id)
  }
  await demo.advance(3 * MINUTE, 5_000)
  await demo.service.intentsSettled()
  const filled: ServedIntent[] = []
  for (const id of ids) {
    const intent = await send<ServedIntent>('GET', `/api/intents/${id}`)
    if (intent.status === 'filled') filled.push(intent)
    // Every unfilled intent has a reason.
    else expect([intent.status, intent.statusReason]).toEqual([intent.status, expect.any(String)])
  }
  expect(filled.length).toBeGreaterThan(0)
  const { data } = await send<LedgerPage>('GET', '/api/portfolio/fills?limit=500')
  for (const { id, fills } of filled) {
    const entries = data.filter(({ intentId }) => intentId === id)
    expect(entries.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0)).toBe(2)
    expect(new Set(entries.map(({ orderId }) => orderId))).toEqual(
      new Set(fills.map(({ orderId }) => orderId)),
    )
  }
})
