import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationOf } from '../testing/json-schema.ts'
import { BOARD, PANELS, presetSpec, screenSpec } from '../testing/market-watch-service.ts'
import { startWholeService, type WholeService } from '../testing/whole-service.ts'

type Body = Record<string, unknown>
interface Run {
  readonly payload: Body
  readonly sourceClock: { source: string; asOf: string | null; ageSeconds: number; stale: boolean }
}

let service: WholeService

beforeAll(async () => {
  service = await startWholeService(200)
})
afterAll(() => service.close())

async function read(path: string): Promise<Body> {
  const { status, text } = await service.ask(path)
  expect([path, status]).toEqual([path, 200])
  return JSON.parse(text) as Body
}

async function sent(method: string, path: string, body?: object): Promise<Body> {
  const { status, text } = await service.ask(path, {
    method,
    headers: { cookie: service.owner.cookie, origin: service.url },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
  return JSON.parse(text) as Body
}

/** Adds a panel, runs it, validates the response, and removes the panel. */
async function run(spec: object): Promise<Run> {
  const { panel } = await sent('POST', PANELS, { spec })
  const { id } = panel as { id: string }
  const body = await sent('POST', `${PANELS}/${id}/run`)
  expect(violationIn(`${PANELS}/{id}/run`, 'post', body)).toBeNull()
  await sent('DELETE', `${PANELS}/${id}`)
  return body as unknown as Run
}

function violationIn(path: string, method: string, body: Body): string | null {
  const described = service.document.paths[path]?.[method]?.responses['200']?.['content'] as
    Record<string, { schema: unknown }> | undefined
  return violationOf(described?.['application/json']?.schema, body)
}

/** Rows with only these of their fields. */
const only = (rows: unknown, ...names: readonly string[]): Body[] =>
  (rows as Body[]).map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))

const numbers = (rows: unknown, name: string): (number | null)[] =>
  (rows as Body[]).map((row) => row[name] as number | null)

/** Whether values are sorted, largest first, unknown ones last. */
function expectBySize(values: readonly (number | null)[]): void {
  const sizes = values.map((value) => (value === null ? -1 : Math.abs(value)))
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
}

