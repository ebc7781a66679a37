import { describe, expect, it } from 'vitest'
import { tauAt } from '../../domain/prices/indicators.ts'
import { MINUTE } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { testApp } from '../../testing/test-app.ts'

interface Screened {
  readonly markets: { readonly ticker: string; readonly indicators: Record<string, unknown> }[]
  readonly total: number
  readonly nextCursor: string | null
  readonly missing?: string[]
}
const bodyOf = async (response: Response): Promise<Screened> => (await response.json()) as Screened
const named = (ticker: string, view: Parameters<typeof marketView>[0] = {}) =>
  marketView({ ...view, facts: { ticker, ...view.facts } })

describe('/api/public/screen', () => {
  const exclusive = { exclusive: true, eventId: 'KXFIELD' }
  const views = [
    // The worked example of methodology A4 and A5: 22 under a 22/23 book, 193.0970 days to close.
    named('KXWORKED', { price: 22, bid: 22, ask: 23, tau: 193.097 }),
    named('KXWIDE', { price: 40, bid: 38, ask: 43, tau: 30 }),
    named('KXNOBOOK', { price: 50, bid: null, ask: null, tau: 10 }),
    named('KXNOTIME', { price: 50, tau: null }),
    named('KXENDED', { price: 22, facts: { status: 'settled' } }),
    named('F1', { price: 30, bid: 28, ask: 30, facts: exclusive }),
    named('F2', { price: 28, bid: 26, ask: 28, facts: exclusive }),
    named('F3', { price: 35, bid: 33, ask: 35, volume24h: 9, facts: exclusive }),
  ]
  /** An app whose snapshot knows that the field of F1 to F3 costs 93 cents. */
  const screenApp = () => {
    const app = testApp({ views })
    const markets = views.map((view) =>
      marketQuantities({ view, overround: (view.facts.exclusive ? -7 : null) as Cents | null }),
    )
    app.context.snapshots = [contextSnapshotOf(markets)]
    return app
  }
  const screened = async (query: string) =>
    bodyOf(await screenApp().get(`/api/public/screen?${query}`))
  const found = async (query: string) => (await screened(query)).markets.map(({ ticker }) => ticker)

  it('computes what prices and times allow, and leaves the rest unknown', async () => {
    const rows = (await screened('keyword=KXWORKED')).markets
    expect(rows[0]?.indicators).toMatchObject({
      cri: 3.545,
      las: 0.0455,
      adjIy: 639.68,
      tauDays: 193,
      hasOrderbook: true,
      overround: null,
      ee: null,
      rv: null,
      vr: null,
    })
    expect(rows[0]?.indicators['iy']).toBeCloseTo(670.1766, 3)
    expect(rows[0]?.indicators['iyNo']).toBeCloseTo(53.3145, 3)
    expect((await screened('keyword=KXWIDE')).markets[0]?.indicators).toMatchObject({
      iy: 1825,
      las: 0.125,
      adjIy: 1596.88,
    })
    // Asks 30, 28 and 35 of one exclusive field sum to 93 (methodology A7).
    expect((await screened('keyword=F1')).markets[0]?.indicators).toMatchObject({ overround: -7 })
  })

  it('leads with yields that can be traded, not with longshots, unless sorted by yield', async () => {
    const views = [
      named('KXLONGSHOT', { price: 0.1, bid: 0.1, ask: 0.2, tau: 20, volume24hUsd: 9_000 }),
      named('KXTRADED', { price: 40, bid: 39, ask: 41, tau: 20, volume24hUsd: 9_000 }),
      named('KXSLOW', { price: 40, bid: 39, ask: 41, tau: 200, volume24hUsd: 9_000 }),
      named('KXQUIET', { price: 40, bid: 39, ask: 41, tau: 20, volume24hUsd: 10 }),
    ]
    const app = testApp({ views })
    app.context.snapshots = [contextSnapshotOf(views.map((view) => marketQuantities({ view })))]
    const order = async (query: string) =>
      (await bodyOf(await app.get(`/api/public/screen${query}`))).markets.map((row) => row.ticker)
    expect(await order('')).toEqual(['KXTRADED', 'KXSLOW', 'KXQUIET', 'KXLONGSHOT'])
    expect(await order('?sort=iy')).toEqual(['KXLONGSHOT', 'KXQUIET', 'KXTRADED', 'KXSLOW'])
  })

  // [markets.screen.filters] [markets.screen.keyword] [markets.screen.null-left-out]
  it('filters by indicators and leaves out rows with unknown values', async () => {
    expect(await found('sort=iy&iy_min=600&iy_max=700')).toEqual(['KXWORKED'])
    expect(await found('sort=volume&or_max=-0.05')).toEqual(['F1', 'F2', 'F3'])
    expect(await found('sort=volume&or_min=-0.05')).toEqual([])
    expect(await found('sort=iy')).not.toContain('KXNOTIME')
    expect(await found('sort=volume')).toContain('KXNOTIME')
    expect(await found('sort=volume')).not.toContain('KXENDED')
    expect(await found('sort=volume&no_orderbook=1')).toEqual(['KXNOBOOK'])
    expect(await found('sort=volume&has_orderbook=true')).not.toContain('KXNOBOOK')
    expect(await found('sort=volume&las_max=0.05&price_max=25')).toEqual(['KXWORKED'])
    expect(await found('sort=volume&tau_min_days=100')).toEqual(['KXWORKED'])
    expect(await found('sort=volume&vol24h_min=1000&cri_max=1.9&price_min=39')).toEqual([
      'KXNOBOOK',
      'KXNOTIME',
      'KXWIDE',
    ])
    expect(await found('sort=ee')).toEqual([])
    expect(await found('sort=volume&has_thesis=true')).toEqual([])
    expect(await found('sort=tau&order=asc&limit=1')).toEqual(['F1'])
  })

  // [markets.screen.contradiction] [conventions.parameters.filter-scale]
  it.each([
    ['has_thesis=1&no_thesis=1', 'has_thesis and no_thesis cannot both be true'],
    ['has_orderbook=1&no_orderbook=true', 'has_orderbook and no_orderbook cannot both be true'],
    ['price_min=60&price_max=40', 'price_min must not be above price_max'],
    ['iy_min=2&iy_max=1', 'iy_min must not be above iy_max'],
    ['tau_min_days=9&tau_max_days=8', 'tau_min_days must not be above tau_max_days'],
    ['price_max=101', 'price_max must be from 0 to 100'],
    ['price_min=NaN', 'price_min must be a number'],
    ['cri_min=1e400', 'cri_min must be a number'],
    ['vol24h_min=-1', 'vol24h_min must be at least 0'],
    ['sort=luck', 'sort must be iy, ee, or, las, cri, tau or volume'],
    ['has_orderbook=yes', 'has_orderbook must be true or false'],
  ])('refuses %s', async (query, error) => {
    const response = await testApp().get(`/api/public/screen?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error, code: 'VALIDATION_ERROR' })
  })

  // [markets.screen.limit-clamped]
  it('pages by cursor', async () => {
    const { get } = testApp({ views })
    const whole = await found('sort=cri')
    const walked: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: Screened = await bodyOf(
        await get(`/api/public/screen?sort=cri&limit=2${next === '' ? '' : `&cursor=${next}`}`),
      )
      walked.push(...page.markets.map(({ ticker }) => ticker))
      next = page.nextCursor
    }
    expect(walked).toEqual(whole)
    expect(await bodyOf(await get('/api/public/screen?limit=999'))).toMatchObject({ limit: 200 })
  })

  // [markets.screen.limit-clamped]
  it.each(['tau', 'iy'])('pages by %s while days pass', async (sort) => {
    const { get, board, context } = testApp()
    const tickers = ['A', 'B', 'C', 'D', 'E']
    const passTime = (minutes: number) => {
      board.now = (NOON + minutes * MINUTE) as Millis
      board.views = tickers.map((ticker) => {
        const view = named(ticker)
        return { ...view, tau: tauAt(view.facts.closeTime, board.now) }
      })
    }
    passTime(0)
    context.snapshots = [contextSnapshotOf(board.views.map((view) => marketQuantities({ view })))]
    for (const order of ['asc', 'desc']) {
      const walked: string[] = []
      let next: string | null = ''
      for (let minutes = 0; next !== null && minutes < 9; minutes += 1) {
        passTime(minutes)
        const page: Screened = await bodyOf(
          await get(`/api/public/screen?sort=${sort}&order=${order}&limit=2&cursor=${next}`),
        )
        walked.push(...page.markets.map(({ ticker }) => ticker))
        expect(page.markets[0]?.indicators['tau']).toBe(board.views[0]?.tau)
        next = page.nextCursor
      }
      expect(walked).toEqual(tickers)
    }
  })
})

describe('a screen over a snapshot', () => {
  const at = (ticker: string, price: number) => named(ticker, { price, bid: null, ask: null })
  const app = () => {
    const views = [at('A', 20), at('B', 30), at('C', 40), at('D', 45)]
    const created = testApp({ views })
    return { ...created, views }
  }
  const tickersOf = async (response: Response) =>
    (await bodyOf(response)).markets.map(({ ticker }) => ticker)

  // [markets.screen.by-grid]
  it('ranks by the snapshot, serves current prices and leaves out rows that do not match any more', async () => {
    const { get, board } = app()
    board.views = [
      at('A', 44),
      at('B', 31),
      at('C', 40),
      named('D', { facts: { status: 'closed' } }),
    ]
    const page = await bodyOf(await get('/api/public/screen?sort=cri&price_max=42'))
    expect(page.markets.map(({ ticker }) => ticker)).toEqual(['B', 'C'])
    expect(page.markets[0]).toMatchObject({ price: 31, indicators: { cri: 2.226 } })
    // A market that is not in the snapshot yet appears with the next one.
    board.views = [...board.views, at('NEW', 10)]
    expect(await tickersOf(await get('/api/public/screen?sort=cri'))).not.toContain('NEW')
  })

  it('continues a page from the snapshot that ranked it', async () => {
    const { get, context, views } = app()
    const first = await bodyOf(await get('/api/public/screen?sort=cri&limit=2'))
    expect(first.markets.map(({ ticker }) => ticker)).toEqual(['A', 'B'])
    const turned = views.map((view, index) =>
      marketQuantities({ view: { ...view, price: (45 - index * 5) as Cents } }),
    )
    context.snapshots.push(contextSnapshotOf(turned, { at: (NOON + 15 * MINUTE) as Millis }))
    // A snapshot is served some seconds after its instant.
    const served = context.snapshot.bind(context)
    context.snapshot = (asOf) => served(asOf === null ? null : ((asOf - 1) as Millis))
    const second = await get(`/api/public/screen?limit=2&cursor=${first.nextCursor ?? ''}`)
    // The response is for noon, so the later snapshot represents one that appeared meanwhile.
    expect(await tickersOf(second)).toEqual(['C', 'D'])
  })

  it('continues a page from the first snapshot of a run, which is of no quarter hour', async () => {
    const { get, context, views } = app()
    const turned = (at: number) =>
      contextSnapshotOf(
        views.map((view, index) =>
          marketQuantities({ view: { ...view, price: (45 - index * 5) as Cents } }),
        ),
        { at: at as Millis },
      )
    const straight = views.map((view) => marketQuantities({ view }))
    context.snapshots = [
      turned(NOON - 15 * MINUTE),
      contextSnapshotOf(straight, { at: (NOON - 3 * MINUTE) as Millis }),
    ]
    const first = await bodyOf(await get('/api/public/screen?sort=cri&limit=2'))
    expect(first.markets.map(({ ticker }) => ticker)).toEqual(['A', 'B'])
    context.snapshots.push(turned(NOON))
    const second = await get(`/api/public/screen?limit=1&cursor=${first.nextCursor ?? ''}`)
    expect(await tickersOf(second)).toEqual(['C'])
  })

  // [markets.screen.regime-label]
  it('returns the regime label, none for markets that cannot trade', async () => {
    const { get } = testApp({ views: [named('A'), named('B', { facts: { status: 'paused' } })] })
    const rows = await get('/api/public/screen-by-tickers?tickers=A,B')
    expect((await bodyOf(rows)).markets).toMatchObject([
      { regimeLabel: 'neutral' },
      { regimeLabel: null },
    ])
  })

  it('is not ready before the first snapshot, and empty if the past has none', async () => {
    const { get, context } = app()
    const past = await bodyOf(await get('/api/public/screen?asOf=2026-11-02'))
    expect(past).toMatchObject({ markets: [], total: 0, hasMore: false })
    context.snapshots = []
    expect((await get('/api/public/screen')).status).toBe(503)
    expect((await get('/api/public/screen-by-tickers?tickers=A')).status).toBe(503)
  })
})

describe('/api/public/screen-by-tickers', () => {
  // [markets.screen-by-tickers.required] [markets.screen-by-tickers.missing]
  it('returns rows in request order and lists unknown tickers', async () => {
    const { get } = testApp({
      views: [
        named('A'),
        named('B', { volume24h: 5 }),
        named('ENDED', { facts: { status: 'settled' } }),
      ],
    })
    const all = await bodyOf(await get('/api/public/screen-by-tickers?tickers=b,NOPE,a,ended,B'))
    expect(all.markets.map(({ ticker }) => ticker)).toEqual(['B', 'A', 'ENDED'])
    expect(all.missing).toEqual(['NOPE'])
    expect(all.markets[2]?.indicators).toMatchObject({ iy: null, cri: null })
    const busy = await bodyOf(await get('/api/public/screen-by-tickers?tickers=b,a&minVolume=100'))
    expect(busy).toMatchObject({ count: 1, missing: [] })
    for (const query of ['', '?tickers=', '?tickers=,%20,']) {
      const response = await get(`/api/public/screen-by-tickers${query}`)
      expect(await response.json()).toEqual({ error: 'tickers required', code: 'VALIDATION_ERROR' })
    }
  })
})
