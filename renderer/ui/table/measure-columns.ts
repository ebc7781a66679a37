/** Widths are multiples of this, so that a changed digit does not move a column. */
const STEP = 8

/**
 * The width of each column's content in the drawn rows. Lays the table out once with columns as
 * wide as their content; call it before the browser paints.
 *
 * @param viewport contains a table whose rows are grids with the tracks `--tracks`
 * @param known widths of rows drawn before: a column never becomes narrower by scrolling
 */
export function measureColumns(
  viewport: HTMLElement,
  columns: readonly { readonly id: string }[],
  known: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const before = viewport.style.getPropertyValue('--tracks')
  viewport.style.setProperty('--tracks', `repeat(${columns.length}, max-content)`)
  const widths = new Map(known)
  for (const row of viewport.querySelectorAll('[role="row"]')) {
    const cells = row.children
    columns.forEach(({ id }, index) => {
      const width = cells[index]?.getBoundingClientRect().width ?? 0
      const rounded = Math.ceil(width / STEP) * STEP
      if (rounded > (widths.get(id) ?? 0)) widths.set(id, rounded)
    })
  }
  viewport.style.setProperty('--tracks', before)
  return widths
}

/** Enough for the tables of all workspaces. */
const MAX_ENTRIES = 300
const cache = new Map<string, ReadonlyMap<string, number>>()
const NONE: ReadonlyMap<string, number> = new Map()

/** Measured widths of a table that was shown before, so that it is drawn right at once. */
export const lastWidths = (name: string): ReadonlyMap<string, number> => cache.get(name) ?? NONE

export function keepWidths(name: string, widths: ReadonlyMap<string, number>): void {
  cache.delete(name)
  cache.set(name, widths)
  const [oldest] = cache.keys()
  if (cache.size > MAX_ENTRIES && oldest !== undefined) cache.delete(oldest)
}
