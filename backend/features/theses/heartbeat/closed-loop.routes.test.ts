import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IntentPage } from '../../../contract/orders/intents.ts'
import type { ThesisBacktest } from '../../../contract/theses/backtest.ts'
import type { RowCreated, StrategyPage } from '../../../contract/theses/holdings.ts'
import type { ThesisFormed } from '../../../contract/theses/thesis.ts'
import {
  startTradingService,
  TICKER,
  type TradingService,
} from '../../../testing/trading-service.ts'

const MINUTE = 60_000
const CLAIM = 'The senate will pass the shutdown bill by December 31, 2026'
let service: TradingService
let path: string
const quote = (mid: number) =>
  service.quote({ bid: mid - 1, ask: mid + 1, bidSize: 500, askSize: 500 })
const pass = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    await service.clock.advance(MINUTE)
    await service.accept([])
  }
}
const intents = async () =>
  (await service.send<IntentPage>('GET', '/api/intents'))[1].data.toReversed()
const strategies = async () =>
  (await service.send<StrategyPage>('GET', `${path}/strategies`))[1].data
const trading = (enabled: boolean) => service.send('PUT', '/api/portfolio/config', { enabled })
const switchOn = (closedLoop: unknown) =>
  service.send('PATCH', `${path}/heartbeat`, { closedLoop, newsIntervalMin: 15, xIntervalMin: 60 })

beforeAll(async () => {
  service = await startTradingService()
  await service.describe({ title: 'Will the senate pass the shutdown bill by December 31, 2026?' })
  await quote(90)
  const [, { id }] = await service.send<ThesisFormed>('POST', '/api/thesis/create?sync=true', {
    rawThesis: CLAIM,
  })
  path = `/api/thesis/${id}`
  await service.send<RowCreated>('POST', `${path}/strategies`, {
    marketId: TICKER,
    direction: 'yes',
    entryBelow: 93,
    stopLoss: 60,
    takeProfit: 98,
    perOrderQuantity: 10,
    maxQuantity: 20,
  })
})
afterAll(() => service.stop())

