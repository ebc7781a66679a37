import type { SqlAnswer } from '../../../backend/contract/archive.ts'
import { columnNames } from '../../api/statements.ts'

export interface StatementColumn {
  readonly name: string
  /** DuckDB's name of the type. */
  readonly type: string
  readonly isNumeric: boolean
  /** In px at 100 % text, by the longest value of the first rows. */
  readonly width: number
}

export interface StatementRow {
  readonly id: string
  readonly values: readonly unknown[]
}

const NUMERIC = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/
const MOMENT = /^TIMESTAMP/
const PX_PER_CHARACTER = 7
const PADDING = 20
const MIN_WIDTH = 56
const MAX_WIDTH = 320
/** Rows whose values size the columns. */
const MEASURED_ROWS = 50

/** The typed statement without its terminator. */
export const statementOf = (text: string): string => text.trim().replace(/[;\s]+$/, '')

/**
 * Display form of a value: instants in UTC without `T` and `Z`, nested values as JSON; null when
 * unknown.
 */
export function valueText(value: unknown, type: string): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') return JSON.stringify(value)
  return MOMENT.test(type) ? value.replace('T', ' ').replace(/(?:\.000)?Z$/, '') : value
}

/** The columns of a result, sized by its first rows. */
export function statementColumns(answer: SqlAnswer): readonly StatementColumn[] {
  const names = columnNames(answer)
  return answer.columns.map(({ type }, index) => {
    const name = names[index] ?? ''
    const texts = answer.rows
      .slice(0, MEASURED_ROWS)
      .map((row) => valueText(row[index], type) ?? '')
    const maxLength = Math.max(name.length, ...texts.map(({ length }) => length))
    const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, maxLength * PX_PER_CHARACTER + PADDING))
    return { name, type, isNumeric: NUMERIC.test(type), width }
  })
}

/** Sort value: numbers and texts as they are, everything else by its text. */
export function orderOf(value: unknown): number | string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value)
}

/** The market of a row: the value of a column named `ticker`, null when there is none. */
export function tickerAt(
  { values }: StatementRow,
  columns: readonly StatementColumn[],
): string | null {
  const value = values[columns.findIndex(({ name }) => name.toLowerCase() === 'ticker')]
  return typeof value === 'string' && value !== '' ? value : null
}
