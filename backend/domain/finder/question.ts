import { namedTime } from '../pairing/deadline.ts'
import { ACTIONS, OFFICES, QUANTITIES } from '../pairing/vocabulary.ts'
import { misspelledForms, MONTH_TERMS, numberOf, termsOf, yearOf } from '../text/terms.ts'
import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'
import { COMMON_TERMS } from './common-words.ts'
import { placesIn } from './places.ts'
import { plainText, readingOf } from './reading.ts'
import type { Reading } from './reading.ts'
import { EVENT_ACTIONS, FILLERS, meaningsOf } from './vocabulary.ts'

/** The words that the markets use. */
export interface Lexicon {
  /** Words that differ from one by a spelling. */
  similarTo(term: string): readonly string[]
}

/** A word of a question that a market has to contain in some form. */
export interface QuestionTerm {
  readonly term: string
  /** As written. */
  readonly word: string
  /** Terms of which one has to occur. */
  readonly terms: ReadonlySet<string>
  /** Statements that contain it; a market that makes one of them contains the word. */
  readonly statements: ReadonlySet<string>
  /** A name has to occur; an everyday word may be expressed in another way. */
  readonly isName: boolean
}

/** The parsed question of a person. */
export interface Question extends Reading {
  readonly words: readonly QuestionTerm[]
}

const STATEMENTS = [...ACTIONS, ...EVENT_ACTIONS, ...OFFICES, ...QUANTITIES]
const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ')

/** Replaces dates relative to today by the dates themselves. */
function resolveRelativeDates(text: string, asOf: Millis): string {
  const dayAfter = (days: number): string => {
    const date = new Date(asOf + days * DAY)
    return `on ${MONTH_NAMES[date.getUTCMonth()]} ${date.getUTCDate()} ${date.getUTCFullYear()}`
  }
  const today = new Date(asOf)
  const year = today.getUTCFullYear()
  const nextMonth = new Date(Date.UTC(year, today.getUTCMonth() + 1))
  return text
    .replace(/\b(?:today|tonight)\b/g, dayAfter(0))
    .replace(/\btomorrow\b/g, dayAfter(1))
    .replace(/\bthis month\b/g, `in ${MONTH_NAMES[today.getUTCMonth()]} ${year}`)
    .replace(
      /\bnext month\b/g,
      `in ${MONTH_NAMES[nextMonth.getUTCMonth()]} ${nextMonth.getUTCFullYear()}`,
    )
    .replace(
      /\b(?:(?:by |before )?(?:the )?end of (?:the |this )?year|year[- ]end|eoy)\b/g,
      `by end of ${year}`,
    )
    .replace(/\bthis year\b/g, `in ${year}`)
    .replace(/\bnext year\b/g, `in ${year + 1}`)
}

/** Statements of a text by the words that express them. */
function statementsByTerm(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const termsByKind = new Map<string, Set<string>>()
  for (const { id, pattern } of STATEMENTS) {
    const [phrase] = pattern.exec(text) ?? []
    // A pattern may end within a word.
    const end = phrase === undefined ? 0 : text.indexOf(phrase) + phrase.length
    const rest = /^[a-z]*/.exec(text.slice(end))?.[0] ?? ''
    for (const { term } of phrase === undefined ? [] : termsOf(phrase + rest)) {
      const ids = termsByKind.get(term) ?? new Set()
      termsByKind.set(term, ids.add(id))
    }
  }
  return termsByKind
}

/**
 * Reads a question.
 * @param asOf dates "tomorrow" and "this year"
 */
export function readQuestion(query: string, asOf: Millis, lexicon: Lexicon): Question {
  const text = resolveRelativeDates(plainText(query), asOf)
  const reading = readingOf(text)
  const placeTerms = new Set(
    placesIn(text).flatMap(({ words }) => termsOf(words).map(({ term }) => term)),
  )
  const statements = statementsByTerm(text)
  const termsByText = new Map<string, QuestionTerm>()
  for (const { term, word } of termsOf(text)) {
    if (placeTerms.has(term) || FILLERS.has(term) || MONTH_TERMS.includes(term)) continue
    if (term === 'not' || numberOf(term) !== null || yearOf(term) !== null) continue
    const isName = !COMMON_TERMS.has(term)
    termsByText.set(term, {
      term,
      word,
      terms: new Set([
        ...meaningsOf(term),
        ...(isName ? [...lexicon.similarTo(term), ...misspelledForms(word)] : []),
      ]),
      statements: statements.get(term) ?? new Set(),
      isName,
    })
  }
  return { ...reading, years: namedTime(text, null).years, words: [...termsByText.values()] }
}
