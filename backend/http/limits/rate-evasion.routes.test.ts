import { request as httpRequest } from 'node:http'
import fc from '../../../scripts/properties.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { DAY } from '../../domain/units.ts'
import { accessService, type AccessService, type Asking } from '../../testing/access-service.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { JumpingClock } from '../../testing/jumping-clock.ts'
import { addressKey, createRateLimiter, isLoopback } from './rate-limit.ts'

let service: AccessService | null = null
afterEach(() => service?.close())

const running = async (fairUse: number): Promise<AccessService> => {
  service = await accessService({ fairUse })
  return service
}

/** Sends the requests at the same time; returns how many were served. */
async function servedOf(
  from: AccessService,
  requests: readonly { path: string; asking?: Asking }[],
): Promise<number> {
  const answers = await Promise.all(requests.map(({ path, asking }) => from.ask(path, asking)))
  return answers.filter(({ status }) => status !== 429).length
}

const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Status of a read sent from another address of this machine. */
function statusFrom(localAddress: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { localAddress, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('a rate limit', () => {
  // [limits.evasion.burst]
  it('admits exactly its number of requests in a burst of any size and mix', async () => {
    const limit = 30
    const from = await running(limit)
    const paths = fc.constantFrom(
      '/policy/optional',
      '/kept',
      '/policy/none',
      '/nowhere',
      '/policy/owner',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(paths, { minLength: 31, maxLength: 90 }), async (mix) => {
        await from.clock.advance(60_000)
        expect(
          await servedOf(
            from,
            mix.map((path) => ({ path })),
          ),
        ).toBe(limit)
      }),
      { numRuns: 6 },
    )
  })

  // [limits.evasion.keys]
  it('is shared by all keys and sessions of a user', async () => {
    const from = await running(20)
    const keys = []
    for (let key = 0; key < 5; key += 1) keys.push((await from.makeKey('k', '/api/keys')).key)
    const cookie = await from.signIn()
    await from.clock.advance(60_000)
    const credentials = [...keys.map((key) => ({ authorization: `Bearer ${key}` })), { cookie }]
    const requests = repeat(60, (index) => ({
      path: '/policy/required',
      asking: { headers: credentials[index % credentials.length] ?? {} },
    }))
    expect(await servedOf(from, requests)).toBe(20)
    // An anonymous caller has a window of their own.
    expect(await servedOf(from, [{ path: '/policy/optional' }])).toBe(1)
  })

  // [limits.evasion.address]
  it('is not escaped by headers that claim another address', async () => {
    const from = await running(10)
    const claims = (index: number) => [
      { 'x-forwarded-for': `10.0.0.${index}` },
      { 'x-forwarded-for': [`10.1.0.${index}`, '127.0.0.1'] },
      { forwarded: `for=192.0.2.${index};proto=http` },
      { 'x-real-ip': `192.0.2.${index}` },
      { 'true-client-ip': `192.0.2.${index}`, 'cf-connecting-ip': `192.0.2.${index}` },
    ]
    const requests = repeat(12, claims)
      .flat()
      .map((headers) => ({ path: '/policy/none', asking: { headers } }))
    expect(await servedOf(from, requests)).toBe(10)
  })

  // [limits.evasion.address]
  it('is not escaped from other loopback addresses', async () => {
    const from = await running(10)
    const statuses = await Promise.all(
      repeat(30, (index) => statusFrom(`127.0.0.${index + 2}`, `${from.url}/policy/none`)),
    )
    expect(statuses.filter((status) => status !== 429)).toHaveLength(10)
  })

  // [limits.evasion.path]
  it('is not escaped by other spellings of a path', async () => {
    const from = await running(10)
    const spellings = [
      '/kept',
      '/kept/',
      '/KEPT',
      '/%6bept',
      '/k%65pt/',
      '//kept',
      '/kept?a=1',
      '/kept?',
      '/kept;x',
      '/./kept',
      '/kept%2f',
      '/kept%00',
      '/%zz',
    ]
    const requests = repeat(4, () => spellings)
      .flat()
      .flatMap((path) => [{ path }, { path, asking: { method: 'HEAD' } }])
    expect(await servedOf(from, requests)).toBe(10)
  })

  // [limits.evasion.credentials]
  it('limits credential guesses by address, whatever their form', async () => {
    const from = await running(10)
    const attemptLimiter = repeat(40, (index) => ({
      path:
        ['/policy/required', '/policy/data', '/policy/optional', '/policy/owner'][index % 4] ?? '',
      asking: { headers: { authorization: `Bearer svc_live_${String(index).padStart(43, 'x')}` } },
    }))
    expect(await servedOf(from, attemptLimiter)).toBe(10)
  })

  // [limits.evasion.unknown]
  it('of a key applies where no credentials are read, and does not affect anonymous reads', async () => {
    const from = await running(10)
    const keys = [await from.makeKey('service', '/api/keys'), await from.makeKey('data')]
    await from.clock.advance(60_000)
    for (const path of ['/nowhere', '/policy/none']) {
      const requests = repeat(30, (index) => ({
        path,
        asking: { headers: { authorization: `Bearer ${keys[index % 2]?.key}` } },
      }))
      expect([path, await servedOf(from, requests)]).toEqual([path, 10])
      expect(await servedOf(from, [{ path: '/policy/optional' }])).toBe(1)
      await from.clock.advance(60_000)
    }
    const cookie = await from.signIn()
    await from.clock.advance(60_000)
    await servedOf(
      from,
      repeat(30, () => ({ path: '/nowhere', asking: { headers: { cookie } } })),
    )
    expect(await servedOf(from, [{ path: '/policy/optional' }])).toBe(1)
  })

  // [limits.evasion.unknown]
  it('of an address counts invalid credentials where none are read', async () => {
    const from = await running(10)
    const authorization = `Bearer svc_live_${'x'.repeat(43)}`
    const requests = repeat(30, (index) => ({
      path: ['/nowhere', '/policy/none'][index % 2] ?? '',
      asking: { headers: { authorization } },
    }))
    expect(await servedOf(from, requests)).toBe(10)
    expect(await servedOf(from, [{ path: '/policy/optional' }])).toBe(0)
  })

  // [limits.evasion.clock]
  it('does not reset when the wall clock jumps', () => {
    const base = new FakeClock()
    const clock = new JumpingClock(base)
    const limiter = createRateLimiter(() => clock.monotonic())
    const jumps = fc.array(fc.integer({ min: -2 * DAY, max: 2 * DAY }), { maxLength: 20 })
    fc.assert(
      fc.property(jumps, fc.uuid(), (spans, key) => {
        let served = 0
        for (const span of [0, ...spans]) {
          clock.jump(span)
          for (let requested = 0; requested < 5; requested += 1) {
            if (limiter.consume('general', key, 3).allowed) served += 1
          }
        }
        expect(served).toBe(3)
      }),
    )
  })
})

const group = fc.integer({ min: 0, max: 0xffff })
const spelled = (value: number, style: number): string => {
  const hex = value.toString(16)
  return [hex, hex.toUpperCase(), hex.padStart(4, '0')][style % 3] ?? hex
}

describe('addresses', () => {
  // [limits.evasion.address]
  it('of one /64 count as one in any spelling, and those of two as two', () => {
    const network = fc.tuple(group, group, group, group)
    fc.assert(
      fc.property(network, network, network, network, fc.nat(), (own, other, host, walk, style) => {
        const text = (parts: readonly number[]) =>
          parts.map((part, index) => spelled(part, style + index)).join(':')
        const key = addressKey(text([...own, ...host]))
        expect(addressKey(text([...own, ...walk]))).toBe(key)
        expect(addressKey(`${text(own)}::${spelled(walk[3], style)}`)).toBe(key)
        const isSame = own.every((part, index) => part === other[index])
        expect(addressKey(text([...other, ...host])) === key).toBe(isSame)
      }),
    )
  })

  // [limits.evasion.address]
  it('of IPv4 count alike in all their spellings of IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const mapped of [
          `::ffff:${address}`,
          `::FFFF:${address}`,
          `0:0:0:0:0:ffff:${address}`,
          `::ffff:${hex}`,
          `0000:0000:0000:0000:0000:ffff:${hex}`,
        ]) {
          const key = a === 127 ? 'loopback' : address
          expect([mapped, addressKey(mapped)]).toEqual([mapped, key])
        }
      }),
    )
  })

  // [limits.evasion.address]
  it('of this machine count as one', () => {
    const own = ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1']
    const mapped = ['::ffff:127.0.0.9', '::FFFF:7f00:1']
    for (const address of [...own, ...mapped]) {
      expect([address, addressKey(address)]).toEqual([address, 'loopback'])
      expect(isLoopback(address)).toBe(true)
    }
    for (const address of ['128.0.0.1', '::2', '1::1', '::ffff:126.0.0.1', '::127.0.0.1']) {
      expect([address, isLoopback(address)]).toEqual([address, false])
    }
    expect(isLoopback(undefined)).toBe(false)
  })
})

