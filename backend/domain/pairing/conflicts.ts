import { DAY } from '../units.ts'
import type { Fingerprint } from './fingerprint.ts'
import { jaccardOf, numberFeature } from './features.ts'
import { PAIRING_PARAMS } from './params.ts'
import type { PairingParams } from './params.ts'

/** Why two markets ask different questions. */
export type PairVeto =
  | 'number'
  | 'year'
  | 'period'
  | 'day'
  | 'office'
  | 'name'
  | 'bound'
  | 'deadline'
  | 'quantity'
  | 'matter'
/** Whether both name something and nothing in common. */
export const disjoint = (
  a: readonly (string | number)[],
  b: readonly (string | number)[],
): boolean => a.length > 0 && b.length > 0 && !a.some((item) => b.includes(item))

export const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index])

const termsWithout = (terms: readonly string[], other: Fingerprint): string[] =>
  terms.filter(
    (word) =>
      !other.terms.includes(word) &&
      !other.entities.includes(word) &&
      !(other.subject?.includes(word) ?? false),
  )

/** Whether one market's subject is not mentioned in the other. */
function subjectMissing(a: Fingerprint, b: Fingerprint): boolean {
  if (a.subject === null || b.contest !== null) return false
  if (b.subject !== null) {
    const sharedCount = a.subject.filter((word) => b.subject?.includes(word)).length
    return (
      sharedCount < Math.min(a.subject.length, b.subject.length) &&
      jaccardOf(a.subject, b.subject) < 0.5
    )
  }
  return termsWithout(a.subject, b).length > a.subject.length / 2
}

/** Last words of names that many names share. */
const SHARED_ENDINGS: ReadonlySet<string> = new Set(
  'tech state citi unit esport game gaming club academi univers colleg team cf sc parti counti jr'.split(
    ' ',
  ),
)

const surnameOf = (name: readonly string[]): string | undefined =>
  name.findLast((word) => !SHARED_ENDINGS.has(word) && !word.startsWith('#'))

/** Whether the given names of one surname can belong to one person: equal, absent or initials. */
function givenNamesAgree(
  name: readonly string[],
  other: readonly string[],
  surname: string,
): boolean {
  const firstName = name.slice(0, name.indexOf(surname))
  const otherFirstName = other.slice(0, other.indexOf(surname))
  if (firstName.length === 0 || otherFirstName.length === 0) return true
  const isInitial = (word: string, full: string): boolean =>
    word.length <= 2 && full.startsWith(word.charAt(0))
  return firstName.some((x) =>
    otherFirstName.some((y) => x === y || isInitial(x, y) || isInitial(y, x)),
  )
}

/** Names of a market that have a surname after at least one given name. */
const withSurname = (market: Fingerprint, surname: string): (readonly string[])[] =>
  market.names.filter((name) => name.includes(surname))

/** Whether a name's surname occurs in the other market for somebody who may be the same person. */
const sharesSurname = (name: readonly string[], other: Fingerprint): boolean => {
  const last = surnameOf(name)
  if (last === undefined || termsWithout([last], other).length > 0) return false
  const others = withSurname(other, last)
  return (
    others.length === 0 ||
    others.some(
      (otherName) =>
        (otherName.length === 1 || otherName.indexOf(last) > 0) &&
        givenNamesAgree(name, otherName, last),
    )
  )
}

/**
 * Whether one names a relative of the person that the other names: same surname, other given names.
 */
const namesRelative = (a: Fingerprint, b: Fingerprint): boolean =>
  a.names.some((name) => {
    const last = surnameOf(name)
    if (last === undefined || name.indexOf(last) === 0) return false
    const others = withSurname(b, last)
    return (
      others.length > 0 &&
      termsWithout(name.slice(0, name.indexOf(last)), b).length === name.indexOf(last) &&
      others.every((otherName) => !givenNamesAgree(name, otherName, last))
    )
  })

/** Whether a market names a person whom the other does not mention. */
const namesOtherPerson = (a: Fingerprint, b: Fingerprint): boolean =>
  a.names.some((name) => termsWithout(name, b).length > 0 && !sharesSurname(name, b))

/**
 * Whether one market's own outcome is mentioned in the other; further names then only describe it.
 */
