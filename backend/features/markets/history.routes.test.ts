import { describe, expect, it } from 'vitest'
import type { CoverageState } from '../../history/coverage.ts'
import type { CandleRow, MicrostructureRow, QuoteRow, TradeRow } from '../../history/market-rows.ts'
import type { Cents, Millis, MoneyE6, SizeE6 } from '../../domain/units.ts'
import { priceOfCents, sizeOfContracts } from '../../domain/units.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import type { HistoryRows } from '../../testing/fake-history.ts'
import { testApp } from '../../testing/test-app.ts'

const price = (cents: number) => priceOfCents(cents as Cents)
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>
const minutesAgo = (minutes: number): Millis => (NOON - minutes * 60_000) as Millis

const bar = (start: Millis, close: number, volume: number | null = 1.5): CandleRow => ({
  start,
  open: price(close),
  high: price(close + 1),
  low: price(close - 0.5),
  close: price(close),
  volume: volume === null ? null : sizeOfContracts(volume),
  source: 'trades',
  crossesGap: false,
})

describe('/candles', () => {
  const views = [marketView({ facts: { ticker: 'KXBARS' } })]
  const candles = Array.from({ length: 6 }, (_, index) =>
    bar(minutesAgo(50 - index * 10), 40 + index),
  )
  const { get } = testApp({ views, candles })
  const path = '/api/public/market/kxbars/candles'

  // [markets.candles.ohlcv] [markets.candles.partial]
  it('serves bars ascending in cents, with the open one marked', async () => {
    const body = await bodyOf(await get(`${path}?limit=2`))
    expect(body).toEqual({
      ticker: 'KXBARS',
      venue: 'venue_a',
      timeframe: '1m',
      priceUnit: 'cents',
      volumeUnit: 'contracts',
      count: 2,
      nextBefore: '2026-11-20T13:50:00.000Z',
      candles: [
        { t: 1795182600, at: '2026-11-20T13:50:00.000Z', o: 44, h: 45, l: 43.5, c: 44, v: 1.5 },
        {
          t: 1795183200,
          at: '2026-11-20T14:00:00.000Z',
          o: 45,
          h: 46,
          l: 44.5,
          c: 45,
          v: 1.5,
          partial: true,
        },
      ],
    })
  })

  // [markets.candles.gap]
  it('marks bars that cross a gap, and no others', async () => {
    const app = testApp({
      views,
      candles: [bar(minutesAgo(90), 12), { ...bar(minutesAgo(80), 12), crossesGap: true }],
    })
    const { candles: bars } = await bodyOf(await app.get(path))
    expect((bars as Record<string, unknown>[]).map((row) => ['gap' in row, row['gap']])).toEqual([
      [false, undefined],
      [true, true],
    ])
  })

  it('returns null for the volume of price-only history', async () => {
    const app = testApp({ views, candles: [bar(minutesAgo(90), 12, null)] })
    const body = await bodyOf(await app.get(path))
    expect((body['candles'] as { v: unknown }[])[0]).toMatchObject({ v: null })
    expect(body['nextBefore']).toBeNull()
  })

  // [markets.candles.paged]
  it('pages to older bars without overlap', async () => {
    const seen: number[] = []
    let before: string | null = null
    do {
      const query: string = before === null ? '' : `&before=${before}`
      const body = await bodyOf(await get(`${path}?limit=2${query}`))
      seen.unshift(...(body['candles'] as { t: number }[]).map(({ t }) => t))
      before = body['nextBefore'] as string | null
    } while (before !== null)
    expect(seen).toEqual(candles.map(({ start }) => start / 1_000))
  })

  // [markets.candles.timeframe] [markets.candles.limit-clamped]
  it('prefers timeframe to tf, in any case, and clamps the limit', async () => {
    expect(await bodyOf(await get(`${path}?tf=1D`))).toMatchObject({ timeframe: '1d' })
    expect(await bodyOf(await get(`${path}?tf=1d&timeframe=15m`))).toMatchObject({
      timeframe: '15m',
    })
    expect(await bodyOf(await get(`${path}?limit=0`))).toMatchObject({ count: 1 })
    expect(await bodyOf(await get(`${path}?limit=99999`))).toMatchObject({ count: 6 })
  })

  it.each([
    ['timeframe=2m', 'timeframe must be 1m, 5m, 15m, 1h or 1d'],
    ['tf=', 'timeframe must be 1m, 5m, 15m, 1h or 1d'],
    ['limit=x', 'limit must be an integer'],
    ['before=noon', 'before must be an ISO 8601 time'],
    ['venue=nasdaq', 'venue must be venue_a or venue_b'],
  ])('refuses %s', async (query, error) => {
    expect(await bodyOf(await get(`${path}?${query}`))).toEqual({ error, code: 'VALIDATION_ERROR' })
  })

  // [markets.candles.venue]
  it('does not find the ticker at the other venue', async () => {
    expect((await get(`${path}?venue=venue_a`)).status).toBe(200)
    const other = await get(`${path}?venue=venue_b`)
    expect([other.status, await bodyOf(other)]).toEqual([
      404,
      { error: 'Market not found', code: 'NOT_FOUND' },
    ])
  })
})

