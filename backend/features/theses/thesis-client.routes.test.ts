import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missesOf } from '../../testing/thesis-client/shape.ts'
import { THESIS } from '../../testing/thesis-client/answers.ts'
import { ThesisClient } from '../../testing/thesis-client/thesis-client.ts'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'

const TITLE = 'Will the senate pass the shutdown bill by December 31, 2026?'
const CLAIM = 'The senate will pass the shutdown bill by December 31, 2026'
let service: TradingService
let client: ThesisClient
let id: string

beforeAll(async () => {
  service = await startTradingService(null)
  await service.describe({ title: TITLE })
  await service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
  const [, { key }] = await service.send<{ key: string }>('POST', '/api/keys', {})
  client = new ThesisClient(service.url, `Bearer ${key}`)
  ;({ id } = await client.createSync(`${CLAIM} because the house agrees`))
})
afterAll(() => service.stop())

// Each call throws when a field of the contract is missing or has another type.
describe('[theses.client.contract] a client that knows only the contract', () => {
  it('creates, lists and reads theses', async () => {
    const { thesisId, statusUrl } = await client.create(
      'The house will reject the bill by May 2027',
    )
    expect(statusUrl).toContain(`/api/thesis/${thesisId}`)
    await service.accept([])
    const { theses } = await client.list()
    expect(theses.map((row) => row.id).toSorted()).toEqual([id, thesisId].toSorted())
    const whole = await client.get(id)
    expect(whole.causalTree?.nodes.length).toBe(2)
    expect(whole.edgeAnalysis?.edges).toMatchObject([{ marketTitle: TITLE }])
  })

  it('sends signals, evaluates, and reads context, feed and what-ifs', async () => {
    expect((await client.signal(id, 'The house agrees with the senate')).pending).toBe(1)
    await service.quote({ bid: 74, ask: 76, bidSize: 500, askSize: 500 })
    const { evaluation } = await client.evaluate(id)
    const { edges, causalTree } = await client.context(id)
    expect(edges).toHaveLength(1)
    expect((await client.feed(24)).feed[0]?.thesisId).toBe(id)
    const projected = await client.whatIf(id, causalTree.nodes[0]?.id ?? '', 0.05)
    expect(projected.newConfidence).toBeLessThan(evaluation.newConfidence)
    expect(projected.edges).toHaveLength(1)
  })

  it('publishes, unpublishes, and lists strategies and edges', async () => {
    const { url, apiUrl } = await client.publish(id, 'by-a-client')
    expect([url, apiUrl].map((one) => one.slice(-19))).toEqual([
      expect.stringContaining('/thesis/by-a-client'),
      expect.stringContaining('/thesis/by-a-client'),
    ])
    expect(await client.unpublish(id)).toEqual({ unpublished: true })
    await client.addStrategy(id, TICKER, 60)
    expect((await client.strategies(id)).strategies).toMatchObject([
      { market: TITLE, entryBelow: 60 },
    ])
    const own = (await client.edges(new Date(service.clock.now()).toISOString())).edges.filter(
      ({ thesisId }) => thesisId === id,
    )
    expect(own).toMatchObject([{ ticker: TICKER, private: true }])
  })

  it('shows its dashboard', async () => {
    const [latest] = (await client.dashboard()).filter(({ edges }) => edges.length > 0)
    expect(latest).toMatchObject({ openPositions: 0, edges: [expect.stringContaining(TITLE)] })
    expect(latest?.delta).not.toBe(0)
  })

  it('would notice a missing and a wrongly typed field', async () => {
    const whole = (await client.get(id)) as object
    const broken = { ...whole, shortId: undefined, nodeCount: '2' }
    expect(missesOf(broken, THESIS)).toEqual([
      '$.shortId: expected string, got nothing',
      '$.nodeCount: expected number, got "2"',
    ])
  })
})
