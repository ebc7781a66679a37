import { newestIndex } from './mark-series.ts'
import type { MarkSeries } from './mark-series.ts'
import { HOUR } from '../units.ts'
import type { Millis } from '../units.ts'

export interface VolatilityParams {
  /** Minimum hours of known marks for a rate. */
  readonly minHours: number
}
export const VOLATILITY_PARAMS: VolatilityParams = { minHours: 1 }

/**
 * `volC`: square root of the sum of squared mark changes over the window per hour, in cents per
 * root hour, not rounded. Unlike `rv` it means the same at 3 cents as at 50. Methodology A8.
 *
 * The window is (from, to]; its first change is measured from the mark at `from`. A market known
 * for less than the window is measured over the time for which it was known; null for less than an
 * hour of that. Unknown marks are skipped: changes are taken between known ones.
 */
export function volatilityPerRootHour(
  series: MarkSeries,
  from: Millis,
  to: Millis,
  params: VolatilityParams = VOLATILITY_PARAMS,
): number | null {
  const { ts, marks } = series
  const last = newestIndex(ts, to)
  let index = Math.max(0, newestIndex(ts, from))
  while (index <= last && Number.isNaN(marks[index])) index++
  if (index > last) return null
  const hours = (to - Math.max(from, ts[index] ?? to)) / HOUR
  if (hours < params.minHours) return null
  let previous = marks[index] ?? NaN
  let squares = 0
  for (index++; index <= last; index++) {
    const mark = marks[index] ?? NaN
    if (Number.isNaN(mark)) continue
    squares += (mark - previous) ** 2
    previous = mark
  }
  return Math.sqrt(squares / hours)
}
