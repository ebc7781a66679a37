import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EdgeList } from '../../contract/edges.ts'
import type { ThesisCloned, TreeAugmented } from '../../contract/theses/growth.ts'
import type {
  ThesesByTicker,
  ThesisChanges,
  ThesisContext,
  ThesisFeed,
  ThesisPrompt,
} from '../../contract/theses/reads.ts'
import type { ServedThesis, ThesisFormed, ThesisPage } from '../../contract/theses/thesis.ts'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
let formed: ThesisFormed
const TITLE = 'Will the senate pass the shutdown bill by December 31, 2026?'
const CLAIM = 'The senate will pass the shutdown bill by December 31, 2026'
const quote = (mid: number) =>
  service.quote({ bid: mid - 1, ask: mid + 1, bidSize: 500, askSize: 500 })
const now = (): string => new Date(service.clock.now()).toISOString()
const read = async <T>(path: string): Promise<T> => (await service.send<T>('GET', path))[1]
const form = async (rawThesis: string): Promise<ThesisFormed> =>
  (await service.send<ThesisFormed>('POST', '/api/thesis/create?sync=true', { rawThesis }))[1]
const errorOf = async (method: string, path: string, body?: object): Promise<string> => {
  const [status, { code, error }] = await service.send<{ code: string; error: string }>(
    method,
    path,
    body,
  )
  return `${status} ${code}: ${error}`
}
/** Instants after each state of the thesis. */
const at = { formed: '', moved: '', edited: '' }

beforeAll(async () => {
  service = await startTradingService(null)
  await service.describe({ title: TITLE })
  await quote(70)
  formed = await form(CLAIM)
  await service.send('POST', `/api/thesis/${formed.id}/publish`, { slug: 'shutdown-bill' })
  at.formed = now()
  await quote(80)
  await service.send('POST', `/api/thesis/${formed.id}/evaluate`, {})
  at.moved = now()
  await service.clock.advance(60_000)
  await service.send('POST', `/api/thesis/${formed.id}/nodes/update`, {
    nodeId: 'n1',
    probability: 0.2,
    reason: 'a <b>veto</b>',
  })
  at.edited = now()
  await service.clock.advance(60_000)
})
afterAll(() => service.stop())

describe('a thesis as of a past instant', () => {
  it('[theses.as-of.reads] is what it was then, in every read', async () => {
    const path = `/api/thesis/${formed.id}`
    const then = await read<ServedThesis>(`${path}?asOf=${at.formed}`)
    expect(then).toMatchObject({ confidence: 0.7, causalTree: { version: 1 } })
    expect(then.edgeAnalysis?.edges).toMatchObject([{ marketPrice: 70 }])
    expect(then.edgeAnalysis?.edges).toEqual(formed.edgeAnalysis?.edges)
    expect((await read<ServedThesis>(`${path}?asOf=${at.moved}`)).confidence).toBeGreaterThan(0.7)
    expect((await read<ServedThesis>(path)).confidence).toBe(0.2)
    const list = await read<ThesisPage>(`/api/thesis?asOf=${at.formed}`)
    expect(list.data).toMatchObject([{ id: formed.id, confidence: 0.7 }])
    const before = new Date(Date.parse(formed.createdAt) - 1).toISOString()
    expect((await read<ThesisPage>(`/api/thesis?asOf=${before}`)).data).toEqual([])
    expect(await errorOf('GET', `${path}?asOf=${before}`)).toBe('404 NOT_FOUND: Thesis not found')
    expect(await errorOf('GET', `${path}?asOf=2030-01-01`)).toContain('asOf is in the future')
    const context = await read<ThesisContext>(`${path}/context?asOf=${at.formed}`)
    expect(context).toMatchObject({ confidence: 0.7, edges: [{ marketPrice: 70 }] })
    expect(context.evaluationHistory).toHaveLength(1)
  })

  it('[theses.as-of.edges] has the edges that it had then', async () => {
    const edges = async (asOf: string) =>
      (
        JSON.parse(
          (await service.ask('GET', `/api/edges?asOf=${asOf}`, undefined, null)).text,
        ) as EdgeList
      ).edges.map(({ ticker, thesisPrice, marketPrice }) => [ticker, thesisPrice, marketPrice])
    const [found] = formed.edgeAnalysis?.edges ?? []
    expect(await edges(at.formed)).toMatchObject([
      [TICKER, expect.closeTo(found?.thesisImpliedPrice ?? 0, 1), 70],
    ])
    const [moved] = await edges(at.moved)
    expect(moved?.[2]).toBe(80)
    const [edited] = await edges(at.edited)
    expect(Number(edited?.[1])).toBeLessThan(80)
  })

  it('survives a restart', async () => {
    await service.restart()
    const then = await read<ServedThesis>(`/api/thesis/${formed.id}?asOf=${at.formed}`)
    expect(then.confidence).toBe(0.7)
  })
})

