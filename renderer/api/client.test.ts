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
    expect(await client.get(HEALTH)).toMatchObject({ failure: { more: { failed } } })
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
