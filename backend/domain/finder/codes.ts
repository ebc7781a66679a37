import type { MarketFacts } from '../market.ts'

type CodedMarket = Pick<MarketFacts, 'ticker' | 'eventId' | 'seriesId'>

/** Shortest text that is taken for the beginning of a code. */
const MIN_LENGTH = 3
const MAX_LENGTH = 100
const EVENT_SCORE = 0.95
const PREFIX_SCORE = 0.9

/** Whether a text may be a ticker, an event or series code, or the beginning of one. */
export const isCode = (text: string): boolean =>
  text.length >= MIN_LENGTH &&
  text.length <= MAX_LENGTH &&
  /^[a-z0-9][a-z0-9._-]*$/i.test(text) &&
  (/[\d-]/.test(text) || /^kx/i.test(text))

/**
 * How well a code names a market, 0 to 1: its ticker 1, its event or series 0.95, the beginning of
 * one of them 0.9, otherwise 0.
 */
export function codeScore({ ticker, eventId, seriesId }: CodedMarket, code: string): number {
  const upperCaseCode = code.toUpperCase()
  const name = ticker.toUpperCase()
  if (name === upperCaseCode) return 1
  const groups = [eventId.toUpperCase(), seriesId?.toUpperCase() ?? '']
  if (groups.includes(upperCaseCode)) return EVENT_SCORE
  return [name, ...groups].some((candidate) => candidate.startsWith(upperCaseCode))
    ? PREFIX_SCORE
    : 0
}

/** The series part of a code, before its first dash; null for a code without one. */
export function seriesPart(code: string): string | null {
  const dash = code.indexOf('-')
  return dash < MIN_LENGTH ? null : code.slice(0, dash).toUpperCase()
}
