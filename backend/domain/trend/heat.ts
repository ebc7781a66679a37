import { saturate } from '../statistics/statistics.ts'

/** Inputs of heat; null is unknown and adds nothing. */
export interface HeatReading {
  /** Volume surprise in standard deviations (A9). */
  readonly volumeRatio: number | null
  /** Mark now minus the mark 24 hours ago, cents. */
  readonly change24h: number | null
  /** Share of live markets with equal or lower dollar volume in 24 hours, 0 to 1. */
  readonly volumePercentile: number | null
}

/**
 * Activity of a market, a whole number from 0 to 100. Methodology part M, real-time
 * movers: volume surprise 2, change 10¢, percentile .9 give 58.
 */
export function heatOf({ volumeRatio, change24h, volumePercentile }: HeatReading): number {
  const surprise = saturate(Math.max(volumeRatio ?? 0, 0) / 2)
  const change = saturate(Math.abs(change24h ?? 0) / 10)
  return Math.round(100 * (0.5 * surprise + 0.3 * change + 0.2 * (volumePercentile ?? 0)))
}

/** For each of `values`, the share of values that are not above it; null for an unknown one. */
export function percentilesOf(values: readonly (number | null)[]): (number | null)[] {
  const sortedValues = Float64Array.from(values.filter((value) => value !== null)).sort()
  const notAbove = new Map<number, number>()
  sortedValues.forEach((value, index) => notAbove.set(value, index + 1))
  return values.map((value) =>
    value === null ? null : (notAbove.get(value) ?? 0) / sortedValues.length,
  )
}
