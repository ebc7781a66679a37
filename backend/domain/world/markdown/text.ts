import { roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'

/** Time as ISO 8601 in UTC with milliseconds. */
export const isoOf = (at: Millis): string => new Date(at).toISOString()
/** "14:05" in UTC. */
export const clockOf = (at: Millis): string => isoOf(at).slice(11, 16)
/** "2026-11-20 14:05" in UTC. */
export const minuteOf = (at: Millis): string => isoOf(at).slice(0, 16).replace('T', ' ')

/** Placeholder for an unknown number. */
export const UNKNOWN = '–'

/** A rounded number as text; a dash when unknown. */
export const numberText = (value: number | null, places: number): string =>
  value === null ? UNKNOWN : String(roundTo(value, places))

/** As `numberText` with a plus sign for gains: "+3", "0", "-0.04". */
export function signedText(value: number | null, places: number): string {
  const text = numberText(value, places)
  return value !== null && roundTo(value, places) > 0 ? `+${text}` : text
}

/** "52¢", at most two decimals. */
export const centsText = (value: number | null): string =>
  value === null ? UNKNOWN : `${numberText(value, 2)}¢`

/** Share from −1 to 1 with two decimals and its sign: "+0.13", "0.00". */
export function shareText(value: number | null): string {
  if (value === null) return UNKNOWN
  const text = roundTo(value, 2).toFixed(2)
  return roundTo(value, 2) > 0 ? `+${text}` : text
}

const LABEL_LENGTH = 90
/** Length of a heading, which may name two markets. */
export const HEADING_LENGTH = 125
const TITLE_LENGTH = 60
const ELLIPSIS = '…'

/**
 * A title on one line of at most `length` characters without its middle: the outcome of a market is
 * mostly at its end.
 */
export function cutTitle(title: string, length = TITLE_LENGTH): string {
  const line = title.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  const head = cutText(line, Math.ceil(0.4 * length))
  const lineWords = line.slice(head.length).split(' ')
  let tail = ''
  for (const word of lineWords.toReversed()) {
    const longer = tail === '' ? word : `${word} ${tail}`
    if (head.length + 1 + longer.length > length) break
    tail = longer
  }
  return tail === '' ? cutText(line, length) : `${head} ${tail}`
}

/** A text on one line of at most `length` characters, cut between words with "…". */
export function cutText(text: string, length = LABEL_LENGTH): string {
  const line = text
    .slice(0, 8 * length)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= length) return line
  const head = line.slice(0, length - ELLIPSIS.length + 1)
  const border = head.lastIndexOf(' ')
  const prefix = border > 0 ? head.slice(0, border) : head.slice(0, length - ELLIPSIS.length)
  // Removes half a surrogate pair at the cut, which would be an invalid character.
  return prefix.replace(/[\ud800-\udbff]$/, '').trimEnd() + ELLIPSIS
}

/** A title before what is stated of it: "Fed decision: 91%", but "Rate cut in May? 31%". */
export const leadIn = (title: string): string => (/[?!:]$/.test(title) ? title : `${title}:`)