const isNamedIn = (a: Fingerprint, b: Fingerprint): boolean =>
  a.subject !== null &&
  a.contest === null &&
  termsWithout(a.subject, b).length <= a.subject.length / 2

/** Words by which clubs of one place differ. */
const CLUB_WORDS: ReadonlySet<string> = new Set(
  'citi unit real atletico inter ac wander rover town state tech hotspur'.split(' '),
)

const distinctiveTerms = (side: readonly string[]): string[] =>
  side.filter((word) => CLUB_WORDS.has(word))

const sharesSide = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((word) => !SHARED_ENDINGS.has(word) && b.includes(word)) &&
  !disjoint(distinctiveTerms(a), distinctiveTerms(b))

/** Whether two contests have the same sides, in either order; true when one is not a contest. */
function sameContest(a: Fingerprint, b: Fingerprint): boolean {
  if (a.contest === null || b.contest === null) return true
  const [[home, awayTeam], [first, second]] = [a.contest, b.contest]
  return (
    (sharesSide(home, first) && sharesSide(awayTeam, second)) ||
    (sharesSide(home, second) && sharesSide(awayTeam, first))
  )
}

/** Whether one names a person who shares only the first name with a person that the other names. */
const sharesOnlyFirstName = (a: Fingerprint, b: Fingerprint): boolean =>
  a.names.some((name) => {
    const last = surnameOf(name)
    if (last === undefined || name.length < 2 || termsWithout([last], b).length === 0) return false
    return b.names.some((other) => {
      const otherSurname = surnameOf(other)
      return (
        other.length > 1 &&
        otherSurname !== undefined &&
        other[0] === name[0] &&
        otherSurname !== other[0] &&
        last !== name[0] &&
        termsWithout([otherSurname], a).length > 0
      )
    })
  })

/** Whether every person that a question names takes part in what it asks. */
const isBetweenPeople = ({ actions }: Fingerprint): boolean =>
  actions.includes('meet') || actions.includes('talk')

/** Whether a football match of the same sides is played at the other's ground: another leg. */
const homesDiffer = (a: Fingerprint, b: Fingerprint): boolean => {
  const [home, other] = [a.home, b.home]
  if (home === null || other === null) return false
  if (!a.quantities.includes('btts') || !b.quantities.includes('btts')) return false
  return !sharesSide(home, other)
}

const namesDiffer = (a: Fingerprint, b: Fingerprint): boolean =>
  (a.parties.length > 0 && b.parties.length > 0 && !sameList(a.parties, b.parties)) ||
  subjectMissing(a, b) ||
  subjectMissing(b, a) ||
  namesRelative(a, b) ||
  namesRelative(b, a) ||
  sharesOnlyFirstName(a, b) ||
  !sameContest(a, b) ||
  homesDiffer(a, b) ||
  ((isBetweenPeople(a) || (!isNamedIn(a, b) && !isNamedIn(b, a))) &&
    namesOtherPerson(a, b) &&
    namesOtherPerson(b, a))

/** Whether one asks about a contest between two sides and the other does not name both of them. */
function contestMissing(a: Fingerprint, b: Fingerprint): boolean {
  if (a.contest === null || b.contest !== null) return false
  const terms = [...b.terms, ...b.entities, ...(b.subject ?? [])]
  return a.contest.some((side) => !sharesSide(side, terms))
}

function periodsDiffer(a: Fingerprint, b: Fingerprint): boolean {
  return disjoint(a.time.periodMonths, b.time.periodMonths)
}

const quantitiesDiffer = (a: Fingerprint, b: Fingerprint): boolean =>
  a.quantities.some((word) => !b.quantities.includes(word)) ||
  b.quantities.some((word) => !a.quantities.includes(word)) ||
  disjoint(a.spans, b.spans) ||
  disjoint(a.actions, b.actions) ||
  contestMissing(a, b) ||
  contestMissing(b, a) ||
  // Touching a level from below and from above are two events, not opposites.
  (a.comparator === 'touch' &&
    b.comparator === 'touch' &&
    a.direction !== null &&
    b.direction !== null &&
    a.direction !== b.direction)

