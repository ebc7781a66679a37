import { ranksOf, sampleSd, sumOf } from '../../statistics/statistics.ts'
import { returnMetrics } from '../report/metrics.ts'
import {
  deflatedSharpe,
  effectiveTrials,
  MIN_DEFLATED_SHARPE,
  expectedMaxSharpe,
} from '../report/deflated-sharpe.ts'

/** Number of time blocks that in-sample and out-of-sample sets are combined from. */
export const BLOCKS = 8
const MIN_TRIALS = 10
/** A block of one day has no variance. */
const MIN_DAYS = BLOCKS * 2

/** Probability of backtest overfitting (Bailey, Borwein, López de Prado and Zhu 2015). */
export interface Overfitting {
  /**
   * Share of the time splits in which the best trial in sample ranks below the median out of
   * sample.
   */
  readonly chance: number | null
  readonly splits: number
  readonly trials: number
  /** Why there is no result. */
  readonly why: string | null
}

/**
 * Combinatorially symmetric cross-validation: half of eight time blocks selects the best trial by
 * its Sharpe, the other half ranks it among all trials.
 * @param trials daily returns of each, all over the same days
 */
export function overfittingOf(trials: readonly (readonly number[])[]): Overfitting {
  const days = trials[0]?.length ?? 0
  const none = (reason: string): Overfitting => ({
    chance: null,
    splits: 0,
    trials: trials.length,
    why: reason,
  })
  if (trials.length < MIN_TRIALS)
    return none(`${trials.length} trials are fewer than ${MIN_TRIALS}`)
  if (days < MIN_DAYS) return none(`${days} days are fewer than ${MIN_DAYS}`)
  const sums = trials.map((returns) => blockSums(returns))
  const splits = halves(BLOCKS)
  let lowerCount = 0
  for (const inSampleBlocks of splits) {
    const scores = (isInside: boolean): number[] =>
      sums.map((blocks) =>
        sharpeOf(blocks.filter((_, block) => inSampleBlocks.has(block) === isInside)),
      )
    const inSampleScores = scores(true)
    const best = inSampleScores.indexOf(Math.max(...inSampleScores))
    const rank = ranksOf(scores(false))[best] ?? 0
    // ln(w / (1 − w)) is 0 or less when the relative rank is at most a half.
    if (rank / (trials.length + 1) <= 0.5) lowerCount++
  }
  return {
    chance: lowerCount / splits.length,
    splits: splits.length,
    trials: trials.length,
    why: null,
  }
}

interface BlockSum {
  readonly days: number
  readonly sum: number
  readonly squares: number
}

function blockSums(returns: readonly number[]): BlockSum[] {
  return Array.from({ length: BLOCKS }, (_, block) => {
    const from = Math.floor((returns.length * block) / BLOCKS)
    const to = Math.floor((returns.length * (block + 1)) / BLOCKS)
    const part = returns.slice(from, to)
    return { days: part.length, sum: sumOf(part), squares: sumOf(part.map((r) => r * r)) }
  })
}

/** Daily Sharpe over blocks; 0 for zero variance. */
function sharpeOf(blocks: readonly BlockSum[]): number {
  const days = sumOf(blocks.map((block) => block.days))
  const mean = sumOf(blocks.map(({ sum }) => sum)) / days
  const variance = (sumOf(blocks.map(({ squares }) => squares)) - days * mean * mean) / (days - 1)
  return variance <= 1e-18 ? 0 : mean / Math.sqrt(variance)
}

/** All subsets of half the blocks. */
function halves(count: number): ReadonlySet<number>[] {
  const splits: ReadonlySet<number>[] = []
  for (let bits = 0; bits < 2 ** count; bits++) {
    const training = Array.from({ length: count }, (_, i) => i).filter((i) => (bits >> i) & 1)
    if (training.length === count / 2) splits.push(new Set(training))
  }
  return splits
}

/**
 * Mean correlation of all pairs of trials with non-zero variance; null for fewer than two. It is
 * computed from the square of the sum of the standardised rows, without a loop over pairs.
 */
export function meanCorrelation(trials: readonly (readonly number[])[]): number | null {
  const days = trials[0]?.length ?? 0
  const sum = new Float64Array(days)
  let varyingCount = 0
  for (const returns of trials) {
    const sd = sampleSd(returns)
    if (sd === null || sd === 0) continue
    varyingCount++
    const mean = sumOf(returns) / days
    for (const [day, r] of returns.entries()) sum[day] = (sum[day] ?? 0) + (r - mean) / sd
  }
  if (varyingCount < 2) return null
  const variance = sum.reduce((total, x) => total + x * x, 0) / (days - 1)
  return (variance - varyingCount) / (varyingCount * (varyingCount - 1))
}

/** Significance of a selected trial's Sharpe after so many trials. Sharpes are daily. */
export interface SharpeSignificance {
  /** Every trial, including abandoned and failed ones. */
  readonly trials: number
  readonly meanCorrelation: number | null
  readonly effectiveTrials: number
  /** Variance of the trials' Sharpes. */
  readonly variance: number | null
  /** Expected Sharpe of the best of so many trials without an edge. */
  readonly expectedMaxSharpe: number
  readonly sharpe: number | null
  /** Probability that it exceeds luck; null when the sample is too small. */
  readonly deflated: number | null
  readonly isDistinguishable: boolean
}

/**
 * @param selectedReturns daily returns of the selected trial
 * @param whole daily returns of the trials that ran to the end
 * @param sharpes of every trial that has one, including abandoned ones
 * @param count of all trials
 */
export function sharpeSignificance(
  selectedReturns: readonly number[],
  {
    completedReturns: whole,
    sharpes,
    count,
  }: {
    completedReturns: readonly (readonly number[])[]
    sharpes: readonly number[]
    count: number
  },
): SharpeSignificance {
  const correlation = meanCorrelation(whole)
  const rho = Math.min(1, Math.max(0, correlation ?? 0))
  const effective = count < 2 ? count : effectiveTrials(count, rho)
  const sd = sampleSd(sharpes)
  const variance = sd === null ? null : sd * sd
  const expectedByLuck = variance === null ? 0 : expectedMaxSharpe(effective, variance)
  const { days, sharpeDaily, skew, kurtosis } = returnMetrics(selectedReturns)
  const deflatedSharpeRatio =
    sharpeDaily === null || skew === null || kurtosis === null
      ? null
      : deflatedSharpe({ days, sharpeDaily, skew, kurtosis }, expectedByLuck)
  return {
    trials: count,
    meanCorrelation: correlation,
    effectiveTrials: effective,
    variance,
    expectedMaxSharpe: expectedByLuck,
    sharpe: sharpeDaily,
    deflated: deflatedSharpeRatio,
    isDistinguishable: deflatedSharpeRatio !== null && deflatedSharpeRatio >= MIN_DEFLATED_SHARPE,
  }
}