describe('presets of the composed service', () => {
  // [market-watch.presets.index] [market-watch.presets.source-clock]
  it('sf_index_24h is the index and its day', async () => {
    const { payload, sourceClock } = await run(presetSpec('sf_index_24h'))
    const now = await read('/api/public/index')
    const gauges = ['disagreement', 'geoRisk', 'breadth', 'activity'] as const
    expect(payload['current']).toEqual({
      ...only([now], ...gauges, 'value', 'delta24h')[0],
      at: now['timestamp'],
    })
    const { points } = await read('/api/public/index/history?days=1')
    expect(payload['series']).toEqual(only(points, 'at', 'value', ...gauges))
    expect((payload['series'] as []).length).toBeGreaterThan(0)
    expect(sourceClock).toMatchObject({ source: 'index_snapshots', stale: false })
    expect(sourceClock.asOf).toBe(now['timestamp'])
  })

  // [market-watch.presets.liquidity]
  it('liquidity_by_theme is the themes and their sum', async () => {
    const { payload } = await run(presetSpec('liquidity_by_theme'))
    const { themes } = await read('/api/public/liquidity-by-theme?limit=200')
    const all = themes as Body[]
    expect(payload['themes']).toEqual(all.slice(0, 20))
    expect(all.length).toBeGreaterThan(3)
    const sum = numbers(all, 'volume24hUsd').reduce<number>((total, usd) => total + (usd ?? 0), 0)
    expect(payload['totalVolume24hUsd']).toBeCloseTo(sum, 1)
  })

  // [market-watch.presets.regime]
  it('regime_attention is the scan by label, and where scores changed', async () => {
    const { payload } = await run(presetSpec('regime_attention'))
    const { byLabel } = await read('/api/public/regime/scan')
    const buckets = payload['buckets'] as { label: string; count: number }[]
    expect(buckets.map(({ label }) => label)).toEqual(['maker', 'neutral', 'taker', 'unknown'])
    expect(Object.fromEntries(buckets.map(({ label, count }) => [label, count]))).toEqual(byLabel)
    const world = await read('/api/agent/world?format=json')
    expect(payload['regimeSummary']).toEqual(world['regimeSummary'])
    expect((payload['markets'] as []).length).toBeGreaterThan(0)
    expect((payload['markets'] as []).length).toBeLessThanOrEqual(15)
    expectBySize(numbers(payload['markets'], 'change24h'))
  })

  // [market-watch.presets.contagion]
  it('cross_venue_contagion is the gaps, those between venues first, and the widest pairs', async () => {
    const { payload } = await run(presetSpec('cross_venue_contagion'))
    const { highlights } = await read('/api/public/contagion?window=6h&limit=100')
    const links = payload['links'] as { relation: string; gap: number }[]
    const order = ['cross_venue', 'series_sibling', 'theme', 'correlated']
    const known = (highlights as typeof links).toSorted(
      (a, b) =>
        order.indexOf(a.relation) - order.indexOf(b.relation) || Math.abs(b.gap) - Math.abs(a.gap),
    )
    expect(links).toEqual(known.slice(0, 15))
    const { pairs } = await read(
      '/api/public/cross-venue/pairs?minConfidence=0.75&sort=gap&limit=10',
    )
    expect(payload['pairs']).toEqual(pairs)
    expect((pairs as []).length).toBeGreaterThan(0)
    expect(payload['window']).toBe('6h')
  })

  // [market-watch.presets.movers]
  it('movers_volume_z is moves of the day by unusual volume', async () => {
    const { payload, sourceClock } = await run(presetSpec('movers_volume_z'))
    const movers = payload['movers'] as { ticker: string; delta: number; price: number }[]
    expect(movers.length).toBeGreaterThan(0)
    expect(movers.length).toBeLessThanOrEqual(20)
    expectBySize(numbers(movers, 'volumeZ'))
    const tickers = movers.map(({ ticker }) => ticker).join()
    const { markets } = await read(`/api/public/markets?tickers=${tickers}&limit=100`)
    const rows = new Map((markets as { ticker: string }[]).map((row) => [row.ticker, row]))
    for (const { ticker, delta, price } of movers) {
      expect(rows.get(ticker)).toMatchObject({ change24h: delta, price, status: 'active' })
    }
    expect(sourceClock).toMatchObject({ source: 'quotes', stale: false })
  })

  // [market-watch.presets.health]
  it('data_health is every source in its order', async () => {
    const { payload } = await run(presetSpec('data_health'))
    const { status } = await read('/status?format=json')
    expect(payload['status']).toBe(status)
    expect(only(payload['sources'], 'source', 'status', 'mode')).toEqual([
      { source: 'venue_a', status: 'ok', mode: 'demo' },
      { source: 'venue_b', status: 'ok', mode: 'demo' },
      ...['traditional', 'social', 'government', 'economy'].map((source) => ({
        source,
        status: 'off',
        mode: 'off',
      })),
      { source: 'content', status: 'ok', mode: 'demo' },
      { source: 'computed', status: 'ok', mode: 'demo' },
    ])
  })

  // [market-watch.presets.catalysts]
  it('calendar_catalysts is the calendar of a week', async () => {
    const { payload } = await run(presetSpec('calendar_catalysts'))
    const { events, from, to } = await read('/api/public/calendar?days=7&limit=50')
    const dated = (events as Body[]).map(({ name: _name, start: _start, ...event }) => event)
    expect(payload).toEqual({ kind: 'calendar_catalysts', from, to, events: dated })
    expect(dated.length).toBeGreaterThan(0)
  })

  // [market-watch.presets.watchlist]
  it('watchlist_microstructure is the watched and the named markets', async () => {
    const empty = await run(presetSpec('watchlist_microstructure'))
    expect(empty.payload).toEqual({
      kind: 'watchlist_microstructure',
      markets: [],
      missing: [],
      emptyReason: 'no_watched_markets',
    })
    expect(empty.sourceClock).toMatchObject({ source: 'books', asOf: null, ageSeconds: null })
    const { markets } = await read('/api/public/markets?limit=8&sort=volume24h')
    const tickers = (markets as { ticker: string }[]).map(({ ticker }) => ticker.toLowerCase())
    const watched = await sent('POST', '/api/watch', { ticker: tickers[0] })
    const own = await run(presetSpec('watchlist_microstructure'))
    expect(only(own.payload['markets'], 'ticker')).toEqual(only(markets, 'ticker').slice(0, 1))
    await sent('DELETE', `/api/watch/${String(watched['id'])}`)
    const filters = { tickers: [...tickers, 'nope'] }
    const { payload } = await run(presetSpec('watchlist_microstructure', { filters }))
    expect(payload).toMatchObject({ missing: ['NOPE'], emptyReason: null })
    const rows = payload['markets'] as Body[]
    expect(rows).toHaveLength(8)
    const same = ['ticker', 'price', 'bestBid', 'bestAsk', 'spread', 'volume24h', 'updatedAt']
    const byTicker = (row: Body, other: Body) =>
      String(row['ticker']) < String(other['ticker']) ? -1 : 1
    expect(only(rows, ...same).sort(byTicker)).toEqual(only(markets, ...same).sort(byTicker))
    expect(numbers(rows, 'trades1h').some((trades) => (trades ?? 0) > 0)).toBe(true)
    const { markets: scanned } = await read('/api/public/regime/scan?limit=200')
    const scores = new Map((scanned as Body[]).map((row) => [row['ticker'], row['score']]))
    for (const row of rows) expect(row['asScore']).toBe(scores.get(row['ticker']) ?? null)
  })
})