describe('rate limiter with several windows', () => {
  // [limits.windows.several]
  it('counts in several windows or in none', () => {
    const limiter = createRateLimiter(() => 0)
    const both = (subject: string) =>
      limiter.consumeAll([
        { rateClass: 'poll', key: 'address', limit: 5 },
        { rateClass: 'poll subject', key: subject, limit: 2 },
      ])
    expect(both('a')).toMatchObject({ allowed: true, limit: 2, remaining: 1 })
    expect(both('a')).toMatchObject({ allowed: true, limit: 2, remaining: 0 })
    expect(both('a')).toMatchObject({ allowed: false, limit: 2 })
    expect(limiter.windowOf('poll', 'address')).toMatchObject({ used: 2 })
    const others = ['b', 'b', 'c', 'c'].map((subject) => both(subject).allowed)
    expect(others).toEqual([true, true, true, false])
    // A window that refused nothing was not opened for a request that another window refused.
    expect(both('d')).toMatchObject({ allowed: false, limit: 5 })
    expect(limiter.windowOf('poll subject', 'd')).toBeNull()
  })

  // [limits.windows.bounded]
  it('stays small and fast for any number of keys', () => {
    let now = 0
    const limiter = createRateLimiter(() => now)
    for (let key = 0; key < 200_000; key += 1) limiter.consume('general', String(key), 1)
    expect(limiter.windowOf('general', '0')).toBeNull()
    expect(limiter.windowOf('general', '199999')).toMatchObject({ used: 1 })
    now = 60_000
    expect(limiter.windowOf('general', '199999')).toBeNull()
  })
})