/** Days between two named deadlines; null unless both name one. */
export const deadlineDays = (a: Fingerprint, b: Fingerprint): number | null =>
  a.time.day === null || b.time.day === null ? null : Math.abs(a.time.day - b.time.day) / DAY

/**
 * Whether one asks about a single day and the other about a period that ends long before or after
 * it.
 */
function dayMissing(a: Fingerprint, b: Fingerprint, params: PairingParams): boolean {
  if (a.time.day === null || a.time.bound !== 'on' || a.time.periodMonths.length > 0) return false
  if (b.time.day !== null || b.endTime === null) return false
  return Math.abs(a.time.day - b.endTime) / DAY > params.vetoDays
}

/** Whether two contests of the same sides are expected on different days: another leg or round. */
const contestsApart = (a: Fingerprint, b: Fingerprint, params: PairingParams): boolean =>
  a.contest !== null &&
  b.contest !== null &&
  a.isEndExpected &&
  b.isEndExpected &&
  a.endTime !== null &&
  b.endTime !== null &&
  Math.abs(a.endTime - b.endTime) > params.qualifierDays * DAY

const RACE_OFFICES = ['president', 'senate', 'house', 'governor']

/** Whether one asks for several offices at once, which no question about one of them is. */
const isCombined = ({ offices }: Fingerprint): boolean =>
  offices.filter((office) => RACE_OFFICES.includes(office)).length > 1

/** Whether two races are for other offices or in other states; naming none is the whole nation. */
const racesDiffer = (a: Fingerprint, b: Fingerprint): boolean =>
  (((a.isRace && b.isRace) || isCombined(a) || isCombined(b)) && !sameList(a.offices, b.offices)) ||
  (a.offices.length > 0 && b.offices.length > 0 && !sameList(a.states, b.states))

/** Fewest words that describe the matter of a question, and of which one in common may be chance. */
const MATTER = 2
const LONG_MATTER = 4
/** Share of the words in common below which long matters are two. */
const SHARED_MATTER = 0.12

/** Words that describe the matter of a question, without names, dates and words of time. */
const matterOf = ({ predicate }: Fingerprint): string[] =>
  predicate.filter((term) => term !== 'befor' && term !== 'after')

/**
 * Whether two questions have only names and dates in common, or hardly more: neither contains what the other
 * asks. Numbers, contests and races are compared by their own fields.
 */
function mattersDiffer(a: Fingerprint, b: Fingerprint): boolean {
  const others = [a, b].some(
    ({ strikes, contest, isRace }) => strikes.length > 0 || contest !== null || isRace,
  )
  if (others || a.actions.some((action) => b.actions.includes(action))) return false
  const [left, right] = [matterOf(a), matterOf(b)]
  const shortest = Math.min(left.length, right.length)
  if (shortest >= LONG_MATTER && jaccardOf(left, right) < SHARED_MATTER) return true
  return shortest >= MATTER && disjoint(left, b.terms) && disjoint(right, a.terms)
}

/** All reasons why two markets ask different questions, in a fixed order. */
export function vetoesOf(
  a: Fingerprint,
  b: Fingerprint,
  params: PairingParams = PAIRING_PARAMS,
): PairVeto[] {
  const days = deadlineDays(a, b)
  const boundsDiffer =
    a.time.bound !== null && b.time.bound !== null && a.time.bound !== b.time.bound
  const vetoChecks: readonly (readonly [PairVeto, boolean])[] = [
    ['number', numberFeature(a.strikes, b.strikes, params) === 0],
    ['year', disjoint(a.time.years, b.time.years)],
    ['period', periodsDiffer(a, b)],
    [
      'day',
      (days !== null && days >= 1 && a.time.bound === 'on' && b.time.bound === 'on') ||
        dayMissing(a, b, params) ||
        dayMissing(b, a, params) ||
        contestsApart(a, b, params),
    ],
    ['office', disjoint(a.offices, b.offices) || racesDiffer(a, b)],
    ['name', namesDiffer(a, b)],
    ['bound', boundsDiffer],
    ['deadline', days !== null && days > params.vetoDays],
    ['quantity', quantitiesDiffer(a, b)],
    ['matter', mattersDiffer(a, b)],
  ]
  return vetoChecks.filter(([, holds]) => holds).map(([veto]) => veto)
}
