import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import type { Venue } from '../../domain/market.ts'
import { mix, pick, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'

/**
 * A span in which one venue prices an event differently from the other, although the question is
 * the same.
 */
export interface Dislocation {
  readonly venue: Venue
  readonly from: number
  /** The venues agree again from this instant. */
  readonly to: number
  /** Log odds that the venue adds at the peak; positive is too expensive. */
  readonly size: number
}

/** Days of a window in which an event has at most one dislocation. */
const WINDOW = 8 * DAY
const SHARE = 0.5
const RISE = 10 * MINUTE
/** Share of the span after which the gap begins to close. */
const HOLD_SHARE = 0.6

/** The dislocation of an event that begins in a window, if any; it ends in the same window. */
function dislocationOfWindow(event: Key, window: number): Dislocation | null {
  const key = mix(mix(event, 0xd15), window)
  if (unit(key, 1) > SHARE) return null
  const from = Math.floor((window + 0.5 * unit(key, 2)) * WINDOW)
  return {
    venue: pick(['venue_a', 'venue_b'], key, 3),
    from,
    to: from + Math.floor((18 + 60 * unit(key, 4)) * HOUR),
    size: (0.5 + 0.5 * unit(key, 5)) * (unit(key, 6) < 0.5 ? -1 : 1),
  }
}

/** The active dislocation of an event at an instant. */
export function dislocationAt(event: Key, at: number): Dislocation | null {
  const windowDislocation = dislocationOfWindow(event, Math.floor(at / WINDOW))
  return windowDislocation !== null && at >= windowDislocation.from && at < windowDislocation.to
    ? windowDislocation
    : null
}

/** Dislocations of an event that are active at some time between two instants, oldest first. */
export function dislocationsBetween(event: Key, from: number, to: number): Dislocation[] {
  const dislocations: Dislocation[] = []
  for (let window = Math.floor(from / WINDOW); window * WINDOW < to; window++) {
    const dislocation = dislocationOfWindow(event, window)
    if (dislocation !== null && dislocation.to > from && dislocation.from < to)
      dislocations.push(dislocation)
  }
  return dislocations
}

/**
 * Log odds that a venue adds to the common price: they rise within minutes, hold, and decline to 0.
 */
export function displacementAt(event: Key, venue: Venue, at: number): number {
  const dislocation = dislocationAt(event, at)
  if (dislocation?.venue !== venue) return 0
  const share = (at - dislocation.from) / (dislocation.to - dislocation.from)
  const riseShare = Math.min(1, (at - dislocation.from) / RISE)
  return dislocation.size * riseShare * Math.min(1, (1 - share) / (1 - HOLD_SHARE))
}