describe('the closed loop of a heartbeat', () => {
  it('[theses.loop.off] creates nothing until its owner switches it on', async () => {
    await service.send('PATCH', `${path}/heartbeat`, { newsIntervalMin: 15, xIntervalMin: 60 })
    await pass(20)
    expect(await intents()).toEqual([])
  })

  it('[theses.loop.entries] buys for active strategies within their limits, once at a time', async () => {
    await switchOn({ entry: true, exit: false })
    await trading(false)
    await quote(90)
    await pass(16)
    const [first] = await intents()
    expect(first).toMatchObject({
      action: 'buy',
      marketId: TICKER,
      direction: 'yes',
      targetQuantity: 10,
      maxPrice: 93,
      source: 'strategy',
      sourceId: 'heartbeat',
      autoExecute: true,
    })
    expect(first?.rationale).toContain('91¢ is at or below the entry of 93¢')
    // The next run waits while the intent is open.
    await quote(90)
    await pass(16)
    expect(await intents()).toHaveLength(1)
    await trading(true)
    await quote(90)
    expect(await intents()).toMatchObject([{ status: 'filled', filledQuantity: 10 }])
    expect(await strategies()).toMatchObject([{ executedQuantity: 10, status: 'active' }])
    await pass(16)
    await quote(90)
    await pass(16)
    await quote(90)
    expect((await intents()).map(({ filledQuantity }) => filledQuantity)).toEqual([10, 10])
    expect(await strategies()).toMatchObject([{ executedQuantity: 20, status: 'executed' }])
    const [status, refused] = await service.send<{ code: string }>(
      'PATCH',
      `${path}/strategies/${(await strategies())[0]?.id ?? ''}`,
      { priority: 1 },
    )
    expect([status, refused.code]).toEqual([409, 'INVALID_TRANSITION'])
  })

  it('[theses.loop.exits] sells the open quantity at a stop, when exits are switched on', async () => {
    await quote(55)
    await pass(16)
    expect(await intents()).toHaveLength(2)
    await switchOn(true)
    await quote(55)
    await pass(16)
    expect((await intents())[2]).toMatchObject({ action: 'sell', targetQuantity: 20 })
    await quote(55)
    expect((await intents())[2]).toMatchObject({ status: 'filled' })
  })

  it('[theses.loop.exits] sells when the evaluation recommends to close', async () => {
    await service.send<RowCreated>('POST', `${path}/strategies`, {
      marketId: TICKER,
      direction: 'yes',
      entryBelow: 93,
      maxQuantity: 10,
    })
    await quote(90)
    await pass(16)
    await quote(90)
    expect((await intents()).at(-1)).toMatchObject({ action: 'buy', status: 'filled' })
    // The thesis no longer believes its claim, so that it prices YES below the market.
    await service.send('POST', `${path}/nodes/update`, {
      nodeId: 'n1',
      probability: 0.1,
      locked: true,
    })
    await quote(90)
    await pass(16)
    const sale = (await intents()).at(-1)
    expect(sale).toMatchObject({ action: 'sell', targetQuantity: 10 })
    expect(sale?.rationale).toMatch(/its evaluation closes it: the thesis prices YES .*¢ below/)
    await quote(90)
    expect((await intents()).at(-1)).toMatchObject({ status: 'filled' })
    await service.send('POST', `${path}/nodes/update`, {
      nodeId: 'n1',
      probability: 0.9,
      locked: false,
    })
  })

  const openedEntry = async (): Promise<void> => {
    await quote(90)
    await pass(16)
    expect((await intents()).at(-1)).toMatchObject({ status: 'triggered', action: 'buy' })
  }

  it.each([
    ['its entries are switched off', { closedLoop: { entry: false, exit: true } }],
    ['it is paused', { paused: true }],
  ])('[theses.loop.stops] cancels its open intents when %s', async (_, change) => {
    await service.send<RowCreated>('POST', `${path}/strategies`, {
      marketId: TICKER,
      direction: 'yes',
      entryBelow: 93,
    })
    await openedEntry()
    await service.send('PATCH', `${path}/heartbeat`, change)
    expect((await intents()).at(-1)).toMatchObject({
      status: 'cancelled',
      statusReason: 'closed_loop_off',
    })
    await service.send('PATCH', `${path}/heartbeat`, { closedLoop: true, paused: false })
  })

  it('[theses.loop.stops] cancels its open intents when the thesis is paused', async () => {
    await service.send<RowCreated>('POST', `${path}/strategies`, {
      marketId: TICKER,
      direction: 'yes',
      entryBelow: 93,
    })
    await quote(90)
    await pass(16)
    expect((await intents()).at(-1)).toMatchObject({ status: 'triggered', action: 'buy' })
    await service.send('PATCH', path, { status: 'paused' })
    await service.accept([])
    expect((await intents()).at(-1)).toMatchObject({
      status: 'cancelled',
      statusReason: 'thesis_not_active',
    })
  })
})

it('[theses.backtest.strategies] trades the strategies of a thesis in its backtest', async () => {
  const [, report] = await service.send<ThesisBacktest>('GET', `${path}/backtest?window=2h`)
  expect(report.tradedBy).toBe('strategies')
  const ids = (await strategies()).map(({ id }) => id)
  for (const trade of report.trades) expect(ids).toContain(trade.strategyId)
})

it('[theses.loop.exits] sells what a paused thesis holds when its owner kills it', async () => {
  await service.send('PATCH', path, { status: 'active' })
  await quote(90)
  await pass(16)
  await quote(90)
  expect((await intents()).at(-1)).toMatchObject({ action: 'buy', status: 'filled' })
  await service.send('PATCH', path, { status: 'paused' })
  await quote(90)
  await service.send('PATCH', path, { status: 'killed' })
  await service.accept([])
  const sale = (await intents()).at(-1)
  expect(sale).toMatchObject({ action: 'sell' })
  expect(sale?.rationale).toContain('the thesis was killed')
})
