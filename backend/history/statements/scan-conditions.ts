import type { QueryView } from '../query-views.ts'
import { isNode, nodesOf, type Node } from './plan-node.ts'
import type { Comparison, Condition, ScanValue } from './view-scan.ts'

const COMPARISON_OF: Readonly<Record<string, Comparison>> = {
  COMPARE_EQUAL: '=',
  COMPARE_LESSTHAN: '<',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHAN: '>',
  COMPARE_GREATERTHANOREQUALTO: '>=',
}

/** The filter of a table scan. */
export interface ScanConditions {
  /** Every row that the statement needs meets all of them. */
  readonly all: readonly Condition[]
  /** Whether a row that meets them is certainly needed. */
  readonly isExact: boolean
}

/** Parses the conditions that the engine pushed down into a table scan. */
export function conditionsOf(scan: Node, view: QueryView): ScanConditions {
  const filters = isNode(scan['table_filters']) ? nodesOf(scan['table_filters']['filters']) : []
  const all: Condition[] = []
  let isExact = true
  for (const { key, value } of filters) {
    const column = view.columns[Number(key)]
    if (column === undefined || !isNode(value)) isExact = false
    else if (!addCondition(value, column, all)) isExact = false
  }
  return { all, isExact }
}

type Column = QueryView['columns'][number]

/** Adds a filter's conditions on a column; false when a part of it is not understood. */
function addCondition(filter: Node, column: Column, conditions: Condition[]): boolean {
  const { name } = column
  switch (filter['filter_type']) {
    case 'CONSTANT_COMPARISON': {
      const operator = COMPARISON_OF[String(filter['comparison_type'])]
      const value = valueOf(filter['constant'], column)
      if (operator === undefined || value === null) return false
      conditions.push({ column: name, operator, value })
      return true
    }
    case 'IN_FILTER': {
      const values = nodesOf(filter['values']).map((valueNode) => valueOf(valueNode, column))
      const present = values.filter((value) => value !== null)
      if (present.length === 0 || present.length < values.length) return false
      conditions.push({ column: name, operator: 'in', values: present })
      return true
    }
    case 'CONJUNCTION_AND':
      return nodesOf(filter['child_filters'])
        .map((child) => addCondition(child, column, conditions))
        .every(Boolean)
    case 'OPTIONAL_FILTER':
      // The plan repeats the condition elsewhere: this one only avoids reading.
      if (isNode(filter['child_filter'])) addCondition(filter['child_filter'], column, conditions)
      return true
    default:
      return false
  }
}

/** A constant of the plan; null when JSON does not represent it exactly. */
function valueOf(constant: unknown, column: Column): ScanValue | null {
  if (!isNode(constant) || constant['is_null'] !== false) return null
  const type = isNode(constant['type']) ? constant['type']['id'] : null
  if (type !== column.type) return null
  const { value } = constant
  if (type === 'VARCHAR') return isPlainText(value) ? value : null
  if (type === 'BOOLEAN') return typeof value === 'boolean' ? value : null
  if (typeof value !== 'number') return null
  if (type === 'DOUBLE') return Number.isFinite(value) ? value : null
  return Number.isSafeInteger(value) ? value : null
}

/** A zero byte would end the text of a statement. */
const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0')
