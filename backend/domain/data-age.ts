import { MINUTE } from './units.ts'
import type { Millis } from './units.ts'

/** How a source is refreshed. */
export type SourceCadence = 'socket' | 'polled' | 'computed'

export interface DataAgeParams {
  /** Expected interval of each kind of source. */
  readonly cadence: Readonly<Record<SourceCadence, Millis>>
  /** Number of intervals after which data is late, and after which its source is down. */
  readonly lateAfter: number
  readonly staleAfter: number
}
export const DATA_AGE_PARAMS: DataAgeParams = {
  cadence: { socket: MINUTE, polled: (5 * MINUTE) as Millis, computed: (15 * MINUTE) as Millis },
  lateAfter: 1,
  staleAfter: 3,
}

/** How current a value is. */
export type Freshness = 'fresh' | 'late' | 'stale'

/**
 * Freshness of data by its age. Methodology part M.
 * @param age milliseconds; null when nothing was ever delivered
 * @param cadence milliseconds between two deliveries
 */
export function freshnessOf(
  age: number | null,
  cadence: number,
  params: DataAgeParams = DATA_AGE_PARAMS,
): Freshness {
  if (age === null || age > cadence * params.staleAfter) return 'stale'
  return age > cadence * params.lateAfter ? 'late' : 'fresh'
}
