import { normalTail } from '../../statistics/statistics.ts'

const EULER = 0.5772156649
/** A result below this value cannot be distinguished from luck. */
export const MIN_DEFLATED_SHARPE = 0.95

/** Probability that a standard normal is at or below z. */
export const normalBelow = (z: number): number => 1 - normalTail(z)

/** Quantile of the standard normal, found by bisection; exact to 1e-9. */
export function normalQuantile(chance: number): number {
  let [low, high] = [-9, 9]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (normalBelow(middle) < chance) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Effective number of independent trials, given their mean correlation. */
export const effectiveTrials = (trials: number, meanCorrelation: number): number =>
  meanCorrelation + (1 - meanCorrelation) * trials

/** Expected Sharpe of the best of so many trials that have no edge. */
export function expectedMaxSharpe(trials: number, variance: number): number {
  if (trials < 2) return 0
  const [quantile, tailQuantile] = [
    normalQuantile(1 - 1 / trials),
    normalQuantile(1 - 1 / (trials * Math.E)),
  ]
  return Math.sqrt(variance) * ((1 - EULER) * quantile + EULER * tailQuantile)
}

/**
 * Deflated Sharpe ratio (Bailey and López de Prado 2014): probability that a daily Sharpe exceeds
 * `luck`. With `luck` 0 it is the probabilistic Sharpe ratio. Null when the sample is too small.
 */
export function deflatedSharpe(
  sample: {
    readonly days: number
    readonly sharpeDaily: number
    readonly skew: number
    /** 3 for a normal distribution. */
    readonly kurtosis: number
  },
  expectedMax: number,
): number | null {
  const { days, sharpeDaily: sr, skew, kurtosis } = sample
  const spread = 1 - skew * sr + ((kurtosis - 1) / 4) * sr * sr
  if (days < 2 || spread <= 0) return null
  return normalBelow(((sr - expectedMax) * Math.sqrt(days - 1)) / Math.sqrt(spread))
}
