import { DAY, HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'

/** When the events of a template end, in UTC; `life` is days from opening to end. */
export type Cadence =
  | {
      readonly every: 'days'
      readonly step: number
      readonly phase: number
      readonly hour: number
      readonly life: number
    }
  | { readonly every: 'month'; readonly day: number; readonly hour: number; readonly life: number }
  | { readonly every: 'quarter'; readonly hour: number; readonly life: number }
  | {
      readonly every: 'year'
      readonly month: number
      readonly day: number
      readonly hour: number
      readonly life: number
    }
  | { readonly every: 'meeting'; readonly hour: number; readonly life: number }

/** Weekly on a weekday (0 is Sunday). */
export const weekly = (weekday: number, hour: number, life: number): Cadence => ({
  every: 'days',
  step: 7,
  // Day 0 of the epoch was a Thursday.
  phase: (weekday + 3) % 7,
  hour,
  life,
})

const MEETING_MONTHS = [0, 2, 3, 5, 6, 8, 9, 11]

/** Ends in (from, to], ascending; each with a permanent number. */
export function endsBetween(
  cadence: Cadence,
  phaseShift: number,
  from: number,
  to: number,
): { at: Millis; number: number }[] {
  const endings: { at: Millis; number: number }[] = []
  const addEvent = (at: number, number: number): void => {
    if (at > from && at <= to) endings.push({ at: at as Millis, number })
  }
  if (cadence.every === 'days') {
    const offset = (cadence.phase + phaseShift) * DAY + cadence.hour * HOUR
    const span = cadence.step * DAY
    for (let k = Math.floor((from - offset) / span); k * span + offset <= to; k++)
      addEvent(k * span + offset, k)
    return endings
  }
  const first = new Date(from).getUTCFullYear() * 12 + new Date(from).getUTCMonth() - 1
  const last = new Date(to).getUTCFullYear() * 12 + new Date(to).getUTCMonth() + 1
  for (let count = first; count <= last; count++) {
    const year = Math.floor(count / 12)
    const month = count % 12
    const day = dayInMonth(cadence, year, month)
    if (day !== null)
      addEvent(
        Date.UTC(year, month, day + phaseShift, cadence.hour),
        Math.floor(count / monthsOf(cadence)),
      )
  }
  return endings
}

/** Months between two ends; meetings take place in some months and are numbered by month. */
function monthsOf({ every }: Cadence): number {
  return every === 'quarter' ? 3 : every === 'year' ? 12 : 1
}

function dayInMonth(cadence: Exclude<Cadence, { every: 'days' }>, year: number, month: number) {
  switch (cadence.every) {
    case 'month':
      return cadence.day
    case 'quarter':
      return month % 3 === 2 ? new Date(Date.UTC(year, month + 1, 0)).getUTCDate() : null
    case 'year':
      return month === cadence.month ? cadence.day : null
    case 'meeting':
      return MEETING_MONTHS.includes(month) ? wednesdayOfMeeting(year, month) : null
  }
}

/** The third Wednesday of the month. */
function wednesdayOfMeeting(year: number, month: number): number {
  const weekday = new Date(Date.UTC(year, month, 1)).getUTCDay()
  return 15 + ((3 - weekday + 7) % 7)
}

/** Ends per day, for estimating how many events of a cadence are listed. */
export function endsPerDay(cadence: Cadence): number {
  switch (cadence.every) {
    case 'days':
      return 1 / cadence.step
    case 'month':
      return 12 / 365
    case 'quarter':
      return 4 / 365
    case 'year':
      return 1 / 365
    case 'meeting':
      return 8 / 365
  }
}

/** Shortest time between two ends, in days. */
export function shortestPeriod(cadence: Cadence): number {
  return cadence.every === 'days' ? cadence.step : 28 * monthsOf(cadence)
}
