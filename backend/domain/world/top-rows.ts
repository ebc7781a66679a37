/**
 * The `count` items with the largest value, largest first. Items without a value are left out and
 * ties are sorted by name ascending. One pass with a short list; the input is never sorted.
 */
export function largest<T>(
  items: Iterable<T>,
  count: number,
  valueOf: (item: T) => number | null,
  nameOf: (item: T) => string,
): T[] {
  const top: { readonly item: T; readonly value: number; readonly name: string }[] = []
  for (const item of items) {
    const value = valueOf(item)
    if (value === null) continue
    const last = top.at(-1)
    if (top.length >= count && (last === undefined || value < last.value)) continue
    const name = nameOf(item)
    let index = top.length
    while (index > 0) {
      const previous = top[index - 1]
      if (previous === undefined || previous.value > value) break
      if (previous.value === value && previous.name <= name) break
      index -= 1
    }
    top.splice(index, 0, { item, value, name })
    if (top.length > count) top.pop()
  }
  return top.map(({ item }) => item)
}
