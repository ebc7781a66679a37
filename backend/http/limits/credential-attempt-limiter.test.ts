import { describe, expect, it } from 'vitest'
import { RateLimited } from '../../lib/errors.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createCredentialAttemptLimiter } from './credential-attempt-limiter.ts'
import { createRateLimiter } from './rate-limit.ts'

const setUp = () => {
  const clock = new FakeClock()
  const limiter = createRateLimiter(() => clock.monotonic())
  const attemptLimiter = createCredentialAttemptLimiter(limiter, clock)
  const open: (() => void)[] = []
  const started: string[] = []
  /** A check that runs until the test releases it. */
  const guess = (address: string, secret: string): Promise<void> =>
    attemptLimiter.run(address, () => {
      started.push(secret)
      return new Promise((resolve) => open.push(resolve))
    })
  return { limiter, guess, started, open }
}
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

// [keys.service.flood] [keys.data.flood]
describe('checks of unknown secrets', () => {
  it('run two at a time per address, independently of other addresses', async () => {
    const { guess, started, open } = setUp()
    const all = ['a1', 'a2', 'a3', 'a4'].map((secret) => guess('a', secret))
    all.push(guess('b', 'b1'))
    await turns()
    expect(started).toEqual(['a1', 'a2', 'b1'])
    open[0]?.()
    await turns()
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
    while (started.length < 5 || open.length > 0) {
      open.splice(0).forEach((pass) => pass())
      await turns()
    }
    await Promise.all(all)
  })

  it('are refused once the address has failed too often, even if they were queued before', async () => {
    const { limiter, guess, started, open } = setUp()
    const [first, second, third] = ['x', 'y', 'z'].map((secret) => guess('a', secret))
    await turns()
    limiter.consume('general', 'a', 2)
    limiter.consume('general', 'a', 2)
    open.splice(0).forEach((pass) => pass())
    await Promise.all([first, second])
    await expect(third).rejects.toBeInstanceOf(RateLimited)
    await expect(guess('a', 'one more')).rejects.toBeInstanceOf(RateLimited)
    expect(started).toEqual(['x', 'y'])
  })
})
