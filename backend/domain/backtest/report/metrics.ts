import { meanOf, sampleSd, sumOf } from '../../statistics/statistics.ts'
import { DAY } from '../../units.ts'
import type { Millis } from '../../units.ts'

/** Markets trade every day. */
const DAYS_A_YEAR = 365
const MIN_DAYS_FOR_GROWTH = 180
const MIN_DAYS = 60
const LAGS = 5
const FLAT_SHARE = 0.3

/** Ratios of daily returns (methodology L2); null for zero variance or fewer than 2 days. */
export interface ReturnMetrics {
  readonly days: number
  /** Return over whole days, as a share; partial days are excluded. */
  readonly totalReturn: number
  /** Yearly growth; null for less than half a year. */
  readonly yearlyGrowth: number | null
  readonly dailyMean: number | null
  readonly dailySd: number | null
  readonly sharpeDaily: number | null
  readonly sharpe: number | null
  readonly sortinoDaily: number | null
  readonly sortino: number | null
  /** Sharpe corrected for serial dependence (Lo 2002); null for fewer than 7 days. */
  readonly sharpeAdjusted: number | null
  readonly skew: number | null
  readonly kurtosis: number | null
  readonly flatShare: number | null
  readonly caveats: readonly string[]
}

/**
 * Standardised central moment of a sample, n in the divisor: 3 for skew, 4 for kurtosis (normal
 * 3).
 */
function standardMoment(values: readonly number[], power: number): number | null {
  const mean = meanOf(values)
  if (mean === null || values.length < 3) return null
  const variance = meanOf(values.map((x) => (x - mean) ** 2)) ?? 0
  if (variance === 0) return null
  return (meanOf(values.map((x) => (x - mean) ** power)) ?? 0) / variance ** (power / 2)
}

/** Autocorrelation at a lag; null for zero variance. */
function autocorrelation(values: readonly number[], lag: number): number | null {
  const mean = meanOf(values)
  if (mean === null || values.length <= lag + 1) return null
  const variance = sumOf(values.map((x) => (x - mean) ** 2))
  if (variance === 0) return null
  const products = values.slice(lag).map((x, i) => (x - mean) * ((values[i] ?? mean) - mean))
  return sumOf(products) / variance
}

/** Annual Sharpe from a daily one whose returns are autocorrelated at the given lags (Lo 2002). */
export function adjustedSharpe(sharpeDaily: number, correlations: readonly number[]): number {
  const q = DAYS_A_YEAR
  const sum = sumOf(correlations.map((rho, i) => (q - (i + 1)) * rho))
  return (sharpeDaily * q) / Math.sqrt(q + 2 * sum)
}

/** @param returns of days, as shares of the previous day's equity */
export function returnMetrics(returns: readonly number[]): ReturnMetrics {
  const days = returns.length
  const totalReturn = returns.reduce((product, r) => product * (1 + r), 1) - 1
  const [mean, sd] = [meanOf(returns), sampleSd(returns)]
  const daily = mean === null || sd === null || sd === 0 ? null : mean / sd
  const downside = Math.sqrt(meanOf(returns.map((r) => Math.min(r, 0) ** 2)) ?? 0)
  const sortinoDaily = mean === null || downside === 0 ? null : mean / downside
  const correlations = Array.from({ length: LAGS }, (_, i) => autocorrelation(returns, i + 1))
  const present = correlations.filter((rho) => rho !== null)
  const [skew, kurtosis] = [standardMoment(returns, 3), standardMoment(returns, 4)]
  const flatShare = days === 0 ? null : returns.filter((r) => r === 0).length / days
  const annual = Math.sqrt(DAYS_A_YEAR)
  const adjustedRatio =
    daily !== null && present.length === LAGS ? adjustedSharpe(daily, present) : null
  return {
    days,
    totalReturn,
    dailyMean: mean,
    dailySd: sd,
    yearlyGrowth:
      days < MIN_DAYS_FOR_GROWTH || totalReturn <= -1
        ? null
        : (1 + totalReturn) ** (DAYS_A_YEAR / days) - 1,
    sharpeDaily: daily,
    sharpe: daily === null ? null : daily * annual,
    sortinoDaily,
    sortino: sortinoDaily === null ? null : sortinoDaily * annual,
    sharpeAdjusted: adjustedRatio !== null && Number.isFinite(adjustedRatio) ? adjustedRatio : null,
    skew,
    kurtosis,
    flatShare,
    caveats: [
      ...(days < MIN_DAYS ? [`fewer than ${MIN_DAYS} days (${days})`] : []),
      ...(skew !== null && Math.abs(skew) > 1 ? [`skewed returns (${skew.toFixed(2)})`] : []),
      ...(flatShare !== null && flatShare > FLAT_SHARE
        ? [`flat on ${Math.round(flatShare * 100)} % of days`]
        : []),
    ],
  }
}

/** Maximum drawdown of equity and the longest time below a peak. */
export interface Drawdown {
  /** As a share of the preceding peak. */
  readonly deepest: number
  /** Milliseconds from a peak to the next higher value, or to the end. */
  readonly longestMs: Millis
}

export function drawdownOf(at: ArrayLike<number>, equity: ArrayLike<number>): Drawdown {
  let [peak, peakAt, deepest, longest] = [-Infinity, at[0] ?? 0, 0, 0]
  for (let i = 0; i < equity.length; i++) {
    const [value, sampledAt] = [equity[i] ?? 0, at[i] ?? 0]
    if (value >= peak) {
      peak = value
      peakAt = sampledAt
    } else {
      if (peak > 0) deepest = Math.max(deepest, 1 - value / peak)
      longest = Math.max(longest, sampledAt - peakAt)
    }
  }
  return { deepest, longestMs: longest as Millis }
}

/** Equity at each midnight UTC, including the start and the end, from ascending samples. */
export function dailyEquity(
  at: Float64Array,
  equity: Float64Array,
): { at: number[]; equity: number[] } {
  const days: { at: number[]; equity: number[] } = { at: [], equity: [] }
  for (let i = 0; i < at.length; i++) {
    const isEdge = i === 0 || i === at.length - 1
    if (!isEdge && (at[i] as number) % DAY !== 0) continue
    // The end may be a midnight that is already sampled.
    if (days.at.at(-1) === at[i]) {
      days.equity[days.equity.length - 1] = equity[i] as number
      continue
    }
    days.at.push(at[i] as number)
    days.equity.push(equity[i] as number)
  }
  return days
}

/** Returns of whole days between midnights; the partial days at both ends are left out. */
export function dailyReturns(days: { at: readonly number[]; equity: readonly number[] }): number[] {
  const returns: number[] = []
  for (let i = 1; i < days.at.length; i++) {
    const [before, after] = [days.equity[i - 1] ?? 0, days.equity[i] ?? 0]
    if ((days.at[i] ?? 0) - (days.at[i - 1] ?? 0) === DAY && before > 0) {
      returns.push((after - before) / before)
    }
  }
  return returns
}
