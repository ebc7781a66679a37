import { createConnection } from 'node:net'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Elysia, t } from 'elysia'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger, type Logger } from '../lib/logger.ts'
import { marketView } from '../testing/builders.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { testApp } from '../testing/test-app.ts'
import { adapter } from './adapter.ts'
import { createHttpApp } from './app.ts'
import { callerOf } from './auth.ts'
import { ListenFailed } from '../lib/start-problems.ts'
import { bind, listen } from './server.ts'
import type { Bound } from './server.ts'
import { routeWords } from './words.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const served of open.splice(0)) await served.close()
})
const kept = <T extends Pick<Bound, 'close'>>(served: T): T => {
  open.push({ close: () => served.close(0) })
  return served
}

/** One request over a fresh socket with exactly these headers. */
function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Status line of a request written by hand. */
function askRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.end(text))
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

const jsonOf = (answer: Answer): unknown => JSON.parse(answer.body.toString())
const manyMarkets = Array.from({ length: 30 }, (_, index) =>
  marketView({ facts: { ticker: `KXMANY-${index}` } }),
)

/** Routes that exist only to be asked: one that counts, one for owners, one that fails, one with a body. */
function probe(clock = new FakeClock(), logger: Logger = silentLogger) {
  let runs = 0
  const app = createHttpApp({ logger }).use(
    new Elysia({ adapter })
      .use(routeWords)
      .get('/count', () => ({ runs: (runs += 1) }), { cache: 60 })
      .get('/owner', ({ request }) => ({ owner: callerOf(request)?.isAdmin ?? false }), {
        auth: 'owner',
      })
      .get('/mine', () => ({ runs: (runs += 1) }), { auth: 'owner', cache: 60 })
      .get('/none', () => ({ ok: true }), { auth: 'none', cache: 60 })
      .get('/broken', (): object => {
        throw new TypeError('secret detail')
      })
      .post('/echo', ({ body }) => body ?? {}, { body: t.Any() })
      .get('/part/:name', ({ params }) => params)
      .get('/rest/*', ({ params }) => params),
  )
  const serve = (options: Partial<Parameters<typeof listen>[1]> = {}) =>
    listen(app, { host: '127.0.0.1', port: 0, clock, logger, ...options })
  return { clock, runs: () => runs, serve }
}

