import { describe, expect, it } from 'vitest'
import { MINUTE, type Millis } from '../../domain/units.ts'
import { NotReady } from '../../lib/errors.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { questionApp } from '../../testing/question-app.ts'
import type { Discussion, Enrichment } from '../../contract/query.ts'

const B = `0x${'a'.repeat(64)}`
const A_VIEW = marketView({
  price: 31,
  change24h: -6,
  volume24h: 52_000,
  facts: { ticker: 'KXOIL-90', title: 'Oil above 90 in December?' },
})
const B_VIEW = marketView({
  price: 27,
  change24h: 2,
  facts: { ticker: B, venue: 'venue_b', title: 'Will oil be above 90 in December?' },
})
const VIEWS = [A_VIEW, B_VIEW]
const QUARTER_HOUR = contextSnapshotOf(
  VIEWS.map((view) => marketQuantities({ view })),
  { pairs: [marketPair({ a: 'KXOIL-90', b: B })] },
)
const highlight = (rank: number) => ({
  rank,
  kind: 'mover' as const,
  title: `Market ${rank}`,
  summary: 'moved',
  ticker: 'KXOIL-90',
  price: 31,
  delta24h: -6,
  at: '2026-11-20T14:00:00.000Z',
  url: 'http://augury.test/x',
})
const lists = {
  highlights: () => Promise.resolve(Array.from({ length: 12 }, (_, rank) => highlight(rank))),
  edges: () => Promise.resolve([]),
}

describe('/api/public/context', () => {
  // [context.snapshot.body]
  it('returns ten of each list for a quarter hour', async () => {
    const app = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR], lists })
    const response = await app.get('/api/public/context')
    const body = (await response.json()) as Record<string, unknown[]>
    expect(body).toMatchObject({
      generatedAt: '2026-11-20T14:00:00.000Z',
      nextRefreshAt: '2026-11-20T14:15:00.000Z',
      edges: [],
      movers: [{ ticker: 'KXOIL-90', delta: -6, from: 37 }],
      traditional: [],
    })
    expect(body['highlights']).toHaveLength(10)
    expect(response.headers.get('last-modified')).toBe('Fri, 20 Nov 2026 14:00:00 GMT')
    const narrowed = await app.get('/api/public/context?q=market%203&nextActions=off')
    const found = (await narrowed.json()) as Record<string, unknown[]>
    expect(found['highlights']).toHaveLength(1)
    expect(found).not.toHaveProperty('nextActions')
    expect((await app.get('/api/public/context?q=a')).status).toBe(400)
  })

  it('is computed as of the quarter hour for any first caller', async () => {
    const requested: (number | null)[] = []
    const highlights = (asOf: number | null) => {
      requested.push(asOf)
      return Promise.resolve([])
    }
    const app = await questionApp({
      views: VIEWS,
      snapshots: [QUARTER_HOUR],
      lists: { ...lists, highlights },
    })
    const quarter = app.clock.now()
    await app.clock.advance(7 * MINUTE)
    await app.get('/api/public/context')
    await app.get(`/api/public/context?asOf=${new Date(quarter + MINUTE).toISOString()}`)
    expect(requested).toEqual([quarter])
  })

  it('is the current state in the quarter hour in which the service started', async () => {
    const highlights = (asOf: number | null) =>
      asOf === null
        ? Promise.resolve([highlight(0)])
        : Promise.reject(
            new NotReady('The first world snapshot was still being computed at that time'),
          )
    const started = contextSnapshotOf([], { at: (NOON + MINUTE) as Millis })
    const app = await questionApp({
      views: VIEWS,
      snapshots: [started],
      lists: { ...lists, highlights },
    })
    await app.clock.advance(7 * MINUTE)
    const body = (await (await app.get('/api/public/context')).json()) as { highlights: object[] }
    expect(body.highlights).toHaveLength(1)
  })

  it('is answered for an instant before the first snapshot', async () => {
    const app = await questionApp({ views: VIEWS })
    const response = await app.get('/api/public/context?asOf=2026-01-01')
    expect([response.status, await response.json()]).toMatchObject([200, { edges: [] }])
  })

  // [context.snapshot.compact]
  it('has three lists when compact', async () => {
    const app = await questionApp({ views: VIEWS, lists })
    const body = (await (await app.get('/api/public/context?compact=true')).json()) as object
    expect(Object.keys(body).sort()).toEqual(['edges', 'highlights', 'traditional'])
  })
})

