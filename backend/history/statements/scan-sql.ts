import type { QueryView } from '../query-views.ts'
import { COMPARISONS, type Condition, type ScanValue, type ViewScan } from './view-scan.ts'

/**
 * The SQL of a scan. A scan comes from another process: anything that is not a column of the view,
 * a known comparison or a value of the column's type is rejected.
 * @throws TypeError for a scan that does not fit the view
 */
export function scanSql(scan: ViewScan, view: QueryView): string {
  const selectedNames = scan.columns.map((name) => nameOf(name, view))
  const lists = scan.anyOf.map((all) =>
    all.map((condition) => conditionSql(condition, view)).join(' and '),
  )
  const filterSql = lists.length === 0 ? '' : ` where (${lists.join(') or (')})`
  const from = `from main.${view.name}${filterSql}${firstSql(scan, view)}`
  return `select ${selectedNames.length === 0 ? 'true as any_row' : selectedNames.join(', ')} ${from}`
}

function firstSql({ first }: ViewScan, view: QueryView): string {
  if (first === null) return ''
  const order = first.order.map(
    ({ column, isDescending, areNullsFirst }) =>
      `${nameOf(column, view)} ${isDescending ? 'desc' : 'asc'} nulls ${areNullsFirst ? 'first' : 'last'}`,
  )
  const orderSql = order.length === 0 ? '' : ` order by ${order.join(', ')}`
  return `${orderSql} limit ${integerOf(first.count)}`
}

function conditionSql(condition: Condition, view: QueryView): string {
  const { column, operator } = condition
  const name = nameOf(column, view)
  if (operator === 'in') {
    const values = condition.values.map((value) => valueSql(value, column, view))
    return `${name} in (${values.join(', ')})`
  }
  if (!COMPARISONS.includes(operator)) throw new TypeError(`no comparison: ${operator}`)
  return `${name} ${operator} ${valueSql(condition.value, column, view)}`
}

function columnOf(name: string, view: QueryView): QueryView['columns'][number] {
  const column = view.columns.find((viewColumn) => viewColumn.name === name)
  if (column === undefined) throw new TypeError(`${view.name} has no column ${name}`)
  return column
}

const nameOf = (name: string, view: QueryView): string => `"${columnOf(name, view).name}"`

function valueSql(value: ScanValue, column: string, view: QueryView): string {
  const { type } = columnOf(column, view)
  if (type === 'VARCHAR' && typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (type === 'BOOLEAN' && typeof value === 'boolean') return String(value)
  // A number in a statement is parsed as a decimal first, which may result in another double.
  if (type === 'DOUBLE' && typeof value === 'number') return `'${value}'::double`
  if (type === 'BIGINT') return `${integerOf(value)}::bigint`
  if (type === 'TIMESTAMP') return `make_timestamp(${integerOf(value)}::bigint)`
  throw new TypeError(`${column} has no value ${String(value)}`)
}

function integerOf(value: ScanValue): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new TypeError(`no whole number: ${String(value)}`)
}
