import { defaultHorzScaleBehavior, TickMarkType, type Time } from 'lightweight-charts'

type Style = Intl.DateTimeFormatOptions

const formatOf = (options: Style) =>
  new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...options })
const clock: Style = { hour: '2-digit', minute: '2-digit' }
const day: Style = { day: 'numeric', month: 'short' }
const FORMATS = {
  year: formatOf({ year: 'numeric' }),
  month: formatOf({ month: 'short' }),
  day: formatOf(day),
  clock: formatOf(clock),
  moment: formatOf({ ...day, ...clock }),
}
const text = (time: Time, format: keyof typeof FORMATS): string =>
  FORMATS[format].format(Number(time) * 1000)

/** Axis marks in the user's time zone. */
export const tickMark = (time: Time, kind: TickMarkType): string => {
  if (kind === TickMarkType.Year) return text(time, 'year')
  if (kind === TickMarkType.Month) return text(time, 'month')
  return text(time, kind === TickMarkType.DayOfMonth ? 'day' : 'clock')
}

/** Label of the crosshair's time. */
export const timeLabel = (time: Time): string => text(time, 'moment')

/** Half the width of a character of the axis at most, in px. */
const HALF_CHARACTER = 3.4

/** Whether a label that is centred at `x` is drawn whole on an axis of this width. */
export function fitsAxis(label: string, x: number, width: number): boolean {
  const half = label.length * HALF_CHARACTER
  return x - half >= 0 && x + half <= width
}

/** The library's time axis, which requests each label again when it is drawn at another place. */
export class TimeAxis extends defaultHorzScaleBehavior() {
  #requests = 0

  /** A label is empty where it would be cut, so no label may be cached. */
  override cacheKey(): number {
    this.#requests += 1
    return this.#requests
  }
}
