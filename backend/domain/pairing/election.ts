import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'
import { utcDay } from './deadline.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

/** Races of parties for an office of the United States: who runs, for what, and when. */

const STATES = new RegExp(`\\b(?:${vocabulary.states})\\b|\\b[a-z]{2}\\d{1,2}\\b`, 'g')
/** Governors of these states are elected in odd years: after a presidential one, or before. */
const AFTER_PRESIDENT = /\b(?:virginia|newjersey)\b/
const BEFORE_PRESIDENT = /\b(?:kentucky|louisiana|mississippi)\b/
const OTHER_VOTE = /\b(?:nomination|primary|run-?off|caucus|endorse|margin)\b/
const PARTY_ID = /(?:^|[-_])(d|dem|democrats?|democratic|r|rep|gop|republicans?)$/

/** The first Tuesday after the first Monday of November. */
export function electionDayOf(year: number): Millis {
  const first = utcDay(year, 10, 1)
  // 1 January 1970 was a Thursday.
  const weekday = (Math.floor(first / DAY) + 4) % 7
  return utcDay(year, 10, 2 + ((8 - weekday) % 7))
}

/** Parties of a title, or those of the id when a race is titled without them, ascending. */
export function partiesOf(
  text: string,
  isRace: boolean,
  ids: readonly (string | null)[],
): readonly string[] {
  const parties = new Set<string>()
  if (/\bdemocrats\b/.test(text)) parties.add('democrat')
  if (/\brepublicans\b/.test(text)) parties.add('republican')
  if (/\b(?:another|other|third) party\b|\bindependents?\b/.test(text)) parties.add('other')
  for (const id of isRace ? ids : []) {
    const party = PARTY_ID.exec(id?.toLowerCase() ?? '')?.[1]
    if (party !== undefined) parties.add(party.startsWith('d') ? 'democrat' : 'republican')
  }
  return [...parties].sort()
}

/** States and districts of a title, ascending; none unless it is about an office of one. */
export const statesOf = (text: string, offices: readonly string[]): readonly string[] =>
  ['senate', 'house', 'governor'].some((office) => offices.includes(office))
    ? [...new Set(text.match(STATES) ?? [])].sort()
    : []

const cycleOf = (
  text: string,
  offices: readonly string[],
): readonly [every: number, rest: number] => {
  if (offices.includes('president')) return [4, 0]
  if (!offices.includes('governor')) return [2, 0]
  if (AFTER_PRESIDENT.test(text)) return [4, 1]
  return BEFORE_PRESIDENT.test(text) ? [4, 3] : [2, 0]
}

/** Whether a title asks who wins a race for an office of the United States or of a state. */
export const isUsRace = (
  text: string,
  offices: readonly string[],
  actions: readonly string[],
): boolean =>
  actions.includes('win') &&
  ['president', 'senate', 'house', 'governor'].some((office) => offices.includes(office)) &&
  (text.match(STATES) !== null || /\b(?:us|democrats|republicans)\b/.test(text)) &&
  !OTHER_VOTE.test(text)

/**
 * The election that decides a race: of the named year, else the last one before the close, because
 * a venue may keep the race open for a year after it. Null when neither is known.
 */
export function raceDay(
  text: string,
  offices: readonly string[],
  years: readonly number[],
  closeTime: Millis | null,
): Millis | null {
  const [every, rest] = cycleOf(text, offices)
  const namedYear = years.at(-1)
  if (namedYear !== undefined) return namedYear % every === rest ? electionDayOf(namedYear) : null
  if (closeTime === null) return null
  const last = 1970 + Math.floor(closeTime / (365.2425 * DAY))
  for (let year = last + 1; year > last - 5; year--) {
    if (year % every === rest && electionDayOf(year) <= closeTime + DAY) return electionDayOf(year)
  }
  return null
}
