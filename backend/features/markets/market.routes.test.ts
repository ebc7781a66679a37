import { describe, expect, it } from 'vitest'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import type { Cents, PriceE4 } from '../../domain/units.ts'
import { attachCaller } from '../../http/auth/auth.ts'
import type { Caller } from '../../http/auth/auth.ts'
import { level, marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { testApp } from '../../testing/test-app.ts'

const caller: Caller = {
  id: 'k',
  userId: 'u',
  isAdmin: false,
  tier: 'free',
  credential: { kind: 'session', id: 's' },
}
const condition = `0x${'ab'.repeat(32)}`
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>

describe('/api/public/market/:ticker', () => {
  const views = [
    marketView({ facts: { ticker: 'KXONE', eventId: 'E', description: 'Rules.' } }),
    marketView({ price: 70, facts: { ticker: 'KXTWO', eventId: 'E' } }),
    marketView({ price: null, facts: { ticker: 'KXTHREE', eventId: 'E' } }),
    marketView({ price: 90, facts: { ticker: 'KXFOUR', eventId: 'E' } }),
    marketView({ facts: { ticker: condition, venue: 'venue_b', eventId: 'E' } }),
  ]

  // [markets.detail.fields] [markets.detail.siblings] [markets.detail.next-actions]
  it('serves the market with its rules, indicators and most expensive siblings first', async () => {
    const body = await bodyOf(await testApp({ views }).get('/api/public/market/kxone'))
    expect(body).toMatchObject({
      ticker: 'KXONE',
      price: 42,
      bestBid: 41,
      bestAsk: 43,
      spread: 2,
      description: 'Rules.',
      tickSize: null,
      edges: [],
      crossVenue: null,
      fetchedAt: '2026-11-20T14:00:00.000Z',
      indicators: { tau: 10, tauDays: 10, cri: 1.381, hasOrderbook: true },
    })
    expect((body['siblings'] as { ticker: string }[]).map(({ ticker }) => ticker)).toEqual([
      'KXFOUR',
      'KXTWO',
      'KXTHREE',
    ])
    expect(body['nextActions']).toMatchObject({
      inspect: [{ method: 'GET', url: 'http://augury.test/api/agent/inspect/KXONE' }],
    })
    expect(body).not.toHaveProperty('bidLevels')
    const quiet = await testApp({ views }).get('/api/public/market/KXONE?nextActions=off')
    expect(await bodyOf(quiet)).not.toHaveProperty('nextActions')
  })

  // [conventions.parameters.ticker-forms]
  it.each([
    condition,
    condition.toUpperCase().replace('0X', '0x'),
    `pm:${condition}`,
    `PM%3A${condition}/`,
  ])('accepts the condition id as %s', async (ticker) => {
    const body = await bodyOf(await testApp({ views }).get(`/api/public/market/${ticker}`))
    expect(body).toMatchObject({ ticker: condition, venue: 'venue_b' })
  })

  // [markets.detail.depth]
  it('adds the best five levels a side, or none when no book is known', async () => {
    const app = testApp({ views })
    const asks = [level(43, 6), level(44.5, 1.25)]
    app.board.books.set('KXONE', { book: { bids: [], asks }, at: NOON })
    expect(await bodyOf(await app.get('/api/public/market/KXONE?depth=1'))).toMatchObject({
      bidLevels: [],
      askLevels: [
        { price: 43, size: 6 },
        { price: 44.5, size: 1.25 },
      ],
      depthAt: '2026-11-20T14:00:00.000Z',
    })
    const unknown = await bodyOf(await app.get('/api/public/market/KXTWO?depth=true'))
    expect(unknown).toMatchObject({ bidLevels: [], askLevels: [] })
    expect(unknown).not.toHaveProperty('depthAt')
  })

  it('returns the price step at the current price', async () => {
    const range = (start: number, end: number, step: number) => ({
      start: start as PriceE4,
      end: end as PriceE4,
      step: step as PriceE4,
    })
    const priceRanges = [range(0, 1_000, 10), range(1_000, 10_000, 100)]
    const app = testApp({
      views: [
        marketView({ price: 5, facts: { ticker: 'LOW', priceRanges } }),
        marketView({ price: 10, facts: { ticker: 'HIGH', priceRanges } }),
      ],
    })
    expect(await bodyOf(await app.get('/api/public/market/LOW'))).toMatchObject({ tickSize: 0.1 })
    expect(await bodyOf(await app.get('/api/public/market/HIGH'))).toMatchObject({ tickSize: 1 })
  })

  // [markets.detail.unknown] [markets.detail.retired-id] [markets.history.unknown] [markets.candles.unknown]
  it.each(['', '/history', '/candles'])(
    'refuses unknown tickers and retired ids %s',
    async (part) => {
      const { get } = testApp({ views })
      const unknown = await get(`/api/public/market/NOPE${part}`)
      expect([unknown.status, await bodyOf(unknown)]).toEqual([
        404,
        { error: 'Market not found', code: 'NOT_FOUND' },
      ])
      const retired = await get(`/api/public/market/3F2504E0-4F89-11D3-9A0C-0305E82C3301${part}`)
      expect([retired.status, await bodyOf(retired)]).toEqual([
        410,
        { error: 'Market ids in UUID form are retired', code: 'GONE' },
      ])
      const before = await get(`/api/public/market/KXONE${part}?asOf=2020-01-01`)
      expect(before.status).toBe(404)
    },
  )

  // [markets.detail.regime]
  it('serves the regime of the snapshot, fresh while it is the latest and the book is valid', async () => {
    const [one, two] = views
    if (one === undefined || two === undefined) throw new Error('two markets are there')
    const app = testApp({
      views: [one, marketView({ bid: null, ask: null, facts: { ticker: 'X' } })],
    })
    const adverse = { score: 0.74, prior: 0.5, nTrades: 200, alpha: 0.8 }
    const known = marketQuantities({
      view: one,
      adverse,
      trendLabel: 'bull',
      eventType: 'political',
    })
    app.context.snapshots = [
      contextSnapshotOf([known, marketQuantities({ view: app.board.views[1] ?? one })]),
    ]
    const { regime } = await bodyOf(await app.get('/api/public/market/KXONE'))
    expect(regime).toEqual({
      score: 0.74,
      asScore: 0.74,
      label: 'taker',
      signals: {
        spreadCents: 2,
        bidDepthUsd: null,
        askDepthUsd: null,
        volume24h: 1_000,
        observability: 'low',
        eventType: 'political',
        asPrior: 0.5,
        sfEdgeCents: null,
        sfEdgeDirection: null,
      },
      computedAt: '2026-11-20T14:00:00.000Z',
      fresh: true,
      trendLabel: 'bull',
    })
    const unbooked = await bodyOf(await app.get('/api/public/market/X'))
    expect(unbooked['regime']).toMatchObject({ fresh: false, label: 'neutral' })
    await app.clock.advance(15 * 60_000)
    app.board.now = app.clock.now()
    const later = await bodyOf(await app.get('/api/public/market/KXONE'))
    expect(later['regime']).toMatchObject({ fresh: false })
  })

  it('has no regime for a market that is not live, and its quote before the first snapshot', async () => {
    const closed = marketView({ facts: { ticker: 'KXOVER', status: 'closed' } })
    const app = testApp({ views: [closed, ...views] })
    const over = await bodyOf(await app.get('/api/public/market/KXOVER'))
    expect(over).toMatchObject({ regime: null, indicators: { cri: null, rv: null } })
    app.context.snapshots = []
    expect(await bodyOf(await app.get('/api/public/market/KXONE'))).toMatchObject({
      price: 42,
      regime: null,
      crossVenue: null,
      indicators: { tau: 10, cri: 1.381, rv: null, lastComputedAt: null },
    })
    app.board.ready = false
    const early = await app.get('/api/public/market/KXONE')
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
  })

  // [markets.detail.indicators]
  it('adds values of the snapshot to ratios of the current price', async () => {
    const app = testApp({ views })
    const view = views[0]
    if (view === undefined) throw new Error('a market is there')
    const counterpart = marketQuantities({
      view: marketView({ price: 20, facts: { ticker: 'B' } }),
    })
    app.board.views = [{ ...view, price: 22 as Cents }, counterpart.view]
    app.context.snapshots = [
      contextSnapshotOf(
        [
          marketQuantities({
            view,
            rates: { iar: 0.78, rv: 471 },
            surprise: { vr: 2.6594, expectedVr: 0.81873, residualVr: 1.84067 },
            daysToEvent: 4,
          }),
          counterpart,
        ],
        { pairs: [marketPair({ a: 'KXONE', b: 'B' })] },
      ),
    ]
    const { indicators } = await bodyOf(await app.get('/api/public/market/KXONE'))
    expect(indicators).toMatchObject({
      cri: 3.545,
      iar: 0.78,
      rv: 471,
      vr: 2.659,
      expectedVr: 0.819,
      residualVr: 1.841,
      daysToEvent: 4,
      cvr: 0.0909,
      ee: null,
      hasThesis: false,
      lastComputedAt: '2026-11-20T14:00:00.000Z',
    })
  })

  describe('the counterpart on the other venue', () => {
    const here = marketView({ price: 52, bid: 51, ask: 53, facts: { ticker: 'KXPAIR' } })
    const there = marketView({
      price: 49,
      bid: 48,
      ask: 50,
      mark: 49 as Cents,
      facts: { ticker: condition, venue: 'venue_b', title: 'The same question' },
    })
    const app = (fields: Partial<MarketPair>) => {
      const created = testApp({ views: [here, there] })
      const pairs = [marketPair({ a: 'KXPAIR', b: condition, ...fields })]
      created.context.snapshots = [
        contextSnapshotOf(
          [here, there].map((view) => marketQuantities({ view })),
          { pairs },
        ),
      ]
      return created
    }
    const requested = async (fields: Partial<MarketPair>, query = '') =>
      (await bodyOf(await app(fields).get(`/api/public/market/KXPAIR${query}`)))['crossVenue']

    // [markets.detail.cross-venue]
    it('is served with its own prices and the gap to them, or is null', async () => {
      expect(await requested({ confidence: 0.86, closeDeltaDays: 1.25 })).toEqual({
        pageUrl: `http://app.augury.test/markets/${there.slug}`,
        apiUrl: `http://augury.test/api/public/market/${condition}`,
        inspectUrl: `http://augury.test/api/agent/inspect/${condition}`,
        ticker: condition,
        venue: 'venue_b',
        title: 'The same question',
        price: 49,
        bestBid: 48,
        bestAsk: 50,
        gap: 3,
        confidence: 0.86,
        closeTime: '2026-11-30T14:00:00.000Z',
        closeDeltaDays: 1.25,
        method: 'text',
        inverted: false,
      })
      // The opposite question at 49 sees this one at 51.
      expect(await requested({ inverted: true })).toMatchObject({
        gap: 1,
        price: 49,
        inverted: true,
      })
      expect(await requested({ confidence: 0.59 })).toBeNull()
    })

    // [markets.detail.cv-preset]
    it.each<[Partial<MarketPair>, string, boolean]>([
      [{ confidence: 0.79 }, '?cv_preset=arb', false],
      [{ confidence: 0.8, closeDeltaDays: 90 }, '?cv_preset=arb', true],
      [{ confidence: 0.8, closeDeltaDays: 90.01 }, '?cv_preset=arb', false],
      [{ confidence: 0.8, closeDeltaDays: null }, '?cv_preset=arb', false],
      [{ confidence: 0.75, closeDeltaDays: 180 }, '?cv_preset=WORLD', true],
      [{ confidence: 0.6, closeDeltaDays: null }, '', true],
      [{ confidence: 0.5, closeDeltaDays: 4_000 }, '?cv_preset=browse', true],
      [{ confidence: 0.3 }, '?cv_preset=arb&cv_min_conf=0.3', true],
      [{ confidence: 0.9 }, '?cv_min_conf=0.95', false],
      [{ confidence: 0.9, closeDeltaDays: 2 }, '?cv_max_dt_days=1', false],
      [{ confidence: 0.9, closeDeltaDays: 200 }, '?cv_preset=arb&cv_max_dt_days=365', true],
    ])('with %o and %s is %s', async (fields, query, isServed) => {
      expect((await requested(fields, query)) !== null).toBe(isServed)
    })
  })

  it('recomputes the regime from the current book for an identified caller', async () => {
    const app = testApp({ views: [marketView({ facts: { ticker: 'KXONE' } })] })
    const asks = [level(43, 300), level(44, 400)]
    const book = { bids: [level(41, 1_500)], asks }
    app.board.books.set('KXONE', { book, at: NOON })
    const path = '/api/public/market/KXONE?refresh=true'
    const request = new Request(`http://localhost${path}`)
    attachCaller(request, caller)
    await app.clock.advance(60_000)
    const { regime } = await bodyOf(await app.app.handle(request))
    expect(regime).toMatchObject({
      computedAt: '2026-11-20T14:01:00.000Z',
      fresh: true,
      signals: { bidDepthUsd: 1_500, askDepthUsd: 700, spreadCents: 2 },
    })
  })

  // [markets.detail.refresh]
  it('refuses a refresh to anonymous callers, and accepts refresh=0', async () => {
    const response = await testApp({ views }).get('/api/public/market/KXONE?refresh=true')
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await bodyOf(response)).toEqual({
      error: 'Authentication required',
      code: 'AUTH_REQUIRED',
    })
    expect((await testApp({ views }).get('/api/public/market/KXONE?refresh=0')).status).toBe(200)
  })

  it.each([
    ['cv_preset=best', 'cv_preset must be arb, world, detail or browse'],
    ['cv_min_conf=1.1', 'cv_min_conf must be from 0 to 1'],
    ['cv_max_dt_days=-1', 'cv_max_dt_days must be at least 0'],
    ['depth=2', 'depth must be true or false'],
  ])('refuses %s', async (query, error) => {
    const response = await testApp({ views }).get(`/api/public/market/KXONE?${query}`)
    expect([response.status, await bodyOf(response)]).toEqual([
      400,
      { error, code: 'VALIDATION_ERROR' },
    ])
  })
})
