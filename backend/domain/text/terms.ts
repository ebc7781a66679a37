import { isMisspelling } from './misspelling.ts'
import { stemOf } from './stem.ts'
import { foldText } from './tokens.ts'

/** Words without information on a market's subject; words of negation are not among them. */
const STOPWORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how if in into is ' +
    'it its of on or shall should so than that the their them then there these they this those to was ' +
    'were what when where which who whom whose why will with would you your'
  ).split(' '),
)

/** Canonical terms of words with several forms; whole words, before stemming. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bitcoin: 'btc',
    ethereum: 'eth',
    ether: 'eth',
    solana: 'sol',
    ripple: 'xrp',
    dogecoin: 'doge',
    republican: 'gop',
    republicans: 'gop',
    democrats: 'democrat',
    democratic: 'democrat',
    wins: 'win',
    winner: 'win',
    winners: 'win',
    winning: 'win',
    won: 'win',
    usa: 'us',
    america: 'us',
    american: 'us',
    britain: 'uk',
    percent: 'pct',
    cannot: 'not',
    january: 'jan',
    february: 'feb',
    march: 'mar',
    april: 'apr',
    may: 'may',
    june: 'jun',
    july: 'jul',
    august: 'aug',
    september: 'sep',
    sept: 'sep',
    october: 'oct',
    november: 'nov',
    december: 'dec',
  }),
)

/** Two-word names with a single canonical term. */
const PAIRS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['federal', new Map([['reserve', 'fed']])],
  [
    'united',
    new Map([
      ['states', 'us'],
      ['kingdom', 'uk'],
    ]),
  ],
  ['european', new Map([['union', 'eu']])],
  ['artificial', new Map([['intelligence', 'ai']])],
])

export const MONTH_TERMS: readonly string[] =
  'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['st', 1],
  ['nd', 1],
  ['rd', 1],
  ['th', 1],
  ['k', 1e3],
  ['m', 1e6],
  ['mm', 1e6],
  ['b', 1e9],
  ['bn', 1e9],
  ['t', 1e12],
])

