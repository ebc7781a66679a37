import { MONTH_TERMS, numberOf, yearOf } from '../text/terms.ts'
import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'

/** How a question limits its time: up to a day, or on a day or in a month. */
export type TimeBound = 'by' | 'on'

/** The end of a question as stated by a text. */
export interface NamedTime {
  /** Last day that counts, as UTC midnight; null when the text names no day that can be dated. */
  readonly day: Millis | null
  readonly bound: TimeBound | null
  readonly years: readonly number[]
  /** Months named without "by" or "before": the period that the question is about. */
  readonly periodMonths: readonly string[]
}

const BOUND = /\b(?:by|before|until|prior to|through|no later than|end of)\b[^?,;]{0,14}$/
const BEFORE = /\b(?:before|prior to)\s+$/
const DAY_OF_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?$/

/** UTC midnight of a day; month from 0. */
export const utcDay = (year: number, month: number, day: number): Millis =>
  Date.UTC(year, month, day) as Millis
const lastDayOf = (year: number, month: number): Millis =>
  (month === 11 ? utcDay(year + 1, 0, 1) - DAY : utcDay(year, month + 1, 1) - DAY) as Millis

/**
 * The year of a day that is named without one: the last year in which it is not after the close.
 */
function yearBefore(close: Millis | null, month: number, day: number): number | null {
  if (close === null) return null
  const estimate = 1970 + Math.floor(close / (365.2425 * DAY))
  for (const year of [estimate + 1, estimate, estimate - 1]) {
    if (utcDay(year, month, day) <= close + 2 * DAY) return year
  }
  return null
}

interface MonthMention {
  readonly month: number
  readonly day: number | null
  readonly year: number | null
  readonly before: string
}

const MONTH_WORD =
  /\b(jan(?=uary\b|\b)|feb(?=ruary\b|\b)|mar(?=ch\b|\b)|apr(?=il\b|\b)|may|jun(?=e\b|\b)|jul(?=y\b|\b)|aug(?=ust\b|\b)|sep(?=t(?:ember)?\b|\b)|oct(?=ober\b|\b)|nov(?=ember\b|\b)|dec(?=ember\b|\b))[a-z]*\b\.?(?:\s+(\d{1,2}(?:st|nd|rd|th)?)(?![\d:]|\s*(?:pm|am)\b))?(?:,?\s+((?:19|20)\d\d)\b)?/g
const ISO_DAY = /\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/g

function monthMentions(text: string): MonthMention[] {
  const mentions: MonthMention[] = []
  for (const match of text.matchAll(ISO_DAY)) {
    const [, year = '', month = '', day = ''] = match
    const textBefore = text.slice(0, match.index)
    if (Number(month) >= 1 && Number(month) <= 12) {
      mentions.push({
        month: Number(month) - 1,
        day: Number(day),
        year: Number(year),
        before: textBefore,
      })
    }
  }
  for (const match of text.matchAll(MONTH_WORD)) {
    const [, name = '', day, year] = match
    const textBefore = text.slice(0, match.index)
    // "may" is a month only with a day, a year or a preposition of time before it.
    if (
      name === 'may' &&
      day === undefined &&
      year === undefined &&
      !/(?:in|by|before) $/.test(textBefore)
    ) {
      continue
    }
    const dayNumber = day === undefined ? null : Number(DAY_OF_MONTH.exec(day)?.[1] ?? Number.NaN)
    const valid = dayNumber === null || (dayNumber >= 1 && dayNumber <= 31)
    mentions.push({
      month: MONTH_TERMS.indexOf(name),
      day: valid ? dayNumber : null,
      year: year === undefined ? null : Number(year),
      before: textBefore,
    })
  }
  return mentions
}

/**
 * Parses the time that a folded title names: "before Jan 1, 2027", "by end of 2026" and "in 2026"
 * all end on 31 December 2026. A year counts as a period up to its end, because both venues list
 * such questions during the year.
 * @param closeTime dates a day that is named without its year
 */
export function namedTime(text: string, closeTime: Millis | null): NamedTime {
  const mentions = monthMentions(text)
  const years = new Set<number>()
  for (const [word] of text.matchAll(/\b(?:19|20)\d\d\b/g)) {
    const year = yearOf(word)
    if (year !== null && numberOf(word) === null) years.add(year)
  }
  const mention = mentions.at(-1)
  if (mention !== undefined) {
    const knownYear = mention.year ?? (years.size === 1 ? [...years][0] : undefined)
    const year = knownYear ?? yearBefore(closeTime, mention.month, mention.day ?? 1)
    const isBound = BOUND.test(mention.before)
    const periodMonths = mentions
      .filter(({ before, day }) => day === null && !BOUND.test(before))
      .map(({ month }) => MONTH_TERMS[month] ?? '')
    let day: Millis | null = null
    if (year !== null) {
      const opening = utcDay(year, mention.month, mention.day ?? 1)
      if (BEFORE.test(mention.before)) day = (opening - DAY) as Millis
      else day = mention.day === null ? lastDayOf(year, mention.month) : opening
    }
    const allYears = mention.year === null && day !== null ? [...years] : [...years, yearOfDay(day)]
    return { day, bound: isBound ? 'by' : 'on', years: distinct(allYears), periodMonths }
  }
  return yearOnly(text, [...years])
}

function yearOnly(text: string, years: readonly number[]): NamedTime {
  const last = years.at(-1)
  const none = { day: null, bound: null, years, periodMonths: [] } as const
  if (last === undefined) return none
  const textBefore = text.slice(0, text.lastIndexOf(String(last)))
  const at = /\b(?:before|prior to|by|by end of|by the end of|in|end of|until)\s+(?:the\s+)?$/.exec(
    textBefore,
  )
  if (at === null) return none
  const year = BEFORE.test(textBefore) ? last - 1 : last
  return { day: lastDayOf(year, 11), bound: 'by', years: [year], periodMonths: [] }
}

/** Year of a day; null for none. */
export const yearOfDay = (day: Millis | null): number | null =>
  day === null ? null : new Date(day).getUTCFullYear()
const distinct = (years: readonly (number | null)[]): number[] =>
  [...new Set(years.filter((year) => year !== null))].sort((a, b) => a - b)
