/** Median of an odd or even number of measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Distance between the quartiles as a share of the median: how noisy a row is. */
export function spread(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return (at(0.75) - at(0.25)) / median(values)
}

export interface Paired {
  readonly ours: number
  readonly baseline: number
  /** Median of the ratios of each round, so that a slow minute affects both sides alike. */
  readonly ratio: number
  readonly spread: number
}

/**
 * Measures two things alternately, A B A B …, after a warm-up of each.
 * @param rounds counted rounds, 7 or more for a figure worth quoting
 */
export async function inTurns(
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
  rounds = 7,
): Promise<Paired> {
  await ours()
  await baseline()
  const pairs: { ours: number; baseline: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ ours: await ours(), baseline: await baseline() })
  }
  const ratios = pairs.map((pair) => pair.ours / pair.baseline)
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    baseline: median(pairs.map((pair) => pair.baseline)),
    ratio: median(ratios),
    spread: spread(ratios),
  }
}
