import { describe, expect, it } from 'vitest'
import { SAMPLE_TAG } from '../../domain/market.ts'
import { at, level, marketView, NOON } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import type { Millis } from '../../domain/units.ts'

interface Page {
  readonly markets: { readonly ticker: string; readonly [name: string]: unknown }[]
  readonly count: number
  readonly total: number
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly nextActions?: { inspect: { url: string }[]; related: unknown[] }
}
const pageOf = async (response: Response): Promise<Page> => (await response.json()) as Page
const tickersOf = (page: Page): string[] => page.markets.map(({ ticker }) => ticker)

const named = (ticker: string, view: Parameters<typeof marketView>[0] = {}) =>
  marketView({ ...view, facts: { ticker, ...view.facts } })

describe('/api/public/markets', () => {
  // [markets.list.row] [conventions.format.absolute-urls] [conventions.format.time] [conventions.format.prices]
  it('serves a row with prices, times and links', async () => {
    const view = named('KXROW', {
      price: 0.5,
      bid: null,
      ask: 0.75,
      facts: { title: 'Rain?', result: 'void', closeTime: null },
    })
    const page = await pageOf(await testApp({ views: [view] }).get('/api/public/markets'))
    expect(page.markets[0]).toMatchObject({
      ticker: 'KXROW',
      venue: 'venue_a',
      price: 0.5,
      bestBid: null,
      bestAsk: 0.75,
      spread: null,
      result: null,
      closeTime: null,
      tauDays: null,
      openTime: '2026-11-01T00:00:00.000Z',
      updatedAt: '2026-11-20T14:00:00.000Z',
      pageUrl: `http://app.augury.test/markets/${view.slug}`,
      apiUrl: 'http://augury.test/api/public/market/KXROW',
      inspectUrl: 'http://augury.test/api/agent/inspect/KXROW',
    })
  })

  // [markets.list.sorted] [conventions.format.order]
  it('ranks by the requested quantity, unknown last and ties by ticker', async () => {
    const { get } = testApp({
      views: [
        named('C', { price: 10 }),
        named('A', { price: 10 }),
        named('N', { price: null }),
        named('B', { price: 90 }),
      ],
    })
    const sorted = async (query: string) =>
      tickersOf(await pageOf(await get(`/api/public/markets?${query}`)))
    expect(await sorted('sort=price')).toEqual(['B', 'A', 'C', 'N'])
    expect(await sorted('sort=PRICE&order=ASC')).toEqual(['A', 'C', 'B', 'N'])
  })

  // [markets.list.paged]
  it('walks all pages by cursor and by offset without loss or repetition', async () => {
    const views = Array.from({ length: 23 }, (_, index) =>
      named(`T${String(index).padStart(2, '0')}`, { price: index % 3 === 0 ? null : index % 4 }),
    )
    const { get } = testApp({ views })
    const whole = tickersOf(await pageOf(await get('/api/public/markets?sort=price&limit=500')))
    const byCursor: string[] = []
    let page = await pageOf(await get('/api/public/markets?sort=price&limit=5'))
    byCursor.push(...tickersOf(page))
    while (page.nextCursor !== null) {
      // Other filters beside a cursor are ignored.
      page = await pageOf(
        await get(
          `/api/public/markets?cursor=${page.nextCursor}&sort=newest&venue=venue_b&limit=5`,
        ),
      )
      byCursor.push(...tickersOf(page))
    }
    expect(byCursor).toEqual(whole)
    const byOffset = await Promise.all(
      [0, 5, 10, 15, 20].map(async (offset) =>
        tickersOf(
          await pageOf(await get(`/api/public/markets?sort=price&limit=5&offset=${offset}`)),
        ),
      ),
    )
    expect(byOffset.flat()).toEqual(whole)
    expect(page).toMatchObject({ total: 23, hasMore: false, nextCursor: null })
  })

  // [markets.list.filtered] [markets.list.unknown-topic] [conventions.parameters.enums]
  it('filters by text, tickers, topic, category, venue and status', async () => {
    const condition = `0x${'a'.repeat(64)}`
    const { get } = testApp({
      views: [
        named('KXFED', { facts: { title: 'Fed cuts rates?', category: 'economics' } }),
        named('KXOPEC', {
          topics: ['oil'],
          facts: { title: 'OPEC meets?', eventTitle: 'Oil in May' },
        }),
        named(condition, { facts: { venue: 'venue_b', title: 'Fed chair resigns?' } }),
        named('KXDONE', { facts: { title: 'Fed cut?', status: 'settled', result: 'yes' } }),
      ],
    })
    const found = async (query: string) =>
      tickersOf(await pageOf(await get(`/api/public/markets?${query}`))).sort()
    expect(await found('q=fed')).toEqual([condition, 'KXFED'].sort())
    expect(await found('q=FED+rates')).toEqual(['KXFED'])
    expect(await found('q=may')).toEqual(['KXOPEC'])
    expect(
      await found(`tickers=kxfed,,pm:${condition.toUpperCase().replace('0X', '0x')},KXFED,NOPE`),
    ).toEqual([condition, 'KXFED'].sort())
    expect(await found('topic=oil')).toEqual(['KXOPEC'])
    expect(await found('category=Economics')).toEqual(['KXFED'])
    expect(await found('venue=VENUE_B')).toEqual([condition])
    expect(await found('status=settled')).toEqual(['KXDONE'])
    expect(await found('status=open')).toEqual(await found('status=active'))
    expect(await found('topic=unheard-of')).toEqual([])
    expect(await found('category=unheard-of')).toEqual([])
  })

  // [markets.list.limit-clamped] [conventions.parameters.clamped]
  it.each([
    ['-7', 1],
    ['0', 1],
    ['99999999999999999999', 500],
    ['3', 3],
  ])('clamps limit=%s to %i', async (sent, limit) => {
    const { get } = testApp({ views: [named('A'), named('B')] })
    expect(await (await get(`/api/public/markets?limit=${sent}`)).json()).toMatchObject({ limit })
  })

  // [markets.list.cursor-and-offset] [conventions.parameters.malformed] [conventions.errors.body]
  it.each([
    ['limit=ten', 'limit must be an integer'],
    ['limit=1.5', 'limit must be an integer'],
    ['limit=', 'limit must be an integer'],
    ['offset=-1', 'offset must be from 0 to 100000'],
    ['offset=100001', 'offset must be from 0 to 100000'],
    ['offset=x', 'offset must be an integer'],
    ['cursor=abc&offset=0', 'cursor and offset cannot be used together'],
    ['cursor=abc', 'cursor is invalid'],
    ['cursor=%2e%2e', 'cursor is invalid'],
    ['venue=venue_c', 'venue must be venue_a or venue_b'],
    ['order=up', 'order must be asc or desc'],
    ['depth=maybe', 'depth must be true or false'],
    ['asOf=yesterday', 'asOf must be an ISO 8601 time'],
    ['asOf=2026-13-01', 'asOf must be an ISO 8601 time'],
    ['asOf=2026-02-30T00:00:00Z', 'asOf must be an ISO 8601 time'],
    ['asOf=2026-11-20T14:00:00.001Z', 'asOf is in the future'], // [conventions.as-of.future]
    [
      `tickers=${Array.from({ length: 101 }, (_, i) => i).join()}`,
      'tickers must have at most 100 entries',
    ],
  ])('refuses %s', async (query, error) => {
    const response = await testApp().get(`/api/public/markets?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error, code: 'VALIDATION_ERROR' })
  })

  // [conventions.as-of.never-changes]
  it('lists ended markets as of the whole minute', async () => {
    const firstSeenAt = at('2026-11-20T13:58:30Z')
    const { get } = testApp({
      views: [named('KXDONE', { firstSeenAt, facts: { status: 'settled' } })],
    })
    const found = async (asOf: string) =>
      tickersOf(await pageOf(await get(`/api/public/markets?status=settled&asOf=${asOf}`)))
    expect(await found('2026-11-20T13:58:40Z')).toEqual([])
    expect(await found('2026-11-20T13:59:00Z')).toEqual(['KXDONE'])
  })

  it('refuses an unknown sort or status and lists the allowed words', async () => {
    const { get } = testApp()
    const sort = (await (await get('/api/public/markets?sort=luck')).json()) as { error: string }
    expect(sort.error).toMatch(/^sort must be volume24h, .* or newest$/)
    const status = (await (await get('/api/public/markets?status=x')).json()) as { error: string }
    expect(status.error).toMatch(/^status must be upcoming, /)
  })

  // [conventions.as-of.before-first] [conventions.as-of.answers-the-past]
  it('returns for a past instant only what was known then', async () => {
    const { get } = testApp({
      views: [named('OLD'), named('NEW', { firstSeenAt: at('2026-11-10T00:00:00.000Z') })],
    })
    const then = async (asOf: string) =>
      tickersOf(await pageOf(await get(`/api/public/markets?asOf=${asOf}`)))
    expect(await then('2026-11-05T00:00:00Z')).toEqual(['OLD'])
    expect(await then('2026-11-05T02:00:00%2B02:00')).toEqual(['OLD'])
    expect(await then('2020-01-01')).toEqual([])
  })

  // [markets.list.depth]
  it('includes levels in the first ten rows', async () => {
    const app = testApp({ views: Array.from({ length: 11 }, (_, i) => named(`D${i + 10}`)) })
    const bids = Array.from({ length: 7 }, (_, i) => level(41 - i, 10.5))
    app.board.books.set('D10', { book: { bids, asks: [] }, at: NOON })
    const page = await pageOf(await app.get('/api/public/markets?depth=TRUE'))
    expect(page.markets[0]).toMatchObject({
      bidLevels: [41, 40, 39, 38, 37].map((price) => ({ price, size: 10.5 })),
      askLevels: [],
    })
    expect(page.markets[9]).toHaveProperty('bidLevels')
    expect(page.markets[10]).not.toHaveProperty('bidLevels')
  })

  // [markets.list.depth]
  it('includes past levels for a past instant', async () => {
    const app = testApp({ views: [named('D')] })
    const bidAt = (price: number) => ({ book: { bids: [level(price, 1)], asks: [] }, at: NOON })
    app.board.books.set('D', bidAt(41))
    app.board.pastBooks.set('D', bidAt(30))
    const asOf = new Date(NOON).toISOString()
    for (const [query, price] of [
      ['', 41],
      [`&asOf=${asOf}`, 30],
    ] as const) {
      const page = await pageOf(await app.get(`/api/public/markets?depth=true${query}`))
      expect(page.markets[0]).toMatchObject({ bidLevels: [{ price, size: 1 }] })
    }
  })

  // [conventions.parameters.next-actions-off]
  it('leaves next actions out on request', async () => {
    const { get } = testApp({ views: Array.from({ length: 5 }, (_, i) => named(`N${i}`)) })
    const page = await pageOf(await get('/api/public/markets?nextActions=anything'))
    expect(page.nextActions?.inspect.map(({ url }) => url)).toEqual(
      [0, 1, 2].map((i) => `http://augury.test/api/agent/inspect/N${i}`),
    )
    expect(await pageOf(await get('/api/public/markets?nextActions=OFF'))).not.toHaveProperty(
      'nextActions',
    )
  })

  // [conventions.errors.not-ready]
  it('is not ready before the first load, except for past instants', async () => {
    const app = testApp({ views: [named('A')] })
    app.board.ready = false
    const response = await app.get('/api/public/markets')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.json()).toMatchObject({ code: 'NOT_READY' })
    expect((await app.get('/api/public/markets?asOf=2026-11-05')).status).toBe(200)
  })
})

