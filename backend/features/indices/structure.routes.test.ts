import { describe, expect, it } from 'vitest'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { MarketLink } from '../../domain/links/link-graph.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { HOUR } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { DeclaredRoute } from '../../http/routes/route-table.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { structureApp } from '../../testing/structure-app.ts'

const bodyOf = async <Body>(response: Response): Promise<Body> => (await response.json()) as Body

describe('/api/public/contagion', () => {
  const moved = (ticker: string, from: number, to: number, topics: string[] = []) =>
    marketQuantities({
      view: marketView({ price: to, topics, facts: { ticker, title: `Is ${ticker} up?` } }),
      theme: 'iran',
      marksAgo: { '1h': null, '6h': from as Cents, '24h': null, '3d': null },
    })
  const markets = [moved('A', 40, 60, ['oil']), moved('B', 30, 31), moved('C', 50, 50)]
  const gapTo = (lagging: string, gap: number): ContagionGap => ({
    trigger: 'A',
    lagging,
    gap,
    expected: gap + 1,
    z: 3,
    strength: 0.4,
    direction: 'lagging',
    relation: 'theme',
    link: {
      i: 'A',
      j: lagging,
      kind: 'thematic',
      sign: 1,
      priorBeta: 0.35,
      confidence: 0.5,
    } satisfies MarketLink,
  })
  const gapsOf = (gaps: readonly ContagionGap[]) => (window: string) =>
    window === '6h' ? gaps : []
  const snapshot = contextSnapshotOf(markets, { gaps: gapsOf([gapTo('C', -9), gapTo('B', 6)]) })
  const app = structureApp({ snapshots: [snapshot] })
  type Answer = {
    readonly window: string
    readonly highlights: readonly {
      readonly lagging: { readonly ticker: string }
      readonly [name: string]: unknown
    }[]
  }
  const ask = async (query: string) =>
    bodyOf<Answer>(await app.get(`/api/public/contagion?${query}`))
  const lagging = async (query: string) =>
    (await ask(query)).highlights.map((link) => link.lagging.ticker)

  // [contagion.list.links] [contagion.list.ordered]
  it('serves triggers, laggards and times of gaps, widest gap first', async () => {
    const answer = await ask('')
    expect(answer).toMatchObject({
      window: '6h',
      count: 2,
      generatedAt: '2026-11-20T14:00:00.000Z',
      nextActions: { inspect: [{ url: 'http://augury.test/api/agent/inspect/C' }, {}] },
    })
    expect(answer.highlights[1]).toEqual({
      trigger: {
        ticker: 'A',
        venue: 'venue_a',
        title: 'Is A up?',
        price: 60,
        url: 'http://augury.test/api/agent/inspect/A',
        delta: 20,
      },
      lagging: {
        ticker: 'B',
        venue: 'venue_a',
        title: 'Is B up?',
        price: 31,
        url: 'http://augury.test/api/agent/inspect/B',
        delta: 1,
      },
      gap: 6,
      relation: 'theme',
      direction: 'lagging',
      theme: 'iran',
      strength: 0.4,
      window: '6h',
      detectedAt: '2026-11-20T14:00:00.000Z',
    })
  })

  // [contagion.list.filtered]
  it('filters by window, size, topic and limit', async () => {
    expect(await lagging('window=24H')).toEqual([])
    expect(await lagging('min_gap=7')).toEqual(['C'])
    expect(await lagging('limit=-5')).toEqual(['C'])
    expect(await lagging('topic=oil&depth=9')).toEqual(['C', 'B'])
    expect(await lagging('topic=cheese')).toEqual([])
    expect(await lagging('asOf=2020-01-01')).toEqual([])
    expect(await ask('nextActions=off')).not.toHaveProperty('nextActions')
    for (const query of ['window=2h', 'min_gap=-1', 'limit=many', 'asOf=2030-01-01']) {
      expect((await app.get(`/api/public/contagion?${query}`)).status).toBe(400)
    }
  })

  // [contagion.list.since]
  it('keeps the instant at which a gap was first served, also for a past instant', async () => {
    const { judgements, get } = app
    const snapshots = [3, 2, 1].map((hours) => ({
      ...snapshot,
      at: (NOON - hours * HOUR) as Millis,
    }))
    for (const earlier of snapshots) await judgements.publish(earlier)
    const sinceOf = async (query: string) =>
      (await bodyOf<Answer>(await get(`/api/public/contagion?${query}`))).highlights[0]?.[
        'detectedAt'
      ]
    expect(await sinceOf('')).toBe('2026-11-20T11:00:00.000Z')
    app.context.snapshots.push(...snapshots)
    expect(await sinceOf('asOf=2026-11-20T12:05:00Z')).toBe('2026-11-20T11:00:00.000Z')
    expect(await sinceOf('asOf=2026-11-20T11:05:00Z')).toBe('2026-11-20T11:00:00.000Z')
  })

  it('includes the record of such gaps on request', async () => {
    const { judgements, get } = structureApp({ snapshots: [snapshot] })
    expect(await bodyOf(await get('/api/public/contagion'))).not.toHaveProperty('records')
    for (const hours of [2, 1])
      await judgements.publish({ ...snapshot, at: (NOON - hours * HOUR) as Millis })
    const { records } = await bodyOf<{ records: unknown }>(
      await get('/api/public/contagion?records=true'),
    )
    expect(records).toEqual([
      {
        kind: 'thematic',
        n: 2,
        hitRate: null,
        unproven: false,
        closed: [{ hours: 1, share: 0, n: 2 }],
      },
    ])
  })
})

