import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  AuthInvalid,
  Conflict,
  InvalidInput,
  NotFound,
  NotReady,
  RateLimited,
  Refused,
} from '../lib/errors.ts'
import {
  answerOf,
  bodyFor,
  cacheControlOf,
  codingFor,
  isWhole,
  lifeOf,
  matches,
  PAGE_POLICY,
  refusalAnswer,
  ruleFor,
  weakTagOf,
} from './answers.ts'
import { methodNotAllowed, refusalOf, schemaErrorOf } from './errors.ts'

describe('the cache rule of an answer', () => {
  it('depends on the query, and lasts a day for the past', () => {
    expect(ruleFor('no-store', {})).toBeNull()
    expect(ruleFor(5, {})).toEqual({ seconds: 5 })
    expect(ruleFor(5, { asOf: '' })).toEqual({ seconds: 5 })
    expect(ruleFor(5, { asOf: '2026-01-01' })).toEqual({ seconds: 86_400 })
    expect(ruleFor({ seconds: 5, scope: 'private' }, { asOf: 'x' })).toEqual({
      seconds: 86_400,
      scope: 'private',
    })
    const byQuery = (query: Readonly<Record<string, string>>) =>
      query['live'] === '1' ? 'no-store' : 9
    expect(ruleFor(byQuery, { live: '1' })).toBeNull()
    expect(ruleFor(byQuery, {})).toEqual({ seconds: 9 })
  })

  it.each([
    [null, false, 'no-store'],
    [{ seconds: 5 }, false, 'public, max-age=5, stale-while-revalidate=25'],
    [{ seconds: 5 }, true, 'private, max-age=5'],
    [{ seconds: 5, revalidate: 7 }, true, 'private, max-age=5, stale-while-revalidate=7'],
    [{ seconds: 5, scope: 'private' }, false, 'private, max-age=5'],
    [{ seconds: 5, scope: 'proxy' }, false, 'public, s-maxage=5, stale-while-revalidate=25'],
    [{ seconds: 5, forKnown: 'no-store' }, true, 'private, no-store'],
    [{ seconds: 5, forKnown: 'no-store' }, false, 'public, max-age=5, stale-while-revalidate=25'],
  ] as const)('%j for a known caller %s is %s', (rule, hasCaller, header) => {
    expect(cacheControlOf(rule, hasCaller)).toBe(header)
  })

  it('holds an answer for five seconds at most', () => {
    expect([1, 5, 6, 86_400].map((seconds) => lifeOf({ seconds }))).toEqual([
      1_000, 5_000, 5_000, 5_000,
    ])
  })
})

describe('the tag of an answer', () => {
  const tag = (body: object) => weakTagOf(Buffer.from(JSON.stringify(body)))

  it('depends on its content, not on when it was created', () => {
    const times = { generatedAt: '1', fetchedAt: '2', servedAt: '3' }
    const numbers = { generated_at: 1, generatedInMs: 2, latencyMs: 3, ageSeconds: 4 }
    expect(tag({ a: 1, ...times, ...numbers })).toMatch(/^W\/"[\w-]{22}"$/)
    for (const name of Object.keys(times))
      expect(tag({ a: 1, ...times, [name]: 'x' })).toBe(tag({ a: 1, ...times }))
    for (const name of Object.keys(numbers))
      expect(tag({ a: 1, ...numbers, [name]: 99 })).toBe(tag({ a: 1, ...numbers }))
    expect(tag({ a: 2 })).not.toBe(tag({ a: 1 }))
  })

  it.each([
    [undefined, 'W/"a"', false],
    ['"a"', null, false],
    ['"a"', 'W/"a"', true],
    ['W/"a"', '"a"', true],
    ['"b", W/"a"', 'W/"a"', true],
    ['"b"', 'W/"a"', false],
    ['*', 'W/"a"', true],
  ])('%j matches %j: %s', (header, etag, expected) => {
    expect(matches(header, etag)).toBe(expected)
  })
})

describe('the coding of an answer', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, gzip;q=0.5', 'gzip'],
    ['br;q=0.1', 'br'],
    ['br;q=0,gzip;q=0', null],
    ['identity', null],
    ['zebra', null],
  ])('%j is %j', (accepted, coding) => {
    expect(codingFor(accepted)).toBe(coding)
  })

  const answerWith = async (length: number, type = 'application/json') =>
    answerOf(new Response('x'.repeat(length), { headers: { 'content-type': type } }), null, false)

  it('compresses texts of a thousand bytes, once', async () => {
    const answer = await answerWith(1_000)
    const { body, coding } = await bodyFor(answer, 'br')
    expect([coding, brotliDecompressSync(body).toString()]).toEqual(['br', 'x'.repeat(1_000)])
    expect((await bodyFor(answer, 'br')).body).toBe(body)
    const zipped = await bodyFor(answer, 'gzip')
    expect([zipped.coding, gunzipSync(zipped.body).length]).toEqual(['gzip', 1_000])
    for (const plain of [await answerWith(999), await answerWith(1_000, 'image/png')])
      expect(await bodyFor(plain, 'br')).toEqual({ body: plain.plain, coding: null })
  })

  it.each([
    ['text/html', true],
    ['text/event-stream', false],
    ['application/json; charset=utf-8', true],
    ['application/javascript', true],
    ['application/yaml', true],
    ['application/atom+xml', true],
    ['image/svg+xml', true],
    ['image/png', false],
    ['application/octet-stream', false],
  ])('%s is sent as a whole: %s', (type, expected) => {
    expect(isWhole(type)).toBe(expected)
  })
})

