import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../domain/units.ts'
import { NotReady, RateLimited } from '../../../lib/errors.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { createSignInAttempts } from './sign-in-attempts.ts'

const setUp = () => {
  const clock = new FakeClock()
  const attempts = createSignInAttempts(clock)
  /** Seconds to wait, or null if the attempt was admitted. */
  const fail = (name = 'ann'): number | null => {
    try {
      attempts.begin(name).recordFailure()
      return null
    } catch (error) {
      return error instanceof RateLimited ? error.retryAfterSeconds : Number.NaN
    }
  }
  return { clock, attempts, fail }
}

describe('attempts to sign in', () => {
  // [auth.signin.lock]
  it('are ten, until a quarter of an hour after the first', async () => {
    const { clock, fail } = setUp()
    for (let i = 0; i < 10; i += 1) {
      expect(fail()).toBeNull()
      await clock.advance(MINUTE)
    }
    expect(fail()).toBe(300)
    expect(fail('bob')).toBeNull()
    await clock.advance(5 * MINUTE - 1)
    expect(fail()).toBe(1)
    await clock.advance(1)
    expect(fail()).toBeNull()
  })

  it('are reset when one succeeds', () => {
    const { attempts, fail } = setUp()
    for (let i = 0; i < 9; i += 1) fail()
    attempts.begin('ann').recordSuccess()
    for (let i = 0; i < 10; i += 1) expect(fail()).toBeNull()
    expect(fail()).not.toBeNull()
  })

  it('are bounded while they are verified, without locking anybody out', () => {
    const { attempts, fail } = setUp()
    const burst = Array.from({ length: 10 }, () => attempts.begin('ann'))
    expect(() => attempts.begin('ann')).toThrow(NotReady)
    burst[0]?.withdrawn()
    expect(fail()).toBeNull()
    expect(() => attempts.begin('ann')).toThrow(NotReady)
    for (const one of burst.slice(1)) one.recordSuccess()
    for (let i = 0; i < 10; i += 1) expect(fail()).toBeNull()
    expect(fail()).not.toBeNull()
  })

  it('are counted for ten thousand names: the oldest is dropped', () => {
    const { fail } = setUp()
    for (let i = 0; i < 10; i += 1) fail()
    for (let i = 0; i < 9_999; i += 1) fail(`name${i}`)
    expect(fail()).not.toBeNull()
    fail('one more')
    expect(fail()).toBeNull()
  })
})