describe('POST /api/public/discuss', () => {
  // [discuss.synthesis.body]
  it('returns sides in order, each with the fields that support it', async () => {
    const app = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR] })
    const response = await app.post('/api/public/discuss', {
      ticker: 'kxoil-90',
      perspectives: 5,
    })
    expect(response.headers.get('content-type')).toContain('json')
    const body = (await response.json()) as Discussion
    expect(body.perspectives.map(({ role, stance }) => [role, stance])).toEqual([
      ['For YES', 'yes'],
      ['For NO', 'no'],
      ['Unknowns', 'uncertain'],
      ['Liquidity and timing', 'uncertain'],
      ['Other venue', 'no'],
    ])
    expect(body.perspectives[4]?.evidence).toContain(
      'Polymarket shows 27 against 31, gap -4¢ (crossVenue.gap)',
    )
    for (const { argument } of body.perspectives) expect(argument).toMatch(/ Source: http\S+$/)
    expect(body.synthesis).toMatch(/ Written by rules from stored prices; .*advice\.$/)
    expect(body.disagreements).toContain('Kalshi and Polymarket are 4¢ apart')
    expect(body.synthesis).toContain('31% (Kalshi)')
    expect(body.markets.map(({ ticker }) => ticker)).toEqual(['KXOIL-90'])
    expect(body.meta).toMatchObject({ model: null, synthesis: 'template' })
  })

  // [discuss.synthesis.required]
  it('requires a subject within bounds', async () => {
    const { post } = await questionApp({ views: VIEWS })
    for (const body of [{}, { model: 'cheap' }, { question: ' ' }, { tickers: [] }]) {
      const response = await post('/api/public/discuss', body)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({
        error: 'question, topic or ticker required',
        code: 'VALIDATION_ERROR',
      })
    }
    const status = async (body: object) => (await post('/api/public/discuss', body)).status
    expect(await status({ q: 'oil', perspectives: 1 })).toBe(400)
    expect(await status({ q: 'x'.repeat(2_001) })).toBe(400)
    expect(await status({ tickers: Array.from({ length: 11 }, (_, i) => `M${i}`) })).toBe(400)
    expect(await status({ ticker: 'NOPE' })).toBe(404)
    expect(await status({ q: 'oil', model: 'heavy' })).toBe(401)
    expect(await status({ q: 'weather on mars' })).toBe(200)
  })
})

describe('POST /api/monitor-the-situation/enrich', () => {
  const content =
    'OPEC confirmed a cut of crude output on Monday. The weather was fine. ' +
    'Analysts said oil above 90 in December was not confirmed.'

  // [monitor.enrich.body]
  it('returns sentences, their direction and the markets they concern', async () => {
    const app = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR] })
    const response = await app.post('/api/monitor-the-situation/enrich', {
      content,
      topics: ['oil'],
    })
    const body = (await response.json()) as Enrichment
    expect(body.findings.map(({ direction, topic }) => [direction, topic])).toEqual(
      expect.arrayContaining([
        ['up', 'oil'],
        ['down', 'oil'],
      ]),
    )
    expect(body.findings[0]?.relevance).toBe(1)
    expect(body.tweetable.length).toBeLessThanOrEqual(280)
    expect(body.index).toMatchObject({ value: null, timestamp: '2026-11-20T14:00:00.000Z' })
    expect(body.meta.synthesis).toBe('template')
  })

  // [monitor.enrich.limits]
  it('requires content and topics', async () => {
    const { post } = await questionApp()
    const errorOf = async (body: object) =>
      ((await (await post('/api/monitor-the-situation/enrich', body)).json()) as { error: string })
        .error
    expect(await errorOf({ topics: ['oil'] })).toBe('content required (1 to 50000 chars)')
    expect(await errorOf({ content: 'x'.repeat(50_001), topics: ['oil'] })).toBe(
      'content required (1 to 50000 chars)',
    )
    expect(await errorOf({ content: 'x', topics: [] })).toBe('topics required (at least 1)')
    expect(await errorOf({ content: 'x', topics: ['oil'], model: 'heavy' })).toBe(
      'custom model tier requires a valid key',
    )
  })
})
