import { DAY, HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import type { Cadence } from './cadence.ts'

/** The subject of a template's question: a city, an asset, a person, a state. */
export interface Subject {
  readonly code: string
  readonly name: string
  /** Level templates: the figure, by the code of the subject that names it; its own when absent. */
  readonly figure?: string
  /** Level templates: start of the figure, and its daily change (a share when geometric). */
  readonly base?: number
  readonly dailyMove?: number
  /** Distance of two strikes. */
  readonly step?: number
  /** Field templates: who can win. */
  readonly field?: readonly string[]
}

/** Source of a series, as venue_a describes it. */
export interface Series {
  readonly ticker: string
  readonly title: string
  readonly category: string
  readonly frequency: string
  readonly tags: readonly string[]
  readonly source: { readonly name: string; readonly url: string }
}

/** How the markets of one event are related and how their probabilities move. */
export type Shape =
  /** Several thresholds of one figure: not exclusive. */
  | {
      readonly kind: 'above'
      readonly strikes: number
      readonly geometric: boolean
      readonly hasOwnPath: boolean
    }
  /** Adjacent ranges of one figure: exactly one is right. */
  | {
      readonly kind: 'between'
      readonly strikes: number
      readonly geometric: boolean
      readonly hasOwnPath: boolean
    }
  | { readonly kind: 'single'; readonly bias: number }
  /** Named contenders, at most one wins. */
  | { readonly kind: 'field'; readonly otherWins: boolean }
  /** The same event by several dates, `after` days after its first deadline. */
  | { readonly kind: 'deadline'; readonly after: readonly number[]; readonly hazardPerDay: number }
  | { readonly kind: 'game' }

/** A date as in titles. */
export interface DateTexts {
  readonly at: Millis
  readonly iso: string
  /** `November 28` */
  readonly monthDay: string
  /** `Nov 28, 2026` */
  readonly short: string
  /** `November 2026` */
  readonly month: string
  readonly year: string
  /** `26NOV28` */
  readonly code: string
  /** `26NOV` */
  readonly monthCode: string
  /** The previous month, which statistics describe. */
  readonly previousMonth: string
  readonly quarter: string
}

/** The texts of one market of an event. */
export interface Choice {
  /** Text under the event title: `$98,000 or above`. */
  readonly label: string
  /** Last part of the ticker. */
  readonly code: string
  /** Lower bound, upper bound, or both, of the figure. */
  readonly floor: number | null
  readonly cap: number | null
  readonly deadline: DateTexts | null
}

/** A kind of recurring event that both venues may list. */
export interface Template {
  readonly name: string
  readonly series: Series
  /**
   * Shared factor that moves the theme's markets together; `+` when YES is the theme's direction.
   */
  readonly theme: string
  readonly factorSign: 1 | -1
  /** Topics of the terminal that titles or tags must match. */
  readonly topics: readonly string[]
  /** venue_b tag labels, top-level first. */
  readonly tags: readonly string[]
  readonly cadence: Cadence
  readonly subjects: readonly Subject[]
  readonly shape: Shape
  /** The venues that list it: one, or often both. */
  readonly listing: 'a' | 'b' | 'both'
  /** Relative activity. */
  readonly interest: number
  readonly titleA: (s: Subject, d: DateTexts) => string
  readonly titleB: (s: Subject, d: DateTexts) => string
  readonly questionB: (s: Subject, d: DateTexts, c: Choice) => string
  /** The condition for YES, as a clause. */
  readonly clause: (s: Subject, d: DateTexts, c: Choice) => string
  readonly label?: (value: number, s: Subject) => string
  readonly noteA: string
  readonly noteB: string
  /** Rules of venue_b by which the result can differ; some of its events have them instead of `noteB`. */
  readonly divergentNoteB?: string
  /** The notes of the venues settle by different sources or terms, so that no event is the same on both. */
  readonly notesDiffer?: boolean
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const monthName = (month: number): string => MONTHS[(month + 12) % 12] ?? ''

/** Texts of the US Eastern calendar day of an instant (standard time). */
export function dateTexts(at: Millis): DateTexts {
  const date = new Date(at - 5 * HOUR)
  const month = date.getUTCMonth()
  const year = date.getUTCFullYear()
  const day = date.getUTCDate()
  const name = monthName(month)
  const code = `${String(year).slice(2)}${name.slice(0, 3).toUpperCase()}`
  return {
    at,
    iso: date.toISOString().slice(0, 10),
    monthDay: `${name} ${day}`,
    short: `${name.slice(0, 3)} ${day}, ${year}`,
    month: `${name} ${year}`,
    year: String(year),
    code: `${code}${String(day).padStart(2, '0')}`,
    monthCode: code,
    previousMonth: `${monthName(month - 1)} ${month === 0 ? year - 1 : year}`,
    quarter: `Q${Math.floor(month / 3) + 1} ${year}`,
  }
}

/** Days as a span. */
export const days = (count: number): Millis => (count * DAY) as Millis
/** Digits grouped by comma: `98,000`. */
export const formatGrouped = (value: number): string => value.toLocaleString('en-US')
