import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { InstantClock } from '../testing/instant-clock.ts'
import { json, startScriptServer, type Reply, type ScriptServer } from '../testing/script-server.ts'
import { FeedLedger } from './feed-ledger.ts'
import { HttpClient, type HttpClientOptions } from './http-client.ts'
import { walkPages } from './paging.ts'
import { RequestBudget } from './request-budget.ts'

const TIMEOUT = 50_000
let server: ScriptServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
  vi.restoreAllMocks()
})

async function client(replies: readonly Reply[], options: Partial<HttpClientOptions> = {}) {
  server = await startScriptServer((_, index) => replies[Math.min(index, replies.length - 1)]!)
  const clock = new InstantClock(TIMEOUT)
  const ledger = new FeedLedger('venue_a')
  const http = new HttpClient({
    venue: 'venue_a',
    baseUrl: `${server.url}/base`,
    clock,
    random: () => 0,
    budget: new RequestBudget({ ratePerSecond: 1_000, burst: 1_000, clock }),
    ledger,
    fetch,
    timeoutMs: TIMEOUT,
    maxBodyBytes: 10_000,
    ...options,
  })
  const read = (path = '/x', more: object = {}) =>
    http.read(path, { signal: new AbortController().signal, priority: 'live', ...more })
  return { http, clock, ledger, read, requests: server.requests }
}

const raw =
  (body: string | Buffer, headers: Record<string, string>, status = 200): Reply =>
  (_, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }
const OK = json({ fine: true })
const JSON_TYPE = { 'content-type': 'application/json' }

