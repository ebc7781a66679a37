import { describe, expect, it } from 'vitest'
import type { WorldSnapshot } from '../../computed/context-engine.ts'
import { HOUR } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { buildWorld } from '../../domain/world/world.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import { level, marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { structureApp } from '../../testing/structure-app.ts'
import { worldMarket } from '../../testing/world-markets.ts'
import type { MarketThesisPrice } from './edges.deps.ts'

const thesisPrice = (fields: Partial<MarketThesisPrice> = {}): MarketThesisPrice => ({
  ticker: 'KXA',
  thesisPrice: 35 as Cents,
  firstThesisPrice: 35 as Cents,
  firstMarketPrice: 49 as Cents,
  thesisConfidence: 0.6,
  ownConfidence: null,
  firstDetectedAt: (NOON - 36 * HOUR) as Millis,
  reasoning: 'Rates stay.',
  thesisSlug: 'rates-stay',
  ownThesisId: null,
  isPrivate: false,
  ...fields,
})

describe('/api/edges', () => {
  const named = (ticker: string, price: number) => marketView({ price, facts: { ticker } })
  const views = [named('KXA', 42), named('KXB', 22), named('KXC', 35.5)]
  const edges = [
    thesisPrice(),
    thesisPrice({ ticker: 'KXB', firstMarketPrice: null }),
    thesisPrice({ ticker: 'KXC' }),
    thesisPrice({ ticker: 'KXGONE' }),
    thesisPrice({ ticker: 'KXB', thesisPrice: 90 as Cents, isPrivate: true, ownThesisId: 't1' }),
  ]
  const app = structureApp({ snapshots: [contextSnapshotOf([])], views, thesisPrices: edges })
  app.board.books.set('KXA', { book: { bids: [level(41, 200)], asks: [level(43, 200)] }, at: NOON })
  app.board.books.set('KXB', { book: { bids: [level(22, 200)], asks: [level(23, 200)] }, at: NOON })
  interface Answer {
    readonly edges: readonly { readonly ticker: string; readonly [name: string]: unknown }[]
  }
  const ask = async (query: string): Promise<Answer> =>
    (await (await app.get(`/api/edges?${query}`)).json()) as Answer

  // [edges.list.row] [edges.list.public]
  it('compares theses with the market, after the book and the fee', async () => {
    const answer = await ask('')
    expect(answer).toMatchObject({ priceUnit: 'cents', totalEdges: 2, thesesScanned: 5 })
    // Thesis 35, 100 at 23 with venue_a's fee of 1.2397.
    expect(answer.edges[0]).toMatchObject({
      ticker: 'KXB',
      thesisPrice: 35,
      edge: 13,
      executableEdge: 10.76,
      direction: 'yes',
      confidence: 0.36,
      marketAbsorption: null,
      edgeType: 'consensus_gap',
      private: false,
    })
    expect(answer.edges[1]).toMatchObject({
      ticker: 'KXA',
      marketPrice: 42,
      edge: -7,
      direction: 'no',
      edgeAgeHours: 36,
      marketAbsorption: 0.5,
      reasoning: 'Rates stay.',
      thesisSlug: 'rates-stay',
    })
    expect(answer.edges[1]).not.toHaveProperty('thesisId')
  })

  // [edges.list.filtered]
  it('filters by size, venue, theme and limit', async () => {
    const tickers = async (query: string) => (await ask(query)).edges.map(({ ticker }) => ticker)
    expect(await tickers('minStrength=8')).toEqual(['KXB'])
    expect(await tickers('venue=venue_b')).toEqual([])
    expect(await tickers('theme=oil')).toEqual([])
    expect(await ask('limit=0')).toMatchObject({ totalEdges: 2, edges: [{ ticker: 'KXB' }] })
    expect((await app.get('/api/edges?minStrength=-1')).status).toBe(400)
  })
})