describe('reads of a thesis', () => {
  it('[theses.context.whole] give its tree, edges with depth, history and next requests', async () => {
    const context = await read<ThesisContext>(`/api/thesis/${formed.id}/context`)
    expect(context).toMatchObject({
      thesis: CLAIM,
      causalTree: { nodes: [{ id: 'n1', depth: 0, parentId: null, probability: 0.2 }] },
      edges: [{ marketId: TICKER, orderbook: { bidPrice: 79, askPrice: 81 } }],
      trackRecord: { closedEdges: 0, brier: null, evaluations: 3, edges: [] },
    })
    expect(context.evaluationHistory.map(({ confidence }) => confidence)[0]).toBe(0.2)
    const flat = await read<ThesisContext>(`/api/thesis/${formed.id}/context?depth=false`)
    expect(flat.edges[0]).not.toHaveProperty('orderbook')
  })

  it('[theses.changes.since] say what changed since a time', async () => {
    const path = `/api/thesis/${formed.id}/changes`
    const changes = await read<ThesisChanges>(`${path}?since=${at.moved}`)
    expect(changes).toMatchObject({
      changed: true,
      confidence: 0.2,
      evaluationCount: 1,
      statusChangedFrom: null,
      nodes: [{ nodeId: 'n1', to: 0.2 }],
      edges: [{ marketId: TICKER, kind: 'flipped' }],
    })
    expect(await read<ThesisChanges>(`${path}?since=${at.edited}`)).toMatchObject({
      changed: false,
    })
    expect(await errorOf('GET', `${path}?since=2030-01-01`)).toContain('since is in the future')
  })

  it('[theses.prompt.fenced] give a text for a model with foreign text fenced', async () => {
    const prompt = await read<ThesisPrompt>(`/api/thesis/${formed.id}/prompt`)
    const order = ['## Claim', '## Tree', '## Edges', '## Open positions', '## Last evaluations']
    const places = order.map((title) => prompt.prompt.indexOf(title))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(prompt.prompt).not.toContain('<b>')
    const { text } = await service.ask('GET', `/api/thesis/${formed.id}/prompt?format=markdown`)
    expect(text).toBe(prompt.prompt)
  })

  it('[theses.feed.own] list the evaluations of all own theses', async () => {
    const feed = await read<ThesisFeed>('/api/feed?hours=1')
    expect(feed).toMatchObject({ hours: 1, count: 3 })
    expect(feed.feed[0]).toMatchObject({
      thesisId: formed.id,
      title: formed.title,
      updatedNodes: [{ nodeId: 'n1', newProb: 0.2 }],
    })
    expect((await read<ThesisFeed>(`/api/feed?asOf=${at.formed}`)).count).toBe(1)
  })

  it('[theses.by-ticker.visible] list the theses with an edge in a market', async () => {
    const path = `/api/thesis/by-ticker/${TICKER}`
    const ask = async (url: string) =>
      JSON.parse((await service.ask('GET', url, undefined, null)).text) as ThesesByTicker
    const { count, theses } = await ask(path)
    expect([count, theses]).toMatchObject([1, [{ slug: 'shutdown-bill', private: false }]])
    expect(theses[0]).not.toHaveProperty('thesisId')
    const before = new Date(Date.parse(formed.createdAt) - 1).toISOString()
    expect(await ask(`${path}?asOf=${before}`)).toMatchObject({ count: 0 })
    expect(await ask('/api/thesis/by-ticker/KXNONE')).toMatchObject({ error: 'Market not found' })
  })
})

describe('a fork', () => {
  it('[theses.fork.clone] copies claim, tree and edges and nothing private', async () => {
    const [status, clone] = await service.send<ThesisCloned>(
      'POST',
      `/api/thesis/${formed.id}/fork`,
      { reason: 'another view' },
    )
    expect([status, clone.mode]).toEqual([201, 'clone'])
    const copy = await read<ServedThesis>(`/api/thesis/${clone.id}`)
    expect(copy).toMatchObject({
      title: `${formed.title} (fork)`,
      confidence: 0.2,
      forkedFrom: { id: formed.id, reason: 'another view' },
      lastEvaluation: null,
    })
    await service.send('DELETE', `/api/thesis/${clone.id}`)
  })

  it('[theses.fork.evolve] continues under another claim and makes the parent dormant', async () => {
    const parent = await form('The senate will pass the shutdown bill by the end of December 2026')
    const body = {
      newRawThesis: 'The senate will pass the shutdown bill in January 2027',
      inheritEdgeMarketIds: [TICKER],
    }
    const fork = `/api/thesis/${parent.id}/fork?sync=true`
    expect(await errorOf('POST', fork, { ...body, inheritEdgeMarketIds: ['KXNO'] })).toContain(
      'KXNO is not an edge of the parent',
    )
    expect(await errorOf('POST', fork, { newRawThesis: 'Buy it' })).toContain('THESIS_TOO_SHORT')
    const [status, child] = await service.send<ThesisFormed & { parentStatus: string }>(
      'POST',
      fork,
      body,
    )
    expect(status).toBe(200)
    expect(child).toMatchObject({ parentId: parent.id, parentStatus: 'dormant', status: 'active' })
    expect(child.edgeCount).toBe(1)
    expect(await read(`/api/thesis/${parent.id}`)).toMatchObject({ status: 'dormant' })
    expect(await errorOf('POST', fork, body)).toContain('409 THESIS_NOT_ACTIVE')
  })

  it('[theses.create.inherits] takes over edges of own theses into a new one', async () => {
    await form('The senate will pass the shutdown bill before January 2027')
    const create = '/api/thesis/create?sync=true'
    const claim = { rawThesis: 'The bakery at the corner will win a prize in 2027' }
    expect(await errorOf('POST', create, { ...claim, inheritEdgeMarketIds: ['KXNO'] })).toContain(
      'KXNO is not an edge of your theses',
    )
    const sent = { ...claim, inheritEdgeMarketIds: [TICKER] }
    const [, { id, edgeCount }] = await service.send<ThesisFormed>('POST', create, sent)
    expect(edgeCount).toBe(1)
    await service.send('POST', `/api/thesis/${id}/nodes/update`, { nodeId: 'n1', probability: 0.9 })
    const { edgeAnalysis } = await read<ServedThesis>(`/api/thesis/${id}`)
    expect(edgeAnalysis?.edges).toMatchObject([{ marketId: TICKER, inherited: true }])
  })
})

