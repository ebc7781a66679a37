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

/** Distance of a book from the newest trade from which that trade is out of date, cents. */
const OUTDATED = 5

/**
 * The earlier mark that a current one may be compared with, cents. Where a book is known at one of
 * both instants only, as for the time before a start, the middle of a book would be compared with a
 * trade that may be old: the change is then that of the traded price, null when it is unknown. It is
 * unknown too when nothing was traded at another price and the book is far from that trade: the
 * price may have moved before or since.
 */
export function comparableMark(now: MarkBasis, then: MarkBasis): Cents | null {
  if (then.mark === null || now.isQuoted === then.isQuoted) return then.mark
  if (now.mark === null || now.last === null || then.last === null) return null
  const { mark, last } = now.isQuoted ? now : then
  const isOutdated = mark !== null && last !== null && Math.abs(mark - last) >= OUTDATED
  if (isOutdated && now.last === then.last) return null
  return clamp(roundTo(now.mark - (now.last - then.last), 4), 0, 100) as Cents
}
