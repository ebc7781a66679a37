import { medianOf } from '../../statistics.ts'
import type { Axis, Place } from './param-space.ts'

/** A point that was tried to the end, and how it did; null where it never moved. */
export interface ScoredPlace {
  readonly place: Place
  readonly score: number | null
}

/** A point judged by those around it. */
export interface JudgedPlace {
  /** Of the list that was judged. */
  readonly index: number
  /** Median of its own score and those of its neighbours. */
  readonly median: number
  /** Of itself and its neighbours. */
  readonly worst: number
  readonly neighbours: number
}

/** Whether two points lie one step apart at most, on every axis; unordered values must be the same. */
export const areNear = (axes: readonly Axis[], a: Place, b: Place): boolean =>
  axes.every(({ isOrdered }, i) => {
    const distance = Math.abs((a[i] ?? 0) - (b[i] ?? 0))
    return distance === 0 || (isOrdered && distance === 1)
  })

/** Each point with the median of itself and its neighbours; one that never moved counts as 0. */
export const judgedPlaces = (axes: readonly Axis[], tried: readonly ScoredPlace[]): JudgedPlace[] =>
  tried.map(({ place }, index) => {
    const near = tried.filter((other) => areNear(axes, place, other.place))
    const scores = near.map(({ score }) => score ?? 0)
    const median = medianOf(scores) ?? 0
    return { index, median, worst: Math.min(...scores), neighbours: near.length - 1 }
  })

/**
 * The point with the best median of itself and its neighbours, not the peak: a peak between bad
 * neighbours is luck. Points without any neighbour are taken only where none has one; equal ones: the
 * better worst neighbour, the more neighbours, then the earlier. Null for no point.
 */
export function bestPlace(judged: readonly JudgedPlace[]): JudgedPlace | null {
  const withNeighbours = judged.filter(({ neighbours }) => neighbours > 0)
  const eligible = withNeighbours.length > 0 ? withNeighbours : judged
  return eligible.reduce<JudgedPlace | null>(
    (best, one) => (best === null || isBetter(one, best) ? one : best),
    null,
  )
}

function isBetter(one: JudgedPlace, best: JudgedPlace): boolean {
  if (one.median !== best.median) return one.median > best.median
  if (one.worst !== best.worst) return one.worst > best.worst
  return one.neighbours > best.neighbours
}
