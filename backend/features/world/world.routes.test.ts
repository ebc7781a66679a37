import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Cents, type Millis } from '../../domain/units.ts'
import { tokensOf } from '../../domain/world/token-budget.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { gridMarket, marketPair } from '../../testing/grid-builders.ts'
import { reading, worldApp, type WorldAppOptions } from '../../testing/world-app.ts'

const BASE = 'http://augury.test'

/** A market that closes in two days and was first seen long ago. */
const market = (
  ticker: string,
  fields: Parameters<typeof marketView>[0] = {},
  grid: Parameters<typeof gridMarket>[0] = {},
) => {
  const view = marketView({
    liquidityScore: 'high',
    volume24h: 18_400,
    tau: 10,
    ...fields,
    facts: { ticker, title: `Question of ${ticker}?`, eventId: `${ticker}-E`, ...fields.facts },
  })
  return gridMarket({ view, ...grid })
}
const residual = (ticker: string, residualVr: number, fields = {}) =>
  market(ticker, fields, { surprise: { vr: residualVr, expectedVr: 0, residualVr } })

const CEASEFIRE = residual('KXCEASE-27JAN', 3.3, {
  price: 52,
  bid: 51,
  ask: 53,
  topics: ['iran'],
  facts: { title: 'Will the ceasefire hold to January?', eventTitle: 'Ceasefire' },
})
const OIL = market('KXOIL-26DEC', { topics: ['oil'], change24h: 6, price: 46 })

async function standing(options: WorldAppOptions = {}) {
  const app = worldApp({ markets: [CEASEFIRE, OIL], ...options })
  await app.build()
  return app
}
const json = async (response: Response) => (await response.json()) as Record<string, never>

