import { describe, expect, it } from 'vitest'
import { ask, askRaw, jsonOf } from '../../testing/asking.ts'
import { closedAfterTest, probe } from '../../testing/probe-service.ts'

describe('origin guard', () => {
  // [conventions.origins.host]
  it('refuses every foreign or ambiguous host', async () => {
    const { port } = closedAfterTest(await probe().serve())
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

  it('accepts its loopback names and configured addresses', async () => {
    const served = closedAfterTest(await probe().serve({ addresses: ['https://augury.example'] }))
    for (const host of [`localhost:${served.port}`, `[::1]:${served.port}`, 'augury.example']) {
      expect((await ask(`${served.url}/none`, { headers: { host } })).status).toBe(200)
    }
  })

  // [conventions.origins.origin]
  it('refuses foreign origins and echoes its own', async () => {
    const served = closedAfterTest(await probe().serve())
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
    const served = closedAfterTest(await probe().serve())
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
    const served = closedAfterTest(await probe().serve())
    const headers = { origin: served.url, 'access-control-request-method': 'GET' }
    const answer = await ask(`${served.url}${path}`, { method: 'OPTIONS', headers })
    expect(answer.headers['access-control-allow-methods']).toBe(methods)
  })
})
