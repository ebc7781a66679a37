import { describe, expect, it } from 'vitest'
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
