import { describe, expect, it } from 'vitest'
import { DAY, type Cents } from '../../domain/units.ts'
import { tokensOf } from '../../domain/world/markdown/token-budget.ts'
import { at, NOON } from '../../testing/builders.ts'
import { marketPair } from '../../testing/snapshot-builders.ts'
import {
  BASE,
  CEASEFIRE,
  json,
  market,
  OIL,
  residual,
  startedWorld,
} from '../../testing/started-world.ts'
import { reading, worldApp } from '../../testing/world-app.ts'

const pairedSnapshot = () => {
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

describe('/api/agent/world', () => {
  // [world.snapshot.not-ready]
  it('answers 503 before the first snapshot', async () => {
    const { get } = worldApp()
    const response = await get('/api/agent/world')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'NOT_READY' })
  })

  // [world.snapshot.markdown]
  it('is text by default, with suggested calls', async () => {
    const { get } = await startedWorld()
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
    const { get } = await startedWorld()
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
  it('leaves the next actions out on request', async () => {
    const { get } = await startedWorld()
    const body = await json(await get('/api/agent/world?format=json&nextActions=OFF'))
    expect(body).not.toHaveProperty('nextActions')
  })

  // [world.snapshot.tokens]
  it('stays within 800 tokens however much it contains', async () => {
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
    const { get } = await startedWorld({ markets })
    const text = await (await get('/api/agent/world')).text()
    expect(text.match(/^## /gm)?.length).toBeGreaterThanOrEqual(3)
    expect(tokensOf(text)).toBeLessThanOrEqual(800)
    const compact = await (await get('/api/agent/world?compact=true')).text()
    expect(tokensOf(compact)).toBeLessThanOrEqual(300)
  })

  // [world.snapshot.compact]
  it('is short on request', async () => {
    const { get } = await startedWorld()
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
  it('clamps counts and refuses malformed values', async () => {
    const { get } = await startedWorld({ markets: [CEASEFIRE, OIL, residual('KXB', 2.5)] })
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
  it('returns the regions below to the requested depth', async () => {
    const series = (i: number) =>
      market(`KXFED-${i}`, {
        topics: ['fed-rate'],
        facts: { seriesId: 'KXFED', seriesTitle: 'Fed decisions' },
      })
    const { get } = await startedWorld({ markets: [series(1), series(2), OIL] })
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
  it('compares with the baseline of the caller', async () => {
    const jumped = market('KXJUMP', { price: 60 })
    const peer = market('0xa', { price: 42, facts: { venue: 'venue_b' } })
    const { get } = await startedWorld({
      markets: [jumped, peer],
      snapshot: { ...pairedSnapshot(), indices: new Map([['', reading({ disagreement: 42 })]]) },
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
  it('keeps ids and ranks within a world snapshot and can still be explained in the next', async () => {
    const app = await startedWorld()
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
  it('returns for a past instant what it returned then', async () => {
    const app = await startedWorld()
    const then = await json(await app.get('/api/agent/world?format=json'))
    const text = await (await app.get('/api/agent/world')).text()
    await app.clock.advance(300_000)
    await app.build()
    app.worldSnapshots.invalidateHistory()
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
  it('accepts a former focus as a path', async () => {
    const { get } = await startedWorld()
    const path = async (focus: string) =>
      (await json(await get(`/api/agent/world?format=json&focus=${focus}`)))['region']?.['path']
    expect(await path('geo')).toEqual(['geopolitics'])
    expect(await path('nothing,OIL')).toEqual(['oil'])
    expect(await path('ceasefire')).toEqual(['ceasefire'])
    expect(await path('')).toEqual([])
  })
})
