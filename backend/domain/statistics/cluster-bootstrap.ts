import { quantileOf } from './statistics.ts'
import type { Interval } from './statistics.ts'

export interface BootstrapParams {
  readonly draws: number
  /** Minimum clusters for an interval. */
  readonly minClusters: number
  /** Share of draws cut off at each end. */
  readonly tail: number
}
export const BOOTSTRAP_PARAMS: BootstrapParams = { draws: 2_000, minClusters: 20, tail: 0.025 }

/**
 * Percentile interval of a mean whose values are correlated within clusters (markets of one event):
 * clusters are drawn with replacement, each with all its values. Null for fewer than 20 clusters.
 * Clusters are sorted by key before drawing, so that equal inputs and an equal generator give equal
 * bounds.
 * @param random numbers from 0 to below 1, a seeded generator
 */
export function clusterInterval<Item>(
  items: Iterable<Item>,
  clusterOf: (item: Item) => string,
  valueOf: (item: Item) => number,
  random: () => number,
  params: BootstrapParams = BOOTSTRAP_PARAMS,
): Interval | null {
  const clusters = Map.groupBy(items, (item) => clusterOf(item))
  const count = clusters.size
  if (count < params.minClusters) return null
  const sums = new Float64Array(count)
  const sizes = new Float64Array(count)
  const orderedClusters = [...clusters].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [i, [, members]] of orderedClusters.entries()) {
    const values = members.map((item) => valueOf(item)).sort((a, b) => a - b)
    sums[i] = values.reduce((sum, value) => sum + value, 0)
    sizes[i] = values.length
  }
  const means: number[] = []
  for (let drawIndex = 0; drawIndex < params.draws; drawIndex++) {
    let [sum, size] = [0, 0]
    for (let i = 0; i < count; i++) {
      const sampledIndex = Math.floor(random() * count)
      sum += sums[sampledIndex] ?? 0
      size += sizes[sampledIndex] ?? 0
    }
    means.push(sum / size)
  }
  const [low, high] = [quantileOf(means, params.tail), quantileOf(means, 1 - params.tail)]
  return low === null || high === null ? null : { low, high }
}
