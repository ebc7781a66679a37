import { describe, expect, it } from 'vitest'
import { ask, jsonOf } from '../../testing/asking.ts'
import { closedAfterTest, manyMarkets, probe } from '../../testing/probe-service.ts'
import { testApp } from '../../testing/test-app.ts'

describe('rate limits', () => {
  // [conventions.limits.headers] [conventions.limits.exceeded]
  it('counts cache hits, errors and unknown routes in one window', async () => {
    const { clock, serve } = probe()
    const served = closedAfterTest(await serve({ fairUse: 4 }))
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

  it('ignores X-Forwarded-For from an untrusted peer', async () => {
    const served = closedAfterTest(await probe().serve({ fairUse: 1 }))
    await ask(`${served.url}/count`, { headers: { 'x-forwarded-for': '10.0.0.1' } })
    const next = await ask(`${served.url}/count`, { headers: { 'x-forwarded-for': '10.0.0.2' } })
    expect(next.status).toBe(429)
  })

  it('counts by the forwarded address behind the trusted proxy', async () => {
    const served = closedAfterTest(await probe().serve({ fairUse: 1, trustedProxy: '127.0.0.1' }))
    const from = async (forwarded: string) =>
      (await ask(`${served.url}/count`, { headers: { 'x-forwarded-for': forwarded } })).status
    expect(await from('10.0.0.1')).toBe(200)
    expect(await from('10.0.0.2')).toBe(200)
    expect(await from('10.0.0.9, 10.0.0.1')).toBe(429)
  })

  // [conventions.limits.fair-use]
  it('shares one ceiling among routes without a limit of their own', async () => {
    const served = closedAfterTest(await testApp({ views: manyMarkets }).listen())
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
  it('leaves health uncounted', async () => {
    const served = closedAfterTest(await testApp().listen({ fairUse: 1 }))
    for (const path of ['/api/health', '/status', '/api/health']) {
      const answer = await ask(served.url + path)
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    }
  })

  it('counts the documents like any other read', async () => {
    const served = closedAfterTest(await testApp().listen({ fairUse: 3 }))
    const remaining: unknown[] = []
    for (const path of ['/openapi.json', '/docs', '/docs/page.css', '/openapi.json']) {
      const { status, headers } = await ask(served.url + path)
      remaining.push([status, headers['x-ratelimit-remaining']])
    }
    expect(remaining).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ])
  })
})
