import { medianOf } from '../../statistics/statistics.ts'
import type { Axis, GridPoint } from './param-space.ts'

/** A point that ran to the end, and its score; null for zero variance. */
export interface ScoredPoint {
  readonly point: GridPoint
  readonly score: number | null
}

/** A point judged together with its neighbours. */
export interface JudgedPoint {
  /** Index in the judged list. */
  readonly index: number
  /** Median of its own score and its neighbours' scores. */
  readonly median: number
  /** Worst score among itself and its neighbours. */
  readonly worst: number
  readonly neighbours: number
}

/** Whether two points differ by at most one step on every axis; unordered values must be equal. */
export const areNear = (axes: readonly Axis[], a: GridPoint, b: GridPoint): boolean =>
  axes.every(({ isOrdered }, i) => {
    const distance = Math.abs((a[i] ?? 0) - (b[i] ?? 0))
    return distance === 0 || (isOrdered && distance === 1)
  })

/** Each point with the median of itself and its neighbours; a point without a score counts as 0. */
export const judgedPoints = (
  axes: readonly Axis[],
  scoredPoints: readonly ScoredPoint[],
): JudgedPoint[] =>
  scoredPoints.map(({ point }, index) => {
    const neighbours = scoredPoints.filter((other) => areNear(axes, point, other.point))
    const scores = neighbours.map(({ score }) => score ?? 0)
    const median = medianOf(scores) ?? 0
    return { index, median, worst: Math.min(...scores), neighbours: neighbours.length - 1 }
  })

/**
 * Selects the point with the best neighbourhood median instead of the peak, because a peak between
 * bad neighbours is luck. Points without neighbours are selected only when no point has any. Ties
 * go to the better worst neighbour, then more neighbours, then the earlier point. Null for an empty
 * list.
 */
export function bestPoint(points: readonly JudgedPoint[]): JudgedPoint | null {
  const withNeighbours = points.filter(({ neighbours }) => neighbours > 0)
  const eligible = withNeighbours.length > 0 ? withNeighbours : points
  return eligible.reduce<JudgedPoint | null>(
    (best, candidate) => (best === null || isBetter(candidate, best) ? candidate : best),
    null,
  )
}

function isBetter(candidate: JudgedPoint, best: JudgedPoint): boolean {
  if (candidate.median !== best.median) return candidate.median > best.median
  if (candidate.worst !== best.worst) return candidate.worst > best.worst
  return candidate.neighbours > best.neighbours
}
