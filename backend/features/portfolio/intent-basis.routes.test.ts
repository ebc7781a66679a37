import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IntentPage } from '../../contract/orders/intents.ts'
import type { RowCreated } from '../../contract/theses/holdings.ts'
import type { ServedThesis, ThesisFormed } from '../../contract/theses/thesis.ts'
import { deleteThesisOnly } from '../../testing/deleted-thesis.store.ts'
import {
  BUY,
  startTradingService,
  TICKER,
  type TradingService,
} from '../../testing/trading-service.ts'

const STRATEGY = { marketId: TICKER, direction: 'yes', entryBelow: 55 }
/** An intent that stays open. */
const WAITING = { ...BUY, triggerType: 'price_below', triggerPrice: 5, autoExecute: false }

let service: TradingService
beforeAll(async () => {
  service = await startTradingService()
  await service.describe({ title: 'Will the senate pass the shutdown bill by December 31, 2026?' })
  await service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
})
afterAll(() => service.stop())

const newThesis = async (chamber = 'senate'): Promise<string> =>
  (
    await service.send<ThesisFormed>('POST', '/api/thesis/create?sync=true', {
      rawThesis: `The ${chamber} will pass the shutdown bill by December 31, 2026`,
    })
  )[1].id
const newStrategy = async (thesis: string): Promise<string> =>
  (await service.send<RowCreated>('POST', `/api/thesis/${thesis}/strategies`, STRATEGY))[1].id
const idsOf = async (query: string): Promise<string[]> =>
  (await service.send<IntentPage>('GET', `/api/intents?${query}`))[1].data.map(({ id }) => id)

describe('an intent of a thesis', () => {
  it('[intents.thesis.named] carries it and its strategy into the ledger and the position', async () => {
    const thesisId = await newThesis()
    const strategyId = await newStrategy(thesisId)
    const created = await service.intend({ ...BUY, strategyId, source: 'strategy' })
    expect(created).toMatchObject({ thesisId, strategyId, source: 'strategy' })
    const short = await service.intend({ ...WAITING, thesisId: thesisId.slice(0, 8) })
    expect(short).toMatchObject({ thesisId, strategyId: null })
    const other = await service.intend(WAITING)
    expect(await idsOf(`thesisId=${thesisId}`)).toEqual([short.id, created.id])

    await service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
    expect(await service.intent(created.id)).toMatchObject({ status: 'filled' })
    const fills = await service.ledger(`?eventType=fill&thesisId=${thesisId}`)
    expect(fills).toMatchObject([{ thesisId, strategyId, intentId: created.id }])
    expect(await service.ledger('?eventType=fill&thesisId=none')).toEqual([])
    expect(await service.positions(`?thesisId=${thesisId}`)).toMatchObject([
      { thesisId, strategyId, quantity: 10 },
    ])
    expect(await service.positions('?thesisId=none')).toEqual([])
    await service.send('DELETE', `/api/intents/${short.id}`)
    await service.send('DELETE', `/api/intents/${other.id}`)
  })

  it('[portfolio.gates.theses] is held by the edge and the confidence of its thesis', async () => {
    const thesisId = await newThesis()
    const { edgeAnalysis } = (await service.send<ServedThesis>('GET', `/api/thesis/${thesisId}`))[1]
    const edge = edgeAnalysis?.edges.find(({ marketId }) => marketId === TICKER)
    if (edge === undefined) throw new Error('the thesis is bound to no market')
    const limits = { minEdgeCents: 0.01, minThesisConfidence: 0.01 }
    await service.send('PUT', '/api/portfolio/config', limits)
    const gateOf = async (body: object) => {
      await service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
      const { gates } = await service.intend({ ...BUY, targetQuantity: 30, ...body })
      return gates.filter(({ gate }) => gate === 'min_edge' || gate === 'thesis_confidence')
    }
    const against = edge.direction === 'yes' ? 'no' : 'yes'
    expect(await gateOf({ thesisId, direction: edge.direction, maxPrice: null })).toMatchObject([
      { gate: 'min_edge', value: edge.executableEdge },
      { gate: 'thesis_confidence', passed: true },
    ])
    expect(await gateOf({ thesisId, direction: against, maxPrice: null })).toMatchObject([
      { gate: 'min_edge', passed: false, note: null },
      { gate: 'thesis_confidence', passed: true },
    ])
    expect(await gateOf({})).toMatchObject([
      { passed: false, value: null, note: 'the order follows no thesis' },
      { passed: false, value: null },
    ])
    const none = { minEdgeCents: 0, minThesisConfidence: 0 }
    await service.send('PUT', '/api/portfolio/config', none)
  })

  it('is refused when the strategy is of another thesis', async () => {
    const [one, another] = [await newThesis(), await newThesis('house')]
    const body = { ...WAITING, thesisId: one, strategyId: await newStrategy(another) }
    const [status, { error }] = await service.send<{ error: string }>('POST', '/api/intents', body)
    expect([status, error]).toEqual([404, 'Strategy not found'])
  })

  it('[intents.thesis.deleted] is cancelled with its strategy or its thesis, and keeps their ids', async () => {
    const thesisId = await newThesis()
    const strategyId = await newStrategy(thesisId)
    const ofStrategy = await service.intend({ ...WAITING, strategyId })
    const ofThesis = await service.intend({ ...WAITING, thesisId })
    const ofNone = await service.intend(WAITING)
    await service.send('DELETE', `/api/thesis/${thesisId}/strategies/${strategyId}`)
    expect(await service.intent(ofStrategy.id)).toMatchObject({
      status: 'cancelled',
      statusReason: 'strategy_deleted',
      strategyId,
    })
    expect(await service.intent(ofThesis.id)).toMatchObject({ status: 'armed' })
    await service.send('DELETE', `/api/thesis/${thesisId}`)
    expect(await service.intent(ofThesis.id)).toMatchObject({
      status: 'cancelled',
      statusReason: 'thesis_deleted',
      thesisId,
    })
    expect(await service.intent(ofNone.id)).toMatchObject({ status: 'armed' })
  })

  it('is cancelled at the next start when the service ended between the two', async () => {
    const thesisId = await newThesis()
    const open = await service.intend({ ...WAITING, thesisId })
    deleteThesisOnly(service.dataDir, thesisId)
    await service.restart()
    expect(await service.intent(open.id)).toMatchObject({
      status: 'cancelled',
      statusReason: 'thesis_deleted',
    })
  })
})
