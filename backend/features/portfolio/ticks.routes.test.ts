import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  ServedTick,
  ServedTrade,
  TickPage,
  TickFinished,
  TickStarted,
} from '../../contract/orders/ticks.ts'
import type { ServedConfig, ServedRisk } from '../../contract/portfolio.ts'
import type { RowCreated } from '../../contract/theses/holdings.ts'
import type { ThesisFormed } from '../../contract/theses/thesis.ts'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
beforeEach(async () => {
  service = await startTradingService()
  await service.describe({ title: 'Will the senate pass the shutdown bill by December 31, 2026?' })
  await service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
})
afterEach(() => service.stop())

const post = <T>(path: string, body: object): Promise<[number, T]> =>
  service.send<T>('POST', path, body)
const configure = (change: object) =>
  service.send<ServedConfig & { error: string }>('PUT', '/api/portfolio/config', change)
const newThesis = async (): Promise<string> => {
  const rawThesis = 'The senate will pass the shutdown bill by December 31, 2026'
  return (await post<ThesisFormed>('/api/thesis/create?sync=true', { rawThesis }))[1].id
}
const STRATEGY = {
  marketId: TICKER,
  direction: 'yes',
  entryBelow: 50,
  stopLoss: 30,
  takeProfit: 80,
  perOrderQuantity: 10,
  maxQuantity: 10,
}
const newStrategy = async (thesis: string, change: object = {}): Promise<string> =>
  (await post<RowCreated>(`/api/thesis/${thesis}/strategies`, { ...STRATEGY, ...change }))[1].id
