import type { Millis } from '../../domain/units.ts'
import { InvalidInput, NotReady } from '../../lib/errors.ts'
import type { Since } from '../../contract/params.ts'

/**
 * Returns the requested instant.
 * @throws InvalidInput "asOf is in the future"
 */
export function notInFuture(asOf: Millis | null, now: Millis): Millis | null {
  if (asOf !== null && asOf > now) throw new InvalidInput('asOf is in the future')
  return asOf
}

/** The instant of an answer: `asOf` as requested (null: now) and `at`, the resolved time. */
export interface Instant {
  readonly asOf: Millis | null
  readonly at: Millis
}

/**
 * Resolves the instant of a request.
 * @param isReady whether the present can be answered
 * @throws InvalidInput for an instant in the future, NotReady before the first load
 */
export function instantOf(asOf: Millis | null, now: Millis, isReady: boolean): Instant {
  const instant = notInFuture(asOf, now)
  if (instant === null && !isReady)
    throw new NotReady('The first data is not loaded yet; retry in a few seconds')
  return { asOf: instant, at: instant ?? now }
}

/**
 * Start of a window that ends at `at`.
 * @param maxSpan longest window, milliseconds
 * @throws InvalidInput if the window starts after `at` or is too long
 */
export function startOf(since: Since, at: Millis, maxSpan: Millis, spelledOut: string): Millis {
  const start = 'at' in since ? since.at : ((at - since.span) as Millis)
  if (start > at) throw new InvalidInput('since is in the future')
  if (at - start > maxSpan) throw new InvalidInput(`since must be within ${spelledOut}`)
  return start
}
