import { clamp, meanOf, populationSd, slopeOf, sumOf } from '../statistics/statistics.ts'

/** Equally spaced closes, oldest first. */
export type Closes = readonly number[]

export interface TechnicalsParams {
  readonly meanLength: number
  readonly momentumLength: number
  readonly bandWidth: number
  readonly rsiLength: number
}
export const TECHNICALS_PARAMS: TechnicalsParams = {
  meanLength: 20,
  momentumLength: 8,
  bandWidth: 2,
  rsiLength: 14,
}

/** Closes with gaps filled by the previous close; those before the first known one are left out. */
export function filledForward(closes: Iterable<number | null>): number[] {
  const filledCloses: number[] = []
  let last: number | null = null
  for (const close of closes) {
    last = close ?? last
    if (last !== null) filledCloses.push(last)
  }
  return filledCloses
}

/** The last n closes; null unless there is one more than that. */
const lastOf = (closes: Closes, n: number): Closes | null =>
  closes.length < n + 1 ? null : closes.slice(-n)

/** Simple moving average of the last n closes; null for fewer than n + 1. */
export function simpleMean(closes: Closes, n: number): number | null {
  const last = lastOf(closes, n)
  return last === null ? null : meanOf(last)
}

/** Exponential average with k = 2 / (n + 1), seeded by the first close; null for fewer than n + 1. */
export function exponentialMean(closes: Closes, n: number): number | null {
  const [first, ...remainingCloses] = closes
  if (first === undefined || closes.length < n + 1) return null
  const k = 2 / (n + 1)
  return remainingCloses.reduce((mean, close) => mean + k * (close - mean), first)
}

/**
 * Relative strength 0 to 100: gains against losses, simple averages over the first n changes and
 * Wilder's smoothing from there on. 100 without losses, 50 without any change; null for fewer than
 * n + 1 closes. Methodology A13.
 */
export function relativeStrength(closes: Closes, n: number): number | null {
  if (closes.length < n + 1) return null
  const changes = closes.slice(1).map((close, i) => close - (closes[i] ?? close))
  const first = changes.slice(0, n)
  let gain = sumOf(first.map((change) => Math.max(change, 0))) / n
  let loss = sumOf(first.map((change) => Math.max(-change, 0))) / n
  for (const change of changes.slice(n)) {
    gain = (gain * (n - 1) + Math.max(change, 0)) / n
    loss = (loss * (n - 1) + Math.max(-change, 0)) / n
  }
  if (loss === 0) return gain === 0 ? 50 : 100
  return 100 - 100 / (1 + gain / loss)
}

export interface Bands {
  readonly lower: number
  readonly middle: number
  readonly upper: number
}

/** Bollinger bands over n closes: mean ± width population deviations, clamped to 0 to 100 cents. */
export function bollingerBands(closes: Closes, n: number, width: number): Bands | null {
  const last = lastOf(closes, n)
  const [middle, sd] = last === null ? [null, null] : [meanOf(last), populationSd(last)]
  if (middle === null || sd === null) return null
  return {
    lower: clamp(middle - width * sd, 0, 100),
    middle,
    upper: clamp(middle + width * sd, 0, 100),
  }
}

export interface PriceRangeRead {
  readonly high: number
  readonly low: number
  /** Position of the price in the range, 0 to 1; null without a price or a width. */
  readonly position: number | null
}

/** Highest and lowest close and the price's position between them; null without closes. */
export function rangeOf(closes: Closes, price: number | null): PriceRangeRead | null {
  if (closes.length === 0) return null
  const [high, low] = [Math.max(...closes), Math.min(...closes)]
  const position = price === null || high === low ? null : clamp((price - low) / (high - low), 0, 1)
  return { high, low, position }
}

/** Slope of the least-squares line through the last n closes, cents a day; null for fewer. */
export const dailySlope = (closes: Closes, n: number, closesPerDay = 1): number | null =>
  closes.length < n || n < 2
    ? null
    : slopeOf(closes.slice(-n).map((close, i) => [i / closesPerDay, close]))