describe('screens of the composed service', () => {
  // [market-watch.screens.prices]
  it('are active markets with a price, the most traded first', async () => {
    const { payload, sourceClock } = await run(screenSpec())
    expect(payload).toMatchObject({
      kind: 'latest_market_prices',
      filters: { window: '24h' },
      missing: [],
      emptyReason: null,
    })
    const { markets } = await read('/api/public/markets?limit=500')
    const priced = (markets as Body[]).filter(({ price }) => price !== null)
    expect(priced.length).toBeGreaterThan(20)
    expect([payload['count'], payload['total']]).toEqual([
      Math.min(100, priced.length),
      priced.length,
    ])
    const rows = payload['rows'] as { ticker: string; price: number; probability: number }[]
    const row = new Map(priced.map((market) => [market['ticker'], market]))
    for (const { ticker, price, probability, ...rest } of rows) {
      const market = row.get(ticker)
      expect(market).toMatchObject({ price })
      expect(probability).toBeCloseTo(price / 100, 6)
      expect(rest).toMatchObject({ change: market?.['change24h'] ?? null })
    }
    expect(sourceClock).toMatchObject({ source: 'quotes', stale: false })
  })

  // [market-watch.screens.prices]
  it('apply inclusive bounds of probability', async () => {
    const all = (await run(screenSpec())).payload['rows'] as { probability: number }[]
    const [bound = 0] = all.map(({ probability }) => probability).filter((one) => one > 0.3)
    const within = async (probability: object): Promise<number[]> => {
      const { payload } = await run(
        screenSpec('latest_market_prices', { filters: { probability } }),
      )
      return numbers(payload['rows'], 'probability').map((value) => value ?? -1)
    }
    const above = await within({ min: bound })
    expect(Math.min(...above)).toBe(bound)
    const below = await within({ max: bound })
    expect(Math.max(...below)).toBe(bound)
    const exact = await within({ min: bound, max: bound })
    expect(new Set(exact)).toEqual(new Set([bound]))
    const none = await run(
      screenSpec('latest_market_prices', { filters: { probability: { min: 1, max: 1 } } }),
    )
    expect(none.payload).toMatchObject({ rows: [], count: 0, total: 0, emptyReason: 'no_match' })
  })

  // [market-watch.screens.prices]
  it('are the named markets, and list unknown names', async () => {
    const { ticker } = service
    const filters = { window: '6h', tickers: ['nope', ticker.toLowerCase()] }
    const { payload } = await run(screenSpec('latest_market_prices', { filters }))
    expect(payload).toMatchObject({
      missing: ['NOPE'],
      count: 1,
      total: 1,
      filters: { window: '6h', tickers: ['NOPE', ticker] },
    })
    const [row] = payload['rows'] as { change: number | null; price: number }[]
    const past = new Date(Date.parse('2026-11-20T08:00:00.000Z')).toISOString()
    const then = await read(`/api/public/market/${ticker}?asOf=${past}`)
    const before = then['price'] as number | null
    const change = before === null || row === undefined ? null : row.price - before
    if (change === null) expect(row?.change).toBeNull()
    else expect(row?.change).toBeCloseTo(change, 2)
  })
})

describe('the board of the composed service', () => {
  // [market-watch.hydration.panes]
  it('shows the same as the presets beside its panels', async () => {
    const spec = presetSpec('cross_venue_contagion')
    await sent('POST', PANELS, { spec, title: 'Between venues' })
    const requested = { headers: { cookie: service.owner.cookie } }
    const { status, text } = await service.ask(BOARD, requested)
    expect(status).toBe(200)
    const body = JSON.parse(text) as Body
    expect(violationIn(BOARD, 'get', body)).toBeNull()
    const panes = body['panes'] as Record<string, unknown[]>
    const payload = async (id: string) => (await run(presetSpec(id))).payload
    const themes = (await payload('liquidity_by_theme'))['themes'] as unknown[]
    const movers = (await payload('movers_volume_z'))['movers'] as unknown[]
    const links = (await payload('cross_venue_contagion'))['links'] as unknown[]
    expect(panes).toEqual({
      servedAt: body['generatedAt'],
      indexSeries: (await payload('sf_index_24h'))['series'],
      themes: themes.slice(0, 10),
      regimeBuckets: (await payload('regime_attention'))['buckets'],
      contagion: links.slice(0, 10),
      movers: movers.slice(0, 10),
      sources: (await payload('data_health'))['sources'],
    })
    const [panel] = body['panels'] as Body[]
    expect(panel).toMatchObject({ title: 'Between venues', executionStatus: 'success-fresh' })
  })
})
