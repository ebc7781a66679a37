import { sumOf } from '../statistics/statistics.ts'

/** One rung of a ladder: the probability that the quantity ends above a strike. */
export interface LadderRung {
  readonly strike: number
  /** P(X > strike), 0 to 1; null when unknown. */
  readonly chance: number | null
  /** Weight of the rung by its liquidity. */
  readonly weight: number
}

/** Probability that X is in (from, to]; null is an open end. */
export interface Bucket {
  readonly from: number | null
  readonly to: number | null
  readonly chance: number
}

export interface LadderDistribution {
  /** Ascending; their probabilities sum to 1. */
  readonly buckets: readonly Bucket[]
  /**
   * Open tails are closed one bucket width beyond; null for a single strike, which has no bucket
   * width.
   */
  readonly mean: number | null
  /** By linear interpolation in the same closed buckets. */
  readonly median: number | null
}

interface Pool {
  readonly value: number
  readonly weight: number
  readonly size: number
}

/**
 * Values made monotonically decreasing by pooling adjacent violators: the weighted least-squares
 * fit. Same length and order as the input.
 */
export function pooledFalling(values: readonly number[], weights: readonly number[]): number[] {
  const pools: Pool[] = []
  for (const [i, value] of values.entries()) {
    let pool: Pool = { value, weight: weights[i] ?? 1, size: 1 }
    for (let previous = pools.at(-1); previous !== undefined; previous = pools.at(-1)) {
      if (previous.value >= pool.value) break
      pools.pop()
      const weight = previous.weight + pool.weight
      // Rungs that all have weight 0 count equally.
      const share = weight === 0 ? pool.size / (pool.size + previous.size) : pool.weight / weight
      const pooledValue = previous.value + share * (pool.value - previous.value)
      pool = { value: pooledValue, weight, size: previous.size + pool.size }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ value, size }) => Array<number>(size).fill(value))
}

/** One rung per strike, ascending; rungs of equal strikes are averaged by weight. */
function distinctRungs(
  rungs: Iterable<LadderRung>,
): { strike: number; chance: number; weight: number }[] {
  const strikes = new Map<number, { chance: number; weight: number }[]>()
  for (const { strike, chance, weight } of rungs) {
    if (chance === null) continue
    const sameStrike = strikes.get(strike)
    if (sameStrike === undefined) strikes.set(strike, [{ chance, weight }])
    else sameStrike.push({ chance, weight })
  }
  return [...strikes]
    .sort(([a], [b]) => a - b)
    .map(([strike, sameStrike]) => {
      // Sorted, so that the sum does not depend on the input order.
      const parts = sameStrike.sort((a, b) => a.chance - b.chance || a.weight - b.weight)
      const weight = sumOf(parts.map((part) => part.weight))
      const chance =
        weight === 0
          ? sumOf(parts.map((part) => part.chance)) / parts.length
          : sumOf(parts.map((part) => part.chance * part.weight)) / weight
      return { strike, chance, weight }
    })
}

/**
 * Distribution that a ladder of "above strike" markets implies; null when no rung is known.
 * Methodology part M.
 */
export function ladderDistribution(rungs: Iterable<LadderRung>): LadderDistribution | null {
  const distinct = distinctRungs(rungs)
  const strikes = distinct.map(({ strike }) => strike)
  if (strikes.length === 0) return null
  const survival = pooledFalling(
    distinct.map(({ chance }) => chance),
    distinct.map(({ weight }) => weight),
  )
  const buckets: Bucket[] = [...survival, 0].map((chance, i) => ({
    from: strikes[i - 1] ?? null,
    to: strikes[i] ?? null,
    chance: (survival[i - 1] ?? 1) - chance,
  }))
  return { buckets, mean: bucketMean(buckets), median: bucketMedian(buckets) }
}

/** Buckets with open ends closed one bucket width beyond; null when no bucket has a width. */
function closedBuckets<B extends { readonly from: number | null; readonly to: number | null }>(
  buckets: readonly B[],
): (B & { readonly low: number; readonly high: number })[] | null {
  const widths = buckets.flatMap(({ from, to }) =>
    from === null || to === null ? [] : [to - from],
  )
  const [first, last] = [widths[0], widths.at(-1)]
  if (first === undefined || last === undefined) return null
  return buckets.flatMap((bucket) => {
    const { from, to } = bucket
    if (from === null && to === null) return []
    return [{ ...bucket, low: from ?? (to ?? 0) - first, high: to ?? (from ?? 0) + last }]
  })
}

/**
 * Mean of buckets: midpoints weighted by probabilities, which need not sum to 1 (normalised marks
 * of an exclusive event). Null when a probability is unknown, all are 0, or no bucket has a width.
 * @param buckets ascending
 */
export function bucketMean(
  buckets: readonly {
    readonly from: number | null
    readonly to: number | null
    readonly chance: number | null
  }[],
): number | null {
  const boundedBuckets = closedBuckets(buckets)
  if (boundedBuckets === null) return null
  let [sum, total] = [0, 0]
  for (const { low, high, chance } of boundedBuckets) {
    if (chance === null) return null
    sum += ((low + high) / 2) * chance
    total += chance
  }
  return total === 0 ? null : sum / total
}

function bucketMedian(buckets: readonly Bucket[]): number | null {
  const boundedBuckets = closedBuckets(buckets)
  if (boundedBuckets === null) return null
  let cumulative = 0
  for (const { low, high, chance } of boundedBuckets) {
    // The sum of differences may be slightly less than a half because of float rounding.
    if (chance > 0 && cumulative + chance >= 0.5 - 1e-12) {
      return low + (high - low) * Math.min(1, (0.5 - cumulative) / chance)
    }
    cumulative += chance
  }
  return null
}
