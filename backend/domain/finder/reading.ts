import type { MarketFacts } from '../market.ts'
import { namedTime } from '../pairing/deadline.ts'
import type { NamedTime } from '../pairing/deadline.ts'
import { normalizeSpelling } from '../pairing/fingerprint.ts'
import { ACTIONS, OFFICES, QUANTITIES } from '../pairing/vocabulary.ts'
import type { Phrase } from '../pairing/vocabulary.ts'
import { namedNumbers, termsOf } from '../text/terms.ts'
import type { Millis } from '../units.ts'
import { placesIn } from './places.ts'
import { EVENT_ACTIONS, REWRITES } from './vocabulary.ts'

/** Subject of a text, as far as its words determine it. */
export interface Reading {
  /** Folded text in one spelling. */
  readonly text: string
  readonly terms: ReadonlySet<string>
  readonly places: readonly string[]
  readonly actions: ReadonlySet<string>
  readonly offices: ReadonlySet<string>
  readonly quantities: ReadonlySet<string>
  readonly years: readonly number[]
  readonly strikes: readonly number[]
  readonly isNegated: boolean
  /** Whether it names a month or the end of a year. */
  readonly hasMonth: boolean
}

/** The reading of a market's title, outcome and event title, with the time that it names. */
export interface MarketReading extends Reading {
  readonly time: NamedTime
  /** The close, or the expected result if that is earlier. */
  readonly closeTime: Millis | null
  /** Terms of the outcome's label. */
  readonly outcomeTerms: ReadonlySet<string>
}

/** Only this much of a text is read. */
const READ = 400
const NEGATION = /\b(?:not|never|cannot)\b|n't\b|\bno\b(?! longer| [.#]?\d)/
const MONTH =
  /\b(?:end of \d{4}|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?:in|by|before|of) may|may \d+|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/

/** A text in the spelling of the tables. */
export function plainText(text: string): string {
  let normalizedText = normalizeSpelling(text.slice(0, READ))
  for (const [pattern, replacement] of REWRITES)
    normalizedText = normalizedText.replace(pattern, replacement)
  return normalizedText
}

const idsIn = (text: string, ...tables: readonly (readonly Phrase[])[]): ReadonlySet<string> =>
  new Set(
    tables.flatMap((table) => table.flatMap(({ id, pattern }) => (pattern.test(text) ? [id] : []))),
  )

/** @param text in the spelling of the tables */
export function readingOf(text: string): Reading {
  const terms = termsOf(text).map(({ term }) => term)
  return {
    text,
    terms: new Set(terms),
    places: placesIn(text).map(({ place }) => place),
    actions: idsIn(text, ACTIONS, EVENT_ACTIONS),
    offices: idsIn(text, OFFICES),
    quantities: idsIn(text, QUANTITIES),
    years: [],
    strikes: namedNumbers(terms).strikes,
    isNegated: NEGATION.test(text),
    hasMonth: MONTH.test(text),
  }
}

/** A venue may keep a market open for weeks after its result is expected. */
const decidedTime = ({
  closeTime,
  expirationTime,
}: Pick<MarketFacts, 'closeTime' | 'expirationTime'>): Millis | null =>
  closeTime !== null && expirationTime !== null && expirationTime < closeTime
    ? expirationTime
    : closeTime

/** Reads a market once; its facts decide the result. */
export function marketReading(
  facts: Pick<
    MarketFacts,
    'title' | 'subtitle' | 'eventTitle' | 'closeTime' | 'expirationTime' | 'tags'
  >,
): MarketReading {
  const marketText = plainText([facts.title, facts.subtitle ?? ''].join('; '))
  const event = plainText(facts.eventTitle ?? '')
  const reading = readingOf(`${marketText}; ${event}`)
  const time = namedTime(marketText, facts.closeTime)
  const tags = facts.tags.flatMap((tag) => termsOf(tag).map(({ term }) => term))
  return {
    ...reading,
    terms: new Set([...reading.terms, ...tags]),
    isNegated: NEGATION.test(marketText),
    years: [...time.years, ...namedTime(event, facts.closeTime).years],
    time,
    closeTime: decidedTime(facts),
    outcomeTerms: new Set(termsOf(plainText(facts.subtitle ?? '')).map(({ term }) => term)),
  }
}
