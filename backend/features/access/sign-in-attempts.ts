import { MINUTE } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { RateLimited } from '../../lib/errors.ts'

const MOST_FAILURES = 10
const LOCKED_FOR = 15 * MINUTE
const MOST_NAMES = 10_000

/** A try that has begun and counts as failed until it is said otherwise. */
export interface Attempt {
  /** It was right: what failed before it is forgotten. */
  succeeded(): void
  /** It was never judged. */
  withdrawn(): void
}

/** Counts wrong passwords by whom they were for. */
export interface SignInAttempts {
  /** @throws RateLimited after ten failures, until a quarter of an hour after the first */
  begin(name: string): Attempt
}

interface Failures {
  readonly endsAt: number
  count: number
}

/**
 * In memory alone. A try counts when it begins, so that a burst gets no more than ten either. The
 * count of a name ends by itself; when very many names are counted the oldest goes.
 */
export function createSignInAttempts(clock: Clock): SignInAttempts {
  // All counts last equally long, so the first in the map is the first to end.
  const counts = new Map<string, Failures>()
  const dropEnded = (now: number): void => {
    for (const [name, { endsAt }] of counts) {
      if (now < endsAt) return
      counts.delete(name)
    }
  }
  const add = (name: string, now: number): Failures => {
    const oldest = counts.size >= MOST_NAMES ? counts.keys().next().value : undefined
    if (oldest !== undefined) counts.delete(oldest)
    const failures = { endsAt: now + LOCKED_FOR, count: 0 }
    counts.set(name, failures)
    return failures
  }
  return {
    begin(name) {
      const now = clock.monotonic()
      dropEnded(now)
      const failures = counts.get(name) ?? add(name, now)
      if (failures.count >= MOST_FAILURES) {
        throw new RateLimited(Math.ceil((failures.endsAt - now) / 1_000))
      }
      failures.count += 1
      return {
        succeeded() {
          if (counts.get(name) === failures) counts.delete(name)
        },
        withdrawn() {
          failures.count -= 1
          if (failures.count === 0 && counts.get(name) === failures) counts.delete(name)
        },
      }
    },
  }
}