describe('HttpClient', () => {
  it('sends the query, repeats list keys, identifies itself, and posts bodies', async () => {
    const echo: Reply = (request, response, body) =>
      json({ method: request.method, body })(request, response, body)
    const { read, requests } = await client([echo])
    await read('/markets', { query: { tickers: ['A', 'B'], limit: 5, cursor: null } })
    expect(requests[0]?.line).toBe('GET /base/markets?tickers=A&tickers=B&limit=5')
    expect(requests[0]?.headers['user-agent']).toMatch(/^Augury/)
    expect(await read('/books', { body: [{ token_id: '1' }] })).toEqual({
      method: 'POST',
      body: '[{"token_id":"1"}]',
    })
  })

  it('trap 13: backs off from 429 without Retry-After', async () => {
    const { read, clock, ledger } = await client([
      json({ error: 'too many requests' }, 429),
      json({ error: 'too many requests' }, 429),
      OK,
    ])
    expect(await read()).toEqual({ fine: true })
    expect(clock.sleeps).toEqual([500, 1_000])
    expect(ledger.health('polling')).toMatchObject({
      requests: 3,
      failures: 0,
      lastMessageAt: clock.now(),
    })
  })

  it('waits as long as Retry-After states, and delays every request', async () => {
    const { read, clock } = await client([
      json({ error: 'slow down', code: 'rate_limited' }, 429, { 'retry-after': '7' }),
      OK,
    ])
    await read()
    expect(clock.monotonic()).toBeGreaterThanOrEqual(7_000)
  })

  it('waits at most ten minutes for Retry-After', async () => {
    const pause = vi.spyOn(RequestBudget.prototype, 'pause')
    const { read } = await client([json({}, 429, { 'retry-after': '99999' }), OK])
    const stop = new AbortController()
    const reading = read('/x', { signal: stop.signal })
    await vi.waitFor(() => expect(pause.mock.calls).toEqual([[600_000]]))
    stop.abort()
    await expect(reading).rejects.toThrow()
  })

  it.each([500, 502, 503, 504, 425, 408])('retries after %i', async (status) => {
    const { read, requests } = await client([json({}, status), OK])
    expect(await read()).toEqual({ fine: true })
    expect(requests).toHaveLength(2)
  })

  it('trap 15: reads a refusal with a useful body, of the host itself only', async () => {
    const isAnswer = (body: unknown): boolean => JSON.stringify(body) === '{"paused":true}'
    const { read, requests } = await client([
      json({ paused: true }, 503),
      json({ paused: true }, 429),
      json({ paused: false }, 503),
      OK,
    ])
    expect(await read('/status', { isAnswer })).toEqual({ paused: true })
    expect(await read('/status', { isAnswer })).toEqual({ fine: true })
    expect(requests).toHaveLength(4)
  })

  it.each([
    [400, { error: { code: 'bad', message: 'Mixing filters' } }, 'Mixing filters'],
    [404, { code: 'not_found', message: 'no such market' }, 'no such market'],
    [401, { error: 'Unauthorized' }, 'Unauthorized'],
  ])('fails at once on %i with a reason', async (status, body, reason) => {
    const { read, requests, ledger } = await client([json(body, status)])
    await expect(read()).rejects.toMatchObject({
      name: 'VenueFailure',
      venue: 'venue_a',
      status,
      retryable: false,
    })
    expect(requests).toHaveLength(1)
    expect(ledger.health('polling').lastError).toBe(`/x: ${status} ${reason}`)
  })

  it('trap 34: does not parse HTML, and retries', async () => {
    const html = raw('<html>Just a moment</html>', { 'content-type': 'text/html' })
    const challenge = raw('<html>blocked</html>', { 'content-type': 'text/html' }, 403)
    const { read, requests } = await client([html, challenge, OK])
    expect(await read()).toEqual({ fine: true })
    expect(requests).toHaveLength(3)
  })

  it.each([
    ['malformed', raw('{"a":', JSON_TYPE)],
    ['cut short', raw('{"a":1}', { ...JSON_TYPE, 'content-length': '500' })],
    [
      'a truncated gzip',
      raw(gzipSync('{"a":"text to compress"}').subarray(0, 15), {
        ...JSON_TYPE,
        'content-encoding': 'gzip',
      }),
    ],
    ['a dropped connection', (_, response) => response.destroy()],
  ])('retries when the body was %s', async (_, broken) => {
    const closing: Reply = (request, response, body) => {
      broken(request, response, body)
      response.socket?.end()
    }
    const { read, requests } = await client([closing, OK])
    expect(await read()).toEqual({ fine: true })
    expect(requests).toHaveLength(2)
  })

  it('reads a body with a byte order mark and numbers beyond doubles', async () => {
    const { read } = await client([raw('\uFEFF{"a":1e400,"a":12345678901234567890}', JSON_TYPE)])
    expect(await read()).toEqual({ a: 12345678901234567000 })
  })

  it('stops at a body over the limit and does not request it again', async () => {
    const endless: Reply = (_, response) => {
      response.writeHead(200, JSON_TYPE)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(5_000)));
      }
      response.on('drain', pour)
      pour()
    }
    const { read, requests } = await client([endless])
    await expect(read()).rejects.toThrow('larger than 10000 bytes')
    expect(requests).toHaveLength(1)
  })

  it('times out without a response', async () => {
    const requested = Promise.withResolvers<undefined>()
    const silent: Reply = () => requested.resolve(undefined)
    const { read, clock } = await client([silent])
    const reading = read('/x', { retries: false })
    await requested.promise
    clock.expire()
    await expect(reading).rejects.toThrow(`/x: no answer within ${TIMEOUT} ms`)
  })

  it('sends a single request to a host that was paused, without retries', async () => {
    const { read, requests, clock } = await client([json({}, 500)])
    for (let call = 0; call < 5; call += 1) await expect(read()).rejects.toThrow('500')
    const before = requests.length
    await clock.sleep(15_001)
    await expect(read()).rejects.toThrow('500')
    expect(requests).toHaveLength(before + 1)
  })

  it('cuts a body that arrives too slowly', async () => {
    const started = Promise.withResolvers<undefined>()
    const dripping: Reply = (_, response) => {
      response.writeHead(200, JSON_TYPE)
      const timer = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(timer))
      started.resolve(undefined)
    }
    const { read, clock } = await client([dripping])
    const reading = read('/x', { retries: false })
    await started.promise
    clock.expire()
    await expect(reading).rejects.toThrow(`no answer within ${TIMEOUT} ms`)
  })

  it('limits the bytes of a body after decompression', async () => {
    const bomb = gzipSync(JSON.stringify({ text: 'x'.repeat(1_000_000) }))
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' }
    const { read, requests } = await client([raw(bomb, headers)])
    expect(bomb.length).toBeLessThan(10_000)
    await expect(read()).rejects.toThrow('larger than 10000 bytes')
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['keys twice', '{"a":1,"a":2}', { a: 2 }],
    [
      'a key that names a prototype',
      '{"__proto__":{"a":1},"b":2}',
      expect.objectContaining({ b: 2 }),
    ],
    ['lists in lists in lists', `${'['.repeat(4_000)}${']'.repeat(4_000)}`, expect.any(Array)],
  ])('reads a body with %s', async (_, body, expected) => {
    const { read } = await client([raw(body, JSON_TYPE)])
    const answer = await read()
    expect(answer).toEqual(expected)
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  it('retries after a body of invalid bytes', async () => {
    const { read } = await client([raw(Buffer.from([0xff, 0xfe, 0x7b, 0x22]), JSON_TYPE), OK])
    expect(await read()).toEqual({ fine: true })
  })

  it('stops at the signal with its reason', async () => {
    const stop = new AbortController()
    const { read, ledger } = await client([() => stop.abort(new Error('enough'))])
    await expect(read('/x', { signal: stop.signal })).rejects.toThrow('enough')
    expect(ledger.health('polling').failures).toBe(0)
  })

  it('pauses a host that keeps failing, then lets one call try', async () => {
    let isWell = false
    const moody: Reply = (...args) => json({}, isWell ? 200 : 500)(...args)
    const { http, read, requests, clock } = await client([moody], {
      policy: { attempts: 1, firstDelay: 1, factor: 1, maxDelay: 1 },
    })
    for (let call = 0; call < 5; call += 1) await expect(read()).rejects.toThrow('500')
    await expect(read()).rejects.toMatchObject({
      retryable: true,
      message: 'was not called: it failed repeatedly',
    })
    expect(requests).toHaveLength(5)
    const pause = { host: new URL(server?.url ?? '').host, since: clock.now() }
    expect(http.pause).toEqual({ ...pause, reason: '/x: 500 without a reason' })
    await clock.sleep(15_001)
    await expect(read()).rejects.toThrow('500')
    await expect(read()).rejects.toThrow('was not called')
    expect(requests).toHaveLength(6)
    expect(http.pause).toMatchObject(pause)
    await clock.sleep(30_001)
    isWell = true
    await read()
    expect(http.pause).toBeNull()
  })

  it('measures how far the host is ahead', async () => {
    const { read, http, clock } = await client([
      json({}, 200, { date: new Date(Date.parse('2026-11-20T14:00:09Z')).toUTCString() }),
    ])
    await read()
    expect(http.clockOffset).toBe(9_500)
    expect(clock.now()).toBe(Date.parse('2026-11-20T14:00:00Z'))
  })

  it('accepts a very different time of a host when it is sent twice', async () => {
    const dated = (time: string) =>
      json({}, 200, { date: new Date(Date.parse(time)).toUTCString() })
    const { read, http } = await client([
      dated('2026-11-20T14:00:00Z'),
      dated('2026-11-20T13:00:00Z'),
      dated('2026-11-20T14:00:00Z'),
      dated('2026-11-20T22:00:00Z'),
      dated('2026-11-20T22:00:00Z'),
    ])
    const offsets: number[] = []
    for (let answer = 0; answer < 5; answer += 1) {
      await read()
      offsets.push(http.clockOffset)
    }
    expect(offsets).toEqual([500, 500, 500, 500, 8 * 3_600_000 + 500])
  })
})

describe('walkPages', () => {
  const walk = async (cursors: (string | null)[], maxPages = 10) => {
    const pages: (string | null)[] = []
    let index = 0
    const read = (cursor: string | null) =>
      Promise.resolve({ value: cursor, cursor: cursors[index++] ?? null })
    for await (const page of walkPages('venue_a', read, maxPages)) pages.push(page)
    return pages
  }

  it('passes each cursor on until there is none', async () => {
    expect(await walk(['a', 'b', null])).toEqual([null, 'a', 'b'])
  })

  it('traps 5 and 31: fails on a repeated cursor and on an endless walk', async () => {
    await expect(walk(['a', 'b', 'a'])).rejects.toThrow('repeated a cursor')
    await expect(walk(['a', 'b', 'c'], 2)).rejects.toThrow('longer than 2 pages')
  })
})