describe('augmenting a tree', () => {
  it('[theses.augment.append-only] adds conditions and changes none', async () => {
    const thesis = await form('Congress will fund the government before February 2027')
    const path = `/api/thesis/${thesis.id}/augment`
    const [, augmented] = await service.send<TreeAugmented>('POST', path, { depth: 2 })
    const before = thesis.causalTree?.nodes[0]
    expect(augmented.confidence).toBe(thesis.confidence)
    expect(augmented.causalTree.nodes[0]).toMatchObject({
      id: before?.id,
      label: before?.label,
      probability: before?.probability,
      importance: before?.importance,
    })
    expect(augmented).toMatchObject({ model: 'rules-1', cost: { usd: 0 } })
    expect(await errorOf('POST', path, { focusNodeId: 'n9' })).toContain('nodeId n9 not found')
    expect(await errorOf('POST', path, { depth: 4 })).toContain('depth must be an integer')
  })
})

describe('a settlement', () => {
  it('[theses.settlement.scores] resolves the claim, closes positions and scores the edge', async () => {
    const path = `/api/thesis/${formed.id}`
    await service.send('POST', `${path}/nodes/update`, { nodeId: 'n1', probability: 0.6 })
    await service.send('POST', `${path}/positions`, {
      venue: 'venue_a',
      externalMarketId: TICKER,
      marketTitle: TITLE,
      direction: 'yes',
      entryPrice: 70,
      size: 10,
    })
    const other = await form(CLAIM.replace('The senate', 'The whole senate'))
    await service.send('POST', `/api/thesis/${other.id}/publish`, { slug: 'whole-senate' })
    const publicEdges = async () => {
      const { text } = await service.ask('GET', `/api/edges?asOf=${now()}`, undefined, null)
      return (JSON.parse(text) as EdgeList).edges.filter(
        ({ thesisSlug }) => thesisSlug === 'whole-senate',
      )
    }
    expect(await publicEdges()).toHaveLength(1)
    await service.describe({
      title: TITLE,
      status: 'settled',
      result: 'yes',
      settlementPrice: 10_000 as never,
    })
    await service.send('POST', `${path}/evaluate`, {})
    const resolved = await read<ServedThesis>(path)
    expect(resolved).toMatchObject({ status: 'resolved', outcome: 'yes', confidence: 1 })
    expect(resolved.positions).toMatchObject([
      { exitPrice: 100, exitReason: 'settlement', realizedPnlCents: 300 },
    ])
    expect(resolved.edgeAnalysis?.edges).toMatchObject([
      { direction: 'yes', edgeSize: null, executableEdge: null, settled: true },
    ])
    // Also before the other thesis is evaluated.
    expect(await publicEdges()).toEqual([])
    const { trackRecord } = await read<ThesisContext>(`${path}/context`)
    expect(trackRecord).toMatchObject({ closedEdges: 1, winRate: 1 })
    const thesisPrice = formed.edgeAnalysis?.edges[0]?.thesisImpliedPrice ?? 0
    expect(trackRecord.brier).toBeCloseTo((1 - thesisPrice / 100) ** 2, 4)
    expect(trackRecord.marketBrier).toBeCloseTo(0.09, 4)
    expect(trackRecord.benchmarkPct).toBeCloseTo(42.86, 2)
    // YES bought at 71 and a fee.
    expect(trackRecord.avgReturnPct).toBeGreaterThan(35)
    expect(trackRecord.avgReturnPct).toBeLessThan(40.9)
  })
})
