import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { silentLogger, type Logger } from '../lib/logger.ts'
import { ask, askRaw, jsonOf } from '../testing/asking.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { closedAfterTest, manyMarkets, probe } from '../testing/probe-service.ts'
import { testApp } from '../testing/test-app.ts'

describe('transport', () => {
  // [conventions.transport.compression]
  it('compresses long responses in a coding the client accepts', async () => {
    const served = closedAfterTest(await testApp({ views: manyMarkets }).listen())
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
  it('answers HEAD as GET without the body, and adds the common headers to every response', async () => {
    const served = closedAfterTest(await testApp({ views: manyMarkets }).listen())
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
  it('distinguishes a wrong method from an unknown path', async () => {
    const served = closedAfterTest(await probe().serve())
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
    const served = closedAfterTest(await probe().serve())
    expect(jsonOf(await ask(`${served.url}/part/a%2Fb%2541`))).toEqual({ name: 'a/b%41' })
  })

  // [conventions.paths.no-climbing]
  it.each(['..', '%2e%2e', '.%2E', '%2e.'])('reaches no other route by %s', async (up) => {
    const { url, port } = closedAfterTest(await probe().serve({ launchSecret: 'secret' }))
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

  // [conventions.errors.internal]
  it('answers an internal error without its detail', async () => {
    const served = closedAfterTest(await probe().serve())
    const answer = await ask(`${served.url}/broken`)
    expect(answer.status).toBe(500)
    expect(jsonOf(answer)).toEqual({ error: 'Internal error', code: 'INTERNAL_ERROR' })
  })

  it('logs the path of a failed request without its query', async () => {
    const failures: object[] = []
    const logger: Logger = { ...silentLogger, error: (details) => failures.push(details) }
    const served = closedAfterTest(await probe(new FakeClock(), logger).serve())
    expect((await ask(`${served.url}/broken?q=private`)).status).toBe(500)
    expect(failures).toMatchObject([{ method: 'GET', path: '/broken' }])
    expect(JSON.stringify(failures)).not.toContain('private')
  })
})
