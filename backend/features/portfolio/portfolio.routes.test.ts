import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  OPEN_LIMITS,
  startTradingService,
  type TradingService,
} from '../../testing/trading-service.ts'
import { quoted } from '../../testing/venue-events.ts'
import type { SizeE6 } from '../../domain/units.ts'
import { ConfigSchema } from '../../contract/portfolio.ts'
import type {
  LedgerPage,
  PositionPage,
  ServedConfig,
  ServedRisk,
  ServedState,
} from '../../contract/portfolio.ts'

let service: TradingService
beforeEach(async () => {
  service = await startTradingService()
})
afterEach(() => service.stop())

const put = (body: object) =>
  service.send<ServedConfig & { error: string; code: string; failed: { name: string }[] }>(
    'PUT',
    '/api/portfolio/config',
    body,
  )

it('[portfolio.config.bounds] changes the given fields, all or nothing', async () => {
  const [, before] = await service.send<ServedConfig>('GET', '/api/portfolio/config')
  expect(before).toMatchObject({ ...OPEN_LIMITS, isDefault: false, executionMode: 'dry-run' })
  const [, after] = await put({ maxPositions: 3, excludeCategories: [' Sports ', 'sports'] })
  expect(after).toMatchObject({ maxPositions: 3, excludeCategories: ['sports'], minAdjIy: 0 })
  expect(await put({ maxPositions: 1001, maxLas: 2 })).toEqual([
    400,
    { error: 'maxPositions must be an integer from 0 to 1000', code: 'VALIDATION_ERROR' },
  ])
  expect((await put({ maxPositions: 2.5 }))[1].error).toContain('an integer')
  expect((await put({ drawdownWarnCents: 2e7 }))[1].error).toContain('drawdownWarnCents')
  expect((await put({ cronExpression: 'daily' }))[1].error).toContain('five fields')
  expect((await put({ minThesisConfidence: '0.5' }))[1].minThesisConfidence).toBe(0.5)
  expect((await put({ userId: 'usr_x', credentials: 1 }))[0]).toBe(200)
  const [, config] = await service.send<ServedConfig>('GET', '/api/portfolio/config')
  expect([config.maxPositions, config.maxLas]).toEqual([3, 10])
  const { status, text } = await service.ask('GET', '/api/portfolio/config', undefined, null)
  expect([status, JSON.parse(text)]).toEqual([
    401,
    { error: 'unauthorized', code: 'AUTH_REQUIRED' },
  ])
})

it('[portfolio.config.without-effect] lists the fields that have no effect yet, as the contract describes them', async () => {
  const [, config] = await service.send<ServedConfig>('GET', '/api/portfolio/config')
  const described = Object.entries(ConfigSchema.properties).flatMap(([name, schema]) =>
    schema.description?.includes('stored; no effect') === true ? [name] : [],
  )
  expect(config.withoutEffect).toEqual(described)
  expect(described).toEqual(['tickIntervalMinutes'])
})

it('[portfolio.config.live] refuses live trading and lists what is missing', async () => {
  const [status, { code, failed }] = await put({ executionMode: 'live' })
  expect([status, code]).toEqual([409, 'LIVE_PRECONDITION_FAILED'])
  expect(failed.map(({ name }) => name)).toEqual(['source', 'dry_run'])
})

it('[portfolio.config.halt] trades nothing while halted, and again after dry-run', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  expect((await put({ executionMode: 'halted' }))[1].haltReason).toBe('user')
  const { id, ...intent } = await service.intend()
  expect(intent).toMatchObject({ status: 'triggered', statusReason: 'execution is halted' })
  expect((await put({ executionMode: 'live' }))[1].code).toBe('INVALID_TRANSITION')
  expect((await put({ executionMode: 'dry-run' }))[1].haltedAt).toBeNull()
  await service.accept([])
  expect((await service.intent(id)).status).toBe('filled')
})

it('[portfolio.state.written] writes fields into the report, which halts nothing and is replaced', async () => {
  const state = <T = ServedState>(method: string, body?: object) =>
    service.send<T>(method, '/api/portfolio/state', body)
  const [, first] = await state('PUT', { handoffNote: 'own rules', userId: 'usr_other', odd: 1 })
  expect(first).toMatchObject({
    handoffNote: 'own rules',
    totalExposureCents: null,
    mismatches: [],
  })
  expect(first).not.toHaveProperty('odd')
  expect(first.userId).not.toBe('usr_other')
  expect(first.lastTickAt).not.toBeNull()
  const [, next] = await state('PUT', { peakEquityCents: 900_000_000 })
  expect(next).toMatchObject({ handoffNote: 'own rules', peakEquityCents: 900_000_000 })
  expect((await state('GET'))[1]).toEqual(next)
  expect(await state('PUT', { peakEquityCents: 'all' })).toMatchObject([400, {}])
  // A trade reports again; the peak that was written is no drawdown.
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.intend()
  const [, reported] = await state('GET')
  expect(reported).toMatchObject({ openPositionCount: 1, handoffNote: null })
  expect(reported.peakEquityCents).toBeLessThan(1_000_000)
  const [, config] = await service.send<ServedConfig>('GET', '/api/portfolio/config')
  expect(config.executionMode).toBe('dry-run')
})

