import { MINUTE } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { NotReady, RateLimited } from '../../lib/errors.ts'

const MOST_FAILURES = 10
const LOCKED_FOR = 15 * MINUTE
const MOST_NAMES = 10_000

/** A try that has begun; one of its three ends is to be told. */
export interface Attempt {
  failed(): void
  /** It was right: what failed before it is forgotten. */
  succeeded(): void
  /** It was never judged. */
  withdrawn(): void
}

/** Counts wrong passwords by whom they were for. */
export interface SignInAttempts {
  /**
   * @throws RateLimited after ten failures, until a quarter of an hour after the first; NotReady while
   * those that are being judged could make it ten
   */
  begin(name: string): Attempt
}

interface Tries {
  readonly endsAt: number
  failed: number
  judged: number
}

/**
 * In memory alone. Tries that are being judged are bounded with those that failed, so that a burst
 * gets no more than ten either. The count of a name ends by itself; when very many names are counted
 * the oldest goes.
 */
export function createSignInAttempts(clock: Clock): SignInAttempts {
  // All counts last equally long, so the first in the map is the first to end.
  const counts = new Map<string, Tries>()
  const dropEnded = (now: number): void => {
    for (const [name, { endsAt }] of counts) {
      if (now < endsAt) return
      counts.delete(name)
    }
  }
  const add = (name: string, now: number): Tries => {
    const oldest = counts.size >= MOST_NAMES ? counts.keys().next().value : undefined
    if (oldest !== undefined) counts.delete(oldest)
    const tries = { endsAt: now + LOCKED_FOR, failed: 0, judged: 0 }
    counts.set(name, tries)
    return tries
  }
  return {
    begin(name) {
      const now = clock.monotonic()
      dropEnded(now)
      const tries = counts.get(name) ?? add(name, now)
      if (tries.failed >= MOST_FAILURES) {
        throw new RateLimited(Math.ceil((tries.endsAt - now) / 1_000))
      }
      if (tries.failed + tries.judged >= MOST_FAILURES) {
        throw new NotReady('This account is being signed in to many times at once')
      }
      tries.judged += 1
      const forgetIfEmpty = (): void => {
        const isEmpty = tries.failed === 0 && tries.judged === 0
        if (isEmpty && counts.get(name) === tries) counts.delete(name)
      }
      return {
        failed() {
          tries.judged -= 1
          tries.failed += 1
        },
        succeeded() {
          tries.judged -= 1
          tries.failed = 0
          forgetIfEmpty()
        },
        withdrawn() {
          tries.judged -= 1
          forgetIfEmpty()
        },
      }
    },
  }
}
