import type { Snippet } from 'svelte'
import { decimalsOf } from '../../lib/format.ts'

export interface Column<Row> {
  readonly id: string
  readonly label: string
  /** Longer name for hover and for help. */
  readonly help?: string
  /**
   * Width in px at 100 % text until the content was measured; the least width of a text that may be
   * shortened.
   */
  readonly width: number
  /** Takes spare width first. */
  readonly flexible?: boolean
  readonly numeric?: boolean
  /** Its cells clip their own text. */
  readonly shortens?: boolean
  /**
   * Columns with a larger number are hidden first on small widths, equal ones together; 0 is never
   * hidden.
   */
  readonly hidePriority?: number
  /**
   * Receives the row, the column's id, so that one snippet may draw several columns, and the
   * decimals of the column.
   */
  readonly cell: Snippet<[row: Row, column: string, decimals: number]>
  /**
   * Price in cents, for a column whose prices have the same number of decimals; it is aligned as a
   * figure and sorts by the price unless it has a sort value.
   */
  readonly cents?: (row: Row) => number | null
  /** Value to sort by; a column without one does not sort. Null sorts last either way. */
  readonly sortValue?: (row: Row) => number | string | null
}

/** A column with what its prices imply. */
export const completeColumn = <Row>(column: Column<Row>): Column<Row> =>
  column.cents === undefined ? column : { numeric: true, sortValue: column.cents, ...column }

/** A key that acts on the row under the cursor. */
export interface RowKey<Row> {
  readonly chord: string
  readonly label: string
  readonly run: (row: Row) => void
}

export interface Sorting {
  readonly column: string
  readonly descending: boolean
}

/** Share of the prices that need a second decimal before all of a column have it. */
const SECOND_DECIMAL_SHARE = 0.25

/** One decimal, or two when many of the prices need it; a single such price shows its own. */
function decimalsIn(prices: readonly (number | null)[]): number {
  const knownPrices = prices.filter((price) => price !== null)
  const precisePrices = knownPrices.filter((price) => decimalsOf(price) > 1)
  return precisePrices.length > knownPrices.length * SECOND_DECIMAL_SHARE ? 2 : 1
}

/** The decimals of each column of prices. */
export const columnDecimals = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): ReadonlyMap<string, number> =>
  new Map(
    columns.flatMap(({ id, cents }) =>
      cents === undefined ? [] : [[id, decimalsIn(rows.map((row) => cents(row)))]],
    ),
  )

/** Sorts a copy of the rows; without a sorting the given order is kept. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const sortValue = columns.find(({ id }) => id === sorting?.column)?.sortValue
  if (sorting === null || sortValue === undefined) return rows
  const sign = sorting.descending ? -1 : 1
  return rows
    .map((row) => ({ row, value: sortValue(row) }))
    .sort((left, right) => {
      if (left.value === null || right.value === null) {
        return Number(left.value === null) - Number(right.value === null)
      }
      if (left.value === right.value) return 0
      return left.value < right.value ? -sign : sign
    })
    .map(({ row }) => row)
}

/**
 * The sorting after a click on a header: largest first, then smallest first, then the given order.
 */
export function nextSorting(sorting: Sorting | null, column: string): Sorting | null {
  if (sorting?.column !== column) return { column, descending: true }
  return sorting.descending ? { column, descending: false } : null
}

/**
 * Rows rendered beyond each edge of the view: for a table that the user may scroll next, and for
 * others.
 */
export const SPARE = { busy: 8, still: 1 } as const

/** The rows to render at a scroll position: first index and count, `spare` beyond the edges. */
export function visibleWindow(
  scrollTop: number,
  height: number,
  rowHeight: number,
  total: number,
  spareRows: number = SPARE.busy,
): { readonly first: number; readonly count: number } {
  const top = Math.floor(scrollTop / rowHeight)
  const first = Math.max(0, Math.min(top - spareRows, total - 1))
  const end = Math.min(total, top + Math.ceil(height / rowHeight) + spareRows)
  return { first, count: Math.max(0, end - first) }
}
