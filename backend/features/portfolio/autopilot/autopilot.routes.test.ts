import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryPage } from '../../../contract/orders/deliveries.ts'
import type { ServedTick, TickFinished } from '../../../contract/orders/ticks.ts'
import type { ServedConfig, ServedState } from '../../../contract/portfolio.ts'
import type { RowCreated } from '../../../contract/theses/holdings.ts'
import type { ThesisFormed } from '../../../contract/theses/thesis.ts'
import type { Tick, TickPhase } from '../../../domain/portfolio/tick.ts'
import { interruptTick } from '../../../testing/interrupted-tick.store.ts'
import {
  startTradingService,
  TICKER,
  type TradingService,
} from '../../../testing/trading-service.ts'

let service: TradingService
beforeEach(async () => {
  service = await startTradingService()
  await service.describe({ title: 'Will the senate pass the shutdown bill by December 31, 2026?' })
  await service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
})
afterEach(() => service.stop())

const configure = async (change: object): Promise<ServedConfig> =>
  (await service.send<ServedConfig>('PUT', '/api/portfolio/config', change))[1]
const ticks = async (query = ''): Promise<ServedTick[]> =>
  (await service.send<ServedTick[]>('GET', `/api/portfolio/ticks${query}`))[1]
/** A tick that bought for a strategy. */
async function bought(quantity = 10): Promise<ServedTick> {
  const rawThesis = 'The senate will pass the shutdown bill by December 31, 2026'
  const path = '/api/thesis/create?sync=true'
  const [, { id }] = await service.send<ThesisFormed>('POST', path, { rawThesis })
  await service.send<RowCreated>('POST', `/api/thesis/${id}/strategies`, {
    marketId: TICKER,
    direction: 'yes',
    entryBelow: 50,
    perOrderQuantity: quantity,
    maxQuantity: quantity,
  })
  await service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
  const [, { tick }] = await service.send<TickFinished>('POST', '/api/portfolio/trigger?sync=1', {})
  expect(tick.actions).toMatchObject([{ outcome: 'filled' }])
  return tick
}

describe('a stop in the middle of a tick', () => {
  it('leaves a running tick that ran elsewhere as it was reported', async () => {
    const reported = { status: 'running', phase: 'execute', balanceCents: 5 }
    await service.send('POST', '/api/portfolio/ticks', reported)
    await service.restart()
    expect(await ticks()).toMatchObject([{ ...reported, trigger: 'external', finishedAt: null }])
  })

  it.each<[TickPhase, object]>([
    ['decide', { status: 'interrupted', actions: [{ outcome: 'none' }] }],
    ['gate', { status: 'interrupted', actions: [{ outcome: 'none' }] }],
    ['execute', { status: 'interrupted', actions: [{ outcome: 'none' }] }],
    ['settle', { status: 'completed', openPositionCount: 1 }],
  ])('[portfolio.ticks.restart] in %s sends nothing again', async (phase, expected) => {
    const { id } = await bought()
    const before = await service.ledger()
    const stored: Partial<Tick> = { phase }
    if (phase !== 'settle') {
      const [, tick] = await service.send<ServedTick>('GET', `/api/portfolio/ticks/${id}`)
      const decisions = tick.decisions as unknown as Tick['decisions']
      Object.assign(stored, {
        decisions: decisions.map((one) => ({ ...one, outcome: 'unknown', filledQuantity: 0 })),
      })
    }
    interruptTick(service.dataDir, id, stored)
    await service.restart()
    const [tick] = await ticks()
    expect(tick).toMatchObject({ id, phase: 'done', ...expected })
    expect(await service.ledger()).toEqual(before)
    const [status] = await service.send('POST', '/api/portfolio/trigger?sync=1', {})
    expect(status).toBe(200)
    expect(await service.ledger()).toEqual(before)
  })

  it('[portfolio.ticks.restart] in settle of one that failed keeps it failed', async () => {
    const { id } = await bought()
    interruptTick(service.dataDir, id, { phase: 'settle', error: 'tick timed out' })
    await service.restart()
    expect(await ticks()).toMatchObject([
      { id, status: 'failed', phase: 'done', error: 'tick timed out', openPositionCount: 1 },
    ])
  })
})

describe('the drawdown', () => {
  it('[portfolio.halt.event] is noticed at its warning, and halts with an event, each once', async () => {
    const created = { url: 'https://93.184.215.14:9443/hook', events: ['portfolio.halt_triggered'] }
    const [, endpoint] = await service.send<{ id: string }>(
      'POST',
      '/api/webhook-endpoints',
      created,
    )
    const at = `/api/webhook-endpoints/${endpoint.id}`
    // It is public and never reached: it is paused before the event.
    await service.send('PATCH', at, { state: 'paused' })
    await configure({ maxDrawdownHaltCents: 200, drawdownWarnCents: 100 })
    await bought()
    const fall = async (bid: number): Promise<void> => {
      await service.quote({ bid, ask: bid + 2, bidSize: 50, askSize: 50 })
      await service.clock.advance(60_000)
      await service.accept([])
    }
    const messages = async (): Promise<string[]> => {
      const [, page] = await service.send<DeliveryPage>('GET', '/api/alert-deliveries')
      const notices = page.data.filter(({ channel }) => channel === 'desktop')
      return notices.map(({ message }) => message).filter((one) => one.includes('drawdown'))
    }
    await fall(33)
    await fall(32)
    expect(await messages()).toEqual(['The drawdown of $1.28 reached the warning of $1.00'])
    await fall(20)
    await fall(19)
    expect(await messages()).toEqual([
      'Trading is halted: the drawdown of $2.58 reached the limit of $2.00',
      'The drawdown of $1.28 reached the warning of $1.00',
    ])
    const [, sent] = await service.send<DeliveryPage>('GET', `${at}/deliveries`)
    expect(sent.data.map(({ event }) => event)).toEqual(['portfolio.halt_triggered'])
    expect((await configure({ executionMode: 'dry-run' })).haltedAt).toBeNull()
    const [, state] = await service.send<ServedState>('GET', '/api/portfolio/state')
    expect(state.ticksSinceLoss).toBe(0)
    const [, { tick }] = await service.send<TickFinished>(
      'POST',
      '/api/portfolio/trigger?sync=1',
      {},
    )
    expect(tick.haltTriggered).toBe(false)
  })
})
