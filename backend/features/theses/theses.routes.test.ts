import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  EvaluationPage,
  PublicThesis,
  ServedThesis,
  SignalQueued,
  ThesisEvaluated,
  ThesisFormed,
  ThesisPage,
  ThesisPublished,
  ThesisQueued,
  TreeEdited,
  WhatIfAnswer,
} from '../../contract/theses/thesis.ts'
import type { Theses } from '../../contract/reference.ts'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
beforeAll(async () => {
  service = await startTradingService(null)
  await service.describe({ title: 'Will the senate pass the shutdown bill by December 31, 2026?' })
  await service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
})
afterAll(() => service.stop())

const CLAIM = 'The senate will pass the shutdown bill by December 31, 2026'
const form = async (claim: string): Promise<ThesisFormed> => {
  // At most 20 theses may be made in a minute.
  await service.clock.advance(10_000)
  const [status, created] = await service.send<ThesisFormed>(
    'POST',
    '/api/thesis/create?sync=true',
    {
      rawThesis: claim,
    },
  )
  expect(status).toBe(200)
  return created
}
const errorOf = async (method: string, path: string, body?: object): Promise<string> => {
  const [status, { code, error }] = await service.send<{ code: string; error: string }>(
    method,
    path,
    body,
  )
  return `${status} ${code}: ${error}`
}
const read = async <T>(path: string): Promise<T> => (await service.send<T>('GET', path))[1]

describe('a new thesis', () => {
  it('[theses.create.rules] is formed without a model: conditions at market odds, edges with their derivation', async () => {
    const created = await form(`${CLAIM} because the bakery will win a prize`)
    expect(created).toMatchObject({
      success: true,
      status: 'active',
      confidence: 0.6333,
      horizon: '2026-12-31',
      formation: { step: 'done', synthesis: 'rules' },
      lastEvaluation: { model: 'rules-1', newConfidence: 0.6333, cost: { usd: 0 } },
    })
    expect(created.causalTree?.nodes).toMatchObject([
      { id: 'n1', label: CLAIM, probability: 0.7, importance: 0.6667, tickers: [TICKER], depth: 0 },
      { id: 'n2', label: 'The bakery will win a prize', probability: 0.5, tickers: [] },
    ])
    const [edge, ...others] = created.edgeAnalysis?.edges ?? []
    expect(others).toEqual([])
    expect(edge).toMatchObject({
      marketId: TICKER,
      direction: 'yes',
      marketPrice: 70,
      relatedNodeId: 'n1',
      rationale: expect.stringContaining(CLAIM),
    })
    expect(edge?.edgeSize).toBeCloseTo((edge?.thesisImpliedPrice ?? 0) - 70, 2)
    expect(edge?.thesisImpliedPrice).toBeGreaterThan(71)
  })

  it('[theses.create.queued] is answered at once and formed in the background, once for equal texts', async () => {
    const claim = 'The house will pass the shutdown bill by January 15, 2027'
    const body = { rawThesis: claim }
    const created = await Promise.all([
      service.send<ThesisQueued>('POST', '/api/thesis/create', body),
      service.send<ThesisQueued>('POST', '/api/thesis/create', {
        rawThesis: `  ${claim.toUpperCase()}`,
      }),
    ])
    expect(created.map(([status]) => status)).toEqual([202, 202])
    const ids = new Set(created.map(([, { id }]) => id))
    expect(ids.size).toBe(1)
    expect(created.map(([, answer]) => 'existing' in answer).sort()).toEqual([false, true])
    await service.accept([])
    const [id = ''] = ids
    expect(await read<ServedThesis>(`/api/thesis/${id}`)).toMatchObject({ status: 'active', id })
  })

  it('[theses.create.refused] is refused with a code, a reason and a hint', async () => {
    const [status, refused] = await service.send<object>('POST', '/api/thesis/create', {
      rawThesis: 'Buy the shutdown contracts at 40 cents',
    })
    expect(status).toBe(400)
    expect(refused).toEqual({
      code: 'THESIS_NOT_A_CLAIM',
      reason: 'action',
      error: 'This is an order, not a claim',
      hint: expect.stringContaining('what you expect to happen'),
    })
    expect(await errorOf('POST', '/api/thesis/create', {})).toBe(
      '400 VALIDATION_ERROR: rawThesis is required',
    )
    expect(
      await errorOf('POST', '/api/thesis/create', { rawThesis: CLAIM, webhookUrl: 'http://a.b' }),
    ).toBe('400 URL_REFUSED: url refused: url must use https')
  })
})