describe('/api/agent/world', () => {
  // [world.snapshot.not-ready]
  it('answers 503 before a world stands', async () => {
    const { get } = worldApp()
    const response = await get('/api/agent/world')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'NOT_READY' })
  })

  // [world.snapshot.markdown]
  it('is text by default, with threads to pull', async () => {
    const { get } = await standing()
    const response = await get('/api/agent/world')
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const item = (await get('/api/agent/world?format=json').then(json))['salient']?.[0]?.['id']
    expect(await response.text()).toBe(`# World (2026-11-20 14:05 UTC)
Regime: Steady — no dominant macro signal
Index: Disagree 42 | GeoRisk 17 | Breadth +0.13 | Activity 29
Baseline: last 12h

## [residual] 3.3σ volume @ 52¢ — Will the ceasefire hold to January?
- ticker: KXCEASE-27JAN
- price: 52
- residualVr: 3.3
  → why moving? · \`GET ${BASE}/api/agent/world?op=explain&item=${String(item)}\`
  → related · \`GET ${BASE}/api/agent/world?op=trail&from=KXCEASE-27JAN\`

Regions: iran (1 market), oil (1 market)
`)
  })

  // [world.snapshot.json]
  it('is the whole snapshot as JSON', async () => {
    const { get } = await standing()
    const response = await get('/api/agent/world?format=JSON')
    expect(response.headers.get('last-modified')).toBe('Fri, 20 Nov 2026 14:05:00 GMT')
    expect(await response.json()).toMatchObject({
      op: 'snapshot',
      asOf: '2026-11-20T14:05:00.000Z',
      sinceBaseline: '2026-11-20T02:05:00.000Z',
      baselineReason: 'last 12h',
      servedAt: '2026-11-20T14:06:00.000Z',
      generatedInMs: 0,
      region: {
        path: [],
        label: 'World',
        displayName: 'World',
        parentUrl: null,
        selfUrl: `${BASE}/api/agent/world`,
        keywords: [],
      },
      regime: {
        label: 'Steady — no dominant macro signal',
        signals: { disagreement: 42, geoRisk: 17, breadth: 0.13, activity: 29 },
      },
      salient: [
        {
          rank: 0,
          type: 'residual',
          body: { ticker: 'KXCEASE-27JAN', price: 52, residualVr: 3.3 },
        },
      ],
      index: { disagreement: 42, uncertainty: 42, geopolitical: 17, momentum: 0.13 },
      regimeSummary: { calm: 1, active: 0, stressed: 1 },
      movers: [{ ticker: 'KXOIL-26DEC', delta: 6, from: 40, price: 46 }],
      traditional: [],
      deltaWindow: '24h',
      marketCount: 2,
      salientCount: 1,
      nextActions: {
        related: [
          { url: `${BASE}/api/agent/world/delta?since=2026-11-20T14%3A05%3A00.000Z` },
          { url: `${BASE}/api/agent/world/feed` },
          { url: `${BASE}/api/agent/inspect/KXCEASE-27JAN` },
        ],
      },
    })
  })

  // [world.snapshot.next-actions]
  it('leaves the next actions out when told so', async () => {
    const { get } = await standing()
    const body = await json(await get('/api/agent/world?format=json&nextActions=OFF'))
    expect(body).not.toHaveProperty('nextActions')
  })

  // [world.snapshot.tokens]
  it('stays within 800 tokens however much there is to say', async () => {
    const topics = ['iran', 'oil', 'china', 'trump', 'bitcoin']
    const markets = Array.from({ length: 40 }, (_, i) =>
      residual(`KXLONGTICKER-27JAN-${i}`, 2.5 + i / 10, {
        topics: [topics[i % 5] ?? 'oil'],
        price: 40 + (i % 20),
        facts: {
          title: `Will the ${'very '.repeat(20)}long question number ${i} end as it began?`,
        },
      }),
    )
    const { get } = await standing({ markets })
    const text = await (await get('/api/agent/world')).text()
    expect(text.match(/^## /gm)?.length).toBeGreaterThanOrEqual(3)
    expect(tokensOf(text)).toBeLessThanOrEqual(800)
    const compact = await (await get('/api/agent/world?compact=true')).text()
    expect(tokensOf(compact)).toBeLessThanOrEqual(300)
  })

  // [world.snapshot.compact]
  it('is short when asked to be', async () => {
    const { get } = await standing()
    const body = await json(await get('/api/agent/world?format=json&compact=1'))
    expect(Object.keys(body).sort()).toEqual(
      'asOf baselineReason generatedInMs nextActions op regime region salient servedAt sinceBaseline'
        .split(' ')
        .sort(),
    )
    expect(body['salient']).toHaveLength(1)
    expect(body['salient']?.[0]).not.toHaveProperty('score')
    expect(body['salient']?.[0]?.['pull']).toHaveLength(2)
    expect(await (await get('/api/agent/world?compact=true')).text()).toContain(
      '\n[residual] 3.3σ volume @ 52¢ — Will the ceasefire hold to January? — http',
    )
  })

  // [world.snapshot.parameters]
  it('clamps counts and refuses what is malformed', async () => {
    const { get } = await standing({ markets: [CEASEFIRE, OIL, residual('KXB', 2.5)] })
    const items = async (query: string) =>
      (await json(await get(`/api/agent/world?format=json&${query}`)))['salient']
    expect(await items('limit=0')).toHaveLength(1)
    expect(await items('limit=900')).toHaveLength(2)
    const refused = {
      'format=xml': 'format must be markdown or json',
      'op=none': 'op must be snapshot, history, catalyst, dispersion, trail or explain',
      'limit=many': 'limit must be an integer',
      'depth=1.5': 'depth must be an integer',
      'dt=soon': 'dt must be a duration (<n>m|h|d)',
      'compact=maybe': 'compact must be true or false',
      'since=x': 'since must be a duration (<n>m|h|d) or an ISO time',
      'since=91d': 'since must be within 90 days',
      'since=2026-11-20T15:00:00Z': 'since is in the future',
      'asOf=2026-11-20T15:00:00Z': 'asOf is in the future',
      'op=trail': 'from required for op=trail',
      'op=explain': 'item required for op=explain',
    }
    for (const [query, error] of Object.entries(refused)) {
      const response = await get(`/api/agent/world?${query}`)
      expect([query, response.status, await response.json()]).toEqual([
        query,
        400,
        { error, code: 'VALIDATION_ERROR' },
      ])
    }
  })

  // [world.snapshot.depth]
  it('tells the regions below as deep as asked', async () => {
    const series = (i: number) =>
      market(`KXFED-${i}`, {
        topics: ['fed-rate'],
        facts: { seriesId: 'KXFED', seriesTitle: 'Fed decisions' },
      })
    const { get } = await standing({ markets: [series(1), series(2), OIL] })
    const regions = async (depth: number, path = '') =>
      (await json(await get(`/api/agent/world${path}?format=json&depth=${depth}`)))['childRegions']
    expect(await regions(0)).toBeUndefined()
    expect(await regions(1)).toMatchObject([
      { name: 'oil', label: 'Oil & Energy', teaser: '1 market', marketCount: 1 },
      { name: 'fed-rate', teaser: '2 markets', url: `${BASE}/api/agent/world/fed-rate` },
    ])
    expect(await regions(2)).toMatchObject([
      { childRegions: [] },
      { childRegions: [{ name: 'kxfed', label: 'Fed decisions', marketCount: 2 }] },
    ])
    expect(await regions(1, '/economy')).toMatchObject([{ name: 'fed-rate' }])
  })

  // [world.snapshot.since]
  it('counts from where the caller says', async () => {
    const jumped = market('KXJUMP', { price: 60 })
    const peer = market('0xa', { price: 42, facts: { venue: 'venue_b' } })
    const { get } = await standing({
      markets: [jumped, peer],
      grid: { ...pairedGrid(), indices: new Map([['', reading({ disagreement: 42 })]]) },
      priceAt: (view, when) => (when < NOON - DAY ? 42 : view.mark),
    })
    const types = async (query: string) =>
      (
        (await json(await get(`/api/agent/world?format=json${query}`)))['salient'] as unknown as {
          type: string
        }[]
      ).map(({ type }) => type)
    expect(await types('')).toEqual([])
    expect(await types('&since=2d')).toContain('consensus_break')
    const body = await json(await get('/api/agent/world?format=json&since=2d'))
    expect(body).toMatchObject({
      baselineReason: 'since 2d',
      sinceBaseline: '2026-11-18T14:05:00.000Z',
    })
  })

  // [world.snapshot.stable]
  it('keeps ids and ranks inside a bucket and stays explainable in the next', async () => {
    const app = await standing()
    const ids = async () =>
      (
        (await json(await app.get('/api/agent/world?format=json')))['salient'] as unknown as {
          id: string
          rank: number
        }[]
      ).map(({ id, rank }) => [id, rank])
    const first = await ids()
    await app.clock.advance(200_000)
    expect(await ids()).toEqual(first)
    app.restate({ ...CEASEFIRE.view, price: 99 as Cents, mark: 99 as Cents })
    await app.clock.advance(100_000)
    await app.build()
    expect(await ids()).toEqual([])
    const [[id]] = first as [[string]]
    const explained = await app.get(`/api/agent/world?op=explain&item=${id}&format=json`)
    expect(explained.status).toBe(200)
    await app.clock.advance(300_000)
    await app.build()
    const expired = await app.get(`/api/agent/world?op=explain&item=${id}`)
    expect(expired.status).toBe(404)
    expect(await expired.json()).toEqual({
      error: 'Salient item not found or expired',
      code: 'NOT_FOUND',
      suggestion: {
        description: 'The world now',
        method: 'GET',
        url: `${BASE}/api/agent/world`,
      },
    })
  })

  // [world.snapshot.as-of]
  it('answers for the past as it answered then', async () => {
    const app = await standing()
    const then = await json(await app.get('/api/agent/world?format=json'))
    const text = await (await app.get('/api/agent/world')).text()
    await app.clock.advance(300_000)
    await app.build()
    app.keeper.forgetPast()
    const asOf = '2026-11-20T14:07:00Z'
    expect(await (await app.get(`/api/agent/world?asOf=${asOf}`)).text()).toBe(text)
    const now = await json(await app.get(`/api/agent/world?format=json&asOf=${asOf}`))
    expect({ ...now, servedAt: then['servedAt'] }).toEqual(then)
    const row = await app.history.snapshotAt('', at(asOf))
    const stored = JSON.parse(row?.body ?? '{}') as { salient: { id: string; score: number }[] }
    expect(stored.salient.map(({ id, score }) => [id, score])).toEqual(
      (now['salient'] as unknown as typeof stored.salient).map(({ id, score }) => [id, score]),
    )
  })

  // [world.topics.focus]
  it('takes an old focus for a path', async () => {
    const { get } = await standing()
    const path = async (focus: string) =>
      (await json(await get(`/api/agent/world?format=json&focus=${focus}`)))['region']?.['path']
    expect(await path('geo')).toEqual(['geopolitics'])
    expect(await path('nothing,OIL')).toEqual(['oil'])
    expect(await path('ceasefire')).toEqual(['ceasefire'])
    expect(await path('')).toEqual([])
  })
})

