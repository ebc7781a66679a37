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
const BEGUN = 0.25

/**
 * The move of a path from its first price to its last. It started at the last point at which at
 * most a quarter of it was done: 40, 41, 40, 44, 52 started at the second 40. Null when the price
 * did not change, or fewer than two prices are known.
 * @param path ascending by time
 */
export function moveOfPath(path: readonly PathPoint[]): PathMove | null {
  const [first, last] = [path[0], path.at(-1)]
  if (first === undefined || last === undefined) return null
  const cents = roundTo(last.price - first.price, 4)
  if (cents === 0) return null
  const start = path.findLast(({ price }) => (price - first.price) / cents <= BEGUN) ?? first
  return { startedAt: start.at, cents }
}