/** A tick now, with a fresh quote. */
const tick = async (prices = { bid: 42, ask: 44 }): Promise<ServedTick> => {
  await service.quote({ ...prices, bidSize: 500, askSize: 500 })
  const [status, ran] = await post<TickFinished>('/api/portfolio/trigger?sync=true', {})
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(ran)}`)
  return ran.tick
}
const trades = async (): Promise<ServedTrade[]> =>
  (await service.send<ServedTrade[]>('GET', '/api/portfolio/trades'))[1]
const ticks = async (query = ''): Promise<ServedTick[]> =>
  (await service.send<ServedTick[]>('GET', `/api/portfolio/ticks${query}`))[1]

describe('a tick on paper', () => {
  it('[portfolio.ticks.entry] buys for a strategy and books decision, fill and trade', async () => {
    const thesisId = await newThesis()
    const strategyId = await newStrategy(thesisId)
    const ran = await tick()
    expect(ran).toMatchObject({
      status: 'completed',
      phase: 'done',
      trigger: 'manual',
      mode: 'paper',
      decisionModel: 'rules',
      actionsCount: 1,
      gatesFailed: 0,
      openPositionCount: 1,
      handoffNote: 'Orders: 1 decided, 1 filled, 0 rejected by a risk limit; 0 held or waiting',
    })
    expect(ran.decisions).toMatchObject([
      {
        n: 1,
        kind: 'entry',
        action: 'buy',
        quantity: 10,
        limitPriceCents: 44,
        costCents: 440,
        outcome: 'filled',
        filledQuantity: 10,
        avgFillPriceCents: 44,
        basis: { thesisId, strategyId },
      },
    ])
    expect(await service.ledger()).toMatchObject([
      { eventType: 'agent_decision', source: 'autopilot', key: `p:${ran.id}:1`, tickId: ran.id },
      {
        eventType: 'fill',
        source: 'autopilot',
        key: `p:${ran.id}:2`,
        tickId: ran.id,
        thesisId,
        strategyId,
        quantity: 10,
        priceCents: 44,
      },
    ])
    expect(await trades()).toMatchObject([
      { status: 'open', direction: 'buy_yes', quantity: 10, costCents: 440, tickId: ran.id },
    ])
    // The strategy has all its contracts: nothing more is bought.
    expect((await tick()).actionsCount).toBe(0)
  })

  it('[portfolio.ticks.exit] sells at the stop, also of a paused thesis, and closes the trade', async () => {
    const thesisId = await newThesis()
    await newStrategy(thesisId)
    await tick()
    await service.send('PATCH', `/api/thesis/${thesisId}`, { status: 'paused' })
    const left = await tick({ bid: 29, ask: 31 })
    expect(left.actions).toMatchObject([
      { kind: 'exit', action: 'sell', quantity: 10, outcome: 'filled', avgFillPriceCents: 29 },
    ])
    expect(await trades()).toMatchObject([
      { status: 'closed', exitReason: 'stop_loss', exitPriceCents: 29, entryPriceCents: 44 },
    ])
    const [, risk] = await service.send<ServedRisk>('GET', '/api/portfolio/risk')
    expect(risk).toMatchObject({
      cooldown: { ticksSinceLoss: 0, required: 4, active: true },
      lastTick: { id: left.id, status: 'completed', actionsCount: 1 },
    })
  })

  it('[portfolio.ticks.gated] rejects what a gate refuses, with every gate', async () => {
    await newStrategy(await newThesis())
    await configure({ maxSingleOrderCents: 400 })
    const [decision] = (await tick()).actions
    expect(decision).toMatchObject({
      outcome: 'rejected_by_gate',
      error: 'RISK_GATE_FAIL:single_order',
      filledQuantity: 0,
    })
    expect(decision?.gates.filter(({ passed }) => !passed)).toMatchObject([
      { gate: 'single_order', value: 440, limit: 400 },
    ])
    expect(await service.ledger()).toMatchObject([
      { eventType: 'agent_decision', note: 'RISK_GATE_FAIL:single_order' },
    ])
    expect(await trades()).toEqual([])
  })

  it('[portfolio.ticks.cooldown] enters nothing for as many ticks as the limit requires', async () => {
    const thesisId = await newThesis()
    await newStrategy(thesisId)
    await configure({ cooldownAfterLossTicks: 1 })
    await tick()
    await tick({ bid: 29, ask: 31 })
    await newStrategy(thesisId, { stopLoss: null })
    const outcomes = async () =>
      (await tick()).actions.map(({ outcome, error }) => error ?? outcome)
    expect(await outcomes()).toEqual(['RISK_GATE_FAIL:cooldown'])
    expect(await outcomes()).toEqual(['filled'])
  })

  it('[portfolio.trigger.refused] runs nothing while it is disabled or halted', async () => {
    await configure({ enabled: false })
    const run = () => post<{ code: string }>('/api/portfolio/trigger', {})
    expect(await run()).toMatchObject([409, { code: 'PORTFOLIO_DISABLED' }])
    expect(await service.send('POST', '/api/portfolio/trigger')).toMatchObject([
      409,
      { code: 'PORTFOLIO_DISABLED' },
    ])
    await configure({ enabled: true, executionMode: 'halted' })
    expect(await run()).toMatchObject([403, { code: 'EXECUTION_HALTED' }])
    await configure({ executionMode: 'dry-run' })
    const [status, started] = await post<TickStarted>('/api/portfolio/trigger', {})
    expect([status, started.status]).toEqual([202, 'running'])
    await service.accept([])
    const path = new URL(started.statusUrl).pathname
    expect((await service.send<ServedTick>('GET', path))[1]).toMatchObject({
      id: started.tickId,
      status: 'completed',
    })
  })
})

describe('ticks and trades', () => {
  it('[portfolio.ticks.list] are paged as an array with a header, or in an envelope', async () => {
    for (let n = 0; n < 3; n++) {
      await service.clock.advance(1_000)
      const body = { status: 'failed', error: `run ${n}`, decisions: [{ reason: 'own rules' }] }
      expect(await post('/api/portfolio/ticks', body)).toEqual([200, { ok: true }])
    }
    const first = await service.ask('GET', '/api/portfolio/ticks?limit=2')
    const rows = JSON.parse(first.text) as ServedTick[]
    expect(rows).toMatchObject([
      { error: 'run 2', trigger: 'external', status: 'failed', mode: null },
      { error: 'run 1' },
    ])
    const [, page] = await service.send<TickPage>('GET', '/api/portfolio/ticks?limit=2&envelope=1')
    expect(page.data).toEqual(rows)
    expect(page.pageInfo).toMatchObject({ limit: 2, hasMore: true })
    const next = await ticks(`?limit=2&cursor=${page.pageInfo.nextCursor}`)
    expect(next).toMatchObject([{ error: 'run 0' }])
    expect(await ticks('?trigger=manual')).toEqual([])
    expect((await service.send('GET', '/api/portfolio/ticks?cursor=x'))[0]).toBe(400)
    expect((await service.send('GET', '/api/portfolio/ticks/pt_unknown'))[0]).toBe(404)
    const tooMany = { decisions: Array.from({ length: 201 }, () => ({})) }
    expect((await post('/api/portfolio/ticks', tooMany))[0]).toBe(400)
  })

  it('[portfolio.trades.reported] are journal rows only', async () => {
    const row = {
      venue: 'venue_a',
      marketId: TICKER,
      direction: 'buy_no',
      quantity: 5,
      entryPriceCents: 55,
    }
    expect(await post('/api/portfolio/trades', row)).toEqual([200, { ok: true }])
    expect((await post<{ error: string }>('/api/portfolio/trades', {}))[1].error).toContain(
      'are required',
    )
    const [trade] = await trades()
    expect(trade).toMatchObject({ ...row, costCents: 275, status: 'open', tickId: null })
    const [status, same] = await service.send('GET', `/api/portfolio/trades/${trade?.id}`)
    expect([status, same]).toEqual([200, trade])
    expect(await service.ledger()).toEqual([])
    const [, closed] = await service.send<ServedTrade[]>(
      'GET',
      '/api/portfolio/trades?status=closed',
    )
    expect(closed).toEqual([])
  })
})