it('[portfolio.config.halt] halts by itself when losses exceed the limit', async () => {
  await put({ maxDrawdownHaltCents: 200, drawdownWarnCents: 100 })
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.intend()
  await service.quote({ bid: 10, ask: 11, bidSize: 50, askSize: 50 })
  await service.clock.advance(60_000)
  await service.accept([])
  const [, config] = await service.send<ServedConfig>('GET', '/api/portfolio/config')
  expect(config).toMatchObject({ executionMode: 'halted', haltReason: 'drawdown' })
  const [, state] = await service.send<ServedState>('GET', '/api/portfolio/state')
  // Ten contracts from 41 to 10 cents, and the fee.
  expect(state).toMatchObject({ maxDrawdownCents: 327, openPositionCount: 1 })
})

it('[portfolio.config.halt] a lower start balance is no loss', async () => {
  await put({ maxDrawdownHaltCents: 50_000, drawdownWarnCents: 30_000 })
  await service.quote({ bid: 40, ask: 41, bidSize: 50, askSize: 50 })
  await service.intend()
  await put({ paperStartBalanceCents: 100_000 })
  await service.clock.advance(60_000)
  await service.accept([])
  const [, { executionMode }] = await put({})
  expect(executionMode).toBe('dry-run')
  const [, risk] = await service.send<ServedRisk>('GET', '/api/portfolio/risk')
  // Ten contracts bought at 41 are worth 40, less the fee of 17.
  expect(risk.drawdown).toMatchObject({ usedCents: 27, peakEquityCents: 100_000 })
})

it('[portfolio.gates.refused] rejects orders that fail a gate, and lists every gate', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 500 })
  await put({ maxSingleOrderCents: 100 })
  const intent = await service.intend()
  expect(intent).toMatchObject({
    status: 'rejected',
    statusReason: 'RISK_GATE_FAIL:single_order',
    filledQuantity: 0,
  })
  const failed = intent.gates.filter(({ passed }) => !passed)
  expect(failed).toEqual([
    { gate: 'single_order', passed: false, value: 450, limit: 100, note: null },
  ])
  const [entry] = await service.ledger()
  expect(entry).toMatchObject({
    eventType: 'agent_decision',
    note: 'RISK_GATE_FAIL:single_order',
    cashDeltaCents: 0,
  })
  await put({ maxSingleOrderCents: 1e6, excludeCategories: ['technology'] })
  expect((await service.intend()).statusReason).toBe('CATEGORY_BLOCKED')
  await put({ excludeCategories: [], paperStartBalanceCents: 300 })
  expect((await service.intend()).statusReason).toBe('INSUFFICIENT_BALANCE')
})

it('[intents.paper.rate] sends as many orders a minute as the portfolio allows', async () => {
  await put({ maxOrdersPerTick: 2 })
  await service.quote({ bid: 40, ask: 41, askSize: 500 })
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await service.intend({ executionStyle: 'limit' })).id)
  const statuses = async () => Promise.all(ids.map(async (id) => (await service.intent(id)).status))
  expect(await statuses()).toEqual(['filled', 'filled', 'triggered'])
  expect((await service.intent(ids[2] ?? '')).statusReason).toBe(
    'waiting: at most 2 orders a minute',
  )
  await service.quote({ bid: 40, ask: 41, askSize: 500 }, 30_000)
  expect((await statuses())[2]).toBe('triggered')
  await service.quote({ bid: 40, ask: 41, askSize: 500 }, 30_000)
  await service.clock.advance(1_000)
  await service.accept([])
  expect((await statuses())[2]).toBe('filled')
})

it('[intents.paper.cross] walks the book if configured', async () => {
  const asks = [
    [41, 4],
    [42, 4],
    [43, 4],
  ] as const
  const levels = asks.map(([cents, size]): [number, number] => [cents, size])
  await service.quote({ bid: 40, ask: 41 })
  await service.book([[40, 10]], levels)
  const touching = await service.intend({ executionStyle: 'limit', maxPrice: 43 })
  expect(touching).toMatchObject({ status: 'partial', filledQuantity: 4 })
  await service.send('DELETE', `/api/intents/${touching.id}`)
  await put({ paperFill: 'cross' })
  await service.book([[40, 10]], [[41, 8], ...levels.slice(1)])
  const crossing = await service.intend({ maxPrice: 42 })
  expect(crossing).toMatchObject({ status: 'filled', filledQuantity: 10, avgFillPrice: 41.2 })
  const fills = await service.ledger('?eventType=fill&order=asc')
  expect(fills.map(({ quantity, priceCents }) => [quantity, priceCents])).toEqual([
    [4, 41],
    [8, 41],
    [2, 42],
  ])
})

