import type { Cents, Millis } from '../units.ts'

/**
 * Marks of one market over time, ascending by `ts`; each is valid until the next, NaN is unknown.
 */
export interface MarkSeries {
  readonly ts: Float64Array
  /** Cents on the YES scale. */
  readonly marks: Float64Array
}

/** Index of the newest of ascending instants at or before `at`; −1 before the first. */
export function newestIndex(ts: Float64Array, at: number): number {
  let [low, high] = [0, ts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ts[middle] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The number at an index; null when it is NaN or out of range. */
export function knownAtIndex(column: Float64Array, index: number): number | null {
  const value = column[index]
  return value === undefined || Number.isNaN(value) ? null : value
}

/**
 * The mark at an instant; null when none was known.
 * @param maxAge older marks count as unknown, ms
 */
export function markAt(series: MarkSeries, at: Millis, maxAge = Infinity): Cents | null {
  const index = newestIndex(series.ts, at)
  const ts = series.ts[index]
  if (ts === undefined || at - ts > maxAge) return null
  return knownAtIndex(series.marks, index) as Cents | null
}
