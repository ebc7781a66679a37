/**
 * Statistics shared by several quantities (methodology 0.6). Inputs are never changed; a result is
 * null when the sample is too small for it.
 */

export const sumOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0)

export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sumOf(values) / values.length

/** Sample standard deviation (n − 1); null for fewer than two values. */
export function sampleSd(values: readonly number[]): number | null {
  const mean = meanOf(values)
  if (mean === null || values.length < 2) return null
  return Math.sqrt(sumOf(values.map((x) => (x - mean) ** 2)) / (values.length - 1))
}

/** Population standard deviation (n); null for no value. */
export function populationSd(values: readonly number[]): number | null {
  const mean = meanOf(values)
  return mean === null ? null : Math.sqrt(sumOf(values.map((x) => (x - mean) ** 2)) / values.length)
}

/** Quantile by linear interpolation (type 7, the engine's `quantile_cont`), q from 0 to 1. */
export function quantileOf(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null
  const sortedValues = Float64Array.from(values).sort()
  const position = (sortedValues.length - 1) * q
  const lowerValue = sortedValues[Math.floor(position)] ?? 0
  const upperValue = sortedValues[Math.ceil(position)] ?? 0
  return lowerValue + (upperValue - lowerValue) * (position - Math.floor(position))
}

export const medianOf = (values: readonly number[]): number | null => quantileOf(values, 0.5)

/** `value` clamped between `min` and `max`. */
export const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value))

/** x / (1 + x) for x ≥ 0: 0 at 0, approaching 1. */
export const saturate = (x: number): number => x / (1 + x)

const MIN_PROBABILITY = 0.005

/** ln(p / (1 − p)) with p clamped to [0.005, 0.995]. */
export function logit(chance: number): number {
  const p = clamp(chance, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
  return Math.log(p / (1 - p))
}

/** 1 / (1 + e^−x), the inverse of `logit`. */
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/** Slope of the least-squares line of y on x; null for fewer than two distinct x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number | null {
  const meanX = meanOf(points.map(([x]) => x))
  const meanY = meanOf(points.map(([, y]) => y))
  if (meanX === null || meanY === null) return null
  let [covariance, variance] = [0, 0]
  for (const [x, y] of points) {
    covariance += (x - meanX) * (y - meanY)
    variance += (x - meanX) ** 2
  }
  return variance === 0 ? null : covariance / variance
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The standard normal's 97.5 % point, for two-sided intervals of 95 %. */
const Z_95 = 1.959963984540054

/** Wilson's 95 % interval of a share (Wilson 1927): 18 of 20 is .699 to .972. Null for no trial. */
export function wilsonInterval(hits: number, trials: number): Interval | null {
  if (trials === 0) return null
  const [p, z2] = [hits / trials, Z_95 ** 2]
  const scale = 1 + z2 / trials
  const middle = (p + z2 / (2 * trials)) / scale
  const half = (Z_95 * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials ** 2))) / scale
  return { low: middle - half, high: middle + half }
}

/** Ranks from 1; equal values share their mean rank. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const sortedValues = Float64Array.from(values).sort()
  const ranks = new Float64Array(values.length)
  for (let i = 0; i < ranks.length; i++) {
    const value = values[i] ?? NaN
    ranks[i] =
      (countBelow(sortedValues, value, false) + countBelow(sortedValues, value, true) + 1) / 2
  }
  return ranks
}

/** Number of ascending values below a value; includes equal ones if `orAt`. */
function countBelow(sortedValues: Float64Array, value: number, orAt: boolean): number {
  let [low, high] = [0, sortedValues.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = sortedValues[middle] ?? NaN
    if (other < value || (orAt && other === value)) low = middle + 1
    else high = middle
  }
  return low
}

/** Pearson correlation; null for fewer than two pairs or zero variance. */
export function correlationOf(xs: ArrayLike<number>, ys: ArrayLike<number>): number | null {
  const count = xs.length
  if (ys.length !== count || count < 2) return null
  let [sumX, sumY] = [0, 0]
  for (let i = 0; i < count; i++) {
    sumX += xs[i] ?? NaN
    sumY += ys[i] ?? NaN
  }
  let [product, squaresX, squaresY] = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const x = (xs[i] ?? NaN) - sumX / count
    const y = (ys[i] ?? NaN) - sumY / count
    product += x * y
    squaresX += x * x
    squaresY += y * y
  }
  const scale = Math.sqrt(squaresX * squaresY)
  return scale === 0 ? null : product / scale
}

/** Spearman rank correlation. */
export const rankCorrelationOf = (xs: readonly number[], ys: readonly number[]): number | null =>
  correlationOf(ranksOf(xs), ranksOf(ys))

/**
 * Probability that a standard normal exceeds z (Abramowitz and Stegun 26.2.17, error under 1e-7).
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const t = 1 / (1 + 0.2316419 * z)
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
}

/**
 * Which of many tests are significant with an expected false discovery rate of at most `rate`
 * (Benjamini and Hochberg 1995): all up to the largest k whose p-value is at most k/m · rate.
 */
export function benjaminiHochberg(pValues: readonly number[], rate: number): boolean[] {
  const sortedPValues = [...pValues].sort((a, b) => a - b)
  let limit = -1
  for (const [index, chance] of sortedPValues.entries()) {
    if (chance <= ((index + 1) / sortedPValues.length) * rate) limit = chance
  }
  return pValues.map((chance) => chance <= limit)
}
