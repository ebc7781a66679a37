/** One round of successive halving: how many are played, over which share of the range from its start. */
export interface Round {
  readonly trials: number
  readonly share: number
}

const LEAST_FINALISTS = 4
const MOST_ROUNDS = 4

/**
 * Rounds in which half of the trials go on and the time doubles; the last plays the whole range. No more
 * than four, and none that would leave fewer than four trials.
 */
export function roundsOf(trials: number): Round[] {
  const counts = [trials]
  for (;;) {
    const next = Math.ceil((counts.at(-1) ?? 0) / 2)
    if (next < LEAST_FINALISTS || counts.length === MOST_ROUNDS) break
    counts.push(next)
  }
  return counts.map((count, round) => ({ trials: count, share: 1 / 2 ** (counts.length - 1 - round) })) // prettier-ignore
}

/** Places of the best scores, as many as are wanted, ascending; equal scores: the earlier. */
export function survivors(scores: readonly (number | null)[], wanted: number): number[] {
  return scores
    .map((score, index) => ({ score: score ?? 0, index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, wanted)
    .map(({ index }) => index)
    .sort((a, b) => a - b)
}
