import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { pathOf } from './path.ts'

const HEALTH = pathOf('/api/health')

const answering = (response: () => Response | Promise<Response>) =>
  createClient(async () => response())

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

describe('the client', () => {
  it('returns the body of a response', async () => {
    const client = answering(() => json(200, { count: 2 }))
    expect(await client.get(HEALTH)).toEqual({ ok: true, body: { count: 2 } })
  })

  it('reads the error body of a refusal', async () => {
    const client = answering(() => json(404, { error: 'Market not found', code: 'NOT_FOUND' }))
    expect(await client.get(HEALTH)).toEqual({
      ok: false,
      failure: {
        kind: 'refused',
        status: 404,
        code: 'NOT_FOUND',
        message: 'Market not found',
        retryAfter: null,
      },
    })
  })

  it('reads the further fields of a refusal', async () => {
    const failed = [{ name: 'limits', message: 'set limits above 0' }]
    const body = { error: 'No', code: 'LIVE_PRECONDITION_FAILED', failed }
    const client = answering(() => json(409, body))
    expect(await client.get(HEALTH)).toMatchObject({ failure: { details: { failed } } })
  })

  it('reads the rate limit envelope and its delay', async () => {
    const body = {
      ok: false,
      error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' },
    }
    const client = answering(() => json(429, body, { 'Retry-After': '17' }))
    expect(await client.get(HEALTH)).toMatchObject({
      failure: { kind: 'limited', code: 'RATE_LIMITED', retryAfter: 17_000 },
    })
  })

  it.each(['<html>', '[]', 'null', '3'])('reports %s as malformed', async (text) => {
    const client = answering(() => new Response(text))
    expect(await client.get(HEALTH)).toMatchObject({ ok: false, failure: { kind: 'malformed' } })
  })

  it('names a refusal without a body by its status', async () => {
    const client = answering(() => new Response('', { status: 502 }))
    expect(await client.get(HEALTH)).toMatchObject({
      failure: { status: 502, message: 'The service answered 502' },
    })
  })

  it('reports an unreachable service', async () => {
    const client = createClient(() => Promise.reject(new TypeError('failed')))
    expect(await client.get(HEALTH)).toMatchObject({ failure: { kind: 'unreachable' } })
  })

  it('reports a timeout', async () => {
    const client = createClient(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
        }),
      5,
    )
    expect(await client.get(HEALTH)).toMatchObject({ failure: { kind: 'timeout' } })
  })

  it('returns null when the caller aborted', async () => {
    const leaving = new AbortController()
    const client = createClient(() => {
      leaving.abort()
      return Promise.reject(new Error('aborted'))
    })
    expect(await client.get(HEALTH, leaving.signal)).toBeNull()
  })
})

describe('a write', () => {
  interface Sent {
    readonly path: string
    readonly init: RequestInit
  }
  const recording = (respond: () => Promise<Response>, timeout?: number) => {
    const sent: Sent[] = []
    const client = createClient((path, init = {}) => {
      sent.push({ path: path as string, init })
      return respond()
    }, timeout)
    return { sent, client }
  }

  it('is sent as JSON with its key, and never from the cache', async () => {
    const { sent, client } = recording(async () => json(201, { id: 'w1' }))
    const answer = await client.send('POST', '/api/watch', { ticker: 'KX' }, undefined, 'key-1')
    expect(answer).toEqual({ ok: true, body: { id: 'w1' } })
    expect(sent).toMatchObject([
      {
        path: '/api/watch',
        init: {
          method: 'POST',
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            'idempotency-key': 'key-1',
          },
          body: '{"ticker":"KX"}',
          cache: 'no-store',
        },
      },
    ])
  })

  it('without a body has no type, and without a key none', async () => {
    const { sent, client } = recording(async () => json(200, {}))
    await client.send('POST', '/api/auth/signout')
    expect(sent[0]?.init.headers).toEqual({ accept: 'application/json' })
    expect(sent[0]?.init).not.toHaveProperty('body')
  })

  it('is reported when it is refused, not answered in time, or not reachable', async () => {
    const refused = recording(async () => json(409, { error: 'Taken', code: 'CONFLICT' }))
    expect(await refused.client.send('POST', '/api/auth/signout')).toMatchObject({
      ok: false,
      failure: { kind: 'refused', status: 409, message: 'Taken' },
    })
    const lost = recording(() => Promise.reject(new TypeError('failed')))
    expect(await lost.client.send('POST', '/api/auth/signout')).toMatchObject({
      failure: { kind: 'unreachable', status: null },
    })
    const slow = createClient(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    )
    expect(await slow.send('POST', '/api/auth/signout', {}, 5)).toMatchObject({
      failure: { kind: 'timeout', message: 'The service did not answer in time' },
    })
  })
})

describe('a read', () => {
  it('asks the service whether its answer is current', async () => {
    let seen: RequestInit | undefined
    const client = createClient(async (_, init) => {
      seen = init
      return json(200, {})
    })
    await client.get(HEALTH)
    expect(seen).toMatchObject({ headers: { accept: 'application/json' }, cache: 'no-cache' })
  })

  it.each([
    ['0', 0],
    ['1.5', 1_500],
    ['-1', null],
    ['soon', null],
    ['', 0],
  ])('with Retry-After “%s” waits %s ms', async (header, wait) => {
    const client = answering(() => json(503, {}, { 'Retry-After': header }))
    expect(await client.get(HEALTH)).toMatchObject({ failure: { retryAfter: wait } })
  })

  it.each([
    [{ error: '' }, 'The service answered 400', undefined],
    [{ error: 'No', code: 7 }, 'No', undefined],
    [{ error: { message: 'No' } }, 'No', undefined],
    [{ error: { message: 7 } }, 'The service answered 400', undefined],
    [[], 'The service answered 400', undefined],
    [{ error: 'No', code: 'X' }, 'No', undefined],
    [{ error: 'No', field: 'size' }, 'No', { error: 'No', field: 'size' }],
  ])('of the error %j has its words', async (body, message, more) => {
    const client = answering(() => json(400, body))
    const answer = await client.get(HEALTH)
    expect(answer).toMatchObject({ failure: { message } })
    expect(answer?.ok === false ? answer.failure.details : null).toEqual(more)
  })
})
