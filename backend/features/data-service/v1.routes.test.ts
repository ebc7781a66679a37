import { afterEach, describe, expect, it } from 'vitest'
import type { BoundAddress } from '../../http/server.ts'
import { level, marketView, NOON } from '../../testing/builders.ts'
import { DATA_KEY, DATA_URL, testDataService } from '../../testing/data-service.ts'
import { dereferenced } from '../../testing/dereferenced.ts'
import { violationOf } from '../../testing/json-schema.ts'

const market = marketView({ facts: { ticker: 'ALPHA', title: 'Will alpha rise?' } })
const KEY = { authorization: `Bearer ${DATA_KEY}` }

/** A path of each route with its cache age. */
const ROUTES = [
  ['/v1/heartbeat', 10, 240],
  ['/v1/markets', 3, 240],
  ['/v1/markets/featured', 3, 240],
  ['/v1/markets/ALPHA', 2, 240],
  ['/v1/search?q=alpha', 5, 120],
  ['/v1/snapshot', 2, 120],
  ['/v1/movers', 5, 120],
  ['/v1/orderbook/ALPHA', 1, 240],
  ['/v1/candles/ALPHA', 5, 240],
  ['/v1/candles/ALPHA?tf=1D', 15, 240],
  ['/v1/trades/ALPHA', 1, 240],
] as const
const CLOSED_ROUTES = ROUTES.filter(([path]) => path !== '/v1/heartbeat')