const NON_ASCII = /[^\0-\x7f]/
const CURLY_APOSTROPHE = /[\u2018\u2019]/g
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const NUMBER = /^(\$?)([\d,]*(?:\.\d+)?)([a-z]*)$/
const ASCII_TOKEN =
  /\d{4}-\d\d-\d\d(?![\d-])|\$?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?[a-z0-9]*|[a-z][a-z0-9]*(?:'[a-z]+)?/g
/**
 * The same for text of any script; one character per word in scripts without spaces, and for
 * emoji.
 */
const TOKEN =
  /\d{4}-\d\d-\d\d(?![\d\-])|\$?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?[a-z0-9]*|[a-z][a-z0-9]*(?:'[a-z]+)?|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{Extended_Pictographic}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv

/** A term with the text that it was read from. */
export interface Term {
  readonly term: string
  /** As written, folded. */
  readonly word: string
}

const isYear = (value: number): boolean => value >= 1990 && value <= 2100

/** Value of a number term ("#70000" is 70,000), or null. Years are words: see `yearOf`. */
export const numberOf = (term: string): number | null =>
  term.startsWith('#') ? Number(term.slice(1)) : null

/** Value of a year term, or null. */
export function yearOf(term: string): number | null {
  if (term.length !== 4) return null
  const value = Number(term)
  return isYear(value) ? value : null
}

/**
 * Term of a token that starts with a digit or a dollar sign; years are kept as words, numbers are
 * canonical.
 */
function numberTerm(token: string): string {
  const match = NUMBER.exec(token)
  const multiplier = MULTIPLIERS.get(match?.[3] ?? '?')
  if (match === null || multiplier === undefined) return token
  const digits = match[2] ?? ''
  const plainYear = match[1] === '' && match[3] === '' && /^\d{4}$/.test(digits)
  if (plainYear && isYear(Number(digits))) return digits
  const value = Number(digits.replaceAll(',', ''))
  // Rounded, so that 1.1k is exactly 1,100.
  return `#${multiplier === 1 ? value : Number((value * multiplier).toPrecision(12))}`
}

/** Bases of "won't", "can't" and "shan't" without their ending. */
const BARE_BASES: ReadonlySet<string> = new Set(['wo', 'ca', 'sha'])

/** The base of a word with an apostrophe, and whether it was negated ("won't"). */
function withoutApostrophe(token: string): { readonly base: string; readonly negated: boolean } {
  const at = token.indexOf("'")
  const isNegated = token.endsWith("n't")
  if (isNegated) {
    const base = token.slice(0, -3)
    return { base: BARE_BASES.has(base) ? '' : base, negated: isNegated }
  }
  return {
    base: token.endsWith("'s") ? token.slice(0, at) : token.replace("'", ''),
    negated: isNegated,
  }
}

/** Shorter forms are abbreviations, which one letter makes another word. */
const LONG_FORM = 6

/** Canonical terms of the known forms that a misspelling may have changed into a word. */
export const misspelledForms = (word: string): string[] =>
  SYNONYMS.has(word)
    ? []
    : [...SYNONYMS].flatMap(([form, term]) =>
        form.length >= LONG_FORM && isMisspelling(word, form) ? [term] : [],
      )

const STEMS_KEPT = 100_000
const stems = new Map<string, string>()

/** Stem of a word, cached because a catalogue repeats its words. */
function termOf(word: string): string {
  const existing = stems.get(word)
  if (existing !== undefined) return existing
  const term = SYNONYMS.get(word) ?? (/^[a-z]+$/.test(word) ? stemOf(word) : word)
  if (stems.size >= STEMS_KEPT) stems.clear()
  stems.set(word, term)
  return term
}

/**
 * Calls `take` for the terms of a text in order, each with the folded text it was read from: no
 * stop words, stems, canonical synonyms, numbers and ISO dates in one spelling, negation kept.
 * Methodology I1. Linear in the text's length.
 */
export function eachTerm(text: string, take: (term: string, word: string) => void): void {
  const foldedText = foldText(text.replace(CURLY_APOSTROPHE, "'"))
  const tokens = foldedText.match(NON_ASCII.test(foldedText) ? TOKEN : ASCII_TOKEN) ?? []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? ''
    const code = token.charCodeAt(0)
    if (code === 36 || (code >= 48 && code <= 57)) {
      addNumeric(token, take)
      continue
    }
    const { base, negated } = token.includes("'") ? withoutApostrophe(token) : plainTerm(token)
    const pairedTerm = PAIRS.get(base)?.get(tokens[index + 1] ?? '')
    if (pairedTerm !== undefined) {
      index++
      take(pairedTerm, `${base} ${tokens[index] ?? ''}`)
      continue
    }
    if (base !== '' && !STOPWORDS.has(base)) take(termOf(base), base)
    if (negated) take('not', token)
  }
}

/** Terms of a text in order; see `eachTerm`. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = []
  eachTerm(text, (term, word) => terms.push({ term, word }))
  return terms
}

const plainTerm = (token: string) => ({ base: token, negated: false })

function addNumeric(token: string, take: (term: string, word: string) => void): void {
  const date = DATE.exec(token)
  const month = MONTH_TERMS[Number(date?.[2] ?? 0) - 1]
  if (date === null || month === undefined) return take(numberTerm(token), token)
  const [, year = '', , day = ''] = date
  for (const term of [year, month, `#${Number(day)}`]) take(term, token)
}

const canBeDay = (value: number | null): boolean =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= 31

/** Years and numbers of a text; days of a month are excluded. */
export interface NamedNumbers {
  readonly years: readonly number[]
  readonly strikes: readonly number[]
}

/**
 * Years and strikes among terms in order; a small number beside a month is its day, the one after it
 * if there are two: "below 20% by Nov 30".
 */
export function namedNumbers(terms: readonly string[]): NamedNumbers {
  const years: number[] = []
  const strikes: number[] = []
  const isMonth = (term: string | undefined) => term !== undefined && MONTH_TERMS.includes(term)
  for (const [index, term] of terms.entries()) {
    const year = yearOf(term)
    if (year !== null) years.push(year)
    const value = numberOf(term)
    if (value === null) continue
    const isDay =
      canBeDay(value) &&
      (isMonth(terms[index - 1]) ||
        (isMonth(terms[index + 1]) && !canBeDay(numberOf(terms[index + 2] ?? ''))))
    if (!isDay) strikes.push(value)
  }
  return { years, strikes }
}
