import { saturated } from './statistics.ts'

/** What heat is made of; null is unknown and adds nothing. */
export interface HeatReading {
  /** Volume surprise in standard deviations (A9). */
  readonly volumeRatio: number | null
  /** Mark now less the mark 24 hours ago, cents. */
  readonly change24h: number | null
  /** Share of live markets with no more dollar volume in 24 hours, 0 to 1. */
  readonly volumePercentile: number | null
}

/**
 * How much is going on in a market, a whole number from 0 to 100. Methodology part M, real-time
 * movers: volume surprise 2, change 10¢, percentile .9 give 58.
 */
export function heatOf({ volumeRatio, change24h, volumePercentile }: HeatReading): number {
  const surprise = saturated(Math.max(volumeRatio ?? 0, 0) / 2)
  const change = saturated(Math.abs(change24h ?? 0) / 10)
  return Math.round(100 * (0.5 * surprise + 0.3 * change + 0.2 * (volumePercentile ?? 0)))
}

/** Share of `values` that are not above each of them, in the same order; null for an unknown one. */
export function percentilesOf(values: readonly (number | null)[]): (number | null)[] {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort()
  const notAbove = new Map<number, number>()
  sorted.forEach((value, index) => notAbove.set(value, index + 1))
  return values.map((value) => (value === null ? null : (notAbove.get(value) ?? 0) / sorted.length))
}
