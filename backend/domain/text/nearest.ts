/** Edit distance in which a transposition of two neighbours counts once. */
function distance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let best = Math.min(
        cell(row - 1, column) + 1,
        (current[column - 1] ?? Infinity) + 1,
        cell(row - 1, column - 1) + (same ? 0 : 1),
      )
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isSwapped) best = Math.min(best, cell(row - 2, column - 2) + 1)
      current[column] = best
    }
  }
  return cell(left.length, right.length)
}

/** The three names nearest to a word; names that begin with it come first. */
export function nearest(word: string, names: readonly string[]): string[] {
  // Pasted text is not a misspelt verb; only its beginning is compared.
  const target = word.slice(0, 32).toLowerCase()
  return names
    .map((name, order) => {
      const candidate = name.toLowerCase()
      const begins = target !== '' && candidate.startsWith(target)
      return { name, order, away: begins ? -1 : distance(target, candidate) }
    })
    .sort((left, right) => left.away - right.away || left.order - right.order)
    .slice(0, 3)
    .map(({ name }) => name)
}
