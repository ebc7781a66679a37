/** Rows of a view that a statement reads: columns, conditions, and the maximum number. */
export interface ViewScan {
  /** Name of a documented view (`query-views.ts`). */
  readonly view: string
  /** Columns that the statement reads; empty when it only counts rows. */
  readonly columns: readonly string[]
  /** A row is needed when it meets all conditions of one list; no list means every row. */
  readonly anyOf: readonly (readonly Condition[])[]
  /** The first rows suffice; null when all of them are needed. */
  readonly first: FirstRows | null
}

export interface FirstRows {
  readonly count: number
  readonly order: readonly ColumnOrder[]
}

export interface ColumnOrder {
  readonly column: string
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}

export const COMPARISONS = ['=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof COMPARISONS)[number]
/** Text, a number, a boolean; timestamps are whole microseconds since 1970. */
export type ScanValue = string | number | boolean

export type Condition =
  | { readonly column: string; readonly operator: Comparison; readonly value: ScanValue }
  | { readonly column: string; readonly operator: 'in'; readonly values: readonly ScanValue[] }

/** Merges scans of one view: rows and columns that any of them needs. */
export function mergedScans(scans: readonly ViewScan[]): ViewScan[] {
  const byView = new Map<string, ViewScan>()
  for (const scan of scans) {
    const other = byView.get(scan.view)
    byView.set(scan.view, other === undefined ? scan : mergeScans(other, scan))
  }
  return [...byView.values()]
}

function mergeScans(first: ViewScan, other: ViewScan): ViewScan {
  const isWhole = first.anyOf.length === 0 || other.anyOf.length === 0
  const lists = new Map(
    [...first.anyOf, ...other.anyOf].map((all) => [JSON.stringify(all), all] as const),
  )
  return {
    view: first.view,
    columns: [...new Set([...first.columns, ...other.columns])],
    anyOf: isWhole ? [] : [...lists.values()],
    first: null,
  }
}
