import { defaultHorzScaleBehavior, TickMarkType, type Time } from 'lightweight-charts'
import { formatParts } from '../lib/format.ts'

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const
const DAY = { day: 'numeric', month: 'short' } as const

const text = (time: Time, options: Intl.DateTimeFormatOptions): string =>
  formatParts(Number(time) * 1000, options)

/** Axis marks in the chosen time zone. */
export const tickMark = (time: Time, kind: TickMarkType): string => {
  if (kind === TickMarkType.Year) return text(time, { year: 'numeric' })
  if (kind === TickMarkType.Month) return text(time, { month: 'short' })
  return text(time, kind === TickMarkType.DayOfMonth ? DAY : CLOCK)
}

/** Label of the crosshair's time. */
export const timeLabel = (time: Time): string => text(time, { ...DAY, ...CLOCK })

/** Half the width of a character of the axis at most, in px. */
const HALF_CHARACTER = 3.4

/** Whether a label that is centred at `x` is drawn whole on an axis of this width. */
export function fitsAxis(label: string, x: number, width: number): boolean {
  const halfWidth = label.length * HALF_CHARACTER
  return x - halfWidth >= 0 && x + halfWidth <= width
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
