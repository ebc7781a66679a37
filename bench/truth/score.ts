/** How what was found agrees with what is true. */
export interface Score {
  /** Number of things found that are true. */
  readonly right: number
  readonly found: number
  /** Number of true things that were found, of all that could be. */
  readonly recalled: number
  readonly expected: number
}

/** Share, null of nothing. */
export const shareOf = (part: number, total: number): number | null =>
  total === 0 ? null : part / total

/** Scores of several worlds as one. */
export const sumOfScores = (scores: readonly Score[]): Score => ({
  right: scores.reduce((sum, { right }) => sum + right, 0),
  found: scores.reduce((sum, { found }) => sum + found, 0),
  recalled: scores.reduce((sum, { recalled }) => sum + recalled, 0),
  expected: scores.reduce((sum, { expected }) => sum + expected, 0),
})

/** The score of a set of keys against the true set. */
export function scoreOf(found: ReadonlySet<string>, expected: ReadonlySet<string>): Score {
  const right = [...found].filter((key) => expected.has(key)).length
  return { right, found: found.size, recalled: right, expected: expected.size }
}
