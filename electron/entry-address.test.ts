import { describe, expect, it } from 'vitest'
import { entryAddress, runningAddress } from './entry-address.ts'
import { readReadyLine } from './ready-line.ts'

const ready = { url: 'http://127.0.0.1:4870', dataDir: '/data' }
const launch = JSON.stringify({ url: ready.url, pid: 7, startedAt: '', secret: 'S' })

describe('entryAddress', () => {
  it('requests a ticket with the secret of the launch file', async () => {
    const requested: unknown[] = []
    const address = await entryAddress(ready, {
      readText: (path) => (path === '/data/run/launch.json' ? launch : null),
      fetch: (input, init) => {
        requested.push(input, init?.method, init?.headers)
        return Promise.resolve(Response.json({ ticket: 'T', url: `${ready.url}/#ticket=T` }))
      },
    })
    expect(address).toBe('http://127.0.0.1:4870/#ticket=T')
    expect(requested).toEqual([
      new URL('http://127.0.0.1:4870/api/auth/local'),
      'POST',
      { authorization: 'Launch S' },
    ])
  })

  it.each<[string, () => Promise<Response>]>([
    ['404', () => Promise.resolve(Response.json({ error: 'Not found' }, { status: 404 }))],
    ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['an answer that is not JSON', () => Promise.resolve(new Response('<html>'))],
    ['an answer without an address', () => Promise.resolve(Response.json({ url: 3 }))],
  ])('opens the plain address on %s', async (_name, fetch) => {
    expect(await entryAddress(ready, { readText: () => launch, fetch })).toBe(ready.url)
  })

  it.each([null, '', 'not json', 'null', '{}'])(
    'sends no request without a secret: %s',
    async (text) => {
      const fetch = () => Promise.reject(new Error('asked'))
      expect(await entryAddress(ready, { readText: () => text, fetch })).toBe(ready.url)
    },
  )
})

describe('runningAddress', () => {
  it('reads the address of the instance that holds the folder', () => {
    expect(runningAddress(launch)).toBe(ready.url)
    expect(runningAddress('{"url":"nowhere"}')).toBeNull()
    expect(runningAddress(null)).toBeNull()
  })
})

describe('readReadyLine', () => {
  const line = { ready: true, url: ready.url, source: 'demo', dataDir: '/data', version: '0.1.0' }

  it('reads the ready line of a backend', () => {
    const { ready: _ready, ...facts } = line
    expect(readReadyLine(JSON.stringify(line))).toEqual(facts)
  })

  it.each([
    '',
    'ready',
    'null',
    JSON.stringify({ ...line, ready: 'yes' }),
    JSON.stringify({ ...line, url: 'here' }),
    JSON.stringify({ ...line, dataDir: undefined }),
  ])('ignores other lines: %s', (text) => {
    expect(readReadyLine(text)).toBeNull()
  })
})
