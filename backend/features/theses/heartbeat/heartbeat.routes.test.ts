import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ThesisBacktest } from '../../../contract/theses/backtest.ts'
import type { ThesisHeartbeat } from '../../../contract/theses/heartbeat.ts'
import type { EvaluationPage, ThesisFormed } from '../../../contract/theses/thesis.ts'
import {
  startTradingService,
  TICKER,
  type TradingService,
} from '../../../testing/trading-service.ts'

const MINUTE = 60_000
const TITLE = 'Will the senate pass the shutdown bill by December 31, 2026?'
let service: TradingService
let path: string
const quote = (mid: number) =>
  service.quote({ bid: mid - 1, ask: mid + 1, bidSize: 500, askSize: 500 })
const read = async <T>(url: string): Promise<T> => (await service.send<T>('GET', url))[1]
const beat = () => read<ThesisHeartbeat>(`${path}/heartbeat`)
const evaluations = async () =>
  (await read<EvaluationPage>(`${path}/evaluations?raw=true`)).data.map((row) =>
    'trigger' in row ? row.trigger : '',
  )
/** Lets time pass, and the runs end that became due. */
const pass = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    await service.clock.advance(MINUTE)
    await service.accept([])
  }
}

beforeAll(async () => {
  service = await startTradingService(null)
  await service.describe({ title: TITLE })
  await quote(70)
  const [, { id }] = await service.send<ThesisFormed>('POST', '/api/thesis/create?sync=true', {
    rawThesis: 'The senate will pass the shutdown bill by December 31, 2026',
  })
  path = `/api/thesis/${id}`
  await service.accept([])
})
afterAll(() => service.stop())

describe('the heartbeat of a thesis', () => {
  it('[theses.heartbeat.config] is read with its defaults, changed in part, and refused with the texts of the contract', async () => {
    const formed = await beat()
    expect(formed).toMatchObject({
      config: { mode: 'active', newsIntervalMin: 240, closedLoop: false, monthlyBudgetUsd: 15 },
      costs: { monthlyTotal: 0, llmCalls: 0, budgetRemaining: 15 },
      lastRunAt: null,
      lastError: null,
    })
    const left = Date.parse(formed.nextRunAt ?? '') - service.clock.now()
    expect(left).toBeGreaterThan(230 * MINUTE)
    const change = async (body: object) =>
      (await service.send<ThesisHeartbeat>('PATCH', `${path}/heartbeat`, body))[1]
    expect(await change({ paused: true, closedLoop: { entry: true, exit: false } })).toMatchObject({
      config: { mode: 'paused', closedLoop: { entry: true, exit: false } },
      pausedReason: 'user',
      nextRunAt: null,
    })
    expect(await change({ paused: false, closedLoop: false })).toMatchObject({
      config: { mode: 'active', closedLoop: false },
      pausedReason: null,
    })
    // A pause by the owner outlasts one by a spent budget.
    expect(await change({ paused: true, monthlyBudgetUsd: 20 })).toMatchObject({
      config: { mode: 'paused' },
      pausedReason: 'user',
      nextRunAt: null,
    })
    await change({ paused: false, monthlyBudgetUsd: 15 })
    const refused = async (body: object) =>
      (await service.send<{ error: string }>('PATCH', `${path}/heartbeat`, body))[1].error
    expect(await refused({ newsIntervalMin: 14 })).toBe('newsIntervalMin must be 15-1440')
    expect(await refused({ xIntervalMin: 59.5 })).toBe('xIntervalMin must be 60-1440')
    expect(await refused({ evalModelTier: 'best' })).toBe(
      'evalModelTier must be cheap, base, medium, or heavy',
    )
    expect(await refused({ monthlyBudgetUsd: -1 })).toBe('monthlyBudgetUsd must be >= 0')
    expect(await refused({ smartModel: 1 })).toBe('smartModel must be boolean')
    expect(await refused({ closedLoop: 1 })).toBe('closedLoop must be boolean or { entry, exit }')
    expect(await refused({ closedLoop: { entry: 1, exit: true } })).toBe(
      'closedLoop.entry must be boolean',
    )
    expect(await refused({ monthlyBudgetUsd: null })).toBe('monthlyBudgetUsd must be >= 0')
    expect(await refused({ evalModelTier: null })).toBe(
      'evalModelTier must be cheap, base, medium, or heavy',
    )
    expect(await refused({ colour: 'red' })).toBe('No valid fields to update')
  })

  it('[theses.heartbeat.beats] evaluates when a market moved or a signal came, also after a restart', async () => {
    await service.send('PATCH', `${path}/heartbeat`, { newsIntervalMin: 15, xIntervalMin: 60 })
    await pass(20)
    expect((await beat()).lastRunAt).not.toBeNull()
    expect(await evaluations()).toEqual(['evaluation'])
    await quote(74)
    await pass(20)
    expect(await evaluations()).toEqual(['monitor_cycle', 'evaluation'])
    await service.send('POST', `${path}/signal`, {
      type: 'news',
      content: 'Senate passes the bill',
    })
    await service.restart()
    await pass(20)
    expect(await evaluations()).toEqual(['monitor_cycle', 'monitor_cycle', 'evaluation'])
    await service.send('PATCH', path, { status: 'paused' })
    await quote(60)
    await pass(35)
    expect(await evaluations()).toHaveLength(3)
    expect((await beat()).config.mode).toBe('stopped')
  })
})

describe('a backtest of a thesis', () => {
  it('[theses.backtest.replays] forms it from what was known then and replays it to now', async () => {
    await service.clock.advance(240 * MINUTE)
    await quote(62)
    const report = await read<ThesisBacktest>(`${path}/backtest?window=4h`)
    expect(report).toMatchObject({
      status: 'active',
      stepMinutes: 240,
      treeAtStart: { nodes: [{ tickers: [TICKER] }] },
      edges: [{ marketId: TICKER, settlement: null }],
    })
    const [formed, ...later] = report.confidence
    expect(formed?.marketPrice).toBe(60)
    expect(report.edges[0]).toMatchObject({ marketPriceAtStart: 60, marketPriceAtEnd: 62 })
    expect(later.map(({ marketPrice }) => marketPrice)).toEqual([62])
    const rows = await read<EvaluationPage>(`${path}/evaluations?raw=true`)
    expect(rows.data).toHaveLength(3)
    expect(await read<ThesisBacktest>(`${path}/backtest?window=4h`)).toEqual(report)
  })
})
