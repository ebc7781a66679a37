import { clamp } from '../statistics/statistics.ts'
import { roundTo, type Cents } from '../units.ts'

/** A mark of a market and what it rests on. */
export interface MarkBasis {
  readonly mark: Cents | null
  /** Newest traded price. */
  readonly last: Cents | null
  /** Whether a valid two-sided book was known. */
  readonly isQuoted: boolean
}

/**
 * The earlier mark that a current one may be compared with, cents. Where a book is known at one of
 * both instants only, as for the time before a start, the middle of a book would be compared with a
 * trade that may be old: the change is then that of the traded price, null when it is unknown.
 */
export function comparableMark(now: MarkBasis, then: MarkBasis): Cents | null {
  if (then.mark === null || now.isQuoted === then.isQuoted) return then.mark
  if (now.mark === null || now.last === null || then.last === null) return null
  return clamp(roundTo(now.mark - (now.last - then.last), 4), 0, 100) as Cents
}