describe('/v1 over HTTP', () => {
  const open: BoundAddress[] = []
  afterEach(async () => {
    for (const bound of open.splice(0)) await bound.close(0)
  })
  const serve = async () => {
    const service = testDataService({ views: [market] })
    service.board.books.set('ALPHA', {
      at: NOON,
      book: { bids: [level(41, 10)], asks: [level(43, 10)] },
    })
    const bound = await service.listen()
    open.push(bound)
    return {
      service,
      origin: bound.url,
      ask: (
        path: string,
        init: { method?: string; headers?: Readonly<Record<string, string>> } = {},
      ) => fetch(bound.url + path, { ...init, headers: { ...KEY, ...init.headers } }),
    }
  }

  it.each(CLOSED_ROUTES)(
    '%s requires a data key [data-service.access.key-required]',
    async (path) => {
      const { origin } = await serve()
      const without = await fetch(origin + path)
      expect(without.status).toBe(401)
      expect(without.headers.get('www-authenticate')).toBe('Bearer')
      expect(await without.json()).toEqual({
        error: 'Authentication required',
        code: 'AUTH_REQUIRED',
      })
      const withOther = { authorization: `Bearer svc_live_${'a'.repeat(43)}` }
      const refused = await fetch(origin + path, { headers: withOther })
      expect([refused.status, await refused.json()]).toEqual([
        401,
        { error: 'Invalid or revoked credentials', code: 'AUTH_INVALID' },
      ])
    },
  )

  it('heartbeat, healthz and readyz require none [data-service.access.open]', async () => {
    const { origin } = await serve()
    for (const path of ['/v1/heartbeat', '/healthz', '/readyz']) {
      const answer = await fetch(origin + path, { headers: { authorization: 'Bearer nonsense' } })
      expect([path, answer.status]).toEqual([path, 200])
    }
  })

  it.each(ROUTES)(
    '%s may be cached privately for %i s [data-service.caching.private-ages]',
    async (path, age) => {
      const { ask } = await serve()
      const answer = await ask(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe(`private, max-age=${age}`)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    },
  )

  it.each(CLOSED_ROUTES)(
    '%s answers 304 to its tag, also after a rebuild, and HEAD without a body [data-service.caching.etag]',
    async (path) => {
      const { ask, service } = await serve()
      const first = await ask(path)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^W\/"/)
      await service.clock.advance(5_001)
      service.board.now = service.clock.now()
      const again = await ask(path, { headers: { 'if-none-match': etag } })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
      const head = await ask(path, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
    },
  )

  it.each(ROUTES)(
    '%s counts in the class of %i, %i a minute [data-service.limits.classes]',
    async (path, _age, limit) => {
      const { ask } = await serve()
      const { headers } = await ask(path)
      expect(headers.get('x-ratelimit-limit')).toBe(String(limit))
      expect(headers.get('x-ratelimit-remaining')).toBe(String(limit - 1))
      expect(Number(headers.get('x-ratelimit-reset'))).toBe(NOON / 1_000 + 60)
    },
  )

  it('refuses the request beyond the limit with the envelope [data-service.limits.exceeded]', async () => {
    const { ask, origin } = await serve()
    for (let sent = 0; sent < 120; sent += 1) {
      const path = ['/v1/snapshot', '/v1/movers', '/v1/search?q=alpha'][sent % 3] ?? ''
      expect((await ask(path)).status).toBe(200)
    }
    const refused = await ask('/v1/snapshot')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await refused.json()).toEqual({
      ok: false,
      error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' },
    })
    expect((await ask('/v1/markets')).status).toBe(200)
    expect((await fetch(`${origin}/readyz`)).headers.has('x-ratelimit-limit')).toBe(false)
  })

  it.each(['/v1/markets', '/v1/orderbook', '/v1/candles', '/v1/trades'])(
    '%s of an unknown market is 404 [data-service.errors.unknown-ticker]',
    async (path) => {
      const { ask } = await serve()
      for (const name of ['NOPE', `0x${'0'.repeat(64)}`, crypto.randomUUID(), '%F0%9F%92%A9']) {
        const answer = await ask(`${path}/${name}`)
        expect([name, answer.status, await answer.json()]).toEqual([
          name,
          404,
          { error: 'Market not found', code: 'NOT_FOUND' },
        ])
        expect(answer.headers.get('cache-control')).toBe('no-store')
      }
    },
  )

  it.each(['/v1', '/v1/nope', '/v1/candles', '/v1/orderbook', '/v1/markets/ALPHA/more'])(
    'has no route %s [data-service.errors.unknown-route]',
    async (path) => {
      const { ask } = await serve()
      const answer = await ask(path)
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: 'Not found', code: 'NOT_FOUND' },
      ])
    },
  )

  it.each([
    ['/v1/markets?limit=many', 'limit must be an integer'],
    ['/v1/markets?limit=1.5', 'limit must be an integer'],
    ['/v1/markets?offset=-', 'offset must be an integer'],
    ['/v1/markets?venue=venue_c', 'venue must be venue_a or venue_b'],
    ['/v1/markets/featured?n=', 'n must be an integer'],
    ['/v1/search', 'q required (min 2 chars)'],
    ['/v1/search?q=a', 'q required (min 2 chars)'],
    ['/v1/search?q=%20a%20', 'q required (min 2 chars)'],
    ['/v1/search?q=alpha&limit=x', 'limit must be an integer'],
    ['/v1/search?q=alpha&strict=2', 'strict must be true or false'],
    ['/v1/search?q=alpha&venue=a', 'venue must be venue_a or venue_b'],
    ['/v1/snapshot?venue=', 'venue must be venue_a or venue_b'],
    ['/v1/movers?window=2h', 'window must be 1m, 5m, 15m, 1h, 4h or 24h'],
    ['/v1/movers?n=ten', 'n must be an integer'],
    ['/v1/movers?minVol=-1', 'minVol must be at least 0'],
    ['/v1/movers?minVol=lots', 'minVol must be a number'],
    ['/v1/movers?dir=left', 'dir must be up, down or both'],
    ['/v1/movers?venue=x', 'venue must be venue_a or venue_b'],
    ['/v1/orderbook/ALPHA?depth=deep', 'depth must be an integer'],
    ['/v1/candles/ALPHA?tf=2m', 'tf must be 1m, 5m, 15m, 1h or 1d'],
    ['/v1/candles/ALPHA?limit=NaN', 'limit must be an integer'],
    ['/v1/candles/ALPHA?before=2026-11-20T14:00:00Z', 'before must be an integer'],
    ['/v1/candles/ALPHA?before=-1', 'before must be from 0 to 8640000000000'],
    ['/v1/candles/ALPHA?before=1e3', 'before must be an integer'],
    ['/v1/trades/ALPHA?limit=', 'limit must be an integer'],
    ['/v1/trades/ALPHA?before=yesterday', 'before must be an integer'],
    ['/v1/trades/ALPHA?before=99999999999999999', 'before must be from 0 to 8640000000000000'],
  ])('refuses %s [data-service.errors.bad-parameter]', async (path, error) => {
    const { ask } = await serve()
    const answer = await ask(path)
    expect([answer.status, await answer.json()]).toEqual([400, { error, code: 'VALIDATION_ERROR' }])
  })

  it('ignores an unknown parameter and a trailing slash, and uses the last of a repeated one', async () => {
    const { ask } = await serve()
    const [plain, odd] = await Promise.all([
      ask('/v1/candles/ALPHA?tf=1d'),
      ask('/v1/candles/ALPHA/?tf=2m&tf=1d&colour=red'),
    ])
    expect([odd.status, await odd.json()]).toEqual([200, await plain.json()])
  })

  it('allows its own pages and refuses other origins [data-service.origins.cors]', async () => {
    const { ask, origin } = await serve()
    const own = await ask('/v1/snapshot', { headers: { origin } })
    expect(own.headers.get('access-control-allow-origin')).toBe(origin)
    expect(own.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
    const preflight = await fetch(`${origin}/v1/snapshot`, {
      method: 'OPTIONS',
      headers: { origin },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    const foreign = await ask('/v1/snapshot', { headers: { origin: 'https://elsewhere.test' } })
    expect(foreign.status).toBe(403)
    const written = await ask('/v1/snapshot', { method: 'POST' })
    expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('is not ready before the first load, except for the heartbeat', async () => {
    const { ask, service } = await serve()
    service.board.ready = false
    for (const [path] of CLOSED_ROUTES) {
      const answer = await ask(path)
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
    }
    expect((await ask('/v1/heartbeat')).status).toBe(200)
  })

  it('returns the time of the data of one market', async () => {
    const { ask } = await serve()
    for (const path of ['/v1/markets/ALPHA', '/v1/orderbook/ALPHA']) {
      expect((await ask(path)).headers.get('last-modified')).toBe(new Date(NOON).toUTCString())
    }
  })
})

describe('the description of /v1', () => {
  it('tags its routes and names their server [data-service.openapi.tag-and-server]', () => {
    const { paths } = testDataService().document()
    const described = Object.entries(paths)
    expect(described.map(([path]) => path).toSorted()).toEqual([
      '/healthz',
      '/readyz',
      '/v1/candles/{ticker}',
      '/v1/heartbeat',
      '/v1/markets',
      '/v1/markets/featured',
      '/v1/markets/{ticker}',
      '/v1/movers',
      '/v1/orderbook/{ticker}',
      '/v1/search',
      '/v1/snapshot',
      '/v1/trades/{ticker}',
    ])
    for (const [path, { get }] of described) {
      expect([path, get?.tags, get?.['servers']]).toEqual([path, ['data'], [{ url: DATA_URL }]])
      const isOpen = !path.startsWith('/v1') || path === '/v1/heartbeat'
      expect([path, get?.['security']]).toEqual([
        path,
        isOpen ? [] : [{ dataKey: [] }, { session: [] }],
      ])
    }
  })

  it('matches the bodies [data-service.openapi.bodies]', async () => {
    const service = testDataService({ views: [market] })
    const { paths } = dereferenced(service.document())
    for (const [path] of ROUTES) {
      const template = path.replace(/\?.*/, '').replace('ALPHA', '{ticker}')
      const described = paths[template]?.['get']?.responses['200']?.['content'] as
        Readonly<Record<string, { readonly schema: unknown }>> | undefined
      const { status, body } = await service.get(path)
      expect(status).toBe(200)
      expect(described?.['application/json']).toBeDefined()
      expect([path, violationOf(described?.['application/json']?.schema, body)]).toEqual([
        path,
        null,
      ])
    }
  })
})
