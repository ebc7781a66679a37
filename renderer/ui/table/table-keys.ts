import type { KeyBinding } from '../../lib/keyboard.ts'
import type { RowKey } from './table.ts'

interface TableActions<Row> {
  /** Moves the cursor by so many rows; false when there is none. */
  readonly step: (by: number) => boolean
  /** Rows of one page. */
  readonly page: () => number
  readonly first: () => boolean
  readonly last: () => boolean
  readonly sortNext: () => void
  /** The row under the cursor. */
  readonly row: () => Row | undefined
  readonly rowKeys: readonly RowKey<Row>[]
  readonly onopen: ((row: Row, key: 'Enter') => void) | undefined
}

/** The keys of a table, including those of its rows. */
export const tableKeys = <Row>(table: TableActions<Row>): readonly KeyBinding[] => [
  { chord: 'j', label: 'next row', run: () => table.step(1) },
  { chord: 'k', label: 'previous row', run: () => table.step(-1) },
  { chord: 'ArrowDown', label: 'next row', run: () => table.step(1) },
  { chord: 'ArrowUp', label: 'previous row', run: () => table.step(-1) },
  { chord: 'PageDown', label: 'page down', run: () => table.step(table.page()) },
  { chord: 'PageUp', label: 'page up', run: () => table.step(-table.page()) },
  { chord: 'Home', label: 'first row', run: table.first },
  { chord: 'End', label: 'last row', run: table.last },
  { chord: 's', label: 'sort by the next column', run: table.sortNext },
  ...table.rowKeys.map(({ chord, label, run }) => ({
    chord,
    label,
    run: () => {
      const row = table.row()
      if (row === undefined) return false
      run(row)
      return true
    },
  })),
  {
    chord: 'Enter',
    label: 'open row',
    run: ({ target }) => {
      const row = table.row()
      const onControl = target instanceof Element && target.closest('button, a') !== null
      if (row === undefined || table.onopen === undefined || onControl) return false
      table.onopen(row, 'Enter')
      return true
    },
  },
]
