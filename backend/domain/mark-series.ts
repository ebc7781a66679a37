import type { Cents, Millis } from './units.ts'

/** Marks of one market over time, ascending by `ts`; each stands until the next, NaN is unknown. */
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

/** The number of a column, null where it is NaN or beyond the ends. */
export function knownAtIndex(column: Float64Array, index: number): number | null {
  const value = column[index]
  return value === undefined || Number.isNaN(value) ? null : value
}

/**
 * The mark that stood at an instant, null when none was known.
 * @param mostAge older marks count as unknown, ms
 */
export function markAt(series: MarkSeries, at: Millis, mostAge = Infinity): Cents | null {
  const index = newestIndex(series.ts, at)
  const ts = series.ts[index]
  if (ts === undefined || at - ts > mostAge) return null
  return knownAtIndex(series.marks, index) as Cents | null
}

/** Marks at t − step × (count − 1), …, t − step, t: oldest first, null where none was known. */
export const marksBack = (
  series: MarkSeries,
  at: Millis,
  step: Millis,
  count: number,
): (Cents | null)[] =>
  Array.from({ length: count }, (_, index) =>
    markAt(series, (at - step * (count - 1 - index)) as Millis),
  )
