import { MINUTE } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { NotReady, RateLimited } from '../../../lib/errors.ts'

const MAX_FAILURES = 10
const LOCKOUT_DURATION = 15 * MINUTE
const MAX_NAMES = 10_000

/** An attempt in progress; the caller reports exactly one of three results. */
export interface Attempt {
  recordFailure(): void
  /** The password was right; earlier failures are cleared. */
  recordSuccess(): void
  /** The password was not checked, because of an error. */
  withdrawn(): void
}

/** Counts wrong passwords per account name. */
export interface SignInAttempts {
  /**
   * @throws RateLimited after ten failures, until fifteen minutes after the first; NotReady while
   * attempts in progress could reach ten
   */
  begin(name: string): Attempt
}

interface AttemptCounts {
  readonly endsAt: number
  failed: number
  running: number
}

/**
 * In memory only. Attempts in progress count with the failures, so that a burst gets no more than
 * ten either. A count expires by itself; when very many names are counted, the oldest is dropped.
 */
export function createSignInAttempts(clock: Clock): SignInAttempts {
  // All counts last equally long, so the first in the map expires first.
  const counts = new Map<string, AttemptCounts>()
  const dropEnded = (now: number): void => {
    for (const [name, { endsAt }] of counts) {
      if (now < endsAt) return
      counts.delete(name)
    }
  }
  const add = (name: string, now: number): AttemptCounts => {
    const oldest = counts.size >= MAX_NAMES ? counts.keys().next().value : undefined
    if (oldest !== undefined) counts.delete(oldest)
    const count = { endsAt: now + LOCKOUT_DURATION, failed: 0, running: 0 }
    counts.set(name, count)
    return count
  }
  return {
    begin(name) {
      const now = clock.monotonic()
      dropEnded(now)
      const count = counts.get(name) ?? add(name, now)
      if (count.failed >= MAX_FAILURES) {
        throw new RateLimited(Math.ceil((count.endsAt - now) / 1_000))
      }
      if (count.failed + count.running >= MAX_FAILURES) {
        throw new NotReady('Too many concurrent sign-ins to this account')
      }
      count.running += 1
      const forgetIfEmpty = (): void => {
        const isEmpty = count.failed === 0 && count.running === 0
        if (isEmpty && counts.get(name) === count) counts.delete(name)
      }
      return {
        recordFailure() {
          count.running -= 1
          count.failed += 1
        },
        recordSuccess() {
          count.running -= 1
          count.failed = 0
          forgetIfEmpty()
        },
        withdrawn() {
          count.running -= 1
          forgetIfEmpty()
        },
      }
    },
  }
}
