import { describe, expect, it } from 'vitest'
import type { EventType, Observability } from '../../domain/topics/event-type-rules.ts'
import { scanRegimes } from '../../testing/scan-regimes.ts'
import type { RegimeScanRow } from '../../domain/regime/scan.ts'
import { MINUTE } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { testApp } from '../../testing/test-app.ts'

interface Page {
  readonly markets: readonly { readonly ticker: string; readonly score: number }[]
  readonly total: number
  readonly nextCursor: string | null
  readonly byLabel: Readonly<Record<string, number>>
}
const PATH = '/api/public/regime/scan'
const pageOf = async (response: Response): Promise<Page> => (await response.json()) as Page
const tickersIn = (page: Page) => page.markets.map(({ ticker }) => ticker)

interface Fields {
  readonly score: number
  readonly volume?: number
  readonly spread?: number
  readonly depth?: number | null
  readonly tau?: number | null
  readonly eventType?: EventType
  readonly observability?: Observability
  readonly venue?: 'venue_a' | 'venue_b'
  readonly category?: string
  readonly topics?: readonly string[]
}
function scanned(ticker: string, fields: Fields) {
  const { score, volume = 100, spread = 2, depth = null, tau = 10, venue = 'venue_a' } = fields
  const { eventType = 'cultural', observability = 'high', category = 'science' } = fields
  const view = marketView({
    facts: { ticker, venue, category },
    topics: fields.topics ?? [],
    volume24h: volume,
    spread: spread as Cents,
    tau,
    bidDepthUsd: depth,
    askDepthUsd: depth,
  })
  const adverse = { score, prior: 0.5, nTrades: 40, alpha: score }
  return marketQuantities({ view, adverse, eventType, observability })
}

