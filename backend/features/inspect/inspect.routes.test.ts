import { describe, expect, it } from 'vitest'
import type { MarketLink } from '../../domain/links/link-graph.ts'
import { priceOfCents } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { QuoteRow } from '../../history/market-rows.ts'
import { attachCaller } from '../../http/auth/auth.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { testApp } from '../../testing/test-app.ts'

type Body = Record<string, unknown>
const bodyOf = async (response: Response) => (await response.json()) as Body
const condition = `0x9f${'0'.repeat(60)}c1`
const DAY = 86_400_000

/** One market of each venue with the same question, and snapshots of noon and of a day before. */
function pairedApp() {
  const here = marketView({
    price: 52,
    bid: 51,
    ask: 53,
    change24h: 8,
    volume24h: 18_400,
    openInterest: 96_200,
    facts: { ticker: 'KXCEASE-27JAN', title: 'Will the ceasefire hold to January?' },
  })
  const there = marketView({
    price: 49,
    bid: 48,
    ask: 50,
    facts: { ticker: condition, venue: 'venue_b', title: 'Ceasefire through January' },
  })
  const oil = marketView({ price: 40, mark: 40 as Cents, facts: { ticker: 'KXOIL-26DEC' } })
  const app = testApp({ views: [here, there, oil] })
  const link: MarketLink = {
    i: 'KXCEASE-27JAN',
    j: 'KXOIL-26DEC',
    kind: 'thematic',
    sign: 1,
    priorBeta: 0.35,
    confidence: 0.5,
  }
  const adverse = { score: 0.58, prior: 0.5, nTrades: 20, alpha: 0.7 }
  const marksAgo = { '1h': null, '6h': 40 as Cents, '24h': null, '3d': null }
  const known = marketQuantities({ view: here, adverse, marksAgo, rates: { iar: 1, rv: 471 } })
  const pairs = [marketPair({ a: 'KXCEASE-27JAN', b: condition, confidence: 0.86 })]
  const gap = {
    trigger: 'KXCEASE-27JAN',
    lagging: 'KXOIL-26DEC',
    link,
    expected: 4.2,
    gap: 4.2,
    z: 2.5,
    direction: 'lagging' as const,
    strength: 0.2778,
    relation: 'theme' as const,
  }
  const other = marketQuantities({ view: oil, marksAgo })
  const markets = [known, marketQuantities({ view: there }), other]
  const yesterday = marketQuantities({
    view: { ...here, price: 44 as Cents, spread: 4 as Cents, tau: 11 },
    rates: { iar: 1, rv: 300.5 },
  })
  const dayBefore = contextSnapshotOf([yesterday], { at: (NOON - DAY) as Millis })
  app.context.snapshots = [
    dayBefore,
    contextSnapshotOf(markets, { pairs, gaps: (window) => (window === '6h' ? [gap] : []) }),
  ]
  return { ...app, here, there, oil }
}
const PATH = '/api/agent/inspect/KXCEASE-27JAN'

