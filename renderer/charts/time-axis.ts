import { TickMarkType, type Time } from 'lightweight-charts'

const locale = (time: Time, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...options }).format(Number(time) * 1000)

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }

/** Axis marks in the user's time zone. */
export const tickMark = (time: Time, kind: TickMarkType): string => {
  if (kind === TickMarkType.Year) return locale(time, { year: 'numeric' })
  if (kind === TickMarkType.Month) return locale(time, { month: 'short' })
  return locale(time, kind === TickMarkType.DayOfMonth ? day : clock)
}

/** Label of the crosshair's time. */
export const timeLabel = (time: Time): string => locale(time, { ...day, ...clock })
