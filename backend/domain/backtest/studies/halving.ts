/**
 * One round of successive halving: number of trials and the share of the range, from its start,
 * that they run.
 */
export interface Round {
  readonly trials: number
  readonly share: number
}

const MIN_FINALISTS = 4
const MAX_ROUNDS = 4

/**
 * Rounds in which half of the trials continue and the time doubles; the last runs the whole range.
 * There are at most four rounds, and none has fewer than four trials.
 */
export function roundsOf(trials: number): Round[] {
  const counts = [trials]
  for (;;) {
    const next = Math.ceil((counts.at(-1) ?? 0) / 2)
    if (next < MIN_FINALISTS || counts.length === MAX_ROUNDS) break
    counts.push(next)
  }
  return counts.map((count, round) => ({
    trials: count,
    share: 1 / 2 ** (counts.length - 1 - round),
  }))
}

/** Indices of the `count` best scores, ascending; ties go to the earlier one. */
export function survivors(scores: readonly (number | null)[], count: number): number[] {
  return scores
    .map((score, index) => ({ score: score ?? 0, index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .map(({ index }) => index)
    .sort((a, b) => a - b)
}
