import type { Catalyst } from '../../../backend/contract/edges.ts'
import { formatMoment, type TimeStyle } from '../../lib/format.ts'

export const KINDS: Readonly<Record<string, string>> = {
  resolution: 'settlement',
  econ_release: 'release',
  gov_action: 'government',
  election: 'election',
  fed_meeting: 'Fed',
  custom: 'own',
}

/**
 * When something is due: local date and time, or only the day when its hour is unknown. Such a day
 * is a calendar day, the same in every time zone.
 */
export function dueText(
  { at, date, timeKnown }: Pick<Catalyst, 'at' | 'date' | 'timeKnown'>,
  now: number,
  style: TimeStyle = {},
): string {
  if (timeKnown) return formatMoment(at, now, style)
  return formatMoment(`${date}T00:00:00Z`, now, { timeZone: 'UTC' }).replace(/ \S+$/, '')
}