describe('/api/public/yield-curves', () => {
  const dated = (month: string, close: string, price: number, facts: Partial<MarketFacts> = {}) =>
    marketQuantities({
      view: marketView({
        price,
        volume24h: 100,
        facts: {
          ticker: `KXIPO-${month}`,
          title: `Kraken IPO by ${month} 2027?`,
          eventId: 'KXIPO',
          eventTitle: 'Kraken IPO',
          closeTime: at(close),
          ...facts,
        },
      }),
    })
  const markets = [
    dated('June 30,', '2027-06-30T14:00:00Z', 45),
    dated('January 31,', '2027-01-31T14:00:00Z', 20),
    dated('March 31,', '2027-03-31T14:00:00Z', 30),
    dated('May', '2027-05-31T14:00:00Z', 50, { title: 'Fed cut in May 2027?', eventId: 'OTHER' }),
    marketQuantities({ view: marketView({ facts: { ticker: 'LONE', eventId: 'LONE' } }) }),
  ]
  const { get } = structureApp({ snapshots: [contextSnapshotOf(markets)] })
  type Curves = { readonly curves: readonly { readonly eventBase: string }[] }
  const names = async (query: string) =>
    (await bodyOf<Curves>(await get(`/api/public/yield-curves?${query}`))).curves.map(
      ({ eventBase }) => eventBase,
    )

  // [yield-curves.list.points] [yield-curves.one.points]
  it('returns the deadlines of one question, nearest first', async () => {
    const one = await bodyOf<object>(await get('/api/public/yield-curves/kxipo'))
    expect(one).toMatchObject({
      eventBase: 'KXIPO',
      venue: 'venue_a',
      title: 'Kraken IPO',
      shape: 'up',
      pointCount: 3,
      distinctTenorCount: 3,
      totalVolume24h: 300,
      avgPrice: 31.67,
      firstMarketTitle: 'Kraken IPO by January 31, 2027?',
      asOf: '2026-11-20T14:00:00.000Z',
      points: [
        { ticker: 'KXIPO-January 31,', tenorDays: 72, price: 20 },
        { tenorDays: 131, price: 30 },
        { tenorDays: 222, price: 45, closeTime: '2027-06-30T14:00:00.000Z' },
      ],
    })
    const list = await bodyOf<Curves>(await get('/api/public/yield-curves'))
    expect(list).toMatchObject({ curves: [one], count: 1 })
  })

  // [yield-curves.list.filtered]
  it('filters by venue, topic and shape', async () => {
    expect(await names('venue=venue_a&shape=UP')).toEqual(['KXIPO'])
    expect(await names('venue=venue_b')).toEqual([])
    expect(await names('shape=inverted')).toEqual([])
    expect(await names('topic=oil')).toEqual([])
    expect(await names('asOf=2020-01-01')).toEqual([])
    expect((await get('/api/public/yield-curves?shape=round')).status).toBe(400)
  })

  // [yield-curves.one.unknown]
  it.each(['NOPE', 'LONE', 'OTHER'])('answers 404 for %s', async (event) => {
    const response = await get(`/api/public/yield-curves/${event}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'Event not found', code: 'NOT_FOUND' })
  })
})

describe('/api/public/liquidity-by-theme', () => {
  const traded = (ticker: string, theme: string, volume: number, fields: object = {}) =>
    marketQuantities({
      view: {
        ...marketView({ volume24h: volume, facts: { ticker, category: theme } }),
        bidDepthUsd: 100_000,
        askDepthUsd: 150_000,
        liquidityScore: 'high',
        ...fields,
      },
      theme,
      volumeDayAgoUsd: volume / 2,
    })
  const markets = [
    traded('A', 'fed-rate', 50),
    traded('B', 'local-news', 300),
    traded('C', 'local-news', 100, { liquidityScore: 'low', bidDepthUsd: null }),
    traded('D', 'gone', 900, { status: 'paused' }),
  ]
  const { get } = structureApp({ snapshots: [contextSnapshotOf(markets)] })
  type Answer = { readonly themes: readonly { readonly theme: string }[] }
  const ask = async (query: string) =>
    bodyOf<Answer>(await get(`/api/public/liquidity-by-theme?${query}`))
  const themes = async (query: string) => (await ask(query)).themes.map(({ theme }) => theme)

  // [liquidity.by-theme.figures] [liquidity.by-theme.ordered]
  it('sums the live markets of each theme, most traded first', async () => {
    expect(await ask('')).toMatchObject({
      themes: [
        {
          theme: 'local-news',
          label: 'Local news',
          marketCount: 2,
          volume24hUsd: 400,
          openInterestUsd: 1000,
          depthUsd: 100_000,
          medianSpread: 2,
          change24hPct: 100,
          liquidityScore: 'medium',
          topMarkets: [{ ticker: 'B' }, { ticker: 'C' }],
        },
        { theme: 'fed-rate', label: 'Fed & Rates', liquidityScore: 'high' },
      ],
      count: 2,
    })
  })

  // [liquidity.by-theme.filtered]
  it('filters by words, category, venue and limit', async () => {
    expect(await themes('q=NEWS+local')).toEqual(['local-news'])
    expect(await themes('category=fed-rate')).toEqual(['fed-rate'])
    expect(await themes('venue=venue_b')).toEqual([])
    expect(await themes('limit=0')).toEqual(['local-news'])
    expect(await themes('asOf=2020-01-01')).toEqual([])
  })
})

// [structure.reads.cached]
it.each([
  ['/api/public/index', 30],
  ['/api/public/index/history', 30],
  ['/api/public/odds', 60],
  ['/api/public/odds.md', 60],
  ['/api/public/yield-curves', 60],
  ['/api/public/yield-curves/:event', 60],
  ['/api/public/liquidity-by-theme', 60],
  ['/api/public/contagion', 60],
  ['/api/public/highlights', 60],
  ['/api/public/cross-venue/pairs', 60],
  ['/api/public/cross-venue/stats', 60],
  ['/api/public/ideas', 300],
  ['/api/public/ideas/:id', 300],
  ['/api/edges', 30],
])('lets %s be cached for %i s, with or without a credential', (path, seconds) => {
  const routes: readonly DeclaredRoute[] = structureApp().app.routes
  const route = routes.find((declared) => declared.path === path)
  expect(route?.hooks).toMatchObject({ cache: seconds, auth: 'optional' })
})