describe('/api/agent/inspect', () => {
  // [inspect.dossier.fields]
  it('contains all data of a market in one body', async () => {
    const body = await bodyOf(await pairedApp().get('/api/agent/inspect/kxcease-27jan'))
    expect(body).toMatchObject({
      ticker: 'KXCEASE-27JAN',
      venue: 'venue_a',
      title: 'Will the ceasefire hold to January?',
      status: 'active',
      result: null,
      price: 52,
      bestBid: 51,
      bestAsk: 53,
      spread: 2,
      volume24h: 18_400,
      openInterest: 96_200,
      regime: { label: 'neutral', asScore: 0.58, computedAt: '2026-11-20T14:00:00.000Z' },
      indicators: { cri: 1.083, rv: 471, las: 0.0385, cvr: 0.0577, ee: null, hasThesis: false },
      edges: [],
      legislation: [],
      asOf: '2026-11-20T14:00:00.000Z',
      inspectUrl: 'http://augury.test/api/agent/inspect/KXCEASE-27JAN',
    })
    expect(typeof body['latencyMs']).toBe('number')
    expect(body).not.toHaveProperty('position')
    const regime = body['regime'] as { signals: { name: string }[] }
    expect(regime.signals.map(({ name }) => name).slice(0, 3)).toEqual([
      'nTrades',
      'alpha',
      'spreadCents',
    ])
  })

  // [inspect.dossier.cross-venue] [inspect.dossier.contagion]
  it('names counterparts and connected markets', async () => {
    const body = await bodyOf(await pairedApp().get(PATH))
    expect(body['crossVenue']).toMatchObject([
      { ticker: condition, venue: 'venue_b', price: 49, gap: 3, confidence: 0.86 },
    ])
    expect(body['contagion']).toMatchObject([
      {
        trigger: { ticker: 'KXCEASE-27JAN', delta: 12 },
        lagging: { ticker: 'KXOIL-26DEC', delta: 0 },
        gap: 4.2,
        relation: 'theme',
        direction: 'lagging',
        window: '6h',
        detectedAt: '2026-11-20T14:00:00.000Z',
      },
    ])
  })

  // [inspect.dossier.diff]
  it('compares with a day ago, price by price and snapshot by snapshot', async () => {
    const { diff24h } = await bodyOf(await pairedApp().get(PATH))
    expect(diff24h).toMatchObject({
      from: '2026-11-19T14:00:00.000Z',
      to: '2026-11-20T14:00:00.000Z',
      price: { from: 44, to: 52, delta: 8 },
      indicators: {
        cri: { from: 1.273, to: 1.083, delta: -0.19 },
        las: { from: 0.0909, to: 0.0385, delta: -0.0524 },
        rv: { from: 300.5, to: 471, delta: 170.5 },
        vr: { from: null, to: null, delta: null },
        ee: { from: null, to: null, delta: null },
      },
    })
    const yields = (diff24h as { yield: { from: number; to: number } }).yield
    // (100 − p)/p × 365/tau × 100 with eleven and ten days left.
    expect(yields.from).toBeCloseTo((56 / 44) * (365 / 11) * 100, 6)
    expect(yields.to).toBeCloseTo((48 / 52) * (365 / 10) * 100, 6)
  })

  // [inspect.dossier.switches]
  it.each(['contagion', 'diff', 'trend'])('leaves out %s on request', async (name) => {
    const key = { contagion: 'contagion', diff: 'diff24h', trend: 'trend7d' }[name] ?? ''
    expect(await bodyOf(await pairedApp().get(PATH))).toHaveProperty(key)
    expect(await bodyOf(await pairedApp().get(`${PATH}?${name}=FALSE`))).not.toHaveProperty(key)
    const odd = await pairedApp().get(`${PATH}?${name}=perhaps`)
    expect([odd.status, await bodyOf(odd)]).toEqual([
      400,
      { error: `${name} must be true or false`, code: 'VALIDATION_ERROR' },
    ])
  })

  // [inspect.dossier.next-actions]
  it('suggests what to read next, and what to do if there is a suggestion', async () => {
    const app = pairedApp()
    const { nextActions } = await bodyOf(await app.get(PATH))
    expect(nextActions).toMatchObject({
      execute: null,
      watch: {
        method: 'POST',
        url: 'http://augury.test/api/watch',
        body: { ticker: 'KXCEASE-27JAN' },
      },
      query: [
        {
          url: 'http://augury.test/api/public/query?q=Will+the+ceasefire+hold+to+January%3F',
        },
      ],
    })
    const deeper = (nextActions as { deeper: { url: string }[] }).deeper.map(({ url }) => url)
    expect(deeper).toEqual([
      'http://augury.test/api/public/market/KXCEASE-27JAN?depth=true',
      'http://augury.test/api/public/market/KXCEASE-27JAN/history',
      'http://augury.test/api/public/market/KXCEASE-27JAN/candles?timeframe=1h',
      'http://augury.test/api/agent/world?op=trail&from=KXCEASE-27JAN',
      'http://augury.test/api/public/cross-venue/pairs?venue=venue_a',
    ])
    const quiet = await bodyOf(await app.get(`${PATH}?nextActions=off`))
    expect(quiet).not.toHaveProperty('nextActions')
  })

  // [inspect.dossier.suggestion]
  it('suggests a side if an edge of the snapshot leaves enough after costs', async () => {
    const app = pairedApp()
    const [, snapshot] = app.context.snapshots
    const pair = snapshot?.pairs[0]
    const existing = snapshot?.markets.get('KXCEASE-27JAN')
    if (snapshot === undefined || pair === undefined || existing === undefined)
      throw new Error('a pair')
    const dear = { ...app.there, price: 64 as Cents, mark: 64 as Cents }
    app.context.snapshots = [
      contextSnapshotOf([{ ...existing, volatility: 0.5 }, marketQuantities({ view: dear })], {
        pairs: [pair],
        crossVenue: new Map([
          [
            pair.id,
            {
              pair,
              edge: { net: 7, cost: 93, size: 200, buyYes: 'a' },
              executableGap: 7,
              yieldPct: 200,
              isTradable: true,
            },
          ],
        ]),
      }),
    ]
    const { suggestion, nextActions } = await bodyOf(await app.get(PATH))
    // sat(7/5) × 0.86 × w(medium) × (1 − 0.5 × 0.08/0.5)
    expect(suggestion).toMatchObject({ action: 'consider_long', confidence: 0.3231 })
    expect(nextActions).toMatchObject({
      execute: {
        method: 'POST',
        url: 'http://augury.test/api/intents',
        body: {
          action: 'buy',
          marketId: 'KXCEASE-27JAN',
          venue: 'venue_a',
          direction: 'yes',
          maxPrice: 53,
          // The fair price takes only this market's part of the gap, so that Kelly's share is small.
          targetQuantity: 10,
          executionStyle: 'ioc',
          source: 'agent',
        },
      },
    })
    const other = await bodyOf(await app.get(`/api/agent/inspect/${condition}`))
    expect(other['suggestion']).toMatchObject({
      warnings: ['liquidity is medium', 'volatility is unknown'],
    })
  })

  // [inspect.dossier.settled]
  it.each([
    ['yes' as const, 'settled yes: YES pays 100¢'],
    ['void' as const, 'settled void: the cost is returned'],
  ])('suggests to avoid a market settled %s and states its outcome', async (result, warning) => {
    const facts = { ticker: 'KXOVER', status: 'settled' as const, result }
    const price = result === 'yes' ? 100 : null
    const view = marketView({ price, bid: null, ask: null, tau: null, facts })
    const { get } = testApp({ views: [view] })
    const body = await bodyOf(await get('/api/agent/inspect/KXOVER'))
    expect(body).toMatchObject({
      status: 'settled',
      result: result === 'void' ? null : 'yes',
      suggestion: { action: 'avoid', sizeHint: 'small' },
      regime: { label: 'unknown', asScore: null, signals: [], trendLabel: null },
      indicators: { iy: null, cri: null, rv: null, tau: null, overround: null },
      nextActions: { execute: null },
    })
    expect((body['suggestion'] as { warnings: string[] }).warnings[0]).toBe(warning)
  })

  // [inspect.dossier.markdown]
  it('is text on request', async () => {
    const response = await pairedApp().app.handle(
      new Request(`http://localhost${PATH}?format=markdown&trend=0`),
    )
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await response.text()).toBe(`# KXCEASE-27JAN · venue_a · active
Will the ceasefire hold to January?
Price 52¢ (bid 51 / ask 53) · vol24h 18,400 contracts · OI 96,200 · closes 2026-11-30 (10d)
Suggestion: monitor (0.3, small) — Monitor: no edge is large and certain enough.
+ spread is 2¢   - liquidity is medium
Regime: neutral 0.58 · IY 3369% · CRI 1.08 · EE – · LAS 0.04
24h: 44¢ → 52¢
Cross-venue: 0x9f…c1 venue_b 49¢ (conf 0.86, gap 3¢)
Contagion: KXOIL-26DEC lagging 4¢
Next: \`GET http://augury.test/api/public/market/KXCEASE-27JAN\`
`)
  })

  // [inspect.dossier.refusals]
  it.each([
    ['', 400, { error: 'ticker required', code: 'VALIDATION_ERROR' }],
    ['/', 400, { error: 'ticker required', code: 'VALIDATION_ERROR' }],
    ['/%20', 400, { error: 'ticker required', code: 'VALIDATION_ERROR' }],
    ['/NOPE', 404, { error: 'Market not found', code: 'NOT_FOUND' }],
    [
      '/3f2504e0-4f89-11d3-9a0c-0305e82c3301',
      410,
      { error: 'Market ids in UUID form are retired', code: 'GONE' },
    ],
    [
      '/KXCEASE-27JAN?format=xml',
      400,
      { error: 'format must be json or markdown', code: 'VALIDATION_ERROR' },
    ],
    [
      '/KXCEASE-27JAN?asOf=2030-01-01',
      400,
      { error: 'asOf is in the future', code: 'VALIDATION_ERROR' },
    ],
    ['/KXCEASE-27JAN?asOf=2020-01-01', 404, { error: 'Market not found', code: 'NOT_FOUND' }],
  ])('answers %s with %s', async (path, status, error) => {
    const response = await pairedApp().get(`/api/agent/inspect${path}`)
    expect([response.status, await bodyOf(response)]).toEqual([status, error])
  })

  // [inspect.dossier.position]
  it('includes the position for identified callers only', async () => {
    const request = new Request(`http://localhost${PATH}`)
    attachCaller(request, {
      id: 'k',
      userId: 'u',
      isAdmin: false,
      tier: 'free',
      credential: { kind: 'session', id: 's' },
    })
    expect(await bodyOf(await pairedApp().app.handle(request))).toMatchObject({ position: null })
  })

  it('returns for a past instant what was known then', async () => {
    const app = pairedApp()
    const body = await bodyOf(await app.get(`${PATH}?asOf=2026-11-19T14:05:00Z`))
    expect(body).toMatchObject({
      asOf: '2026-11-19T14:05:00.000Z',
      crossVenue: [],
      indicators: { rv: 300.5, lastComputedAt: '2026-11-19T14:00:00.000Z' },
    })
  })

  it('is not ready before the first snapshot, because half of a dossier rests on it', async () => {
    const app = pairedApp()
    app.context.snapshots = []
    const response = await app.get(PATH)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await bodyOf(response)).toMatchObject({ code: 'NOT_READY' })
  })

  describe('the shared part of a dossier', () => {
    const madeAt = async (app: ReturnType<typeof pairedApp>) =>
      (await bodyOf(await app.get(PATH)))['asOf']

    // [inspect.dossier.kept]
    it('is cached while nothing changes, ten seconds at most', async () => {
      const app = pairedApp()
      const first = await madeAt(app)
      await app.clock.advance(9_000)
      expect(await madeAt(app)).toBe(first)
      await app.clock.advance(1_000)
      expect(await madeAt(app)).toBe('2026-11-20T14:00:10.000Z')
    })

    it('is rebuilt when the market, its counterpart or the snapshot changes', async () => {
      const app = pairedApp()
      const [here, there, oil] = app.board.views
      if (here === undefined || there === undefined || oil === undefined) throw new Error('three')
      await madeAt(app)
      await app.clock.advance(1_000)
      app.board.views = [{ ...here, lastPrice: 53 as Cents }, there, oil]
      expect(await madeAt(app)).toBe('2026-11-20T14:00:01.000Z')
      await app.clock.advance(1_000)
      app.board.views = app.board.views.with(1, { ...there, bestBid: 47 as Cents })
      expect(await madeAt(app)).toBe('2026-11-20T14:00:02.000Z')
      await app.clock.advance(1_000)
      app.context.snapshots = app.context.snapshots.map((snapshot) => ({ ...snapshot }))
      expect(await madeAt(app)).toBe('2026-11-20T14:00:03.000Z')
      await app.clock.advance(1_000)
      app.board.views = app.board.views.with(0, {
        ...here,
        lastPrice: 53 as Cents,
        facts: { ...here.facts },
      })
      expect(await madeAt(app)).toBe('2026-11-20T14:00:04.000Z')
      await app.clock.advance(1_000)
      app.board.views = app.board.views.with(2, { ...oil, bestBid: 1 as Cents })
      expect(await madeAt(app)).toBe('2026-11-20T14:00:04.000Z')
    })
  })
})

