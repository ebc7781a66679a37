import { namedTime } from '../pairing/deadline.ts'
import { MONTH_TERMS } from '../text/terms.ts'
import { ACTIONS } from '../pairing/vocabulary.ts'
import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'
import type { MarketReading } from './reading.ts'
import type { Question } from './question.ts'
import { EVENT_ACTIONS, OF_UNITED_STATES } from './vocabulary.ts'

/** How a market differs from a question. */
export interface Difference {
  readonly kind: 'place' | 'name' | 'date' | 'number' | 'negation' | 'event' | 'code'
  /** For people: "other place: New York". */
  readonly text: string
}

/** How well a market matches a question. */
export interface Comparison {
  readonly differences: readonly Difference[]
  /** Weighted share of the question's words that the market expresses, 0 to 1. */
  readonly coverage: number
  /** Number of statements that the market adds to the question, such as a primary or a margin. */
  readonly additions: number
  /** Number of the question's names and places that the market names. */
  readonly namesFound: number
  /** Relative distance to the nearest number of the market; 0 without numbers. */
  readonly numberGap: number
  /** Whether a name of the question is one outcome of several, not the subject of the event. */
  readonly isOutcome: boolean
}

/** Weight of an everyday word beside a name. */
const COMMON_WEIGHT = 0.4
/** Prices and temperatures within this relative distance are equal. */
const NUMBER_TOLERANCE = 0.005

/** Minimum share of the question's words that a market has to express to match it. */
const MIN_COVERAGE = 0.5
const OTHER_SUBJECT: Difference = { kind: 'event', text: 'asks about something else' }

/** A word that limits the event after it to a rare case, which a question without it does not mean. */
const RARE_CASE =
  /\b(emergency|unscheduled|intermeeting) (?:\w+ ){0,2}(?:cut|hike|meeting|change|decision)/

function rareCaseDifference(question: Question, market: MarketReading): Difference[] {
  const rareName = RARE_CASE.exec(market.text)?.[1]
  if (rareName === undefined || question.text.includes(rareName)) return []
  return [{ kind: 'event', text: `asks only about “${rareName}”` }]
}

/** Compares a market with a question. */
export function compare(question: Question, market: MarketReading): Comparison {
  let [coveredWeight, total] = [0, 0]
  let [isOutcome, isOtherAction] = [false, false]
  let sharedNameCount = question.places.filter((place) => market.places.includes(place)).length
  const missing: string[] = []
  for (const { word, terms, statements, isName } of question.words) {
    const weight = isName ? 1 : COMMON_WEIGHT
    total += weight
    if (!expresses(market, terms, statements)) {
      if (isName) missing.push(word)
      else isOtherAction ||= hasAction(statements)
      continue
    }
    coveredWeight += weight
    if (isName) sharedNameCount++
    if (isName && expresses(market, terms, NO_TERMS, market.outcomeTerms)) isOutcome = true
  }
  const differences: Difference[] = [
    ...placeDifference(question, market),
    ...missing.map((name) => ({ kind: 'name' as const, text: `does not name “${name}”` })),
    ...(isOtherAction || isOtherStatement(question, market) ? [OTHER_SUBJECT] : []),
    ...rareCaseDifference(question, market),
    ...dateDifference(question, market),
    ...numberDifference(question, market),
  ]
  if (question.isNegated !== market.isNegated) {
    differences.push({ kind: 'negation', text: 'asks the opposite' })
  }
  const numberGap = Math.max(0, ...question.strikes.map((strike) => gapTo(market.strikes, strike)))
  const coverage = total === 0 ? 1 : coveredWeight / total
  if (coverage < MIN_COVERAGE && differences.length === 0) differences.push(OTHER_SUBJECT)
  const additions =
    [...market.quantities].filter((id) => !question.quantities.has(id)).length +
    (market.actions.has('say') && !question.actions.has('say') ? 1 : 0)
  return { differences, coverage, additions, isOutcome, namesFound: sharedNameCount, numberGap }
}

const NO_TERMS: ReadonlySet<string> = new Set()

const expresses = (
  market: MarketReading,
  terms: ReadonlySet<string>,
  statements: ReadonlySet<string>,
  requiredTerms = market.terms,
): boolean => {
  for (const term of terms) if (requiredTerms.has(term)) return true
  for (const id of statements) {
    if (market.actions.has(id) || market.offices.has(id) || market.quantities.has(id)) return true
  }
  return false
}

function placeDifference(question: Question, market: MarketReading): Difference[] {
  const isNamed = (place: string): boolean =>
    market.places.includes(place) ||
    (place === 'us' && OF_UNITED_STATES.some((term) => market.terms.has(term)))
  const absent = question.places.filter((place) => !isNamed(place))
  if (absent.length === 0) return []
  const others = market.places.filter((place) => !question.places.includes(place))
  const text =
    others[0] === undefined
      ? `does not name “${titleCase(absent[0] ?? '')}”`
      : `other place: ${titleCase(others[0])}`
  return [{ kind: 'place', text }]
}

