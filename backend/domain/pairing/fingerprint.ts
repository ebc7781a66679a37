import type { MarketFacts, Ticker, Venue } from '../market.ts'
import { MONTH_TERMS, namedNumbers, termsOf } from '../text/terms.ts'
import { themeOf } from '../topics/topics.ts'
import type { Cents, Millis } from '../units.ts'
import { foldText } from '../text/tokens.ts'
import { namedTime, yearOfDay } from './deadline.ts'
import type { NamedTime } from './deadline.ts'
import { isUsRace, partiesOf, raceDay, statesOf } from './election.ts'
import { readRules } from './rules.ts'
import {
  ACTIONS,
  NAME_ALIASES,
  NO_NAMES,
  OFFICES,
  QUANTITIES,
  SOURCES,
  SPANS,
  SPELLINGS,
  phrasesIn,
} from './vocabulary.ts'
import { plainWording } from './wording.ts'

/** The fields of a market that pairing uses. */
export type PairingFacts = Pick<
  MarketFacts,
  | 'venue'
  | 'ticker'
  | 'title'
  | 'subtitle'
  | 'description'
  | 'eventId'
  | 'eventTitle'
  | 'seriesTitle'
  | 'tags'
  | 'category'
  | 'closeTime'
> & {
  /** Valuation price; null when there is none. */
  readonly mark: Cents | null
  /** When the venue expects the result, possibly long before the close. Unknown when absent. */
  readonly expirationTime?: Millis | null
  /** Other ids, such as the slug; they may name the party of an outcome. */
  readonly aliases?: readonly string[]
}

/** How a threshold is met: touched on the way, reached at the end, or by a value in a range. */
export type Comparator = 'touch' | 'close' | 'range'

/**
 * Features of one market's title and rules, extracted once so that pairs are compared without
 * their texts.
 */
export interface Fingerprint {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly eventId: string
  readonly theme: string
  readonly category: string
  readonly closeTime: Millis | null
  /**
   * When the result is expected: the close, or the expected expiration if that is earlier. A venue
   * may keep trading open for years past the event to allow for a postponement.
   */
  readonly endTime: Millis | null
  /** When the question is decided by its title, its rules or the calendar; otherwise `endTime`. */
  readonly decisionTime: Millis | null
  /** Whether the venue itself states when the result is expected. */
  readonly isEndExpected: boolean
  readonly mark: Cents | null
  /** Distinct terms of the title, ascending. */
  readonly terms: readonly string[]
  /** Terms of the names in title and outcome, ascending. */
  readonly entities: readonly string[]
  /** Names of the title in order, each as the terms of adjacent words. */
  readonly names: readonly (readonly string[])[]
  /** Terms of the subject of YES; null when the texts name only a time or a number. */
  readonly subject: readonly string[] | null
  /** The two sides of a contest, in the order of the title. */
  readonly contest: readonly [readonly string[], readonly string[]] | null
  /** The side that plays at home, as far as the title states it by its order. */
  readonly home: readonly string[] | null
  /** Parties that the title or the id names, ascending. */
  readonly parties: readonly string[]
  /** States and districts of an office of the United States, ascending. */
  readonly states: readonly string[]
  /** Whether it asks who wins a race for an office of the United States. */
  readonly isRace: boolean
  /** End without the election day that is assumed of a race that names no year; null for others. */
  readonly listedEnd: Millis | null
  readonly strikes: readonly number[]
  readonly time: NamedTime
  readonly comparator: Comparator | null
  /** +1 above or up, −1 below or down. */
  readonly direction: 1 | -1 | null
  /**
   * Whether meeting the threshold exactly pays; null when the texts do not state it or it cannot
   * matter.
   */
  readonly inclusive: boolean | null
  /** A temperature; venues read it at different stations and from different reports. */
  readonly isWeather: boolean
  readonly negated: boolean
  /** Terms of the title that are not a name, number or month: the statement about the names. */
  readonly predicate: readonly string[]
  readonly actions: readonly string[]
  readonly quantities: readonly string[]
  readonly spans: readonly string[]
  readonly offices: readonly string[]
  readonly sources: readonly string[]
  readonly release: 'first' | 'final' | null
  readonly stage: 'regulation' | 'advance' | null
  /**
   * Words of which one has to be mentioned, ascending; empty when the texts neither quote nor list
   * any.
   */
  readonly requirements: readonly string[]
  /** Clauses on leaving an office; null when no rules are known. */
  readonly departure: readonly string[] | null
  /** Choices that the rules state. */
  readonly settings: readonly string[]
  /** Terms of each clause of the rules that leaves something out; null when no rules are known. */
  readonly exclusions: readonly (readonly string[])[] | null
  /** Payout of an undecided contest, if the rules state it. */
  readonly undecided: 'half' | 'void' | 'no' | null
}

