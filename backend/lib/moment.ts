import type { Millis } from '../domain/units.ts'
import type { Clock } from './clock.ts'

/** An instant by the wall clock, which may be set, and by the time that only grows. */
export interface Moment {
  readonly at: Millis
  readonly steady: number
}

export const momentOf = (clock: Clock): Moment => ({ at: clock.now(), steady: clock.monotonic() })

/** Milliseconds since then, also where the wall clock was set back or the machine slept. */
export const timeSince = ({ at, steady }: Moment, clock: Clock): number =>
  Math.max(clock.now() - at, clock.monotonic() - steady)