describe('/api/public/ideas', () => {
  const rung = (ticker: string, price: number) =>
    marketQuantities({
      view: marketView({
        price,
        bid: price - 1,
        ask: price,
        facts: { ticker, title: `Oil ${ticker}?`, category: 'finance' },
      }),
    })
  const snapshot = contextSnapshotOf([rung('LOW', 38), rung('HIGH', 43)], {
    eventEdges: [
      {
        venue: 'venue_a',
        eventId: 'OIL',
        eventTitle: 'Oil',
        baskets: [],
        ladders: [
          { easier: 'LOW', harder: 'HIGH', net: 4, size: 9, markViolation: 5, soft: false },
        ],
      },
    ],
  })
  interface Answer {
    readonly ideas: readonly { readonly id: string; readonly [name: string]: unknown }[]
  }
  const published = async () => {
    const app = structureApp({ snapshots: [snapshot] })
    await app.judgements.publish(snapshot)
    const ask = async (query: string): Promise<Answer> =>
      (await (await app.get(`/api/public/ideas?${query}`)).json()) as Answer
    return { ...app, ask }
  }

  // [ideas.list.row] [ideas.one.by-id]
  it('serves ideas with the current prices of their markets, and each by its id', async () => {
    const { ask, get, board } = await published()
    board.views = board.views.map((view) => ({ ...view, price: 37 as Cents }))
    const answer = await ask('')
    const [idea] = answer.ideas
    expect(idea).toMatchObject({
      conviction: 'medium',
      direction: 'buy_yes',
      basis: 'yield',
      edgeCents: 4,
      category: 'finance',
      generatedBy: 'rule',
      catalyst: null,
      catalystAt: null,
      markets: [
        { ticker: 'LOW', price: 37, bestAsk: 38, role: 'primary' },
        { ticker: 'HIGH', role: 'hedge' },
      ],
      createdAt: '2026-11-20T14:00:00.000Z',
      expiresAt: '2026-11-21T02:00:00.000Z',
      url: `http://augury.test/api/public/ideas/${idea?.id ?? ''}`,
    })
    expect(answer).toMatchObject({ count: 1, nextActions: { inspect: [{}] } })
    expect(await (await get(`/api/public/ideas/${idea?.id ?? ''}`)).json()).toEqual(idea)
    const unknown = await get('/api/public/ideas/idea_nope00')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toEqual({ error: 'Idea not found', code: 'NOT_FOUND' })
  })

  // [ideas.list.filtered]
  it('filters by direction, conviction, category and words', async () => {
    const { ask, get } = await published()
    const count = async (query: string) => (await ask(query)).ideas.length
    expect(await count('direction=BUY_YES&conviction=medium&category=Finance&q=oil+low')).toBe(1)
    expect(await count('direction=buy_no')).toBe(0)
    expect(await count('conviction=high')).toBe(0)
    expect(await count('category=sports')).toBe(0)
    expect(await count('q=wheat')).toBe(0)
    expect(await ask('nextActions=off')).not.toHaveProperty('nextActions')
    expect((await get('/api/public/ideas?conviction=some')).status).toBe(400)
  })

  // [ideas.list.expired] [conventions.as-of.answers-the-past]
  it('removes expired ideas from the list and serves them by id', async () => {
    const { ask, get, clock } = await published()
    const [idea] = (await ask('')).ideas
    await clock.advance(12 * HOUR)
    expect((await ask('')).ideas).toEqual([])
    expect((await get(`/api/public/ideas/${idea?.id ?? ''}`)).status).toBe(200)
    expect((await ask('asOf=2026-11-21T01:59:59Z')).ideas).toHaveLength(1)
    expect((await ask('asOf=2026-11-20T13:59:59Z')).ideas).toEqual([])
    const early = await get(`/api/public/ideas/${idea?.id ?? ''}?asOf=2026-11-20T13:59:59Z`)
    expect(early.status).toBe(404)
  })
})

describe('/api/public/highlights', () => {
  const market = (ticker: string, fields: Parameters<typeof worldMarket>[0] = {}) =>
    worldMarket({ ticker, eventId: ticker, ...fields })
  const markets: readonly WorldMarket[] = [
    market('UP', { price: 60, priceDayAgo: 40 }),
    market('UP2', { price: 60, priceDayAgo: 45, eventId: 'UP' }),
    market('THIN', { price: 60, priceDayAgo: 10, liquidity: 'low' }),
    market('DOWN', { price: 30, priceDayAgo: 41 }),
    market('LOUD', { vr: 8, residualVr: 8 }),
  ]
  const gauges = { disagreement: null, geoRisk: null, breadth: null, activity: null }
  const world = buildWorld({
    at: NOON,
    baseline: { at: (NOON - 12 * HOUR) as Millis, reason: 'last 12h' },
    markets,
    duplicates: [],
    divergences: [],
    pairs: new Map(),
    thematic: new Map(),
    gauges: [{ path: [], now: gauges, then: gauges }],
    memory: new Map(),
  })
  const snapshot = contextSnapshotOf(
    markets.map(({ ticker, category }) =>
      marketQuantities({
        view: marketView({ facts: { ticker, category: ticker === 'UP' ? 'sports' : category } }),
      }),
    ),
  )
  const worldSnapshot: WorldSnapshot = {
    world,
    snapshot,
    valueDayAgo: () => Promise.resolve(null),
    readingAtBaseline: () => Promise.resolve(null),
  }
  const { get } = structureApp({ snapshots: [snapshot], worlds: [worldSnapshot] })
  interface Answer {
    readonly highlights: readonly {
      readonly ticker: string
      readonly rank: number
      readonly [name: string]: unknown
    }[]
  }
  const ask = async (query: string): Promise<Answer> =>
    (await (await get(`/api/public/highlights?${query}`)).json()) as Answer

  // [highlights.list.ranked]
  it('serves the best of each list once per event, by score', async () => {
    const { highlights } = await ask('')
    expect(highlights.map(({ kind, ticker }) => `${String(kind)} ${ticker}`)).toEqual([
      'volume LOUD',
      'mover UP',
      'mover DOWN',
    ])
    expect(highlights[1]).toEqual({
      rank: 1,
      kind: 'mover',
      title: 'Question of UP?',
      summary: '+20¢ in 24 h to 60¢',
      ticker: 'UP',
      price: 60,
      delta24h: 20,
      at: '2026-11-20T14:00:00.000Z',
      url: 'http://augury.test/api/agent/inspect/UP',
    })
  })

  // [highlights.list.filtered]
  it('filters by category and topic before it selects', async () => {
    expect((await ask('category=sports')).highlights).toMatchObject([{ ticker: 'UP', rank: 0 }])
    expect((await ask('topic=oil')).highlights).toEqual([])
    expect((await ask('limit=1')).highlights).toHaveLength(1)
    expect((await ask('asOf=2020-01-01')).highlights).toEqual([])
  })
})