it('[portfolio.ledger.pages] pages and filters the ledger', async () => {
  await service.quote({ bid: 40, ask: 41, bidSize: 500, askSize: 500 })
  for (let n = 0; n < 2; n++) await service.intend()
  await service.intend({ action: 'sell', maxPrice: 40, targetQuantity: 5 })
  const seqs: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: LedgerPage = await pageAt(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seqs.push(...page.data.map(({ seq }) => seq))
    cursor = page.pageInfo.nextCursor
  }
  expect(seqs).toEqual([6, 5, 4, 3, 2, 1])
  const sold = (await pageAt('?eventType=fill')).data[0]
  // Five of ten at 41 sold at 40: 5 cents, half the fee of the purchase (8.5) and that of the sale (9).
  expect(sold).toMatchObject({ action: 'sell', realizedPnlCents: -23, slippageCents: 0 })
  expect((await pageAt('?mode=live')).data).toEqual([])
  expect((await pageAt('?thesisId=none')).data).toHaveLength(6)
  expect((await pageAt('?since=1h&until=2026-11-20T12:00:01.000Z')).data).toEqual([])
  const [, fills] = await service.send<LedgerPage>('GET', '/api/portfolio/fills')
  expect(fills.data.map(({ seq }) => seq)).toEqual([6, 4, 2])
  expect((await service.send('GET', '/api/portfolio/ledger?eventType=odd'))[0]).toBe(400)
  expect((await service.send('GET', '/api/portfolio/ledger?cursor=x'))[0]).toBe(400)
})

it('[portfolio.positions.pages] continues after the row of a cursor, even when that row has left the list', async () => {
  const tickers = ['KX-A', 'KX-B', 'KX-C', 'KX-D']
  for (const [index, ticker] of tickers.entries()) {
    await service.describe({ ticker })
    const at = service.clock.now()
    const sizes = { bidSize: 500_000_000 as SizeE6, askSize: 500_000_000 as SizeE6 }
    await service.accept([quoted(at, { ticker, receivedAt: at, ...sizes })])
    await service.intend({ marketId: ticker, targetQuantity: 40 - 10 * index })
  }
  const page = async (query: string): Promise<PositionPage> =>
    (await service.send<PositionPage>('GET', `/api/portfolio/positions?${query}`))[1]
  const idsOf = ({ data }: PositionPage) => data.map(({ marketId }) => marketId)
  const first = await page('status=open&limit=2')
  expect(idsOf(first)).toEqual(['KX-A', 'KX-B'])
  await service.intend({ marketId: 'KX-B', action: 'sell', targetQuantity: 30, maxPrice: 40 })
  expect(idsOf(await page('status=open&limit=9'))).toEqual(['KX-A', 'KX-C', 'KX-D'])
  const next = `cursor=${first.pageInfo.nextCursor ?? ''}`
  expect(idsOf(await page(`status=open&limit=1&${next}`))).toEqual(['KX-C'])
  expect(idsOf(await page(`status=open&limit=9&${next}`))).toEqual(['KX-C', 'KX-D'])
  // In a list of all, the closed position moves to the end.
  const all = await page('status=all&limit=3')
  expect(idsOf(all)).toEqual(['KX-A', 'KX-C', 'KX-D'])
  const end = await page(`status=all&limit=3&cursor=${all.pageInfo.nextCursor ?? ''}`)
  expect([idsOf(end), end.pageInfo.nextCursor]).toEqual([['KX-B'], null])
})

it('[portfolio.positions.pages] lists the positions that were recorded at an instant', async () => {
  await service.quote({ bid: 40, ask: 41, bidSize: 500, askSize: 500 })
  await service.intend()
  const between = new Date(service.clock.now()).toISOString()
  await service.quote({ bid: 50, ask: 51, bidSize: 500, askSize: 500 })
  await service.intend({ action: 'sell', maxPrice: 40 })
  await service.intend({ maxPrice: 60, targetQuantity: 3 })
  const at = async (query: string) =>
    (await service.send<PositionPage>('GET', `/api/portfolio/positions${query}`))[1].data
  expect(await at('')).toMatchObject([{ quantity: 3, avgPriceCents: 51 }])
  expect(await at(`?asOf=${between}`)).toMatchObject([
    { quantity: 10, avgPriceCents: 41, currentPriceCents: 40, asOf: between },
  ])
  expect(await at('?asOf=2026-11-20T12:00:00.000Z')).toEqual([])
  const future = await service.send('GET', '/api/portfolio/positions?asOf=2030-01-01')
  expect(future).toMatchObject([400, { error: 'asOf is in the future' }])
})

const pageAt = async (query: string): Promise<LedgerPage> =>
  (await service.send<LedgerPage>('GET', `/api/portfolio/ledger${query}`))[1]

it('[intents.settlement.paid] pays positions after the limits were changed', async () => {
  await service.quote({ bid: 40, ask: 41, askSize: 50 })
  await service.intend()
  await put({ maxPositions: 5 })
  await service.describe({ status: 'settled', result: 'no' })
  expect((await service.ledger()).at(-1)).toMatchObject({
    eventType: 'settlement',
    cashDeltaCents: 0,
    realizedPnlCents: -427,
    priceCents: 0,
  })
})
