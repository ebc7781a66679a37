import { roundTo, type Millis } from '../../units.ts'

export interface PathPoint {
  readonly at: Millis
  /** Cents. */
  readonly price: number
}

/** Size and start of a price move. */
export interface PathMove {
  readonly startedAt: Millis
  /** Signed. */
  readonly cents: number
}

/** Share of a move up to which it has not started. */
const STARTED = 0.25

/**
 * The largest upward or downward move of a path; the earlier one of two equal ones. It started at the last
 * point at which at most a quarter of it was done: 40, 41, 40, 44, 52 started at the second 40.
 * Null when the price did not change, or fewer than two prices are known.
 * @param path ascending by time
 */
export function largestMove(path: readonly PathPoint[]): PathMove | null {
  let [low, high, from, to] = [0, 0, 0, 0]
  const priceAt = (index: number): number => path[index]?.price ?? 0
  const sizeOf = (start: number, end: number): number => Math.abs(priceAt(end) - priceAt(start))
  for (const [i, { price }] of path.entries()) {
    if (price < priceAt(low)) low = i
    if (price > priceAt(high)) high = i
    for (const start of [low, high])
      if (sizeOf(start, i) > sizeOf(from, to)) [from, to] = [start, i]
  }
  const cents = roundTo(priceAt(to) - priceAt(from), 4)
  const first = path[from]
  if (cents === 0 || first === undefined) return null
  const start = path
    .slice(from, to + 1)
    .findLast(({ price }) => (price - first.price) / cents <= STARTED)
  return { startedAt: (start ?? first).at, cents }
}
