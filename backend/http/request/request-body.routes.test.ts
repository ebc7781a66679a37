import { describe, expect, it } from 'vitest'
import { ask, askRaw, jsonOf } from '../../testing/asking.ts'
import { closedAfterTest, probe } from '../../testing/probe-service.ts'

describe('bodies', () => {
  // [conventions.errors.payload-too-large]
  it('refuses long bodies before and while they are read', async () => {
    const served = closedAfterTest(await probe().serve())
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
    const served = closedAfterTest(await probe().serve())
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

  it('accepts an empty body of type JSON and refuses malformed JSON', async () => {
    const served = closedAfterTest(await probe().serve())
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
