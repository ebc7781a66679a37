import { deadlineDays } from './conflicts.ts'
import type { PairVeto } from './conflicts.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { PairQualifier } from './qualifiers.ts'

/**
 * Relation of the YES of market a to that of b: the same, the opposite, implied by b's
 * (`superset`), implying it (`subset`), or merely on the same event (`overlap`).
 */
export type PairRelation = 'identity' | 'complement' | 'subset' | 'superset' | 'overlap'

const areOnly = <T>(items: readonly T[], ...onlyAmong: readonly T[]): boolean =>
  items.length > 0 && items.every((reason) => onlyAmong.includes(reason))

/** +1 when a is the harder of two thresholds on the same side, −1 when b is; 0 otherwise. */
function harder(a: Fingerprint, b: Fingerprint): number {
  const [strikeA, strikeB] = [a.strikes[0], b.strikes[0]]
  if (strikeA === undefined || strikeB === undefined) return 0
  if (a.direction === null || a.direction !== b.direction) return 0
  return Math.sign(strikeA - strikeB) * a.direction
}

/**
 * Relation of a pair from its differences. Rungs of a ladder of strikes or deadlines imply each
 * other in one direction; every other difference leaves an overlap.
 */
export function relationOf(
  a: Fingerprint,
  b: Fingerprint,
  vetoes: readonly PairVeto[],
  qualifiers: readonly PairQualifier[],
  inverted: boolean,
): PairRelation {
  if (vetoes.length === 0 && qualifiers.length === 0) return inverted ? 'complement' : 'identity'
  if (inverted) return 'overlap'
  if (areOnly(vetoes, 'number') && qualifiers.length === 0 && a.comparator === b.comparator) {
    const relationOrder = harder(a, b)
    if (relationOrder !== 0) return relationOrder > 0 ? 'subset' : 'superset'
  }
  const datesOnly =
    (vetoes.length === 0 || areOnly(vetoes, 'deadline', 'year', 'period')) &&
    (qualifiers.length === 0 || areOnly(qualifiers, 'deadline'))
  if (datesOnly && a.time.bound === 'by' && b.time.bound === 'by') {
    const days = deadlineDays(a, b)
    if (days !== null && days > 0) {
      return (a.time.day ?? 0) < (b.time.day ?? 0) ? 'subset' : 'superset'
    }
  }
  return 'overlap'
}