describe('a thesis', () => {
  it('[theses.status.moves] changes its state as the contract allows', async () => {
    const { shortId } = await form('Rain will fall in Lisbon before March 2027')
    const path = `/api/thesis/${shortId}`
    const to = async (body: object) => (await service.send<ServedThesis>('PATCH', path, body))[1]
    expect(await to({ status: 'paused', title: 'Rain' })).toMatchObject({
      status: 'paused',
      title: 'Rain',
    })
    expect(await to({ status: 'monitoring' })).toMatchObject({ status: 'active' })
    expect(await errorOf('PATCH', path, { status: 'resolved' })).toBe(
      '400 VALIDATION_ERROR: outcome is required with status resolved',
    )
    expect(await to({ status: 'resolved', outcome: 'no' })).toMatchObject({ outcome: 'no' })
    expect(await errorOf('PATCH', path, { status: 'killed' })).toBe(
      '409 INVALID_TRANSITION: cannot change status from resolved to killed',
    )
    expect(await errorOf('POST', `${path}/evaluate`, {})).toBe(
      '409 THESIS_NOT_ACTIVE: the thesis is resolved, not active',
    )
    expect(await to({ status: 'active' })).toMatchObject({ status: 'active', outcome: null })
    expect(await errorOf('PATCH', path, { colour: 'red' })).toBe(
      '400 VALIDATION_ERROR: No valid fields to update',
    )
    expect((await service.send('DELETE', path))[1]).toEqual({ ok: true })
    expect(await errorOf('GET', path)).toBe('404 NOT_FOUND: Thesis not found')
  })

  it('[theses.evaluate.signals] is evaluated by each signal once and by the moves of its markets', async () => {
    await service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
    const { id } = await form('The senate will pass the shutdown bill by the end of December 2026')
    const [, queued] = await service.send<SignalQueued>('POST', `/api/thesis/${id}/signal`, {
      type: 'news',
      source: 'wire',
      content: 'Senate passes the shutdown bill',
    })
    expect(queued).toMatchObject({ pending: 1 })
    const evaluate = async () =>
      (await service.send<ThesisEvaluated>('POST', `/api/thesis/${id}/evaluate`, {}))[1].evaluation
    const first = await evaluate()
    expect(first).toMatchObject({ previousConfidence: 0.7, model: 'rules-1' })
    // logit(.7) + .25 x .8
    expect(first.newConfidence).toBe(0.7403)
    expect(first.signalsConsumed.map((signal) => signal.id)).toEqual([queued.id])
    expect(await evaluate()).toMatchObject({ newConfidence: 0.7403, signalsConsumed: [] })
    await service.quote({ bid: 79, ask: 81, bidSize: 500, askSize: 500 })
    const moved = await evaluate()
    expect(moved.newConfidence).toBeGreaterThan(0.76)
    expect(moved.updatedNodes[0]?.reason).toContain('from 70¢ to 80¢')
    const page = await read<EvaluationPage>(`/api/thesis/${id}/evaluations?raw=true&limit=2`)
    expect(page.data.map((row) => 'newConfidence' in row && row.newConfidence)).toEqual([
      moved.newConfidence,
      0.7403,
    ])
    const next = page.pageInfo.nextCursor ?? ''
    expect(await errorOf('GET', `/api/thesis/${id}/evaluations?cursor=${next}`)).toBe(
      '400 VALIDATION_ERROR: cursor is invalid',
    )
    const rest = await read<EvaluationPage>(
      `/api/thesis/${id}/evaluations?raw=true&limit=2&cursor=${next}`,
    )
    expect(rest.data).toHaveLength(2)
    expect((await read<EvaluationPage>(`/api/thesis/${id}/evaluations`)).data).toMatchObject([
      { open: 0.7, close: moved.newConfidence, low: 0.7, count: 4, delta: null },
    ])
    await service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
  })

  it('[theses.evaluate.signals] repeats of a story move it less, also in the next evaluation', async () => {
    await service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
    const { id } = await form('The senate will pass the shutdown bill by the end of 2026')
    const story = { type: 'news', source: 'wire', content: 'Senate passes the shutdown bill' }
    const confidences: (number | null)[] = []
    for (let n = 0; n < 2; n += 1) {
      await service.send('POST', `/api/thesis/${id}/signal`, story)
      const [, { evaluation }] = await service.send<ThesisEvaluated>(
        'POST',
        `/api/thesis/${id}/evaluate`,
        {},
      )
      confidences.push(evaluation.newConfidence)
    }
    // logit(.7) + .25 x .8, then half of it
    expect(confidences).toEqual([0.7403, 0.7591])
  })

  it('[theses.signal.refused] refuses a signal without type or content, or for an unknown condition', async () => {
    const { id } = await form('The senate will not adjourn before December 20, 2026')
    const send = (body: object) => errorOf('POST', `/api/thesis/${id}/signal`, body)
    expect(await send({ type: 'news' })).toBe('400 VALIDATION_ERROR: type and content are required')
    expect(await send({ type: 'news', content: ' ' })).toBe(
      '400 VALIDATION_ERROR: type and content are required',
    )
    expect(await send({ type: 'News!', content: 'x' })).toContain('type must be lower case')
    expect(await send({ type: 'news', content: 'x', nodeId: 'n9' })).toBe(
      '400 VALIDATION_ERROR: nodeId n9 not found',
    )
    const later = { type: 'news', content: 'x', occurredAt: '2030-01-01T00:00:00.000Z' }
    expect(await send(later)).toContain('occurredAt must not be in the future')
  })

  it('[theses.tree.edit] takes an edit whole or not at all, and records it', async () => {
    const { id } = await form('Gold will trade above $5,000 before April 2027')
    const path = `/api/thesis/${id}/nodes/update`
    const [, edited] = await service.send<TreeEdited>('POST', path, {
      updates: [{ nodeId: 'n1', probability: 0.8, importance: 0.6 }],
      add: [{ parentId: null, label: 'Real yields fall', probability: 0.4, importance: 0.4 }],
      ifVersion: 1,
      reason: 'central banks buy',
    })
    expect(edited).toMatchObject({
      previousConfidence: 0.5,
      confidence: 0.64,
      confidenceDelta: 0.14,
      changed: ['n1', 'n2'],
      causalTree: { version: 2, nodes: [{ importance: 0.6 }, { id: 'n2', origin: 'user' }] },
    })
    expect(await errorOf('POST', path, { nodeId: 'n1', locked: true, ifVersion: 1 })).toBe(
      '409 TREE_CHANGED: the tree has changed since: read it again and edit version 2',
    )
    expect(
      await errorOf('PATCH', `/api/thesis/${id}/nodes`, {
        updates: [
          { nodeId: 'n1', probability: 0.1 },
          { nodeId: 'n7', probability: 0.1 },
        ],
      }),
    ).toBe('400 VALIDATION_ERROR: nodeId n7 not found')
    expect(await errorOf('POST', path, { remove: ['n1', 'n2'] })).toBe(
      '400 VALIDATION_ERROR: the last top-level node cannot be removed',
    )
    expect(await errorOf('POST', path, {})).toContain('must contain 1 to 100 changes')
    const thesis = await read<ServedThesis>(`/api/thesis/${id}`)
    expect(thesis).toMatchObject({ confidence: 0.64, causalTree: { version: 2 } })
    expect(thesis.lastEvaluation).toMatchObject({
      model: 'manual',
      summary: 'Tree edited: confidence 50% to 64% (central banks buy).',
    })
  })

  it('[theses.kill.fires] is killed by an evaluation that meets a kill condition, once', async () => {
    const { id } = await form('The shutdown will end before December 24, 2026')
    const killCondition = { text: 'nobody believes it', op: 'prob_below', value: 0.6 }
    await service.send('POST', `/api/thesis/${id}/nodes/update`, { nodeId: 'n1', killCondition })
    const evaluate = () => service.send<ThesisEvaluated>('POST', `/api/thesis/${id}/evaluate`, {})
    const [, killed] = await evaluate()
    expect(killed).toMatchObject({
      status: 'killed',
      evaluation: { killConditions: [{ nodeId: 'n1', triggered: true }] },
    })
    await service.send('PATCH', `/api/thesis/${id}`, { status: 'active' })
    expect((await evaluate())[1].status).toBe('active')
  })

  it('[theses.what-if.writes-nothing] shows other probabilities and stores nothing', async () => {
    const { id, updatedAt } = await form(
      'The senate will pass the shutdown bill by year end of 2026',
    )
    const path = `/api/thesis/${id}/whatif`
    const [, answer] = await service.send<WhatIfAnswer>('POST', path, {
      overrides: [{ nodeId: 'n1', newProb: 0.35 }],
    })
    expect(answer).toMatchObject({
      oldConfidence: 0.7,
      newConfidence: 0.35,
      confidenceDelta: -0.35,
    })
    const [edge] = answer.edges
    expect(edge?.newEdge).toBeCloseTo((edge?.oldEdge ?? 0) / 2, 2)
    expect(await read(`/api/thesis/${id}`)).toMatchObject({ updatedAt, confidence: 0.7 })
    const refused = (overrides: unknown) => errorOf('POST', path, { overrides })
    expect(await refused({ n9: 0.5 })).toBe('400 VALIDATION_ERROR: nodeId n9 not found')
    expect(await refused({ n1: 1.5 })).toContain('must be a number from 0 to 1')
    expect(await refused([])).toContain('1 to 50 nodes')
    const twice = [
      { nodeId: 'n1', probability: 0 },
      { nodeId: 'n1', probability: 1 },
    ]
    expect(await refused(twice)).toBe('400 VALIDATION_ERROR: overrides name n1 twice')
  })
})