describe('the door', () => {
  // [conventions.origins.host]
  it('refuses every foreign or unclear host', async () => {
    const { port } = kept(await probe().serve())
    const hosts = ['attacker.com', '127.0.0.1.nip.io', `127.0.0.1:${port + 1}`, '[::2]']
    for (const host of [...hosts, '127.0.0.1']) {
      const answer = await ask(`http://127.0.0.1:${port}/none`, { headers: { host } })
      expect([host, answer.status]).toEqual([host, 403])
      expect(jsonOf(answer)).toMatchObject({ code: 'HOST_REFUSED' })
    }
    const own = `127.0.0.1:${port}`
    const absolute = `GET http://attacker.com/none HTTP/1.1\r\nHost: ${own}\r\n\r\n`
    expect(await askRaw(port, absolute)).toMatch(/^HTTP\/1.1 403/)
    const doubled = `GET /none HTTP/1.1\r\nHost: ${own}\r\nHost: attacker.com\r\n\r\n`
    expect(await askRaw(port, doubled)).toMatch(/^HTTP\/1.1 40[03]/)
    expect(await askRaw(port, 'GET /none HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  })

  it('takes its loopback names and configured addresses', async () => {
    const served = kept(await probe().serve({ addresses: ['https://augury.example'] }))
    for (const host of [`localhost:${served.port}`, `[::1]:${served.port}`, 'augury.example']) {
      expect((await ask(`${served.url}/none`, { headers: { host } })).status).toBe(200)
    }
  })

  // [conventions.origins.origin]
  it('refuses foreign origins and echoes its own', async () => {
    const served = kept(await probe().serve())
    for (const origin of ['https://attacker.com', 'null', `${served.url}.attacker.com`]) {
      const answer = await ask(`${served.url}/none`, { headers: { origin } })
      expect([origin, answer.status]).toEqual([origin, 403])
      expect(jsonOf(answer)).toMatchObject({ code: 'ORIGIN_REFUSED' })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    const crossed = { headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await ask(`${served.url}/none`, crossed)).status).toBe(403)
    const own = await ask(`${served.url}/none`, { headers: { origin: served.url } })
    expect(own.headers['access-control-allow-origin']).toBe(served.url)
    expect(own.headers['access-control-expose-headers']).toContain('X-SVC-Cache')
  })

  // [conventions.origins.preflight]
  it('answers a preflight', async () => {
    const served = kept(await probe().serve())
    const headers = { origin: served.url, 'access-control-request-method': 'POST' }
    const answer = await ask(`${served.url}/echo`, { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-methods']).toBe(
      'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    )
    expect(answer.headers['access-control-allow-headers']).toContain('mcp-protocol-version')
  })

  it.each([
    ['/v1/markets', 'GET, OPTIONS'],
    ['/v1?x=1', 'GET, OPTIONS'],
    ['/v1x', 'GET, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('allows a page to use at %s: %s', async (path, methods) => {
    const served = kept(await probe().serve())
    const headers = { origin: served.url, 'access-control-request-method': 'GET' }
    const answer = await ask(`${served.url}${path}`, { method: 'OPTIONS', headers })
    expect(answer.headers['access-control-allow-methods']).toBe(methods)
  })
})

describe('credentials', () => {
  // [conventions.errors.unauthorized]
  it('refuses an unknown credential on optional routes and reads none on open ones', async () => {
    const served = kept(await probe().serve({ launchSecret: 'launch-secret' }))
    for (const authorization of ['Bearer svc_live_x', 'Basic Zm9v', '', 'Launch launch-secret']) {
      const answer = await ask(`${served.url}/count`, { headers: { authorization } })
      expect([authorization, answer.status]).toEqual([authorization, 401])
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(jsonOf(answer)).toEqual({
        error: 'Invalid or revoked credentials',
        code: 'AUTH_INVALID',
      })
      expect((await ask(`${served.url}/none`, { headers: { authorization } })).status).toBe(200)
    }
  })

  it('knows the owner by the launch secret', async () => {
    const served = kept(await probe().serve({ launchSecret: 'launch-secret' }))
    const as = (authorization: string) => ask(`${served.url}/owner`, { headers: { authorization } })
    expect(jsonOf(await as('Launch launch-secret'))).toEqual({ owner: true })
    expect((await as('Launch wrong')).status).toBe(401)
    expect(jsonOf(await ask(`${served.url}/owner`))).toMatchObject({ code: 'AUTH_REQUIRED' })
    const without = kept(await probe().serve())
    const refused = await ask(`${without.url}/owner`, { headers: { authorization: 'Launch x' } })
    expect(refused.status).toBe(401)
  })
})

describe('rate limits', () => {
  // [conventions.limits.headers] [conventions.limits.exceeded]
  it('counts cache hits, errors and unknown routes in one window', async () => {
    const { clock, serve } = probe()
    const served = kept(await serve({ fairUse: 4 }))
    const first = await ask(`${served.url}/count`)
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '4',
      'x-ratelimit-remaining': '3',
      'x-ratelimit-reset': String((clock.now() + 60_000) / 1_000),
    })
    await ask(`${served.url}/count`)
    await ask(`${served.url}/nowhere`)
    await ask(`${served.url}/owner`)
    const refused = await ask(`${served.url}/count/`)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    expect(jsonOf(refused)).toEqual({
      ok: false,
      error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' },
    })
    await clock.advance(60_000)
    expect((await ask(`${served.url}/count`)).status).toBe(200)
  })

  it('believes no forwarded address', async () => {
    const served = kept(await probe().serve({ fairUse: 1 }))
    await ask(`${served.url}/count`, { headers: { 'x-forwarded-for': '10.0.0.1' } })
    const next = await ask(`${served.url}/count`, { headers: { 'x-forwarded-for': '10.0.0.2' } })
    expect(next.status).toBe(429)
  })

  it('counts by the forwarded address behind the named proxy', async () => {
    const served = kept(await probe().serve({ fairUse: 1, trustedProxy: '127.0.0.1' }))
    const from = async (forwarded: string) =>
      (await ask(`${served.url}/count`, { headers: { 'x-forwarded-for': forwarded } })).status
    expect(await from('10.0.0.1')).toBe(200)
    expect(await from('10.0.0.2')).toBe(200)
    expect(await from('10.0.0.9, 10.0.0.1')).toBe(429)
  })

  // [conventions.limits.fair-use]
  it('shares one ceiling among routes without a limit of their own', async () => {
    const served = kept(await testApp({ views: manyMarkets }).listen())
    const paths = ['/api/public/markets', '/api/public/live-tickers', '/api/changes']
    const remaining: unknown[] = []
    for (const path of paths) {
      const { headers } = await ask(served.url + path)
      remaining.push([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']])
    }
    expect(remaining).toEqual([
      ['120', '119'],
      ['120', '118'],
      ['120', '117'],
    ])
  })

  // [conventions.limits.uncounted]
  it('leaves health and documents uncounted', async () => {
    const served = kept(await testApp().listen({ fairUse: 1 }))
    for (const path of ['/api/health', '/status', '/openapi.json', '/docs', '/api/health']) {
      const answer = await ask(served.url + path)
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    }
  })
})

describe('ready bytes', () => {
  // [conventions.caching.one-computation]
  it('runs a route once for all who ask at the same time, and again when it is old', async () => {
    const { clock, runs, serve } = probe()
    const served = kept(await serve())
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(`${served.url}/count`)))
    expect(new Set(answers.map(({ body }) => body.toString()))).toEqual(new Set(['{"runs":1}']))
    const hit = await ask(`${served.url}/count?unknown=1`)
    expect(hit.headers['x-svc-cache']).toBe('miss') // no declared query: the address is its own key
    expect((await ask(`${served.url}/count`)).headers['x-svc-cache']).toBe('hit')
    await clock.advance(5_000)
    expect((await ask(`${served.url}/count`)).headers['x-svc-cache']).toBe('miss')
    expect(runs()).toBe(3)
    served.forgetAnswers()
    expect((await ask(`${served.url}/count`)).headers['x-svc-cache']).toBe('miss')
  })

  // [conventions.caching.etag] [conventions.caching.ages] [conventions.caching.last-modified]
  it('answers 304 to a reader who has the content', async () => {
    const app = testApp({ views: manyMarkets })
    const served = kept(await app.listen())
    const first = await ask(`${served.url}/api/public/markets`)
    const etag = first.headers.etag ?? ''
    expect(etag).toMatch(/^W\/".{22}"$/)
    expect(first.headers['last-modified']).toBe('Fri, 20 Nov 2026 14:00:00 GMT')
    expect(first.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=300')
    await app.clock.advance(10_000) // made again, of the same content
    for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask(`${served.url}/api/public/markets`, {
        headers: { 'if-none-match': tag },
      })
      expect([tag, again.status, again.body.length]).toEqual([tag, 304, 0])
      expect(again.headers.etag).toBe(etag)
      expect(again.headers['cache-control']).toBe(first.headers['cache-control'])
    }
    const other = await ask(`${served.url}/api/public/markets`, {
      headers: { 'if-none-match': '"other"' },
    })
    expect(other.status).toBe(200)
  })

  // [conventions.caching.private]
  it('keeps answers made with credentials for their reader alone', async () => {
    const served = kept(await probe().serve({ launchSecret: 'launch-secret' }))
    const headers = { authorization: 'Launch launch-secret' }
    const mine = await ask(`${served.url}/mine`, { headers })
    expect(mine.headers['cache-control']).toBe('private, max-age=60')
    expect(mine.headers.vary).toContain('Authorization, Cookie')
    expect((await ask(`${served.url}/mine`, { headers })).headers['x-svc-cache']).toBe('hit')
    expect((await ask(`${served.url}/mine`)).status).toBe(401)
  })

  // [markets.list.cached] [markets.scan.cached] [markets.screen.cached]
  it.each(['markets', 'scan?q=test', 'screen', 'newmarkets', 'screen-by-tickers?tickers=KXMANY-1'])(
    'lets %s be kept for a minute',
    async (path) => {
      const served = kept(await testApp({ views: manyMarkets }).listen())
      const answer = await ask(`${served.url}/api/public/${path}`)
      expect([answer.status, answer.headers['cache-control']]).toEqual([
        200,
        'public, max-age=60, stale-while-revalidate=300',
      ])
    },
  )

  // [conventions.caching.past]
  it('keeps answers about the past for a day', async () => {
    const served = kept(await testApp({ views: manyMarkets }).listen())
    const past = await ask(`${served.url}/api/public/markets?asOf=2026-11-19T00:00:00Z`)
    expect(past.headers['cache-control']).toContain('max-age=86400')
  })

  // [conventions.parameters.unknown-ignored] [conventions.parameters.last-wins]
  it('takes spellings of one address as one', async () => {
    const served = kept(await testApp({ views: manyMarkets }).listen())
    await ask(`${served.url}/api/public/markets?limit=2&venue=venue_a`)
    for (const path of [
      '/api/public/markets?venue=venue_a&limit=2',
      '/api/public/markets/?limit=9&limit=2&venue=venue_a&utm_source=x',
      '/api/public/m%61rkets?limit=2&venue=venue%5Fa',
    ]) {
      const answer = await ask(served.url + path)
      expect([path, answer.headers['x-svc-cache']]).toEqual([path, 'hit'])
      expect(jsonOf(answer)).toMatchObject({ count: 2 })
    }
  })
})

describe('transport', () => {
  // [conventions.transport.compression]
  it('compresses long answers in the form the reader takes', async () => {
    const served = kept(await testApp({ views: manyMarkets }).listen())
    const url = `${served.url}/api/public/markets`
    const plain = await ask(url)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const brotli = await ask(url, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
    const zipped = await ask(url, { headers: { 'accept-encoding': 'gzip, br;q=0' } })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.body)).toEqual(plain.body)
    expect(zipped.headers.vary).toContain('Accept-Encoding')
    const short = await ask(`${served.url}/api/health`, { headers: { 'accept-encoding': 'br' } })
    expect(short.headers['content-encoding']).toBeUndefined()
  })

  // [conventions.transport.head] [conventions.transport.request-id] [conventions.transport.hardening]
  it('answers HEAD as GET without the body, and dresses every answer', async () => {
    const served = kept(await testApp({ views: manyMarkets }).listen())
    const ids = new Set<string>()
    for (const path of ['/api/public/markets', '/api/health', '/nowhere', '/docs']) {
      const read = await ask(served.url + path)
      const head = await ask(served.url + path, { method: 'HEAD' })
      expect([path, head.status, head.body.length]).toEqual([path, read.status, 0])
      expect(head.headers['content-length']).toBe(read.headers['content-length'])
      expect(read.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-svc-version': '1.0.0', // [versions.header.version]
      })
      const id = String(read.headers['x-request-id'])
      expect(id.length).toBeGreaterThanOrEqual(16)
      ids.add(id)
    }
    expect(ids.size).toBe(4)
  })

  // [conventions.errors.method] [conventions.errors.not-found] [conventions.errors.no-store]
  it('tells a wrong method from an unknown path', async () => {
    const served = kept(await probe().serve())
    const wrong = await ask(`${served.url}/count`, { method: 'DELETE' })
    expect(wrong.status).toBe(405)
    expect(wrong.headers.allow).toBe('GET, HEAD')
    expect(jsonOf(wrong)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    for (const path of ['/nowhere', '/count/more', '/%zz', '//count', '/COUNT']) {
      const unknown = await ask(served.url + path)
      expect([path, unknown.status]).toEqual([path, 404])
      expect(jsonOf(unknown)).toEqual({ error: 'Not found', code: 'NOT_FOUND' })
      expect(unknown.headers['cache-control']).toBe('no-store')
    }
  })

  it('decodes a path parameter once', async () => {
    const served = kept(await probe().serve())
    expect(jsonOf(await ask(`${served.url}/part/a%2Fb%2541`))).toEqual({ name: 'a/b%41' })
  })

  // [conventions.errors.internal]
  // [conventions.paths.no-climbing]
  it.each(['..', '%2e%2e', '.%2E', '%2e.'])('climbs to no other route by %s', async (up) => {
    const { url, port } = kept(await probe().serve({ launchSecret: 'secret' }))
    for (const path of [
      `/rest/${up}/owner`,
      `/part/${up}`,
      `/rest/a/${up}/${up}/owner`,
      `/${up}`,
    ]) {
      const answer = await askRaw(
        port,
        `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`,
      )
      expect([path, answer.slice(9, 12)]).toEqual([path, '404'])
    }
  })

  it('answers a bug without its detail', async () => {
    const served = kept(await probe().serve())
    const answer = await ask(`${served.url}/broken`)
    expect(answer.status).toBe(500)
    expect(jsonOf(answer)).toEqual({ error: 'Internal error', code: 'INTERNAL_ERROR' })
  })

  it('logs where it failed, and not what was asked', async () => {
    const failures: object[] = []
    const logger: Logger = { ...silentLogger, error: (details) => failures.push(details) }
    const served = kept(await probe(new FakeClock(), logger).serve())
    expect((await ask(`${served.url}/broken?q=private`)).status).toBe(500)
    expect(failures).toMatchObject([{ method: 'GET', path: '/broken' }])
    expect(JSON.stringify(failures)).not.toContain('private')
  })

  // [conventions.errors.payload-too-large]
  it('refuses long bodies before and while they are read', async () => {
    const served = kept(await probe().serve())
    const headers = { 'content-type': 'application/json' }
    const url = `${served.url}/echo`
    const fits = JSON.stringify({ text: 'x'.repeat(900_000) })
    expect((await ask(url, { method: 'POST', headers, body: fits })).status).toBe(200)
    const declared =
      `POST /echo HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n'
    expect(await askRaw(served.port, declared)).toMatch(/^HTTP\/1.1 413/)
    const coded = { ...headers, 'content-encoding': 'gzip' }
    expect((await ask(url, { method: 'POST', headers: coded, body: 'x' })).status).toBe(415)
  })

  // [conventions.errors.media-type]
  it('refuses bodies of another type', async () => {
    const served = kept(await probe().serve())
    const url = `${served.url}/echo`
    const send = (type: string | null, body: string) =>
      ask(url, { method: 'POST', headers: type === null ? {} : { 'content-type': type }, body })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const refused = await send(type, '{"a":1}')
      expect([type, refused.status]).toEqual([type, 415])
      expect(jsonOf(refused)).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
    }
    expect((await send(null, '{"a":1}')).status).toBe(415)
    expect(jsonOf(await send('Application/JSON; charset=utf-8', '{"a":1}'))).toEqual({ a: 1 })
    expect((await send('text/plain', '')).status).toBe(200)
  })

  it('takes JSON by name on an empty body and refuses broken JSON', async () => {
    const served = kept(await probe().serve())
    const headers = { 'content-type': 'application/json' }
    const url = `${served.url}/echo`
    expect((await ask(url, { method: 'POST', headers })).status).toBe(200)
    const broken = await ask(url, { method: 'POST', headers, body: '{"a":' })
    expect(jsonOf(broken)).toEqual({ error: 'Invalid JSON', code: 'VALIDATION_ERROR' })
    expect((await ask(`${served.url}/count`, { headers })).status).toBe(200)
    const nested = '['.repeat(100_000)
    expect((await ask(url, { method: 'POST', headers, body: nested })).status).toBe(400)
    const evil = '{"__proto__":{"polluted":true}}'
    await ask(url, { method: 'POST', headers, body: evil })
    expect('polluted' in {}).toBe(false)
  })
})

describe('the port', () => {
  it('says that a port is taken', async () => {
    const first = kept(await probe().serve())
    const second = bind({ host: '127.0.0.1', port: first.port })
    await expect(second).rejects.toThrow(ListenFailed)
    await expect(second).rejects.toThrow(/in use/)
  })

  // [conventions.errors.not-ready]
  it('answers 503 until it is told what to serve, and stops on request', async () => {
    const bound = await bind({ host: '127.0.0.1', port: 0 })
    const answer = await ask(`${bound.url}/api/health`)
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(jsonOf(answer)).toMatchObject({ code: 'NOT_READY' })
    await bound.close()
    await expect(ask(`${bound.url}/api/health`)).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe('the page', () => {
  it('serves the built files with their types and nothing outside', async () => {
    const outer = await mkdtemp(join(tmpdir(), 'augury-page-'))
    const folder = join(outer, 'page')
    await mkdir(join(folder, 'assets'), { recursive: true })
    await writeFile(join(folder, 'index.html'), '<!doctype html>')
    await writeFile(join(folder, 'assets', 'main-Bq3xYz12.js'), 'export {}')
    await writeFile(join(outer, 'secret.json'), '{}')
    const served = kept(await probe().serve({ pageFolder: folder, fairUse: 3 }))
    const index = await ask(`${served.url}/`)
    expect(index.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(index.headers['content-security-policy']).toContain("default-src 'self'")
    expect(index.headers['content-security-policy']).not.toContain('unsafe')
    const script = await ask(`${served.url}/assets/main-Bq3xYz12.js`)
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toContain('immutable')
    expect(script.headers['x-ratelimit-limit']).toBeUndefined()
    for (const path of ['/..%2fsecret.json', '/%2e%2e/secret.json', '/index.html']) {
      expect([path, (await ask(served.url + path)).status]).toEqual([path, 404])
    }
    await rm(outer, { recursive: true })
  })
})
