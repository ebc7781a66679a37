import { VERBS } from './claim.ts'
import { compare } from '../finder/differences.ts'
import { readQuestion } from '../finder/question.ts'
import { marketReading, plainText, type MarketReading } from '../finder/reading.ts'
import { namedTime } from '../pairing/deadline.ts'
import { namedNumbers, termsOf } from '../text/terms.ts'
import { DAY, type Millis } from '../units.ts'

/** Deadlines at most this far apart are one: venues name the last day or the day after it. */
const SAME_DEADLINE = 7 * DAY

/** A market that names no time and closes this much later asks about another time. */
const NO_DEADLINE = 60 * DAY

const LIMIT = /\b(?:by|before|until)\b/

/** An office that a person holds, named beside the person: "as president of France". */
const OFFICE = /,?\s+as (?:the |a )?(?:[\p{L}-]+ ){0,3}?(?:of|for) (?:the )?\p{Lu}[\p{L}-]*/gu
const NEGATIONS = /\s+(?:not|never)\b|n't\b/gi

/** Everybody except the one that a market names: "Anyone but Mistral will…". */
const EXCEPT =
  /^(?:any(?:one|body|thing)?|some(?:one|body)|every(?:one|body))(?:\s+[\p{L}-]+)?\s+(?:but|other than|except)\s+/iu

/** Verbs that deny the one after them: "OpenAI fails to release", "she loses the lead of". */
export const withExplicitNegation = (label: string): string =>
  label
    .replace(/\b(?:will\s+)?(?:fails?|refuses?|declines?)\s+to\b/gi, 'will not')
    .replace(
      /\b(?:will\s+)?loses?\s+(?:the|its|his|her|their)\s+lead\s+(?:of|in)\b/gi,
      'will not lead',
    )

/** Wordings of a condition under which its markets are searched; none when only its opposite has markets. */
export const wordingsOf = (label: string): string[] =>
  EXCEPT.test(label)
    ? []
    : [...new Set([withExplicitNegation(label), withExplicitNegation(label).replace(OFFICE, '')])]

/** A subject whose absence is claimed: "Nobody will…", "No human will…", "Neither X nor Y will…". */
const NO_SUBJECT: readonly (readonly [RegExp, string])[] = [
  [/^(?:nobody|no one)\b/i, 'humans'],
  [/^neither\b(.*?)\bnor\b/i, '$1and'],
  [/^no\s+/i, ''],
]
/** A count from above has no opposite that a market asks: "at most two cuts" includes none. */
const AT_MOST = /\b(?:at most|no more than|fewer than|up to)\b/i

/** The opposite of a condition, for searching; null where it has none in words. */
export function oppositeOf(label: string): string | null {
  if (AT_MOST.test(label)) return null
  if (EXCEPT.test(label)) return label.replace(EXCEPT, '')
  const withoutSubject = NO_SUBJECT.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    withExplicitNegation(label)
      .replace(/\bwon't\b/gi, 'will')
      .replace(NEGATIONS, ''),
  ).trim()
  return withoutSubject === label ? `${label} not` : withoutSubject
}

const AUXILIARY = /\b(will|shall|is|are|was|were)\b(?!\s+not\b)/
const THIRD_PERSON = new RegExp(`\\b(${VERBS})(?:e?s)\\b`, 'i')

/**
 * A statement that denies another one: "Inflation does not rise above 4%" for "inflation rises above 4%".
 * Its opposite in words is the statement again.
 */
export function negationOf(statement: string): string {
  if (/\bwon't\b/i.test(statement)) return statement.replace(/\bwon't\b/i, 'will')
  if (/n't\b/i.test(statement)) return statement.replace(/n't\b/i, '')
  if (/\bnot\b/i.test(statement)) return statement.replace(/\s+not\b/i, '')
  if (AUXILIARY.test(statement)) return statement.replace(AUXILIARY, '$1 not')
  if (THIRD_PERSON.test(statement)) return statement.replace(THIRD_PERSON, 'does not $1')
  return `It is not true that ${statement}`
}

/** A state that lasts through a period is decided at its end. */
const endDateText = (label: string): string =>
  label
    .replace(/\b(?:through|throughout|until|till)\s+(?=\d{4}\b)/gi, 'by the end of ')
    .replace(/\b(?:through|throughout|until|till)\b/gi, 'by')

/** Whether a market ends at another time than the condition, where both name their deadline. */
export function hasOtherDeadline(label: string, market: MarketReading): boolean {
  const { time, closeTime, text } = market
  const deadline = namedTime(plainText(endDateText(label)), closeTime)
  if (deadline.day === null || deadline.bound !== 'by') return false
  if (time.day === null) {
    const isOpen = market.years.length === 0 && closeTime !== null
    return isOpen && closeTime - deadline.day > NO_DEADLINE
  }
  // The outcome repeats the day of the title without its "by".
  if (time.bound !== 'by' && !LIMIT.test(text)) return false
  return Math.abs(deadline.day - time.day) > SAME_DEADLINE
}

/** Whether a market names a number that a condition leaves open: "$1T IPO" for "IPO". */
export const addsNumber = (label: string, { strikes }: Pick<MarketReading, 'strikes'>): boolean =>
  strikes.length > 0 &&
  namedNumbers(termsOf(plainText(label)).map(({ term }) => term)).strikes.length === 0

const COUNT = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'
/** A count in words with its bound: "at most two cuts". */
const BOUNDED_COUNT = new RegExp(
  `\\b(?:at most|at least|more than|no more than|fewer than|less than|up to|exactly)\\s+(?:${COUNT})\\b`,
  'i',
)

/** Whether a condition counts in words, so that a market with another number does not ask it. */
export const countsInWords = (label: string): boolean => BOUNDED_COUNT.test(label)

const RANKS = /\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th))\b/gi

/** Whether a market asks for a rank that a condition does not state: "the third-hottest year". */
export function asksOtherRank(label: string, title: string): boolean {
  const labelRanks = new Set(label.toLowerCase().match(RANKS))
  const isDay =
    /\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d/i
  return (
    !isDay.test(title) &&
    (title.toLowerCase().match(RANKS) ?? []).some((rank) => !labelRanks.has(rank))
  )
}

/** A weak match has to express this share of its own words. */
const MIN_EXPRESSED = 0.6
const WEAK_MATCH = 0.65
/** A code beside a name: "Silver (SI)". */
const CODES = /\s*\([A-Z]{1,5}\)/g

/**
 * Whether a weak match asks for much that a condition does not state: "Will any member of the
 * cabinet leave" for "Trump will resign".
 */
export function asksMore(
  label: string,
  { title, match, asOf }: { readonly title: string; readonly match: number; readonly asOf: Millis },
): boolean {
  if (match >= WEAK_MATCH) return false
  const question = readQuestion(title.replace(CODES, ''), asOf, { similarTo: () => [] })
  const reading = marketReading({
    title: label,
    subtitle: null,
    eventTitle: null,
    closeTime: null,
    expirationTime: null,
    tags: [],
  })
  return compare(question, reading).coverage < MIN_EXPRESSED
}
