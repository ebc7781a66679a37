import { paramsOf } from '../params.ts'
import { seededRandom } from '../seeded.ts'
import type { Params, ParamValue } from '../strategy.ts'

/** Limit of grid points and of trials per study (methodology L4). */
export const MAX_POINTS = 500
/** Limit of values per parameter for a random study. */
const MAX_VALUES = 1_000

/** Values of a parameter: a range with a step, or a list. */
export type ParamRange =
  | { readonly from: number; readonly to: number; readonly step: number }
  | { readonly values: readonly ParamValue[] }

/** One grid point: an index on each axis. */
export type GridPoint = readonly number[]

/** An axis of the grid. Numbers ascend; texts and booleans have no order. */
export interface Axis {
  readonly name: string
  readonly values: readonly ParamValue[]
  readonly isOrdered: boolean
}

/** Values of each varied parameter. Throws RangeError for an invalid range. */
export function axesOf(ranges: Readonly<Record<string, ParamRange>>): Axis[] {
  const axes = Object.entries(ranges).map(([name, range]) => axisOf(name, range))
  if (axes.length === 0) throw new RangeError('sweep: names no parameter')
  return axes
}

function axisOf(name: string, range: ParamRange): Axis {
  const values = 'values' in range ? [...range.values] : valuesBetween(name, range)
  if (values.length === 0) throw new RangeError(`sweep: ${name} has no values`)
  if (values.length > MAX_VALUES) {
    throw new RangeError(`sweep: ${name} has more than ${MAX_VALUES} values`)
  }
  if (new Set(values).size < values.length)
    throw new RangeError(`sweep: ${name} names a value twice`)
  const numbers = values.filter((value) => typeof value === 'number')
  if (numbers.some((value) => !Number.isFinite(value))) {
    throw new RangeError(`sweep: a value of ${name} is not a finite number`)
  }
  const isOrdered = numbers.length === values.length
  return { name, values: isOrdered ? numbers.sort((a, b) => a - b) : values, isOrdered }
}

function valuesBetween(
  name: string,
  { from, to, step }: { from: number; to: number; step: number },
): number[] {
  if (![from, to, step].every((value) => Number.isFinite(value))) {
    throw new RangeError(`sweep: ${name} needs from, to and step as numbers`)
  }
  if (step <= 0) throw new RangeError(`sweep: the step of ${name} must be above 0, was ${step}`)
  if (to < from) throw new RangeError(`sweep: ${name} runs from ${from} to ${to}, which is below`)
  const count = Math.floor((to - from) / step + 1e-9) + 1
  if (count > MAX_VALUES) throw new RangeError(`sweep: ${name} has more than ${MAX_VALUES} values`)
  // Each value is computed from the first one, so that rounding errors do not add up.
  return Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12)))
}

export const sizeOf = (axes: readonly Axis[]): number =>
  axes.reduce((product, { values }) => product * values.length, 1)

/** Every grid point, the last axis fastest. Throws RangeError for more than 500. */
export function gridOf(axes: readonly Axis[]): GridPoint[] {
  const size = sizeOf(axes)
  if (size > MAX_POINTS) {
    throw new RangeError(
      `sweep: the grid has ${size} points, at most ${MAX_POINTS} are tried; widen the steps, or use the method random`,
    )
  }
  return Array.from({ length: size }, (_, number) => pointOf(axes, number))
}

/** Seeded random selection of distinct grid points; all of them when the grid has no more. */
export function randomPoints(axes: readonly Axis[], count: number, seed: number): GridPoint[] {
  const size = sizeOf(axes)
  if (count > MAX_POINTS)
    throw new RangeError(`sweep: at most ${MAX_POINTS} points are tried, was ${count}`)
  if (size <= count) return Array.from({ length: size }, (_, number) => pointOf(axes, number))
  if (!Number.isSafeInteger(size)) throw new RangeError('sweep: the grid is too large')
  const random = seededRandom(seed)
  const selectedPoints = new Set<number>()
  // Two random numbers are combined so that every point of a large grid is reachable.
  while (selectedPoints.size < count) {
    selectedPoints.add(Math.floor(((random() + random() / 4_294_967_296) % 1) * size))
  }
  return [...selectedPoints].map((number) => pointOf(axes, number))
}

function pointOf(axes: readonly Axis[], number: number): GridPoint {
  const point: number[] = []
  let left = number
  for (const { values } of axes.toReversed()) {
    point.unshift(left % values.length)
    left = Math.floor(left / values.length)
  }
  return point
}

/** Parameters at a point, merged over the fixed ones. */
export const paramsAt = (axes: readonly Axis[], point: GridPoint, fixedParams: Params): Params => ({
  ...fixedParams,
  ...Object.fromEntries(
    axes.map(({ name, values }, i) => [name, values[point[i] ?? 0] as ParamValue]),
  ),
})

/**
 * The ranges converted to the types of a strategy's defaults. Throws RangeError for an unknown
 * parameter, for a value of another type, and for a parameter that is also fixed.
 */
export function axesFor(defaults: Params, axes: readonly Axis[], fixedParams: Params): Axis[] {
  paramsOf(defaults, fixedParams)
  return axes.map((axis) => {
    if (Object.hasOwn(fixedParams, axis.name)) {
      throw new RangeError(`sweep: ${axis.name} is given a value and a range`)
    }
    const values = axis.values.map((value) => {
      const read = paramsOf(defaults, { [axis.name]: value })[axis.name]
      return read as ParamValue
    })
    return { ...axis, values, isOrdered: values.every((value) => typeof value === 'number') }
  })
}
