import { describe, expect, it } from 'vitest'
import type { PriceE4 } from '../../domain/units.ts'
import { level, marketView, NOON } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'

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
  it('serves the market with its rules, indicators and dearest siblings first', async () => {
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
      regime: null,
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
  ])('takes the condition id as %s', async (ticker) => {
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

  it('tells the step of the price grid at the price', async () => {
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

  // [markets.detail.refresh]
  it('lets no stranger ask for a refresh, and keeps none', async () => {
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
