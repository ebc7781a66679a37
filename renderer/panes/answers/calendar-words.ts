import type { Catalyst } from '../../api/world-types.ts'
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
 * When something is due: local date and time, or the day alone when its hour is not known. Such a
 * day is a day of the calendar, the same in every zone.
 */
export function dueText(
  { at, date, timeKnown }: Pick<Catalyst, 'at' | 'date' | 'timeKnown'>,
  now: number,
  style: TimeStyle = {},
): string {
  if (timeKnown) return formatMoment(at, now, style)
  return formatMoment(`${date}T00:00:00Z`, now, { timeZone: 'UTC' }).replace(/ \S+$/, '')
}
