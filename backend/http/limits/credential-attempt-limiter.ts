import type { Clock } from '../../lib/clock.ts'
import { RateLimited } from '../../lib/errors.ts'
import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Limits concurrent checks of unknown secrets, which are slow to verify. */
export interface CredentialAttemptLimiter {
  /**
   * Runs a check when a permit of its address is free. Only two checks run per address, so a
   * client trying many secrets does not delay others.
   * @throws RateLimited if the address has failed too often by then; NotReady if the check waits
   * too long
   */
  run<T>(address: string, check: () => Promise<T>): Promise<T>
}

const CHECK_LIMITS = { permits: 2, maxWait: 5_000, maxQueued: 1_000 } as const

interface Checks {
  readonly semaphore: Semaphore
  pending: number
}

/** @param limiter rate limiter whose general class counts failed credentials per address */
export function createCredentialAttemptLimiter(
  limiter: RateLimiter,
  clock: Clock,
): CredentialAttemptLimiter {
  const checksByAddress = new Map<string, Checks>()
  const refuseWhenFull = (address: string): void => {
    const window = limiter.windowOf('general', address)
    if (window !== null && window.used >= window.limit) {
      throw new RateLimited(Math.max(1, Math.ceil(window.resetIn / 1_000)))
    }
  }
  return {
    async run(address, check) {
      const refusal = 'Too many keys from your address are being checked'
      const checks = checksByAddress.get(address) ?? {
        semaphore: createSemaphore({ ...CHECK_LIMITS, refusal }, clock),
        pending: 0,
      }
      checksByAddress.set(address, checks)
      checks.pending += 1
      try {
        return await checks.semaphore.run(() => {
          refuseWhenFull(address)
          return check()
        })
      } finally {
        checks.pending -= 1
        if (checks.pending === 0) checksByAddress.delete(address)
      }
    },
  }
}