describe('the bytes of a response', () => {
  const headersOf = async (
    response: Response,
    ...more: [Parameters<typeof answerOf>[1], boolean]
  ) => {
    const { headers, ...rest } = await answerOf(response, ...more)
    const pairs = headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ''] as const] : [],
    )
    return { ...rest, headers: Object.fromEntries(pairs) }
  }

  it('have the headers of their rule, and those of the route', async () => {
    const response = Response.json({ a: 1 }, { headers: { 'x-own': 'yes', 'content-length': '7' } })
    const { headers, status, etag, plain } = await headersOf(
      response,
      { seconds: 5, byAccept: true },
      true,
    )
    expect([status, plain.toString()]).toEqual([200, '{"a":1}'])
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=5',
      vary: 'Origin, Accept-Encoding, Accept, Authorization, Cookie',
      'content-type': 'application/json; charset=utf-8',
      etag,
      'x-own': 'yes',
    })
    expect(etag).toBe(weakTagOf(plain))
    expect(headers).not.toHaveProperty('content-length')
  })

  it('have no tag without a rule, or when they are no success', async () => {
    expect(await headersOf(new Response('x'), null, false)).toMatchObject({
      etag: null,
      headers: { 'cache-control': 'no-store', vary: 'Origin, Accept-Encoding' },
    })
    for (const status of [300, 404])
      expect(await headersOf(new Response('x', { status }), { seconds: 5 }, false)).toMatchObject({
        etag: null,
        headers: { 'cache-control': 'no-store' },
      })
    const created = await headersOf(new Response('x', { status: 201 }), { seconds: 5 }, false)
    expect(created.etag).not.toBeNull()
  })

  it('keep the tag of a route, and the type of text', async () => {
    const html = new Response('<p>', { headers: { etag: '"own"', 'content-type': 'text/html' } })
    expect(await headersOf(html, { seconds: 5 }, false)).toMatchObject({
      etag: '"own"',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': PAGE_POLICY,
      },
    })
    const csv = new Response('a', { headers: { 'content-type': 'text/csv; header=present' } })
    expect((await headersOf(csv, null, false)).headers['content-type']).toBe(
      'text/csv; header=present',
    )
    const empty = new Response(null, { status: 204 })
    expect((await headersOf(empty, null, false)).headers).not.toHaveProperty('content-type')
  })
})

describe('a refusal', () => {
  it.each([
    [new InvalidInput('bad'), 400, { error: 'bad', code: 'VALIDATION_ERROR' }, {}],
    [new NotFound('none'), 404, { error: 'none', code: 'NOT_FOUND' }, {}],
    [
      new AuthInvalid('no'),
      401,
      { error: 'no', code: 'AUTH_INVALID' },
      { 'www-authenticate': 'Bearer' },
    ],
    [new Conflict('taken'), 409, { error: 'taken' }, {}],
    [new NotReady('soon'), 503, { code: 'NOT_READY' }, { 'retry-after': '5' }],
    [
      new RateLimited(7),
      429,
      { ok: false, error: { code: 'RATE_LIMITED', status: 429 } },
      { 'retry-after': '7' },
    ],
    [
      new Refused('too-soon', 'cooldown', 'wait', { left: 3 }, 3),
      429,
      { reason: 'cooldown', error: 'wait', left: 3 },
      { 'retry-after': '3', 'x-svc-block-reason': 'cooldown' },
    ],
    [new Refused('malformed', 'bad', 'no'), 400, { reason: 'bad', error: 'no' }, {}],
  ])('%s has the status %i', (error, status, body, headers) => {
    const refusal = refusalOf(error)
    expect(refusal).toMatchObject({ status, body })
    expect(refusal?.headers).toEqual(headers)
  })

  it('is none of an error that is a bug', () => {
    expect(refusalOf(new Error('a fault'))).toBeNull()
    expect(refusalOf(null)).toBeNull()
  })

  it('is never cached', () => {
    const { status, headers, etag, plain } = refusalAnswer(methodNotAllowed(['GET', 'HEAD']))
    expect([status, etag]).toEqual([405, null])
    expect(headers).toContain('no-store')
    expect(headers.slice(-2)).toEqual(['allow', 'GET, HEAD'])
    expect(JSON.parse(plain.toString())).toEqual({
      error: 'Method not allowed',
      code: 'METHOD_NOT_ALLOWED',
    })
  })

  it.each([
    [{ path: '/a/b', message: 'Expected string' }, 'a.b must be string'],
    [{ path: '/a', message: 'Expected required property' }, 'a is required'],
    [{ path: '/a', message: 'Expected undefined' }, 'a is required'],
    [{ path: '', message: 'Unexpected property' }, 'query is invalid'],
    [undefined, 'query is invalid'],
  ])('names the field of a schema: %j', (first, text) => {
    expect(schemaErrorOf(first, 'query')).toBe(text)
  })
})