/** Only this much of a title is read. */
const READ_TITLE = 400

const NEGATION = /\b(?:not|no|never|without|fails?|won't|cannot)\b/
const TOUCH = /\b(?:reach|hits?\b|touch|dips?\b|get to|ever|at any time)|[↑↓]|\((?:high|low)\)/
const RANGE = /\bbetween\b|\d\s*(?:[-–]|to)\s*\$?\d/
/** A single value is the narrowest range, and so is a step of a rate. */
const EXACT =
  /\b\d+ (?:fed )?(?:interest )?(?:rate )?(?:cuts?|hikes?|times)\b|\bexactly \d|\b(?:be|is|at)\s+(?:exactly\s+)?[$-]?\d[\d.,]*\s*[%°?]|\d\s*(?:bps?|basis points?)\b/
/** Whether the threshold itself counts. */
const INCLUSIVE =
  /[≥≤]|\bat (?:least|most)\b|\bor (?:more|above|higher|over|less|below|lower|under|fewer)\b|\d\+/
const STRICT =
  /[<>]|(?<!\bor )\b(?:above|over|exceeds?|below|under)\b|\b(?:more|greater|higher|less|lower|fewer) than\b/
const NEGATIVE = /(?:^|\s)[-−]\$?(\d[\d,]*(?:\.\d+)?)/g
const WEATHER = /\b(?:high(?:est)?|low(?:est)?|max(?:imum)?|min(?:imum)?) temp/
const ABOVE =
  /\b(?:above|over|exceeds?|greater|higher|more than|at least|or more|reach|up\b|hits?\b)|[>↑≥]|\d\+/
const BELOW =
  /\b(?:below|under|less|lower|fewer|at most|or (?:less|below)|dips?|down\b|drops?)|[<↓≤]/
const FIRST_RELEASE =
  /\b(?:initial|first|advance) (?:release|print|estimate)|\bas first (?:released|reported)/
const FINAL_RELEASE = /\b(?:final|revised|second|third) (?:release|print|estimate|figure)/
const REGULATION = /\b(?:90 minutes|regulation)\b/
const ADVANCE = /\b(?:advances?|to advance|progress(?:es)?|extra time|penalt|lift the)/
const CONTEST =
  /^(?:.*?:\s*)?(.{2,60}?)\s+(?:vs?\.?|x|@|at)\s+(.{2,60}?)(?:\s*[(:?]|\s+-\s|\s+winner|$)/i
/** "Will A win map 3 in the A vs. B match?": the side in question, then the contest. */
const REQUESTED_SIDE =
  /^will (.{2,60}?) (?:win|beat)\b(?: \w+ \d)?(?: in)? (?:the )?(.{2,60}?\bvs?\.? .+)$/i
const FIRST_OF_TWO = /^will\s+(\S+(?: \S+)?)\s+or\s+(\S+(?: \S+)?)\s+\S+\s+first\b/i
/** "Will Democrats win the Senate race in Maine?": the party is the side, not its candidate. */
const PARTY_SIDE = /^will (?:the |a )?(democrats|republicans) win\b/i
const NAME = /\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*/gu

/** Normalises a text to the spelling of the tables. */
export function normalizeSpelling(text: string): string {
  let foldedText = foldText(text.replace(/[’‘]/g, "'"))
  for (const [pattern, replacement] of SPELLINGS)
    foldedText = foldedText.replace(pattern, replacement)
  return foldedText
}

const distinctTerms = (text: string): string[] =>
  [...new Set(termsOf(text).map(({ term }) => term))].sort()

/** Names of a text in order, each as the terms of adjacent words. */
function namesIn(text: string): string[][] {
  const names: string[][] = []
  let end = -1
  for (const match of text.matchAll(NAME)) {
    const joins = end >= 0 && /^ ?$/.test(text.slice(end, match.index))
    const terms = match[0].split(/[-.&]/).flatMap((word) => termsOfName(word))
    end = match.index + match[0].length
    if (terms.length === 0) {
      end = -1
      continue
    }
    const previous = names.at(-1)
    if (joins && previous !== undefined) previous.push(...terms)
    else names.push(terms)
  }
  return names
}

function termsOfName(word: string): string[] {
  const foldedTerm = normalizeSpelling(word).replace(/'s$/, '')
  if (foldedTerm.length < 2 || NO_NAMES.has(foldedTerm)) return []
  return termsOf(foldedTerm).map(({ term }) => NAME_ALIASES.get(term) ?? term)
}

/** Terms of a text's names, ascending. */
const namesOf = (text: string): string[] => [...new Set(namesIn(text).flat())].sort()

/** Whether an outcome's label is a name and not a time, a number or a yes. */
function isName(label: string): boolean {
  const foldedLabel = normalizeSpelling(label)
  if (/^(?:yes|no|by|in|on)$/.test(foldedLabel)) return false
  // A ticker or a short team code.
  if (/^[a-z]{1,3}$/.test(foldedLabel)) return true
  if (
    /^(?:yes|no|match winner|before|by|in|on|during|above|below|at least|under|over)\b/.test(
      foldedLabel,
    )
  )
    return false
  return namesOf(label).length > 0 && !/\d{2}|[<>↑↓%$°]/.test(label) && !/ vs\.? /.test(label)
}

function comparatorOf(text: string, hasStrike: boolean): Comparator | null {
  if (!hasStrike) return null
  if (RANGE.test(text)) return 'range'
  if (TOUCH.test(text)) return 'touch'
  if (ABOVE.test(text) || BELOW.test(text)) return 'close'
  return EXACT.test(text) ? 'range' : null
}

function directionOf(text: string): 1 | -1 | null {
  const [up, down] = [ABOVE.test(text), BELOW.test(text)]
  return up === down ? null : up ? 1 : -1
}

/** For prices it does not matter, because they practically never end exactly at the threshold. */
function inclusiveOf(text: string): boolean | null {
  const [inclusive, strict] = [INCLUSIVE.test(text), STRICT.test(text)]
  return inclusive === strict || /\$|\bprice\b/.test(text) ? null : inclusive
}

/** Numbers with the sign that the terms lack. */
function withSigns(numbers: readonly number[], text: string): number[] {
  const negative = [...text.matchAll(NEGATIVE)].map(([, digits = '']) =>
    Number(digits.replaceAll(',', '')),
  )
  return numbers.map((value) => (negative.includes(value) ? -value : value))
}

/** The quoted phrases of a title, otherwise those that a label separates by slashes. */
function requirementsOf(title: string, label: string): string[] {
  const quotedPhrases = [...title.matchAll(/["“]([^"“”]+)["”]/g)].map(([, phrase = '']) => phrase)
  const slashPhrases = label.includes(' / ') ? label.split(' / ') : []
  const phrases = quotedPhrases.length > 0 ? quotedPhrases : slashPhrases
  return [
    ...new Set(phrases.map((phrase) => distinctTerms(normalizeSpelling(phrase)).join(' '))),
  ].sort()
}

const earlierOf = (a: Millis | null, b: Millis | null): Millis | null =>
  a === null || b === null ? (a ?? b) : a < b ? a : b

const sidesOf = ([, first = '', second = '']: RegExpExecArray): readonly [string[], string[]] => [
  distinctTerms(normalizeSpelling(first)),
  distinctTerms(normalizeSpelling(second)),
]

/** A race names the year of its election even when the title does not. */
const withElection = (time: NamedTime, race: Millis): NamedTime => ({
  ...time,
  years: time.years.length > 0 ? time.years : [yearOfDay(race)].filter((year) => year !== null),
})

/** Creates the fingerprint of one market; deterministic, linear in the texts' length. */
export function fingerprintOf(facts: PairingFacts): Fingerprint {
  const title = plainWording(facts.title.slice(0, READ_TITLE))
  const label = plainWording((facts.subtitle ?? '').slice(0, READ_TITLE))
  const rules = readRules(facts.description)
  const text = normalizeSpelling(title)
  const labelText = normalizeSpelling(label)
  const both = text.includes(labelText) ? text : `${text} ${labelText}`
  const titleStrikes = namedNumbers(termsOf(text).map(({ term }) => term)).strikes
  const strikes = withSigns(
    titleStrikes.length > 0
      ? titleStrikes
      : namedNumbers(termsOf(labelText).map(({ term }) => term)).strikes,
    both,
  )
  const time = namedTime(text, facts.closeTime)
  const labelTime = namedTime(labelText, facts.closeTime)
  const requestedSide = REQUESTED_SIDE.exec(title)
  const contest = CONTEST.exec(requestedSide?.[2] ?? title) ?? FIRST_OF_TWO.exec(title)
  const party = PARTY_SIDE.exec(title)?.[1]
  // A party's candidate in the label only describes the race.
  const subject = party ?? (isName(label) ? label : (requestedSide?.[1] ?? null))
  const sides = contest === null ? null : sidesOf(contest)
  const terms = distinctTerms(text)
  const entities = [
    ...new Set([...namesOf(title), ...(isName(label) ? namesOf(label) : [])]),
  ].sort()
  const actions = phrasesIn(text, ACTIONS)
  const offices = phrasesIn(text, OFFICES)
  const questionTime = time.day === null && labelTime.day !== null ? labelTime : time
  const isRace = isUsRace(text, offices, actions)
  const race = isRace ? raceDay(text, offices, questionTime.years, facts.closeTime) : null
  const listedEnd = earlierOf(
    earlierOf(facts.closeTime, facts.expirationTime ?? null),
    rules.decisionDay,
  )
  const endTime = earlierOf(listedEnd, race)
  return {
    venue: facts.venue,
    ticker: facts.ticker,
    eventId: facts.eventId,
    theme: themeOf({ ...facts, title }),
    category: facts.category,
    closeTime: facts.closeTime,
    endTime,
    decisionTime: race ?? questionTime.day ?? endTime,
    isEndExpected: (facts.expirationTime ?? null) !== null,
    mark: facts.mark,
    terms,
    entities,
    names: namesIn(title),
    subject: subject === null ? null : distinctTerms(normalizeSpelling(subject)),
    contest: sides,
    home: sides === null ? null : sides[/ (?:at|@) /i.test(contest?.[0] ?? '') ? 1 : 0],
    strikes: [...new Set(strikes)].sort((a, b) => a - b),
    parties: partiesOf(text, isRace, [facts.ticker, ...(facts.aliases ?? [])]),
    states: statesOf(text, offices),
    isRace,
    listedEnd: race !== null && questionTime.years.length === 0 ? listedEnd : null,
    time: race === null ? questionTime : withElection(questionTime, race),
    comparator: comparatorOf(both, strikes.length > 0),
    direction: strikes.length > 0 ? directionOf(both) : null,
    inclusive: strikes.length > 0 ? inclusiveOf(both) : null,
    isWeather: WEATHER.test(text),
    negated: NEGATION.test(text),
    predicate: terms.filter(
      (term) => !entities.includes(term) && !/\d/.test(term) && !MONTH_TERMS.includes(term),
    ),
    actions,
    quantities: phrasesIn(text, QUANTITIES),
    spans: phrasesIn(text, SPANS),
    offices,
    sources: [...new Set([...phrasesIn(text, SOURCES), ...rules.sources])],
    release: FIRST_RELEASE.test(both) ? 'first' : FINAL_RELEASE.test(both) ? 'final' : null,
    stage: REGULATION.test(text) ? 'regulation' : ADVANCE.test(text) ? 'advance' : null,
    requirements: requirementsOf(title, label),
    departure: rules.departure,
    settings: rules.settings,
    exclusions: rules.exclusions,
    undecided: rules.undecided,
  }
}
