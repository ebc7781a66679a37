import { describe, expect, it } from 'vitest'
import { ask, jsonOf } from '../../testing/asking.ts'
import { closedAfterTest, manyMarkets, probe } from '../../testing/probe-service.ts'
import { testApp } from '../../testing/test-app.ts'

describe('byte cache of the server', () => {
  // [conventions.caching.one-computation]
  it('runs a route once for concurrent requests, and again when the entry has expired', async () => {
    const { clock, runs, serve } = probe()
    const served = closedAfterTest(await serve())
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(`${served.url}/count`)))
    expect(new Set(answers.map(({ body }) => body.toString()))).toEqual(new Set(['{"runs":1}']))
    const hit = await ask(`${served.url}/count?unknown=1`)
    expect(hit.headers['x-svc-cache']).toBe('miss') // no declared query: the address is its own key
    expect((await ask(`${served.url}/count`)).headers['x-svc-cache']).toBe('hit')
    await clock.advance(5_000)
    expect((await ask(`${served.url}/count`)).headers['x-svc-cache']).toBe('miss')
    expect(runs()).toBe(3)
    served.invalidateAnswers()
    expect((await ask(`${served.url}/count`)).headers['x-svc-cache']).toBe('miss')
  })

  // [conventions.caching.etag] [conventions.caching.ages] [conventions.caching.last-modified]
  it('answers 304 when the client has the content', async () => {
    const app = testApp({ views: manyMarkets })
    const served = closedAfterTest(await app.listen())
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
  it('caches responses to identified callers as private', async () => {
    const served = closedAfterTest(await probe().serve({ launchSecret: 'launch-secret' }))
    const headers = { authorization: 'Launch launch-secret' }
    const mine = await ask(`${served.url}/mine`, { headers })
    expect(mine.headers['cache-control']).toBe('private, max-age=60')
    expect(mine.headers.vary).toContain('Authorization, Cookie')
    expect((await ask(`${served.url}/mine`, { headers })).headers['x-svc-cache']).toBe('hit')
    expect((await ask(`${served.url}/mine`)).status).toBe(401)
  })

  // [markets.list.cached] [markets.scan.cached] [markets.screen.cached]
  it.each(['markets', 'scan?q=test', 'screen', 'newmarkets', 'screen-by-tickers?tickers=KXMANY-1'])(
    'lets %s be cached for a minute',
    async (path) => {
      const served = closedAfterTest(await testApp({ views: manyMarkets }).listen())
      const answer = await ask(`${served.url}/api/public/${path}`)
      expect([answer.status, answer.headers['cache-control']]).toEqual([
        200,
        'public, max-age=60, stale-while-revalidate=300',
      ])
    },
  )

  // [conventions.caching.past]
  it('lets answers about the past be cached for a day', async () => {
    const served = closedAfterTest(await testApp({ views: manyMarkets }).listen())
    const past = await ask(`${served.url}/api/public/markets?asOf=2026-11-19T00:00:00Z`)
    expect(past.headers['cache-control']).toContain('max-age=86400')
  })

  // [conventions.parameters.unknown-ignored] [conventions.parameters.last-wins]
  it('treats spellings of one address alike', async () => {
    const served = closedAfterTest(await testApp({ views: manyMarkets }).listen())
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
