import type { Millis } from '../domain/units.ts'
import type { Clock } from './clock.ts'

/** An instant in wall time, which may jump, and in monotonic time. */
export interface Moment {
  readonly at: Millis
  readonly monotonic: number
}

export const momentOf = (clock: Clock): Moment => ({
  at: clock.now(),
  monotonic: clock.monotonic(),
})

/**
 * Milliseconds since a moment, correct even when the wall clock was set back or the machine slept.
 */
export const timeSince = ({ at, monotonic }: Moment, clock: Clock): number =>
  Math.max(clock.now() - at, clock.monotonic() - monotonic)
