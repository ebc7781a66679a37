import type { Millis } from '../domain/units.ts'
import { InvalidInput, NotReady } from '../lib/errors.ts'
import type { Since } from './params.ts'

/**
 * The asked instant, unless it has not come yet.
 * @throws InvalidInput «asOf is in the future»
 */
export function notInFuture(asOf: Millis | null, now: Millis): Millis | null {
  if (asOf !== null && asOf > now) throw new InvalidInput('asOf is in the future')
  return asOf
}

/** The instant an answer is for: `asOf` as asked (null: now), `at` as a time. */
export interface Instant {
  readonly asOf: Millis | null
  readonly at: Millis
}

/**
 * The instant of a request.
 * @param isReady whether the present can be answered
 * @throws InvalidInput for an instant in the future, NotReady before the first load
 */
export function instantOf(asOf: Millis | null, now: Millis, isReady: boolean): Instant {
  const asked = notInFuture(asOf, now)
  if (asked === null && !isReady) throw new NotReady('The first load is unfinished')
  return { asOf: asked, at: asked ?? now }
}

/**
 * Where a window that reaches back from `at` begins.
 * @param longest milliseconds that it may reach back
 * @throws InvalidInput when it begins after `at` or reaches back too far
 */
export function startOf(since: Since, at: Millis, longest: Millis, spoken: string): Millis {
  const start = 'at' in since ? since.at : ((at - since.span) as Millis)
  if (start > at) throw new InvalidInput('since is in the future')
  if (at - start > longest) throw new InvalidInput(`since must be within ${spoken}`)
  return start
}