describe('/candles of the past', () => {
  const views = [marketView({ facts: { ticker: 'KXLATER' }, firstSeenAt: minutesAgo(10) })]
  const path = '/api/public/market/kxlater/candles'
  const past = `${path}?asOf=${new Date(minutesAgo(60)).toISOString()}`

  it('are served before the market was described, if bars were known by then', async () => {
    const { get } = testApp({ views, candles: [bar(minutesAgo(90), 12)] })
    expect(await bodyOf(await get(past))).toMatchObject({ ticker: 'KXLATER', count: 1 })
  })

  it('are 404 for a market of which nothing was known', async () => {
    const { get } = testApp({ views, candles: [bar(minutesAgo(5), 12)] })
    expect((await get(past)).status).toBe(404)
    expect((await get(path)).status).toBe(200)
  })
})

describe('/history', () => {
  const views = [marketView({ facts: { ticker: 'KXROWS' } })]
  const trade = (minutes: number, cents: number, isBlock = false): TradeRow => ({
    tradeId: String(minutes),
    ts: minutesAgo(minutes),
    price: price(cents),
    size: 1 as SizeE6,
    takerSide: null,
    isBlock,
  })

  // [markets.history.regimes]
  it('returns the stored regimes of the window, at most one an hour', async () => {
    const [view] = views
    if (view === undefined) throw new Error('the market is missing')
    const row = (minutes: number, score: number) => ({
      market: view.market,
      at: minutesAgo(minutes),
      score,
      label: 'neutral' as const,
      alpha: null,
      trades: score === 0.55 ? 0 : 9,
      spread: 2 as Cents,
      volume24h: 1_234.5,
      bidDepthUsd: 548.125,
      askDepthUsd: null,
    })
    const app = testApp({ views })
    await app.history.appendContext({
      regimes: [
        row(8 * 24 * 60, 0.4),
        row(300, 0.5),
        row(285, 0.52),
        row(240, 0.55),
        row(90, 0.55),
      ],
    })
    const path = '/api/public/market/KXROWS/history'
    const body = await bodyOf(await app.get(path))
    expect(body).toMatchObject({ regimeCount: 2 })
    expect(body['regimeHistory']).toEqual([
      {
        at: '2026-11-20T09:00:00.000Z',
        score: 0.5,
        label: 'neutral',
        spreadCents: 2,
        bidDepthUsd: 548.13,
        askDepthUsd: null,
        volume24h: 1_234.5,
      },
      expect.objectContaining({ at: '2026-11-20T10:00:00.000Z', score: null, label: 'unknown' }),
    ])
    const past = await bodyOf(await app.get(`${path}?asOf=2026-11-20T09:30:00Z`))
    expect(past).toMatchObject({ regimeCount: 1 })
  })

  // [markets.history.gaps]
  it('lists gaps of the feeds, and none where there are none', async () => {
    const span = (state: CoverageState, from: number, to: number, reason: string | null) => ({
      state,
      from: minutesAgo(from),
      to: minutesAgo(to),
      reason,
    })
    const ofTrades = [
      span('live', 90, 60, null),
      span('gap', 60, 50, 'socket closed'),
      span('repaired', 50, 40, null),
      span('gap', 20_000, 15_000, 'before the window'),
    ]
    const ofQuotes = [span('gap', 60, 40, 'socket closed')]
    const path = '/api/public/market/KXROWS/history'
    const gapsOf = async (coverage: HistoryRows['coverage'] = {}) =>
      bodyOf(await testApp({ views, coverage }).get(path))
    expect((await gapsOf({ trades: ofTrades, quotes: ofQuotes }))['gaps']).toEqual([
      {
        feed: 'trades',
        state: 'gap',
        reason: 'socket closed',
        from: '2026-11-20T13:00:00.000Z',
        to: '2026-11-20T13:10:00.000Z',
      },
      {
        feed: 'trades',
        state: 'repaired',
        reason: null,
        from: '2026-11-20T13:10:00.000Z',
        to: '2026-11-20T13:20:00.000Z',
      },
      {
        feed: 'quotes',
        state: 'gap',
        reason: 'socket closed',
        from: '2026-11-20T13:00:00.000Z',
        to: '2026-11-20T13:20:00.000Z',
      },
    ])
    expect(await gapsOf({ trades: ofTrades.slice(0, 1) })).not.toHaveProperty('gaps')
  })

  // [markets.history.window] [markets.history.changes]
  it('starts with the current price and adds a row for each change of a cent', async () => {
    const { get } = testApp({
      views,
      prices: { last: { price: price(40), ts: at('2026-11-01T00:00:00.000Z') } },
      trades: [trade(200, 40.5), trade(100, 43), trade(60, 99, true), trade(20, 42)],
      quotes: [] satisfies QuoteRow[],
    })
    const body = await bodyOf(await get('/api/public/market/KXROWS/history'))
    expect(body).toMatchObject({
      ticker: 'KXROWS',
      windowDays: 7,
      indicatorCount: 3,
      regimeHistory: [],
      regimeCount: 0,
    })
    expect(body['indicatorHistory']).toMatchObject([
      { at: '2026-11-13T14:00:00.000Z', price: 40, delta: 0, cri: 1.5 },
      { at: '2026-11-20T12:30:00.000Z', price: 43, delta: 3 },
      { at: '2026-11-20T13:45:00.000Z', price: 42, delta: -1 },
    ])
  })

  it('computes the yield by the close time known at each row', async () => {
    const market = marketView({
      facts: { ticker: 'KXMOVED', closeTime: at('2026-11-30T14:00:00.000Z') },
      firstSeenAt: at('2026-11-14T14:00:00.000Z'),
    })
    const moved = {
      market: market.market,
      facts: { ...market.facts, closeTime: at('2027-11-20T14:00:00.000Z') },
      firstSeenAt: market.firstSeenAt,
      knownAt: minutesAgo(60),
    }
    const { get } = testApp({
      views: [market],
      versions: [moved],
      prices: { last: { price: price(40), ts: at('2026-11-01T00:00:00.000Z') } },
      trades: [trade(100, 50), trade(20, 60)],
    })
    const { indicatorHistory } = (await (
      await get('/api/public/market/KXMOVED/history')
    ).json()) as {
      indicatorHistory: { price: number; iy: number | null }[]
    }
    // Not known when the window opened; ten days to the end; then, at 60 cents, a year.
    expect(indicatorHistory.map(({ price: cents, iy }) => [cents, iy])).toEqual([
      [40, null],
      [50, expect.closeTo(3_627.33, 1)],
      [60, expect.closeTo(66.7, 1)],
    ])
  })

  it('is empty for a market without a price', async () => {
    const body = await bodyOf(await testApp({ views }).get('/api/public/market/KXROWS/history'))
    expect(body).toMatchObject({ indicatorHistory: [], indicatorCount: 0 })
  })
})