describe('/api/public/newmarkets', () => {
  const seen = (ticker: string, hoursAgo: number, view: Parameters<typeof marketView>[0] = {}) =>
    named(ticker, { ...view, firstSeenAt: (NOON - hoursAgo * 3_600_000) as Millis })

  // [markets.new.since] [conventions.parameters.durations]
  it('lists what was first seen since, newest first, ended or not', async () => {
    const { get } = testApp({
      views: [
        seen('H2', 2),
        seen('H1', 1, { facts: { status: 'settled' } }),
        seen('D3', 72),
        seen('B1', 1, { facts: { venue: 'venue_b' } }),
      ],
    })
    const found = async (query: string) =>
      tickersOf(await pageOf(await get(`/api/public/newmarkets?${query}`)))
    expect(await found('')).toEqual(['B1', 'H1', 'H2'])
    expect(await found('since=90m')).toEqual(['B1', 'H1'])
    expect(await found('since=2026-11-17T00:00:00Z&venue=venue_a')).toEqual(['H1', 'H2', 'D3'])
    expect(await found('since=30d&limit=1')).toEqual(['B1'])
    const row = (await pageOf(await get('/api/public/newmarkets'))).markets[0]
    expect(row).toMatchObject({ firstSeenAt: '2026-11-20T13:00:00.000Z' })
  })

  // [markets.new.limit-clamped]
  it.each([
    ['since=31d', 'since must be within 30 days'],
    ['since=0h', 'since must be a duration (<n>m|h|d) or an ISO time'],
    ['since=100001d', 'since must be a duration (<n>m|h|d) or an ISO time'],
    ['since=1w', 'since must be a duration (<n>m|h|d) or an ISO time'],
    ['since=2027-01-01', 'since is in the future'],
    ['limit=all', 'limit must be an integer'],
  ])('refuses %s', async (query, error) => {
    const response = await testApp().get(`/api/public/newmarkets?${query}`)
    expect(await response.json()).toEqual({ error, code: 'VALIDATION_ERROR' })
  })
})

