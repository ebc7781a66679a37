import { childrenOf, isNode, nodesOf, type Node } from './plan-node.ts'

/** The error of a statement, for its author. */
export interface StatementProblem {
  readonly message: string
  /** Offset in the text in characters; null when the engine does not report it. */
  readonly at: number | null
}

/** Table functions that produce rows only from their arguments. */
const ROW_MAKERS: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest'])

/**
 * Functions that return facts about the machine and the engine, or that read or run something by
 * its name. The process of a statement holds nothing of value; this is a second line of defence.
 * Time and memory are bounded by the process alone.
 */
const WITHHELD =
  /^(?:getenv|current_setting|set_config|getvariable|setseed|nextval|currval|query|query_table|json_(?:execute_serialized|serialize|deserialize)_.*|read_.*|write_.*|sniff_.*|parse_duckdb_.*|parquet_.*|duckdb_.*|pragma_.*|pg_.*|.*_secret.*|glob|load_.*)$/

/**
 * Checks a statement as parsed by the engine (`json_serialize_sql`) for anything that is not a
 * documented view, a common table expression in scope or a function of values.
 * @param statementAst the parser's result: an error, or a list of statements
 * @param views names of the documented views
 * @returns null when the statement may run
 */
export function statementProblem(
  statementAst: unknown,
  views: readonly string[],
): StatementProblem | null {
  if (!isNode(statementAst)) return { message: 'The statement could not be read', at: null }
  if (statementAst['error'] === true) return problemOfParser(statementAst)
  const statements = nodesOf(statementAst['statements'])
  const [statement] = statements
  if (statement === undefined) {
    return { message: 'There is no statement. Write one SELECT', at: 0 }
  }
  if (statements.length > 1) {
    return { message: `One SELECT at a time: these are ${statements.length} statements`, at: null }
  }
  return problemIn(statement, views, new Set())
}

/** Documented views that a statement mentions anywhere. */
export function viewsRead(statementAst: unknown, views: readonly string[]): Set<string> {
  const viewNames = new Set<string>()
  const visit = (node: Node): void => {
    const name = String(node['table_name']).toLowerCase()
    if (node['type'] === 'BASE_TABLE' && views.includes(name)) viewNames.add(name)
    for (const child of childrenOf(node)) visit(child)
  }
  if (isNode(statementAst)) visit(statementAst)
  return viewNames
}

function problemOfParser(parserError: Node): StatementProblem {
  const text = parserError['error_message']
  const message = typeof text === 'string' ? text : 'The statement could not be read'
  const at = Number(parserError['position'] ?? NaN)
  if (parserError['error_type'] === 'not implemented') {
    return { message: 'Only SELECT is answered here: the history is read, not written', at: null }
  }
  return { message, at: Number.isInteger(at) ? at : null }
}

/** Names of common table expressions that a part of a statement may read. */
type Scope = ReadonlySet<string>

function problemIn(node: Node, views: readonly string[], outer: Scope): StatementProblem | null {
  const problem = problemOf(node, views, outer)
  if (problem !== null) return problem
  const expressions = commonTables(node)
  let scope = outer
  if (node['type'] === 'RECURSIVE_CTE_NODE') scope = withName(scope, nameIn(node['cte_name']))
  for (const { name, query } of expressions) {
    if (!/^[a-z_][a-z0-9_]*$/.test(name)) {
      return { message: `A part of WITH cannot be named "${name}". Choose another name`, at: null }
    }
    // An expression sees those before it; only a recursive one, which is a separate node, sees
    // itself.
    const queryProblem = problemIn(query, views, scope)
    if (queryProblem !== null) return queryProblem
    scope = withName(scope, name)
  }
  for (const [key, inner] of Object.entries(node)) {
    if (key === 'cte_map' || !isNode(inner)) continue
    // The function of a table function was checked with it.
    const checkedStatement =
      key === 'function' && node['type'] === 'TABLE_FUNCTION' ? inner['children'] : inner
    const found = isNode(checkedStatement) ? problemIn(checkedStatement, views, scope) : null
    if (found !== null) return found
  }
  return null
}

const nameIn = (value: unknown): string => String(value).toLowerCase()

const withName = (scope: Scope, name: string): Scope => new Set([...scope, name])

/** The common table expressions of a query, in order. */
function commonTables(node: Node): { readonly name: string; readonly query: Node }[] {
  const map = isNode(node['cte_map']) ? nodesOf(node['cte_map']['map']) : []
  return map.map(({ key, value }) => ({ name: nameIn(key), query: isNode(value) ? value : {} }))
}

/** Offset of a node in the text; the parser returns a huge number when it is unknown. */
function positionOf(node: Node): number | null {
  const at = Number(node['query_location'])
  return Number.isSafeInteger(at) ? at : null
}

function problemOf(node: Node, views: readonly string[], scope: Scope): StatementProblem | null {
  const at = positionOf(node)
  const { type } = node
  if (type === 'BASE_TABLE') {
    if (isReadable(node, views, scope)) return null
    return {
      message: `There is no view "${String(node['table_name'])}". There are: ${views.join(', ')}`,
      at,
    }
  }
  if (type === 'TABLE_FUNCTION') {
    const functionName = node['function']
    const name = isNode(functionName) ? nameIn(functionName['function_name']) : ''
    if (ROW_MAKERS.has(name)) return null
    return { message: `${name}() cannot be read from. There are: ${views.join(', ')}`, at }
  }
  if (type === 'SHOW_REF' && !isNode(node['query'])) {
    return { message: `There are: ${views.join(', ')}. DESCRIBE shows the columns of one`, at }
  }
  if (node['class'] === 'PARAMETER') {
    return { message: 'Parameters have no values here. Write the value itself', at }
  }
  const name = node['function_name']
  const isCall = node['class'] === 'FUNCTION' || node['class'] === 'WINDOW'
  if (typeof name === 'string' && isCall && WITHHELD.test(nameIn(name))) {
    return { message: `${nameIn(name)}() is not answered here`, at }
  }
  return null
}

/** A name with a schema is never that of a common table expression. */
function isReadable(node: Node, views: readonly string[], scope: Scope): boolean {
  const name = nameIn(node['table_name'])
  const schema = node['schema_name']
  if (node['catalog_name'] !== '') return false
  if (schema === 'main') return views.includes(name)
  return schema === '' && (views.includes(name) || scope.has(name))
}
