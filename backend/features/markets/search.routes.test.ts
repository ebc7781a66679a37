import { describe, expect, it } from 'vitest'
import { marketView } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'

const named = (ticker: string, view: Parameters<typeof marketView>[0] = {}) =>
  marketView({ ...view, facts: { ticker, ...view.facts } })
interface Found {
  readonly results: { readonly ticker?: string; readonly id?: string; readonly score: number }[]
  readonly markets: unknown[]
  readonly count: number
}
const bodyOf = async (response: Response): Promise<Found> => (await response.json()) as Found

describe('/api/public/search', () => {
  const views = [
    named('KXRAIN', { facts: { title: 'Rain in NYC tomorrow?' } }),
    named('RAIN', { facts: { title: 'Something else' } }),
    named('KXSUN', { facts: { title: 'Sun in NYC?' } }),
  ]

  // [markets.search.ranked]
  it('puts an exact ticker first, then the best text', async () => {
    const body = await bodyOf(await testApp({ views }).get('/api/public/search?q=rain'))
    expect(body.results.map(({ id }) => id)).toEqual(['market:RAIN', 'market:KXRAIN'])
    expect(body.results[0]).toMatchObject({ type: 'market', score: 1, meta: { price: 42 } })
    expect(body.markets).toHaveLength(2)
  })

  // [markets.search.limit-clamped] [markets.search.types]
  it('clamps the number of hits and filters by kind', async () => {
    const { get } = testApp({ views })
    expect(await bodyOf(await get('/api/public/search?q=nyc&limit=0'))).toMatchObject({ count: 1 })
    expect(await bodyOf(await get('/api/public/search?q=nyc&type=topic'))).toMatchObject({
      count: 0,
    })
    expect(await bodyOf(await get('/api/public/search?q=nyc&type=topic,MARKET'))).toMatchObject({
      count: 2,
    })
    const unknown = await get('/api/public/search?q=nyc&type=weather')
    expect(unknown.status).toBe(400)
  })
})

describe('/api/public/scan', () => {
  const views = [
    named('CHEAP', { price: 0.5, facts: { title: 'rain one' } }),
    named('MID', { price: 40, facts: { title: 'rain two' } }),
    named('DEAR', { price: 90, volume24h: 5, facts: { venue: 'venue_b', title: 'rain three' } }),
    named('NOPRICE', { price: null, facts: { title: 'rain four', closeTime: null } }),
    named('OVER', { facts: { title: 'rain five', status: 'settled' } }),
  ]
  const found = async (query: string) =>
    (await bodyOf(await testApp({ views }).get(`/api/public/scan?q=rain&${query}`))).results
      .map(({ ticker }) => ticker)
      .sort()

  // [markets.scan.filters] [markets.scan.subcent]
  it('filters active markets, without prices under a cent', async () => {
    expect(await found('')).toEqual(['DEAR', 'MID', 'NOPRICE'])
    expect(await found('include_subcent=true')).toContain('CHEAP')
    expect(await found('price_min=40&price_max=90')).toEqual(['DEAR', 'MID'])
    expect(await found('venue=venue_b')).toEqual(['DEAR'])
    expect(await found('vol24h_min=100&price_min=1')).toEqual(['MID'])
    expect(await found('expires_before=2026-11-30T14:00:00Z')).toEqual([])
    expect(await found('expires_after=2026-11-30T13:59:59Z')).toEqual(['DEAR', 'MID'])
  })

  // [markets.scan.ranked]
  it('ranks equal texts by dollar volume and lists the matched words', async () => {
    const body = await bodyOf(await testApp({ views }).get('/api/public/scan?q=rain+two'))
    expect(body).toMatchObject({ count: 1, query: 'rain two' })
    expect(body.results[0]).toMatchObject({ ticker: 'MID', matched: ['rain', 'two'] })
    const equal = ['LOW', 'HIGH'].map((ticker, index) =>
      named(ticker, { volume24h: 10 ** index, facts: { title: 'rain', eventId: ticker } }),
    )
    const ranked = await bodyOf(await testApp({ views: equal }).get('/api/public/scan?q=rain'))
    expect(ranked.results.map(({ ticker }) => ticker)).toEqual(['HIGH', 'LOW'])
  })

  // [markets.scan.nearest]
  it.each(['/api/public/scan', '/api/public/search'])(
    '%s explains why it lists no market, and lists the nearest with their differences',
    async (path) => {
      const { get } = testApp({ views: [named('KXNYC', { facts: { title: 'Rain in NYC?' } })] })
      expect(await (await get(`${path}?q=will`)).json()).toMatchObject({
        results: [],
        note: '“will” has no subject. Name a person, place, event, date or number.',
        nearest: [],
      })
      expect(await (await get(`${path}?q=will+it+rain+in+london`)).json()).toMatchObject({
        results: [],
        note: 'No open market asks “will it rain in london”. Nearest: “Rain in NYC?” – other place: New York.',
        nearest: [{ ticker: 'KXNYC', differs: ['other place: New York'] }],
      })
      const found: unknown = await (await get(`${path}?q=rain+in+new+york`)).json()
      expect(found).toMatchObject({ count: 1 })
      expect(found).not.toHaveProperty('note')
      expect(found).not.toHaveProperty('nearest')
    },
  )

  // [markets.scan.q-required] [markets.search.q-required]
  it.each(['/api/public/scan', '/api/public/search'])(
    '%s requires two characters',
    async (path) => {
      for (const query of ['', '?q=', '?q=a', '?q=%20a%20']) {
        const response = await testApp().get(path + query)
        expect(await response.json()).toEqual({
          error: 'q required (min 2 chars)',
          code: 'VALIDATION_ERROR',
        })
      }
    },
  )

  // [markets.scan.limit-clamped]
  it('clamps the limit to 50 and refuses non-integers', async () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      named(`M${i}`, { facts: { title: 'rain', eventId: `E${i}` } }),
    )
    const { get } = testApp({ views: many })
    expect(await bodyOf(await get('/api/public/scan?q=rain&limit=1000'))).toMatchObject({
      count: 50,
    })
    expect(await bodyOf(await get('/api/public/scan?q=rain'))).toMatchObject({ count: 20 })
    expect((await get('/api/public/scan?q=rain&limit=5.5')).status).toBe(400)
    expect((await get('/api/public/scan?q=rain&price_min=5&price_max=4')).status).toBe(400)
    expect((await get('/api/public/scan?q=rain&expires_before=soon')).status).toBe(400)
    const inverted = await get(
      '/api/public/scan?q=rain&expires_after=2026-12-02&expires_before=2026-12-01',
    )
    expect(await inverted.json()).toMatchObject({
      error: 'expires_after must not be later than expires_before',
    })
  })
})
