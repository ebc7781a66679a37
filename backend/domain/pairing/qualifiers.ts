import { DAY, HOUR } from '../units.ts'
import { deadlineDays, disjoint, sameList } from './conflicts.ts'
import type { Fingerprint } from './fingerprint.ts'
import { PAIRING_PARAMS } from './params.ts'
import type { PairingParams } from './params.ts'

/** Why two markets on the same event may settle differently. */
export type PairQualifier =
  | 'touch'
  | 'range'
  | 'release'
  | 'stage'
  | 'source'
  | 'undecided'
  | 'departure'
  | 'setting'
  | 'exclusion'
  | 'words'
  | 'threshold'
  | 'strictness'
  | 'predicate'
  | 'deadline'
  | 'hour'

/**
 * Days between the ends of two questions when at most one names its day; null when unknown, and
 * when both name the same year and neither asks about a single day, because a venue may close long
 * after.
 */
function impliedDays(a: Fingerprint, b: Fingerprint): number | null {
  if (a.time.day !== null && b.time.day !== null) return null
  const isDayRequested = [a, b].some(({ time }) => time.day !== null && time.bound === 'on')
  if (!isDayRequested && a.time.years.some((year) => b.time.years.includes(year))) return null
  const [endA, endB] = [a.time.day ?? a.endTime, b.time.day ?? b.endTime]
  return endA === null || endB === null ? null : Math.abs(endA - endB) / DAY
}

/**
 * Whether one's rules let an office end by death, arrest or a mere announcement and the other's do
 * not. When one excludes death, unknown rules are assumed to include it.
 */
const departuresDiffer = (a: Fingerprint, b: Fingerprint): boolean =>
  a.departure === null || b.departure === null
    ? [a, b].some(({ departure }) => departure?.includes('deathLeftOut') ?? false)
    : !sameList(a.departure, b.departure)

/** Whether two rules choose differently on the same matter, such as the day after a holiday. */
const settingsDiffer = (a: Fingerprint, b: Fingerprint): boolean =>
  a.settings.some((first) => {
    const topic = first.slice(0, first.indexOf('.') + 1)
    const others = b.settings.filter((other) => other.startsWith(topic))
    return others.length > 0 && !a.settings.some((setting) => others.includes(setting))
  })

/** Whether the rules of one leave something out that those of the other do not mention. */
const excludesMore = (a: Fingerprint, b: Fingerprint): boolean =>
  a.exclusions !== null &&
  b.exclusions !== null &&
  a.exclusions.some((terms) => !b.exclusions?.some((other) => isSameClause(terms, other)))

const isSameClause = (a: readonly string[], b: readonly string[]): boolean =>
  a.filter((term) => b.includes(term)).length >= Math.min(a.length, b.length) / 2

/**
 * Whether two questions without a number or a contest share no known action, and each contains
 * predicate terms that the other lacks.
 */
function predicatesDiffer(a: Fingerprint, b: Fingerprint): boolean {
  if (a.actions.some((action) => b.actions.includes(action))) return false
  if (a.strikes.length + b.strikes.length > 0 || a.contest !== null || b.contest !== null)
    return false
  return (
    a.predicate.some((term) => !b.terms.includes(term)) &&
    b.predicate.some((term) => !a.terms.includes(term))
  )
}

const termsDiffer = (a: Fingerprint, b: Fingerprint): boolean =>
  a.requirements.length > 0 &&
  b.requirements.length > 0 &&
  !sameList(a.requirements, b.requirements)

/** Whether one states a threshold, a range or a step, and the other no number at all. */
const thresholdMissing = (a: Fingerprint, b: Fingerprint): boolean =>
  (a.comparator !== null && b.strikes.length === 0) ||
  (b.comparator !== null && a.strikes.length === 0)

/** Whether meeting the threshold exactly pays on one side only. */
const strictnessDiffers = (a: Fingerprint, b: Fingerprint): boolean =>
  a.inclusive !== null &&
  b.inclusive !== null &&
  a.inclusive !== b.inclusive &&
  a.direction === b.direction

/**
 * Whether the named sources differ, or the sources of a temperature are not both known to be
 * equal.
 */
const sourcesDiffer = (a: Fingerprint, b: Fingerprint): boolean =>
  disjoint(a.sources, b.sources) ||
  (a.isWeather && b.isWeather && !a.sources.some((source) => b.sources.includes(source)))

/** Whether one names a deadline that cannot be dated, and the other a day. */
const isUndated = (a: Fingerprint, b: Fingerprint): boolean =>
  a.time.bound !== null && a.time.day === null && b.time.day !== null

/** Whether a price of one day is read at two different hours, which is when such markets close. */
const readAtOtherHours = (a: Fingerprint, b: Fingerprint, params: PairingParams): boolean =>
  a.time.bound === 'on' &&
  b.time.bound === 'on' &&
  (a.terms.includes('price') || b.terms.includes('price')) &&
  a.closeTime !== null &&
  b.closeTime !== null &&
  Math.abs(a.closeTime - b.closeTime) > params.qualifierHours * HOUR

/** All reasons why two markets on one event may settle differently, in a fixed order. */
export function qualifiersOf(
  a: Fingerprint,
  b: Fingerprint,
  params: PairingParams = PAIRING_PARAMS,
): PairQualifier[] {
  const days = deadlineDays(a, b)
  const [left, right] = [a.comparator, b.comparator]
  const areDifferent = left !== null && right !== null && left !== right
  const qualifierChecks: readonly (readonly [PairQualifier, boolean])[] = [
    ['touch', areDifferent && (left === 'touch' || right === 'touch')],
    ['range', areDifferent && (left === 'range' || right === 'range')],
    ['release', a.release !== b.release],
    ['stage', a.stage !== b.stage],
    ['source', sourcesDiffer(a, b)],
    ['undecided', a.undecided !== null && b.undecided !== null && a.undecided !== b.undecided],
    ['departure', departuresDiffer(a, b)],
    ['setting', settingsDiffer(a, b)],
    ['exclusion', excludesMore(a, b) || excludesMore(b, a)],
    ['words', termsDiffer(a, b)],
    ['threshold', thresholdMissing(a, b)],
    ['strictness', strictnessDiffers(a, b)],
    ['predicate', predicatesDiffer(a, b)],
    [
      'deadline',
      isUndated(a, b) ||
        isUndated(b, a) ||
        (days !== null ? days > params.qualifierDays : (impliedDays(a, b) ?? 0) > params.vetoDays),
    ],
    ['hour', readAtOtherHours(a, b, params)],
  ]
  return qualifierChecks.filter(([, holds]) => holds).map(([qualifier]) => qualifier)
}
