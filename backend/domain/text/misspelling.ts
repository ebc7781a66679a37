/** Minimum length of the longer spelling, for one edit and for two. */
const ONE_EDIT = 5
const TWO_EDITS = 8

/**
 * Whether two different words may be spellings of one: the same first letter, and one letter added,
 * left out, replaced or swapped with its neighbour, or two in a long word.
 */
export function isMisspelling(writtenTerm: string, term: string): boolean {
  if (writtenTerm === term || writtenTerm[0] !== term[0]) return false
  const longer = Math.max(writtenTerm.length, term.length)
  const max = longer >= TWO_EDITS ? 2 : longer >= ONE_EDIT ? 1 : 0
  if (Math.abs(writtenTerm.length - term.length) > max) return false
  return max > 0 && !/\d/.test(writtenTerm) && editDistance(writtenTerm, term) <= max
}

/** Edit distance in which a swap of two neighbours counts once (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let previousRow: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let min = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap && row > 1 && column > 1) min = Math.min(min, (previousRow[column - 2] ?? 0) + 1)
      next.push(min)
    }
    previousRow = last
    last = next
  }
  return last[b.length] ?? 0
}