const titleCase = (name: string): string =>
  name.length <= 3 ? name.toUpperCase() : name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  [...a].some((id) => b.has(id))

const isOtherStatement = (question: Question, market: MarketReading): boolean =>
  areDisjoint(question.actions, market.actions) ||
  areDisjoint(question.offices, market.offices) ||
  [...question.quantities].some((id) => !market.quantities.has(id))

const ACTION_IDS: ReadonlySet<string> = new Set([...ACTIONS, ...EVENT_ACTIONS].map(({ id }) => id))
const hasAction = (statements: ReadonlySet<string>): boolean =>
  [...statements].some((id) => ACTION_IDS.has(id))

const areDisjoint = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && !shares(a, b)

const BOUND = /\b(?:by|before|until)\b/
const MONTH_DAY = `(${MONTH_TERMS.join('|')})[a-z]*\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b`
const DAY_OF_MONTH = new RegExp(`\\b${MONTH_DAY}(?!,?\\d)`)
const LIMIT_DAY = new RegExp(`\\b(?:by|before|until) ${MONTH_DAY}(?:,? (\\d{4})\\b)?`, 'g')

function dateDifference(question: Question, market: MarketReading): Difference[] {
  const isOther = question.hasMonth ? otherMonth(question, market) : otherYear(question, market)
  if (!isOther) return []
  const day = market.time.day ?? market.closeTime
  const text =
    day === null ? 'other date' : `other date: ${new Date(day).toISOString().slice(0, 10)}`
  return [{ kind: 'date', text }]
}

function otherYear({ years, text }: Question, market: MarketReading): boolean {
  if (years.length === 0) return false
  const marketYears = market.years.length > 0 ? market.years : closeYears(market.closeTime)
  if (marketYears.length === 0 || years.some((year) => marketYears.includes(year))) return false
  // "By 2030" and "before 2030" are the same limit.
  const limits = limitYears(market.text)
  return !limitYears(text).some((year) => limits.includes(year))
}

const limitYears = (text: string): string[] =>
  [...text.matchAll(/\b(?:by|before|until) (\d{4})\b/g)].map(([, year = '']) => year)

const closeYears = (closeTime: Millis | null): readonly number[] =>
  closeTime === null
    ? []
    : [closeTime, closeTime - 7 * DAY].map((at) => new Date(at).getUTCFullYear())

function otherMonth(question: Question, market: MarketReading): boolean {
  const { time, closeTime } = market
  const marketTime = time.day ?? closeTime
  if (haveSameLimit(question.text, market.text)) return otherYear(question, market)
  // "Before July" ends on 30 June.
  const queryCloseTime =
    marketTime === null ? null : namedTime(question.text, (marketTime + 32 * DAY) as Millis).day
  if (marketTime === null || queryCloseTime === null) return otherYear(question, market)
  // A market that names only a year is not about one of its months, unless that is the deadline.
  if (time.day !== null && !market.hasMonth && !BOUND.test(question.text)) return true
  const [a, b] = [new Date(marketTime), new Date(queryCloseTime)]
  if (a.getUTCMonth() !== b.getUTCMonth() || a.getUTCFullYear() !== b.getUTCFullYear()) return true
  const bothNameDays = DAY_OF_MONTH.test(question.text) && DAY_OF_MONTH.test(market.text)
  return bothNameDays && a.getUTCDate() !== b.getUTCDate()
}

/** Whether both are limited by one day: "by" and "before" it are the same limit. */
function haveSameLimit(text: string, otherText: string): boolean {
  const limits = [...otherText.matchAll(LIMIT_DAY)]
  return [...text.matchAll(LIMIT_DAY)].some(([, month, day, year]) =>
    limits.some(
      (limit) =>
        limit[1] === month &&
        Number(limit[2]) === Number(day) &&
        (year === undefined || limit[3] === undefined || limit[3] === year),
    ),
  )
}

function numberDifference({ strikes }: Question, market: MarketReading): Difference[] {
  const absent = strikes.filter((strike) => !holdsNumber(market.strikes, strike))
  if (absent.length === 0) return []
  const [missingNumber = 0] = absent
  const other = market.strikes.toSorted(
    (a, b) => Math.abs(a - missingNumber) - Math.abs(b - missingNumber),
  )[0]
  const text =
    other === undefined
      ? `does not name ${missingNumber.toLocaleString('en-US')}`
      : `other number: ${other.toLocaleString('en-US')}`
  return [{ kind: 'number', text }]
}

/** Whether a number is one of a market's or inside its range. */
const holdsNumber = (strikes: readonly number[], number: number): boolean =>
  strikes.some((other) => Math.abs(other - number) <= NUMBER_TOLERANCE * Math.abs(number)) ||
  (strikes.length === 2 && Math.min(...strikes) <= number && number <= Math.max(...strikes))

/** Relative distance of a number to the nearest of a market's; 1 without one. */
const gapTo = (strikes: readonly number[], number: number): number =>
  strikes.reduce((min, other) => {
    const size = Math.max(Math.abs(other), Math.abs(number))
    return size === 0 ? 0 : Math.min(min, Math.abs(other - number) / size)
  }, 1)