describe('/api/public/market-microstructure-history', () => {
  const views = [marketView({ facts: { ticker: 'KXFLOW' } })]
  const hour = (hoursAgo: number, row: Partial<MicrostructureRow> = {}): MicrostructureRow => ({
    start: minutesAgo(hoursAgo * 60),
    bid: price(22),
    ask: price(23),
    bidDepth: 6_760_000_000 as MoneyE6,
    askDepth: 1_646_000_000 as MoneyE6,
    trades: 4,
    buyVolume: sizeOfContracts(300),
    sellVolume: sizeOfContracts(100),
    ...row,
  })
  const path = '/api/public/market-microstructure-history'

  // [markets.microstructure.series]
  it('returns hours with spread, depth and flow, ascending', async () => {
    const empty = { bid: null, ask: null, bidDepth: null, askDepth: null, trades: 0 }
    const none = { buyVolume: 0 as SizeE6, sellVolume: 0 as SizeE6 }
    const { get } = testApp({ views, hours: [hour(2), hour(1, { ...empty, ...none })] })
    const body = await bodyOf(await get(`${path}?ticker=kxflow`))
    expect(body).toMatchObject({ ticker: 'KXFLOW', days: 7, count: 2, stepSeconds: 3600 })
    expect(body['points']).toEqual([
      {
        at: '2026-11-20T12:00:00.000Z',
        bid: 22,
        ask: 23,
        mid: 22.5,
        spreadCents: 1,
        bidDepthUsd: 6760,
        askDepthUsd: 1646,
        imbalance: 0.6084,
        trades: 4,
        buyVolume: 300,
        sellVolume: 100,
        flowImbalance: 0.5,
      },
      {
        at: '2026-11-20T13:00:00.000Z',
        bid: null,
        ask: null,
        mid: null,
        spreadCents: null,
        bidDepthUsd: null,
        askDepthUsd: null,
        imbalance: null,
        trades: 0,
        buyVolume: 0,
        sellVolume: 0,
        flowImbalance: null,
      },
    ])
  })

  // [markets.microstructure.days-clamped] [markets.microstructure.ticker-required]
  it('clamps days and limit and requires a known ticker', async () => {
    const { get } = testApp({ views, hours: [hour(30), hour(2), hour(1)] })
    expect(await bodyOf(await get(`${path}?ticker=KXFLOW&days=0`))).toMatchObject({
      days: 1,
      count: 2,
    })
    const one = await bodyOf(await get(`${path}?ticker=KXFLOW&days=9999&limit=1`))
    expect(one).toMatchObject({ days: 365, points: [{ at: '2026-11-20T13:00:00.000Z' }] })
    for (const query of ['', '?ticker=', '?ticker=%20']) {
      expect(await bodyOf(await get(path + query))).toEqual({
        error: 'ticker required',
        code: 'VALIDATION_ERROR',
      })
    }
    expect((await get(`${path}?ticker=NOPE`)).status).toBe(404)
    expect((await get(`${path}?ticker=KXFLOW&venue=venue_b`)).status).toBe(404)
    expect((await get(`${path}?ticker=KXFLOW&days=week`)).status).toBe(400)
  })
})
