import { normalTail } from '../statistics.ts'

const EULER = 0.5772156649
/** Below it a result is not distinguishable from luck. */
export const LEAST_DEFLATED = 0.95

/** Chance that a standard normal lies at or below z. */
export const normalBelow = (z: number): number => 1 - normalTail(z)

/** The z below which a standard normal lies with a chance; by halving, exact to 1e-9. */
export function normalQuantile(chance: number): number {
  let [low, high] = [-9, 9]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (normalBelow(middle) < chance) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** What many tries are worth: how many independent ones they are, by their mean correlation. */
export const effectiveTrials = (trials: number, meanCorrelation: number): number =>
  meanCorrelation + (1 - meanCorrelation) * trials

/** The Sharpe that the best of so many tries without any edge is expected to show. */
export function luckySharpe(trials: number, variance: number): number {
  if (trials < 2) return 0
  const [usual, far] = [normalQuantile(1 - 1 / trials), normalQuantile(1 - 1 / (trials * Math.E))]
  return Math.sqrt(variance) * ((1 - EULER) * usual + EULER * far)
}

/**
 * Chance that a Sharpe of a day is more than luck would show (Bailey and López de Prado 2014): with
 * `luck` 0 the probabilistic Sharpe ratio. Null where the sample does not allow it.
 */
export function deflatedSharpe(
  sample: {
    readonly days: number
    readonly sharpeDaily: number
    readonly skew: number
    /** 3 for a normal. */
    readonly kurtosis: number
  },
  luck: number,
): number | null {
  const { days, sharpeDaily: sr, skew, kurtosis } = sample
  const spread = 1 - skew * sr + ((kurtosis - 1) / 4) * sr * sr
  if (days < 2 || spread <= 0) return null
  return normalBelow(((sr - luck) * Math.sqrt(days - 1)) / Math.sqrt(spread))
}