describe('lists of theses', () => {
  it('[theses.list.pages] are read page by page without repeats, by state and text', async () => {
    const first = await read<ThesisPage>('/api/thesis?limit=3')
    expect(first.pageInfo).toMatchObject({ limit: 3, hasMore: true })
    const seen = first.data.map(({ id }) => id)
    let cursor = first.pageInfo.nextCursor
    while (cursor !== null) {
      const page: ThesisPage = await read(`/api/thesis?limit=3&cursor=${cursor}`)
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.pageInfo.nextCursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    const gold = await read<ThesisPage>('/api/thesis?q=GOLD%20will&status=active,paused')
    expect(gold.theses.map(({ title }) => title)).toEqual([
      'Gold will trade above $5,000 before April 2027',
    ])
    expect((await read<ThesisPage>('/api/thesis?q=%25')).data).toEqual([])
    await form('Inflation will reach 50% in 2027 or later')
    expect((await read<ThesisPage>('/api/thesis?q=reach%2050%25')).data).toHaveLength(1)
    expect(await errorOf('GET', '/api/thesis?cursor=zzz')).toContain('cursor is invalid')
  })

  it('are searched in any case, also for letters beyond ASCII', async () => {
    const { id } = await form('Économie: Brazil will cut rates before July 2027')
    for (const text of ['Économie', 'ÉCONOMIE', 'économie']) {
      const path = `/api/thesis?q=${encodeURIComponent(text)}`
      expect((await read<ThesisPage>(path)).data.map((row) => row.id)).toEqual([id])
      const now = service.clock.now()
      const past = `${path}&asOf=${new Date(now).toISOString()}`
      expect((await read<ThesisPage>(past)).data.map((row) => row.id)).toEqual([id])
    }
  })
})

describe('a published thesis', () => {
  it('[theses.publish.public] is public under its slug until it is unpublished', async () => {
    const { id, shortId } = await form(CLAIM)
    const publish = (body: object) =>
      service.send<ThesisPublished>('POST', `/api/thesis/${id}/publish`, body)
    const [, published] = await publish({ description: 'Why I think so.' })
    expect(published.slug).toBe('the-senate-will-pass-the-shutdown-bill-by-december')
    const [, again] = await publish({})
    expect(again).toEqual(published)
    const page = await service.ask('GET', `/api/public/thesis/${published.slug}`, undefined, null)
    const shown = JSON.parse(page.text) as PublicThesis
    expect(shown.thesis).toMatchObject({
      title: CLAIM,
      status: 'active',
      description: 'Why I think so.',
    })
    expect(shown.causalTree.nodes).toEqual([
      { id: 'n1', label: CLAIM, probability: 0.7, importance: 1, children: [] },
    ])
    expect(shown.edges).toMatchObject([{ ticker: TICKER, marketPrice: 70, direction: 'yes' }])
    expect(shown.impliedReturns).toMatchObject({ winners: 0, losers: 1 })
    expect(page.text).not.toContain(id)
    const { theses } = await read<Theses>('/api/public/theses')
    expect(theses.map(({ slug }) => slug)).toEqual([published.slug])
    expect(await errorOf('POST', `/api/thesis/${id}/publish`, { slug: 'a--b' })).toContain('slug')
    const { id: other } = await form(
      'The senate will not pass the shutdown bill before February 2027',
    )
    expect(await errorOf('POST', `/api/thesis/${other}/publish`, { slug: published.slug })).toBe(
      '409 CONFLICT: slug already in use',
    )
    expect((await service.send('DELETE', `/api/thesis/${shortId}/publish`))[1]).toEqual({
      unpublished: true,
    })
    expect(await errorOf('GET', `/api/public/thesis/${published.slug}`)).toBe(
      '404 NOT_FOUND: Not found',
    )
    expect((await read<Theses>('/api/public/theses')).theses).toEqual([])
  })

  it('is listed at a past instant with the confidence that it had then', async () => {
    const { id } = await form('The senate will pass the farm bill before March 2027')
    const [, { slug }] = await service.send<ThesisPublished>(
      'POST',
      `/api/thesis/${id}/publish`,
      {},
    )
    const then = new Date(service.clock.now()).toISOString()
    const path = `/api/public/theses?q=farm`
    const [before] = (await read<Theses>(path)).theses
    await service.clock.advance(60_000)
    await service.send('PATCH', `/api/thesis/${id}/nodes`, { nodeId: 'n1', probability: 0.05 })
    expect((await read<Theses>(path)).theses).toMatchObject([{ slug, confidence: 0.05 }])
    expect((await read<Theses>(`${path}&asOf=${then}`)).theses).toEqual([before])
  })
})

describe('the page of a published thesis', () => {
  it('[theses.public.pages] is a document without scripts, escapes texts, and ends with the publication', async () => {
    const { id } = await form(`${CLAIM} because <b onclick="x()">hope</b> & "luck" will win`)
    const slug = 'hope-and-luck'
    const description = '<script>alert(1)</script>'
    await service.send('POST', `/api/thesis/${id}/publish`, { slug, description })
    const open = async () => {
      const response = await fetch(`${service.url}/thesis/${slug}`)
      return { response, page: await response.text() }
    }
    const { response, page } = await open()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(page).toContain('&lt;b onclick=&quot;x()&quot;&gt;hope&lt;/b&gt; &amp; &quot;luck&quot;')
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toMatch(/<script|<b onclick|style=|javascript:|https?:\/\//)
    expect(page).toContain('63.3%')
    expect(page).not.toContain(id)
    await service.send('POST', `/api/thesis/${id}/unpublish`, {})
    const deleted = await open()
    expect(deleted.response.status).toBe(404)
    expect(deleted.page).toContain('No such thesis')
  })
})