describe(PATH, () => {
  const markets = [
    scanned('LOW', { score: 0.2, volume: 900, depth: 50, observability: 'direct' }),
    scanned('MID', {
      score: 0.5,
      volume: 100,
      spread: 1,
      depth: 5_000,
      tau: 2,
      category: 'sports',
    }),
    scanned('HIGH', { score: 0.8, volume: 500, spread: 9, eventType: 'financial', tau: null }),
    scanned('TOP', { score: 0.8, venue: 'venue_b', topics: ['iran'], depth: 700 }),
  ]
  const over = marketQuantities({
    view: marketView({ facts: { ticker: 'OVER', status: 'paused' } }),
  })
  const scanApp = () => {
    const app = testApp({ views: [...markets, over].map(({ view }) => view) })
    const pairs = [marketPair({ a: 'MID', b: 'TOP' })]
    const crossVenue = new Map(
      pairs.map((pair) => [
        pair.id,
        {
          pair,
          edge: { net: 2, cost: 98, size: 10, buyYes: 'b' as const },
          executableGap: 2,
          yieldPct: 5,
          isTradable: true,
        },
      ]),
    )
    const moved = [...markets, over].map((market) =>
      market.view.facts.ticker === 'TOP'
        ? { ...market, view: { ...market.view, mark: 38 as Cents } }
        : market,
    )
    app.context.snapshots = [contextSnapshotOf(moved, { pairs, crossVenue })]
    return app
  }
  const scan = async (query = '') => pageOf(await scanApp().get(`${PATH}?${query}`))

  // [regime.scan.row]
  it('serves markets with score, label, signals and breakdown', async () => {
    const page = await scan('limit=1')
    expect(page).toMatchObject({
      count: 1,
      total: 4,
      hasMore: true,
      byLabel: { maker: 1, neutral: 1, taker: 2 },
      generatedAt: '2026-11-20T14:00:00.000Z',
      markets: [
        {
          ticker: 'HIGH',
          price: 42,
          score: 0.8,
          asScore: 0.8,
          label: 'taker',
          trendLabel: 'range',
          signals: { spreadCents: 9, eventType: 'financial', asPrior: 0.5, volume24h: 500 },
          breakdown: [
            { name: 'nTrades', value: 40, effect: 'neutral' },
            { name: 'alpha', value: 0.8, effect: 'taker' },
            { name: 'spreadCents', value: 9, effect: 'maker' },
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            {},
          ],
          computedAt: '2026-11-20T14:00:00.000Z',
        },
      ],
      nextActions: { inspect: [{ url: 'http://augury.test/api/agent/inspect/HIGH' }] },
    })
    expect(await scan('nextActions=OFF')).not.toHaveProperty('nextActions')
  })

  // [regime.scan.sorted]
  it.each([
    ['', ['HIGH', 'TOP', 'MID', 'LOW']],
    ['order=asc', ['LOW', 'MID', 'HIGH', 'TOP']],
    ['sort=volume24h', ['LOW', 'HIGH', 'MID', 'TOP']],
    ['sort=spread', ['HIGH', 'LOW', 'TOP', 'MID']],
    ['sort=depth', ['MID', 'TOP', 'LOW', 'HIGH']],
    ['sort=depth&order=asc', ['LOW', 'TOP', 'MID', 'HIGH']],
    ['sort=edge', ['MID', 'TOP', 'HIGH', 'LOW']],
    ['sort=tau&order=asc', ['MID', 'LOW', 'TOP', 'HIGH']],
  ])('sorted by %s', async (query, tickers) => {
    expect(tickersIn(await scan(query))).toEqual(tickers)
  })

  // [regime.scan.filtered]
  it.each([
    ['label=taker', ['HIGH', 'TOP']],
    ['as_min=0.5', ['HIGH', 'TOP', 'MID']],
    ['as_min=0.5&as_max=0.5', ['MID']],
    ['venue=venue_b', ['TOP']],
    ['event_type=FINANCIAL', ['HIGH']],
    ['observability=direct', ['LOW']],
    ['has_edge=true', ['TOP', 'MID']],
    ['has_edge=0', ['HIGH', 'LOW']],
    ['category=Sports', ['MID']],
    ['topic=iran', ['TOP']],
    ['topic=nothing', []],
    ['min_volume=500', ['HIGH', 'LOW']],
  ])('filtered by %s', async (query, tickers) => {
    expect(tickersIn(await scan(query))).toEqual(tickers)
  })

  // [regime.scan.by-label]
  it('counts labels before it filters by label', async () => {
    expect(await scan('label=maker&as_max=0.6')).toMatchObject({
      total: 1,
      byLabel: { maker: 1, neutral: 1, taker: 0 },
    })
  })

  // [regime.scan.paged] [regime.scan.limit-clamped]
  it('pages by cursor, also when a new snapshot appears', async () => {
    const app = scanApp()
    const walked: string[] = []
    for (let next: string | null = ''; next !== null;) {
      const page: Page = await pageOf(
        await app.get(`${PATH}?sort=volume24h&limit=1&cursor=${next}`),
      )
      walked.push(...tickersIn(page))
      next = page.nextCursor
      const at = (NOON + MINUTE * 15) as Millis
      if (app.context.snapshots.length === 1)
        app.context.snapshots.push(contextSnapshotOf([over], { at }))
    }
    expect(walked).toEqual(['LOW', 'HIGH', 'MID', 'TOP'])
    const page = await scan('limit=999')
    expect(page.markets).toHaveLength(4)
  })

  // [regime.scan.refusals]
  it.each([
    ['label=good', 'label must be maker, taker, neutral or unknown'],
    ['event_type=chess', /^event_type must be /],
    ['observability=some', 'observability must be none, low, medium, high or direct'],
    ['sort=luck', 'sort must be score, volume24h, spread, depth, edge or tau'],
    ['as_min=1.1', 'as_min must be from 0 to 1'],
    ['as_min=0.6&as_max=0.5', 'as_min must not be above as_max'],
    ['has_edge=perhaps', 'has_edge must be true or false'],
    ['min_volume=-1', 'min_volume must be at least 0'],
    ['limit=1.5', 'limit must be an integer'],
    ['cursor=abc', 'cursor is invalid'],
  ])('refuses %s', async (query, error) => {
    const response = await testApp().get(`${PATH}?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: typeof error === 'string' ? error : (expect.stringMatching(error) as unknown),
      code: 'VALIDATION_ERROR',
    })
  })

  it('agrees with a plain scan of all rows', async () => {
    const rows = markets.map(({ view, regime, eventType, observability }): RegimeScanRow => {
      const { ticker, venue, category } = view.facts
      return {
        ticker,
        venue,
        category,
        topics: view.topics,
        eventType,
        observability,
        label: regime?.label ?? 'neutral',
        score: regime?.score ?? 0,
        tau: view.tau,
        volume24hUsd: view.volume24hUsd,
        spread: view.spread,
        edge: null,
        bidDepthUsd: view.bidDepthUsd,
        askDepthUsd: view.askDepthUsd,
      }
    })
    for (const sort of ['score', 'volume24h', 'spread', 'depth', 'tau'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const plain = scanRegimes(rows, { minScore: 0.3 }, sort, order)
        const page = await scan(`as_min=0.3&sort=${sort}&order=${order}`)
        expect(tickersIn(page)).toEqual(plain.rows.map(({ ticker }) => ticker))
        expect(page.byLabel).toEqual(plain.byLabel)
      }
    }
  })

  it('is not ready before the first snapshot and empty before the first record', async () => {
    const app = scanApp()
    expect(await pageOf(await app.get(`${PATH}?asOf=2026-11-02`))).toMatchObject({
      markets: [],
      total: 0,
      byLabel: { maker: 0, taker: 0, neutral: 0 },
    })
    app.context.snapshots = []
    expect((await app.get(PATH)).status).toBe(503)
  })
})

describe('/api/public/regime/history', () => {
  // [regime.history.gone]
  it('is gone permanently and lists its replacements', async () => {
    const response = await testApp().get('/api/public/regime/history?ticker=X')
    expect(response.status).toBe(410)
    expect(await response.json()).toMatchObject({
      error: 'Gone',
      code: 'GONE',
      replacements: [
        { method: 'GET', url: 'http://augury.test/api/public/regime/scan' },
        { method: 'GET', url: 'http://augury.test/api/public/market-microstructure-history' },
      ],
    })
  })
})
