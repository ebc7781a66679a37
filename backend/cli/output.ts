/** Stands for what is not known. */
export const MISSING = '–'

/** Foreign text without what a terminal would obey: control characters and direction marks. */
export const clean = (text: string): string =>
  // Line breaks and tabs part words; the rest of the class has no width.
  text
    .replace(/[\t\n\r]+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()

/** `63.5¢`, at most two decimals. */
export const cents = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${plain(value)}¢` : MISSING

/** `+1.5¢`, `-2¢`, `0¢`. */
export const centsChange = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${value > 0 ? '+' : ''}${plain(value)}¢` : MISSING

/** A number with thousands apart, at most two decimals. */
export const amount = (value: number | null | undefined): string =>
  typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 2 }) : MISSING

export const text = (value: string | null | undefined): string =>
  value === null || value === undefined || clean(value) === '' ? MISSING : clean(value)

/** `2026-11-20 14:05` UTC. */
export const minute = (iso: string | null | undefined): string =>
  typeof iso === 'string' ? iso.slice(0, 16).replace('T', ' ') : MISSING

const plain = (value: number): string => String(Number(value.toFixed(2)))

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  readonly align?: 'left' | 'right'
  /** Longest cell; the rest is cut off with `…`. */
  readonly most?: number
}

/** Rows under their titles, columns two blanks apart; no blanks at the ends of lines. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => cut(column.of(row), column.most))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => width(row[index] ?? ''))))
  return cells
    .map((row) =>
      row
        .map((cell, index) => {
          const blanks = ' '.repeat((widths[index] ?? 0) - width(cell))
          return columns[index]?.align === 'right' ? blanks + cell : cell + blanks
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `name: value` lines. */
export const lines = (pairs: readonly (readonly [name: string, value: string])[]): string =>
  pairs.map(([name, value]) => `${name}: ${value}`).join('\n')

/** Code points; combining signs count, which costs at most a blank. */
const letters = (cell: string): string[] => Array.from(cell)
const width = (cell: string): number => letters(cell).length

const cut = (cell: string, most: number | undefined): string =>
  most === undefined || width(cell) <= most
    ? cell
    : `${letters(cell)
        .slice(0, most - 1)
        .join('')}…`
