import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { sendOnce } from './send-once.ts'

const SIGNAL = AbortSignal.timeout(30_000)
const write = (url: string) => ({ method: 'POST' as const, url, body: '{}', headers: {} })
const deps = { fetch, clock: systemClock }

/** A host that answers as given, and counts its requests. */
async function host(status: number, type: string, body: string) {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.writeHead(status, { 'content-type': type, location: '/elsewhere' })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, close, requests: () => requests }
}

it.each([
  [201, 'application/json', '{"a":1}', 'answered'],
  [409, 'application/json', '{"a":1}', 'answered'],
  [200, 'text/html', '<html>', 'lost'],
  [200, 'application/json', '{"a":', 'lost'],
  [408, 'application/json', '{}', 'lost'],
  [425, 'application/json', '{}', 'not_sent'],
  [429, 'application/json', '{}', 'not_sent'],
  [429, 'text/html', '<html>', 'not_sent'],
  [502, 'application/json', '{}', 'lost'],
  [307, 'application/json', '{}', 'lost'],
])('sends once, and takes %d of %s with %s as %s', async (status, type, body, kind) => {
  const { url, requests } = await host(status, type, body)
  expect(await sendOnce(write(url), deps, SIGNAL)).toMatchObject({ kind })
  expect(requests()).toBe(1)
})

it('reports what never reached a host', async () => {
  const { url, close } = await host(200, 'application/json', '{}')
  await close()
  expect(await sendOnce(write(url), deps, SIGNAL)).toMatchObject({ kind: 'not_sent' })
  expect(await sendOnce(write(url), deps, AbortSignal.abort())).toMatchObject({ kind: 'not_sent' })
})

it('gives up an answer that takes too long, which the venue may have acted upon', async () => {
  const clock = new FakeClock()
  const never: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
    )
  const sent = sendOnce(write('http://127.0.0.1:1/'), { fetch: never, clock }, SIGNAL)
  let isOver = false
  void sent.then(() => (isOver = true))
  await clock.advance(9_999)
  expect(isOver).toBe(false)
  await clock.advance(1)
  expect(await sent).toEqual({ kind: 'lost', reason: 'no answer within 10000 ms' })
})
