import type { Fingerprint } from './fingerprint.ts'
import { numberFeature } from './features.ts'
import { PAIRING_PARAMS } from './params.ts'
import type { PairingParams } from './params.ts'

/**
 * The side of a contest that a market pays on: 0 is the first named, 1 the second; null is
 * unknown.
 */
function sideOf(market: Fingerprint, contest: NonNullable<Fingerprint['contest']>): 0 | 1 | null {
  // A market without an outcome label pays on the side that its title names first.
  const subject = market.subject ?? market.contest?.[0] ?? null
  if (subject === null) return null
  const sharedCounts = contest.map((side) => side.filter((word) => subject.includes(word)).length)
  const [first = 0, second = 0] = sharedCounts
  return first === second ? null : first > second ? 0 : 1
}

/** Questions about a contest that concern neither side. */
const SIDELESS: readonly string[] = ['btts', 'exactScore', 'total', 'toss', 'draw']

function otherSide(a: Fingerprint, b: Fingerprint): boolean {
  if (a.quantities.some((quantity) => SIDELESS.includes(quantity))) return false
  const contest = a.contest ?? b.contest
  if (contest === null || (a.contest === null && a.subject === null)) return false
  const [left, right] = [sideOf(a, contest), sideOf(b, contest)]
  return left !== null && right !== null && left !== right
}

const areOpposed = (a: Fingerprint, b: Fingerprint, params: PairingParams): boolean =>
  a.direction !== null &&
  b.direction !== null &&
  a.direction !== b.direction &&
  a.comparator === 'close' &&
  b.comparator === 'close' &&
  numberFeature(a.strikes, b.strikes, params) === 1

/** Whether the texts make one market the opposite of the other; two reasons cancel out. */
export function isOppositeText(
  a: Fingerprint,
  b: Fingerprint,
  params: PairingParams = PAIRING_PARAMS,
): boolean {
  const reasons = [a.negated !== b.negated, areOpposed(a, b, params), otherSide(a, b)]
  return reasons.filter(Boolean).length % 2 === 1
}

/**
 * Whether a pair is inverted: by its texts, or by prices that mirror each other.
 * @param correlation of 30 days of returns; null when unknown
 */
export function isInverted(
  a: Fingerprint,
  b: Fingerprint,
  correlation: number | null,
  params: PairingParams = PAIRING_PARAMS,
): boolean {
  if (isOppositeText(a, b, params)) return true
  if (correlation === null || correlation > params.oppositeCorrelation) return false
  if (a.mark === null || b.mark === null) return false
  return Math.abs(a.mark + b.mark - 100) < Math.abs(a.mark - b.mark)
}
