import { MONTH_TERMS, termsOf } from '../text/terms.ts'
import { foldText } from '../text/tokens.ts'
import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'
import { utcDay } from './deadline.ts'
import { electionDayOf } from './election.ts'
import { DEPARTURE_CLAUSES, phrasesIn, SETTINGS, SOURCES } from './vocabulary.ts'

/** The facts that pairing extracts from a market's rules. */
export interface RuleReading {
  /** Clauses on leaving an office; null when no rules are known. */
  readonly departure: readonly string[] | null
  readonly sources: readonly string[]
  /** Choices that the rules state, such as the day that counts when an exchange is closed. */
  readonly settings: readonly string[]
  /** Terms of each clause that leaves something out; null when no rules are known. */
  readonly exclusions: readonly (readonly string[])[] | null
  /** Payout of an undecided contest, if the rules state it. */
  readonly undecided: 'half' | 'void' | 'no' | null
  /** Last day that counts by the rules, as UTC midnight; null when they name none. */
  readonly decisionDay: Millis | null
}

const READ = 4_000
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const DATE = `${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (20\\d\\d)`
const SCHEDULE_PATTERN = new RegExp(
  `\\b(?:scheduled?|expected|set) (?:for|to (?:take place|be held))[^.]{0,40}?${DATE}`,
)
const BEFORE = new RegExp(`\\b(?:before|prior to) ${DATE}`)
const UNTIL = new RegExp(`\\b(?:by|until|through|on or before|and) ${DATE}`)
const TERM = /\bterm beginning in (?:january )?(20\d\d)/
const ELECTION = /\b(20\d\d) (?:midterm|general election|presidential|gubernatorial)\b/

function dayOf(match: RegExpExecArray | null): Millis | null {
  if (match === null) return null
  const [, month = '', day = '', year = ''] = match
  return utcDay(Number(year), MONTH_TERMS.indexOf(month), Number(day))
}

/** The last day that counts, or the day of the contest, by folded rules; null when unnamed. */
function decisionDayOf(rules: string): Millis | null {
  const scheduledDay = dayOf(SCHEDULE_PATTERN.exec(rules))
  if (scheduledDay !== null) return scheduledDay
  const deadlineMatch = BEFORE.exec(rules)
  const until = UNTIL.exec(rules)
  if (deadlineMatch !== null && (until === null || deadlineMatch.index < until.index)) {
    const day = dayOf(deadlineMatch)
    return day === null ? null : ((day - DAY) as Millis)
  }
  if (until !== null) return dayOf(until)
  const term = TERM.exec(rules)
  if (term !== null) return electionDayOf(Number(term[1]) - 1)
  const election = ELECTION.exec(rules)
  if (election !== null) return electionDayOf(Number(election[1]))
  return null
}

function undecidedPayout(rules: string): RuleReading['undecided'] {
  if (/\b50[-/ ]50\b/.test(rules)) return 'half'
  if (/\b(?:void(?:ed)?|refund|cancel(?:led)? and|fair market)\b/.test(rules)) return 'void'
  return null
}

const EXCLUDES =
  /\b(?:do|does|will|shall)(?: not|n't) (?:count|qualify|be (?:counted|considered))|\bnot encompassed\b|\bonly\b.{0,60}\b(?:counts?|qualif(?:y|ies))\b/
/** Clauses on how something is proven or read; venues word them differently for equal settlement. */
const EVIDENCE =
  /\b(?:statements?|announcements?|reports?|rumou?rs?|sources?|prices?|candles?|trading|revisions?|release|adjustments?)\b/

/** Terms of each clause of folded rules that leaves a way to YES out. */
const exclusionsOf = (rules: string): string[][] =>
  rules
    .split(/[.;\n]/)
    .filter((clause) => EXCLUDES.test(clause) && !EVIDENCE.test(clause))
    .map((clause) => [...new Set(termsOf(clause).map(({ term }) => term))])

/** Reads a market's rules; only their first 4,000 characters count. */
export function readRules(description: string): RuleReading {
  const rules = foldText(description.slice(0, READ))
  return {
    departure: rules.trim() === '' ? null : phrasesIn(rules, DEPARTURE_CLAUSES),
    sources: phrasesIn(rules, SOURCES),
    settings: phrasesIn(rules, SETTINGS),
    exclusions: rules.trim() === '' ? null : exclusionsOf(rules),
    undecided: undecidedPayout(rules),
    decisionDay: decisionDayOf(rules),
  }
}
