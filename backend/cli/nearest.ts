/** The `count` names that take the fewest changes of a letter to reach, nearest first. */
export const nearest = (text: string, names: readonly string[], count = 3): string[] =>
  names
    .map((name) => ({ name, distance: editDistance(text.toLowerCase(), name) }))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, count)
    .map(({ name }) => name)

/** Letters to insert, delete or replace (Levenshtein 1966); two neighbours swapped count as one. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= b.length; column += 1) {
      const differs = a[row - 1] === b[column - 1] ? 0 : 1
      const steps = [
        at(row - 1, column) + 1,
        (current[column - 1] ?? 0) + 1,
        at(row - 1, column - 1) + differs,
      ]
      const isSwap =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) steps.push(at(row - 2, column - 2) + 1)
      current.push(Math.min(...steps))
    }
  }
  return at(a.length, b.length)
}
