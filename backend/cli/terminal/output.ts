import { PLAIN, type Screen, type Tone } from '../reads/screen.ts'
import { truncate, truncateTitle, widthOf } from './text-width.ts'

/** Shown for an unknown value. */
export const MISSING = '–'

/**
 * Characters that a terminal interprets or that mislead readers: control characters, direction
 * marks (overrides and isolates, which can reverse a line), lone surrogates.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Untrusted text as one line without control characters: line breaks and tabs become spaces. */
export const clean = (text: string): string =>
  text
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(CONTROL_CHARACTERS, '')
    .trim()

/** Untrusted text of several lines, without the characters that a terminal interprets. */
export const cleanLines = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))

/** `63.5¢`, at most two decimals. */
export const cents = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${plainNumber(value)}¢` : MISSING

/** `+1.5¢`, `-2¢`, `0¢`. */
export const centsChange = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${value > 0 ? '+' : ''}${plainNumber(value)}¢` : MISSING

/** `1,012.5 %`, at most two decimals. */
export const percent = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${amount(value)} %` : MISSING

/** `$1,234.50`, `-$3.20`; fractions of a cent are kept where significant. */
export const dollars = (value: number | null | undefined): string =>
  typeof value === 'number'
    ? value.toLocaleString('en-US', {
        style: 'currency',
        currency: 'USD',
        minimumFractionDigits: 2,
        maximumFractionDigits: 4,
      })
    : MISSING

/** A number with thousands separators, at most two decimals. */
export const amount = (value: number | null | undefined): string =>
  typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 2 }) : MISSING

export const text = (value: string | null | undefined): string =>
  value === null || value === undefined || clean(value) === '' ? MISSING : clean(value)

/** `2026-11-20 14:05` UTC. */
export const minute = (iso: string | null | undefined): string =>
  typeof iso === 'string' ? iso.slice(0, 16).replace('T', ' ') : MISSING

const plainNumber = (value: number): string => String(Number(value.toFixed(2)))

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: 'left' | 'right'
  /** Maximum width of a cell in terminal columns; longer text is cut off with `…`. */
  readonly max?: number
  /** A longer text loses its middle, as titles of markets do, and not its end. */
  readonly keepsEnd?: boolean
  /** Colour of the cell, where colours are available. */
  readonly tone?: (row: Row) => Tone | null
}

const GAP = 2
/** Titles are not cut below this width to fit a terminal. */
const MIN_TITLE_WIDTH = 32

const fit = <Row>(column: Column<Row> | undefined, cell: string, width: number): string =>
  column?.keepsEnd === true ? truncateTitle(cell, width) : truncate(cell, width)

/**
 * Rows under their titles, columns separated by two spaces; no trailing spaces. The first column
 * shrinks when the lines would be wider than the terminal.
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  screen: Screen = PLAIN,
): string {
  const heads = columns.map(({ title }) => title)
  const cells = rows.map((row) =>
    columns.map((column) =>
      column.max === undefined ? column.cell(row) : fit(column, column.cell(row), column.max),
    ),
  )
  const widths = columns.map((_, index) =>
    Math.max(...[heads, ...cells].map((line) => widthOf(line[index] ?? ''))),
  )
  const excess =
    widths.reduce((sum, width) => sum + width + GAP, -GAP) - (screen.columns ?? Infinity)
  const [first = 0] = widths
  if (excess > 0) widths[0] = Math.max(Math.min(first, MIN_TITLE_WIDTH), first - excess)
  const lineOf = (line: readonly string[], tones: readonly (Tone | null)[]): string => {
    const last = line.findLastIndex((cell) => cell !== '')
    return line
      .slice(0, last + 1)
      .map((cell, index) => {
        const width = widths[index] ?? 0
        const fitting = index === 0 ? fit(columns[0], cell, width) : cell
        const blanks = ' '.repeat(width - widthOf(fitting))
        const cellText = screen.paint(fitting, tones[index] ?? null)
        if (columns[index]?.align === 'right') return blanks + cellText
        return index === last ? cellText : cellText + blanks
      })
      .join(' '.repeat(GAP))
  }
  return [
    lineOf(
      heads,
      heads.map(() => 'faint'),
    ),
    ...rows.map((row, index) =>
      lineOf(
        cells[index] ?? [],
        columns.map(({ tone }) => tone?.(row) ?? null),
      ),
    ),
  ].join('\n')
}

/** `name: value` lines. */
export const lines = (pairs: readonly (readonly [name: string, value: string])[]): string =>
  pairs.map(([name, value]) => `${name}: ${value}`).join('\n')