describe('the week of a dossier', () => {
  const view = marketView({ price: 46, facts: { ticker: 'KXWEEK', closeTime: at('2026-12-01') } })
  const stored = (price: number | null) => (price === null ? null : priceOfCents(price as Cents))
  const quote = (iso: string, bid: number | null, ask: number | null): QuoteRow => ({
    ts: at(iso),
    bid: stored(bid),
    ask: stored(ask),
  })

  // [inspect.dossier.trend]
  it('has one row for each day with a quote, ascending', async () => {
    const app = testApp({
      views: [view],
      quotes: [
        quote('2026-11-13T23:59:00Z', 90, 92),
        quote('2026-11-14T00:00:00Z', 40, 42),
        quote('2026-11-14T12:00:00Z', 50, 52),
        quote('2026-11-14T23:00:00Z', 44, 46),
        quote('2026-11-18T10:00:00Z', 20, null),
        quote('2026-11-20T13:00:00Z', 45, 47),
      ],
      coverage: {
        trades: [{ state: 'live', from: at('2026-11-19'), to: at('2026-11-21'), reason: null }],
      },
    })
    const { trend7d } = await bodyOf(await app.get('/api/agent/inspect/KXWEEK'))
    const rows = trend7d as { date: string; iy: number }[]
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-14', '2026-11-20'])
    // It is unknown whether anything traded on the first day; nothing did today.
    expect(rows).toMatchObject([
      { price: 45, high: 51, low: 41, cri: 1.222, volume: null },
      { price: 46, high: 46, low: 46, cri: 1.174, volume: 0 },
    ])
    const tau = (at('2026-12-01') - at('2026-11-20T13:00:00Z')) / DAY
    expect(rows[1]?.iy).toBeCloseTo((54 / 46) * (365 / tau) * 100, 6)
  })

  it('has no day after the end of a market', async () => {
    const ended = marketView({
      ...view,
      status: 'settled',
      facts: { ...view.facts, status: 'settled', closeTime: at('2026-11-15') },
    })
    const app = testApp({
      views: [ended],
      quotes: [quote('2026-11-14T12:00:00Z', 50, 52), quote('2026-11-20T13:00:00Z', 45, 47)],
    })
    const { trend7d } = await bodyOf(await app.get('/api/agent/inspect/KXWEEK'))
    expect((trend7d as { date: string }[]).map(({ date }) => date)).toEqual(['2026-11-14'])
  })
})