const pairedGrid = () => {
  const pair = marketPair({ a: 'KXJUMP', b: '0xa' })
  return {
    pairs: [pair],
    pairOf: new Map([
      ['KXJUMP', pair],
      ['0xa', pair],
    ]),
    crossVenue: new Map(),
  }
}

describe('/api/agent/world/{topic}', () => {
  // [world.topics.drill] [world.topics.keyword]
  it('narrows by topic, group, series and word', async () => {
    const { get } = await standing()
    const region = async (path: string) => {
      const body = await json(await get(`/api/agent/world/${path}?format=json`))
      return [body['region']?.['label'], body['region']?.['keywords'], body['marketCount']]
    }
    expect(await region('iran')).toEqual(['Iran', [], 1])
    expect(await region('geopolitics/iran')).toEqual(['Iran', [], 1])
    expect(await region('Geopolitics')).toEqual(['Geopolitics', [], 1])
    expect(await region('energy/iran')).toEqual(['Iran', [], 0])
    expect(await region('ceasefire')).toEqual(['ceasefire', ['ceasefire'], 1])
    expect(await region('iran/hold-january')).toEqual(['hold january', ['hold-january'], 1])
    expect(await region('%D0%BC%D0%B8%D1%80')).toEqual(['мир', ['мир'], 0])
  })

  it('heads its text with the way to it', async () => {
    const { get } = await standing()
    const text = await (await get('/api/agent/world/geopolitics/iran')).text()
    expect(text.split('\n')[0]).toBe('# World / Geopolitics / Iran (2026-11-20 14:05 UTC)')
  })

  // [world.topics.gauges]
  it('has gauges of its own and tells unknown ones as null', async () => {
    const indices = new Map([
      ['', reading({ disagreement: 42 })],
      ['iran', reading({ disagreement: 80, value: 61 })],
    ])
    const { get } = await standing({ grid: { indices } })
    const index = async (path: string) =>
      (await json(await get(`/api/agent/world/${path}?format=json`)))['index']
    expect(await index('geopolitics/iran')).toMatchObject({ disagreement: 80, value: 61 })
    expect(await index('ceasefire')).toMatchObject({
      disagreement: null,
      geoRisk: null,
      breadth: null,
      activity: null,
      value: null,
    })
  })

  // [world.topics.limits]
  it('refuses long paths and operations that a region lacks', async () => {
    const { get } = await standing()
    for (const path of ['a/b/c/d/e/f/g', 'x'.repeat(65)]) {
      const response = await get(`/api/agent/world/${path}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    for (const op of ['trail', 'explain']) {
      const response = await get(`/api/agent/world/iran?op=${op}&from=KXOIL-26DEC&item=s-000000`)
      expect(await response.json()).toEqual({
        error: 'op not available on a region',
        code: 'VALIDATION_ERROR',
      })
    }
    expect((await get('/api/agent/world/delta/iran?since=1h')).status).toBe(404)
    expect((await get('/api/agent/world/iran?focus=oil&compact=x&from=y')).status).toBe(200)
  })

  // [world.topics.unknown]
  it('is empty for what no market is about', async () => {
    const { get } = await standing()
    const body = await json(await get('/api/agent/world/zebra?format=json'))
    expect(body).toMatchObject({ salient: [], movers: [], marketCount: 0, childRegions: [] })
    expect(await (await get('/api/agent/world/zebra')).text()).toContain(
      'Nothing salient since the baseline.',
    )
  })
})

describe('operations', () => {
  // [world.operations.history]
  it('history: the last stored snapshot of each step', async () => {
    const app = await standing()
    for (let i = 0; i < 3; i++) {
      await app.clock.advance(300_000)
      app.state.grid = {
        ...app.state.grid,
        indices: new Map([['', reading({ disagreement: 50 + i, value: 50 + i })]]),
      }
      await app.build()
    }
    const { history } = await json(await app.get('/api/agent/world?op=history&format=json&dt=6h'))
    expect(history).toMatchObject({ dt: '6h', to: '2026-11-20T14:20:00.000Z', stepSeconds: 300 })
    expect((history as unknown as { points: object[] }).points).toMatchObject([
      { at: '2026-11-20T14:05:00.000Z', disagreement: 42, geoRisk: 17 },
      { at: '2026-11-20T14:10:00.000Z', disagreement: 50, value: 50 },
      { at: '2026-11-20T14:15:00.000Z', disagreement: 51 },
      { at: '2026-11-20T14:20:00.000Z', disagreement: 52 },
    ])
    const text = await (await app.get('/api/agent/world?op=history&limit=1')).text()
    expect(text).toContain('## History\n- 2026-11-20 14:20 · Disagree 52')
    const wide = await json(await app.get('/api/agent/world/iran?op=history&format=json&dt=90d'))
    expect(wide['history']).toMatchObject({ dt: '30d', stepSeconds: 14_400 })
  })

  // [world.operations.catalyst]
  it('catalyst: what is decided in the window, markets of one event together', async () => {
    const closing = (ticker: string, hours: number, more = {}) =>
      market(ticker, {
        tau: hours / 24,
        facts: { closeTime: (NOON + hours * HOUR) as Millis, eventId: `${hours}h`, ...more },
      })
    const { get } = await standing({
      markets: [
        closing('KXA', 30, { eventTitle: 'Event of two' }),
        closing('KXB', 30),
        closing('KXC', 5),
        closing('KXD', 24 * 20),
      ],
    })
    const body = await json(await get('/api/agent/world?op=catalyst&format=json'))
    expect(body['catalyst']).toMatchObject({
      window: '7d',
      from: '2026-11-20T14:05:00.000Z',
      count: 2,
      items: [
        { kind: 'resolution', title: 'Question of KXC?', tickers: ['KXC'], date: '2026-11-20' },
        { title: 'Event of two', tickers: ['KXA', 'KXB'], market: { ticker: 'KXA', tauDays: 1 } },
      ],
    })
    const wide = await json(await get('/api/agent/world?op=catalyst&format=json&window=30d&dt=1h'))
    expect(wide['catalyst']).toMatchObject({ window: '30d', count: 3 })
    expect(await (await get('/api/agent/world?op=catalyst&dt=6h')).text()).toContain(
      '## Catalysts\n- 2026-11-20 19:00 · Question of KXC? · ',
    )
  })

  // [world.operations.dispersion]
  it('dispersion: groups of marks, widest apart first', async () => {
    const outcome = (ticker: string, price: number) =>
      market(ticker, { price, facts: { eventId: 'E', eventTitle: 'One event' } })
    const { get } = await standing({ markets: [outcome('KXA', 10), outcome('KXB', 90)] })
    const body = await json(await get('/api/agent/world?op=dispersion&format=json'))
    expect(body['dispersion']).toMatchObject({
      median: 50,
      marketCount: 2,
      groups: [{ key: 'E', label: 'One event', kind: 'event', consensus: 'split', stdev: 40 }],
    })
  })

  // [world.operations.trail]
  it('trail: linked markets, nearest first', async () => {
    const link = (i: string, j: string, confidence: number) => ({
      ...{ i, j, kind: 'series_sibling' as const, sign: 1 as const, priorBeta: 1, confidence },
    })
    const links = [link('KXA', 'KXB', 0.9), link('KXB', 'KXC', 0.7)]
    const linksOf = new Map([
      ['KXA', links.slice(0, 1)],
      ['KXB', links],
      ['KXC', links.slice(1)],
    ])
    const { get } = await standing({
      markets: [market('KXA'), market('KXB'), market('KXC')],
      grid: { links, linksOf },
    })
    const body = await json(await get('/api/agent/world?op=trail&from=kxa&format=json'))
    expect(body['trail']).toMatchObject({
      from: { ticker: 'KXA', url: `${BASE}/api/agent/inspect/KXA` },
      maxHops: 2,
      nodes: [
        { ticker: 'KXB', hop: 1, via: 'KXA' },
        { ticker: 'KXC', hop: 2, via: 'KXB' },
      ],
      links: [
        { from: 'KXA', to: 'KXB', kind: 'series_sibling', strength: 0.9, lagSeconds: null },
        { from: 'KXB', to: 'KXC', strength: 0.7 },
      ],
    })
    const unknown = await get('/api/agent/world?op=trail&from=NOPE')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toEqual({ error: 'Market not found', code: 'NOT_FOUND' })
  })

  // [world.operations.explain]
  it('explain: what the venue said near the move, and nothing later', async () => {
    const changes = (row: object) => ({
      ...{ id: 'c', market: CEASEFIRE.view.market, type: 'close_time_change' as const },
      ...{ at: NOON, before: '2026-11-30T14:00:00Z', after: '2026-12-30T14:00:00Z', delta: null },
      ...row,
    })
    const { get } = await standing({ changes: [changes({})] })
    const id = (await json(await get('/api/agent/world?format=json')))['salient']?.[0]?.['id']
    const body = await json(await get(`/api/agent/world?op=explain&item=${String(id)}&format=json`))
    expect(body['explain']).toMatchObject({
      item: { id, type: 'residual', rank: 0 },
      unexplained: false,
      hypotheses: [{ rank: 0, kind: 'catalyst', evidence: [{ source: 'venue_a' }] }],
    })
    const text = await (await get(`/api/agent/world?op=explain&item=${String(id)}`)).text()
    expect(text).toContain('## Explain\n- 0.73 catalyst — a scheduled or stated event')
  })

  it('explain: says so when nothing is known', async () => {
    const { get } = await standing()
    const id = (await json(await get('/api/agent/world?format=json')))['salient']?.[0]?.['id']
    const body = await json(await get(`/api/agent/world?op=explain&item=${String(id)}&format=json`))
    expect(body['explain']).toMatchObject({
      hypotheses: [],
      unexplained: true,
      checked: ['calendar', 'changes', 'links', 'cross_venue', 'trades', 'book'],
    })
  })
})