describe('rows of sample markets', () => {
  const created = { ticker: 'KXMADE', title: 'Rain in Oslo?', tags: ['rain', SAMPLE_TAG] }
  const views = [
    named('KXREAL', { facts: { title: 'Rain in Rome?' } }),
    marketView({ facts: created }),
  ]
  const { get } = testApp({ views })
  const rowsIn = (body: Record<string, unknown>): Record<string, unknown>[] =>
    [
      body,
      ...Object.values(body)
        .filter((part) => Array.isArray(part))
        .flat(),
    ].filter(
      (part): part is Record<string, unknown> =>
        typeof part === 'object' && part !== null && 'bestBid' in part,
    )

  it.each([
    'markets',
    'live-tickers',
    'newmarkets?since=2026-10-31T00:00:00Z',
    'search?q=rain',
    'scan?q=rain',
    'screen',
    'screen-by-tickers?tickers=KXMADE,KXREAL',
    'market/KXMADE',
    'market/KXREAL',
  ])('are marked in %s, and no others are', async (path) => {
    const body = (await (await get(`/api/public/${path}`)).json()) as Record<string, unknown>
    const rows = rowsIn(body)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      if (row['ticker'] === 'KXMADE') expect(row['sample']).toBe(true)
      else expect(row).not.toHaveProperty('sample')
    }
    expect(JSON.stringify(body)).not.toContain(SAMPLE_TAG)
  })
})

describe('/api/public/live-tickers', () => {
  // [markets.live-tickers.fresh] [markets.live-tickers.limit-clamped]
  it('lists markets quoted in the last quarter hour, most traded first', async () => {
    const quoted = (ticker: string, minutesAgo: number | null, volume24h: number) =>
      named(ticker, {
        volume24h,
        quotedAt: minutesAgo === null ? null : ((NOON - minutesAgo * 60_000) as Millis),
      })
    const { get } = testApp({
      views: [quoted('A', 0, 5), quoted('B', 15, 9), quoted('C', 16, 99), quoted('D', null, 50)],
    })
    const body = (await (await get('/api/public/live-tickers')).json()) as {
      tickers: { ticker: string }[]
      count: number
    }
    expect(body.tickers.map(({ ticker }) => ticker)).toEqual(['B', 'A'])
    expect(body.count).toBe(2)
    const first = (await (await get('/api/public/live-tickers?limit=0&tickers=a')).json()) as {
      tickers: { ticker: string }[]
    }
    expect(first.tickers).toHaveLength(1)
  })
})
