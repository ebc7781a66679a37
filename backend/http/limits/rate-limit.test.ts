import { describe, expect, it } from 'vitest'
import { createByteCache } from '../cache/byte-cache.ts'
import { addressKey, createRateLimiter } from './rate-limit.ts'

describe('rate limiter', () => {
  // [conventions.limits.fair-use]
  it('opens a window with the first request and does not count refused ones', () => {
    let now = 0
    const limiter = createRateLimiter(() => now)
    const outcomes = Array.from({ length: 5 }, () => limiter.consume('general', 'a', 3).allowed)
    expect(outcomes).toEqual([true, true, true, false, false])
    expect(limiter.consume('query', 'a', 3).remaining).toBe(2)
    expect(limiter.consume('general', 'b', 3).remaining).toBe(2)
    now = 59_999
    expect(limiter.consume('general', 'a', 3)).toMatchObject({ allowed: false, resetIn: 1 })
    now = 60_000
    expect(limiter.consume('general', 'a', 3)).toMatchObject({ allowed: true, remaining: 2 })
  })
})

describe('address key', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:0:1:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::/64'],
    ['2001:DB8:0:1::2', '2001:db8:0:1::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', 'loopback'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::10.1.2.3', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s as %s', (address, key) => expect(addressKey(address)).toBe(key))
})

describe('byte cache', () => {
  const answer = (size: number) => ({
    status: 200,
    headers: [],
    etag: null,
    plain: Buffer.alloc(size),
    gzip: null,
    br: null,
  })

  it('expires an entry on process time and on data time', () => {
    const time = { timer: 0, data: 0 }
    const cache = createByteCache({ monotonic: () => time.timer, now: () => time.data })
    cache.put('a', answer(1), 5_000)
    expect(cache.get('a')).not.toBeNull()
    time.timer = 5_000
    expect(cache.get('a')).toBeNull()
    cache.put('a', answer(1), 5_000)
    time.data = 3_000_000 // a replay advanced most of an hour at once
    expect(cache.get('a')).toBeNull()
  })

  it('stays within its size by evicting the oldest entries', () => {
    const cache = createByteCache({ monotonic: () => 0, now: () => 0 }, 100_000)
    for (let i = 0; i < 20; i += 1) cache.put(String(i), answer(5_000), 1_000)
    expect(cache.get('0')).toBeNull()
    expect(cache.get('19')).not.toBeNull()
    cache.put('huge', answer(50_000), 1_000)
    expect(cache.get('huge')).toBeNull()
  })
})
