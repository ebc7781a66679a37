import { QUERY_VIEWS, type QueryView } from '../query-views.ts'
import { childrenOf, isNode, nodesOf, type Node } from './plan-node.ts'
import { conditionsOf } from './scan-conditions.ts'
import { mergedScans, type ColumnOrder, type FirstRows, type ViewScan } from './view-scan.ts'

/** The schema of the tables behind the views, with their columns in the documented order. */
export const TABLES_SCHEMA = 'stored'

const VIEW_OF: ReadonlyMap<string, QueryView> = new Map(
  QUERY_VIEWS.map((queryView) => [queryView.name, queryView]),
)

/**
 * Determines from a plan of the engine (`json_serialize_plan`) which rows of which views a
 * statement needs. Conditions and limits that are not understood are ignored: more rows are read
 * then, and the result is the same.
 * @param maxRows rows of the result; one more shows that it was truncated
 * @returns null when the engine could not serialise the plan
 */
export function scansOfPlan(plan: unknown, maxRows: number): ViewScan[] | null {
  if (!isNode(plan) || plan['error'] !== false) return null
  const firstRows = new Map<Node, FirstRows>()
  const limit = (node: Node, count: number, order: readonly Node[]): void => {
    const scanMatch = orderedScan(node, order)
    if (scanMatch !== null) firstRows.set(scanMatch.scan, { count, order: scanMatch.order })
  }
  const scans: ViewScan[] = []
  const visit = (node: Node): void => {
    const childNode = nodesOf(node['children'])[0]
    const count = countOf(node)
    if (childNode !== undefined && count !== null) limit(childNode, count, nodesOf(node['orders']))
    const scan = scanOf(node, firstRows.get(node) ?? null)
    if (scan !== null) scans.push(scan)
    for (const child of childrenOf(node)) visit(child)
  }
  for (const root of nodesOf(plan['plans'])) {
    limit(root, maxRows + 1, [])
    visit(root)
  }
  return mergedScans(scans)
}

/** Every row and column of views, for a statement whose plan is not known. */
export const wholeScans = (views: Iterable<string>): ViewScan[] =>
  [...views].flatMap((name) => {
    const columns = VIEW_OF.get(name)?.columns.map((column) => column.name)
    return columns === undefined ? [] : [{ view: name, columns, anyOf: [], first: null }]
  })

function viewOf(node: Node): QueryView | null {
  const source = node['function_data']
  if (node['type'] !== 'LOGICAL_GET' || !isNode(source)) return null
  if (source['schema'] !== TABLES_SCHEMA) return null
  return VIEW_OF.get(String(source['table'])) ?? null
}

function scanOf(node: Node, first: FirstRows | null): ViewScan | null {
  const view = viewOf(node)
  if (view === null) return null
  const { all, isExact } = conditionsOf(node, view)
  const read = nodesOf(node['column_indexes']).map(({ index }) => view.columns[Number(index)])
  const names = read.flatMap((column) => (column === undefined ? [] : [column.name]))
  return {
    view: view.name,
    columns: [...new Set([...names, ...all.map(({ column }) => column)])],
    anyOf: all.length === 0 ? [] : [all],
    first: isExact ? first : null,
  }
}

/** The most rows of its input that a node needs; null when it may need all. */
function countOf(node: Node): number | null {
  if (node['type'] === 'LOGICAL_TOP_N') return sumOf(node['limit'], node['offset'] ?? 0)
  if (node['type'] !== 'LOGICAL_LIMIT') return null
  return sumOf(constantOf(node['limit_val']), constantOf(node['offset_val']) ?? 0)
}

/** Null when the limit is absent or computed. */
function constantOf(value: unknown): unknown {
  if (!isNode(value) || value['type'] === 'UNSET') return null
  return value['type'] === 'CONSTANT_VALUE' ? (value['constant_integer'] ?? 0) : NaN
}

function sumOf(limit: unknown, offset: unknown): number | null {
  if (limit === null || limit === undefined) return null
  const sum = Number(limit) + Number(offset)
  return Number.isSafeInteger(sum) ? sum : null
}

/** The table scan whose rows a node passes on completely, with an order in its own columns. */
function orderedScan(
  node: Node,
  order: readonly Node[],
): { readonly scan: Node; readonly order: ColumnOrder[] } | null {
  const steps: Node[] = []
  let scan: Node | undefined = node
  while (scan?.['type'] === 'LOGICAL_PROJECTION') {
    steps.push(scan)
    scan = nodesOf(scan['children'])[0]
  }
  if (scan === undefined || viewOf(scan) === null) return null
  const columns: ColumnOrder[] = []
  for (const orderNode of order) {
    const column = columnOf(orderNode['expression'], steps, scan)
    if (column === null) return null
    columns.push({
      column,
      isDescending: orderNode['type'] === 'DESCENDING',
      areNullsFirst: orderNode['null_order'] === 'NULLS FIRST',
    })
  }
  return { scan, order: columns }
}

/**
 * Follows a reference through projections to the column of the table; null for a computed value.
 */
function columnOf(expression: unknown, steps: readonly Node[], scan: Node): string | null {
  let operand = expression
  for (const step of steps) {
    const reference = referenceOf(operand)
    if (reference === null) return null
    operand = nodesOf(step['expressions'])[reference]
  }
  const reference = referenceOf(operand)
  if (reference === null) return null
  const projectionIds = scan['projection_ids']
  const read = Array.isArray(projectionIds) ? Number(projectionIds[reference]) : reference
  const index = nodesOf(scan['column_indexes'])[read]?.['index']
  return viewOf(scan)?.columns[Number(index)]?.name ?? null
}

function referenceOf(expression: unknown): number | null {
  if (!isNode(expression) || expression['expression_class'] !== 'BOUND_REF') return null
  return Number(expression['index'] ?? 0)
}
