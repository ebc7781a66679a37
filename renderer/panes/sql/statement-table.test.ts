import { describe, expect, it } from 'vitest'
import { columnNames, statementRows } from '../../api/statements.ts'
import { orderOf, statementColumns, tickerAt, valueText } from './statement-table.ts'

const answer = {
  columns: [
    { name: 'ticker', type: 'VARCHAR' },
    { name: 'n', type: 'BIGINT' },
    { name: 'n', type: 'DECIMAL(38,3)' },
    { name: 'ts', type: 'TIMESTAMP' },
  ],
  rows: [
    ['KXA-1', 12, 0.5, '2026-11-01T10:00:00.000Z'],
    [null, null, null, null],
  ],
  truncated: false,
}

// [terminal.sql.answer]
describe('the result of a statement', () => {
  it('distinguishes columns with equal names', () => {
    expect(columnNames(answer)).toEqual(['ticker', 'n', 'n_2', 'ts'])
    expect(statementRows(answer)[1]).toEqual({ ticker: null, n: null, n_2: null, ts: null })
    expect(statementRows(answer)[0]).toMatchObject({ n: 12, n_2: 0.5 })
  })

  it('aligns numbers to the right, and sizes columns by their values', () => {
    const columns = statementColumns(answer)
    expect(columns.map(({ isNumeric }) => isNumeric)).toEqual([false, true, true, false])
    expect(columns[3]?.width).toBeGreaterThan(columns[1]?.width ?? 0)
    const long = { ...answer, rows: [['x'.repeat(500), 1, 1, null]] }
    expect(statementColumns(long)[0]?.width).toBe(320)
  })

  it.each([
    ['n', 56],
    ['n'.repeat(5), 56],
    ['n'.repeat(6), 62],
    ['n'.repeat(42), 314],
    ['n'.repeat(43), 320],
  ])('a column named %s is %d px wide', (name, width) => {
    const columns = [{ name, type: 'BIGINT' }]
    expect(statementColumns({ columns, rows: [[null]], truncated: false })[0]?.width).toBe(width)
  })

  it('is sized by its first fifty rows', () => {
    const widthWith = (index: number) => {
      const rows = Array.from({ length: 60 }, (_, row) => [row === index ? 'x'.repeat(20) : 'x'])
      const columns = [{ name: 'n', type: 'VARCHAR' }]
      return statementColumns({ columns, rows, truncated: false })[0]?.width
    }
    expect([49, 50].map(widthWith)).toEqual([160, 56])
  })

  it.each([
    ['2026-11-01T10:00:00.000Z', 'TIMESTAMP', '2026-11-01 10:00:00'],
    ['2026-11-01T10:00:00.123Z', 'TIMESTAMP WITH TIME ZONE', '2026-11-01 10:00:00.123'],
    ['a Test', 'VARCHAR', 'a Test'],
    ['', 'VARCHAR', ''],
    [0, 'BIGINT', '0'],
    [false, 'BOOLEAN', 'false'],
    [[1, null], 'BIGINT[]', '[1,null]'],
    [null, 'DOUBLE', null],
  ])('shows %o of %s as %o', (value, type, text) => {
    expect(valueText(value, type)).toBe(text)
  })

  it('sorts by value, and keeps unknown values null', () => {
    expect([2, 'a', true, [1], null].map(orderOf)).toEqual([2, 'a', 1, '[1]', null])
  })

  it('finds the market of a row by its column', () => {
    const columns = statementColumns(answer)
    const rows = answer.rows.map((values, index) => ({ id: String(index), values }))
    expect(rows.map((row) => tickerAt(row, columns))).toEqual(['KXA-1', null])
    expect(tickerAt({ id: '0', values: ['KXA-1'] }, columns.slice(1))).toBeNull()
  })
})
