/** What is wrong with a statement, for its author. */
export interface StatementFault {
  readonly message: string
  /** Where in the text, counted in characters from 0; null where the engine does not say. */
  readonly at: number | null
}

/** Names that a statement may read. */
export interface ReadableNames {
  readonly views: readonly string[]
  /** Tables of the history itself: not even the name of a `with` part may be one of them. */
  readonly tables: ReadonlySet<string>
}

/** Functions in `from` that make rows of their arguments alone. */
const ROW_MAKERS: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest'])

/**
 * Functions that tell of the machine, read or run something by its name, or make a value of any length
 * in one step, which cannot be stopped on the way.
 */
const WITHHELD =
  /^(?:getenv|current_setting|set_config|getvariable|setseed|nextval|currval|sleep(?:_.*)?|query|query_table|json_(?:execute_serialized|serialize|deserialize)_.*|read_.*|write_.*|sniff_.*|parse_duckdb_.*|parquet_.*|duckdb_.*|pragma_.*|pg_.*|.*_secret.*|glob|load_.*|repeat|lpad|rpad|list_resize|array_resize|printf|format)$/
/** In `select` these are lists as long as their arguments say. */
const LISTS_OF_NUMBERS: ReadonlySet<string> = new Set(['range', 'generate_series'])

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/**
 * Looks through a statement as the engine's own parser read it (`json_serialize_sql`) for whatever is
 * not a documented view, a part of the statement itself or a function of values. What the look does
 * not know is refused.
 * @param parsed what the parser said: an error, or a list of statements
 * @returns null when the statement may run
 */
export function statementFault(parsed: unknown, names: ReadableNames): StatementFault | null {
  if (!isNode(parsed)) return { message: 'The statement could not be read', at: null }
  if (parsed['error'] === true) return faultOfParser(parsed)
  const statements = parsed['statements']
  if (!Array.isArray(statements) || statements.length === 0) {
    return { message: 'There is no statement. Write one SELECT', at: 0 }
  }
  if (statements.length > 1) {
    return { message: `One SELECT at a time: these are ${statements.length} statements`, at: null }
  }
  const own = new Set<string>()
  const fault = namesOfParts(statements[0], names, own)
  return fault ?? faultIn(statements[0], names, own)
}

function faultOfParser(parsed: Node): StatementFault {
  const said = parsed['error_message']
  const message = typeof said === 'string' ? said : 'The statement could not be read'
  const at = Number(parsed['position'] ?? NaN)
  if (parsed['error_type'] === 'not implemented') {
    return { message: 'Only SELECT is answered here: the history is read, not written', at: null }
  }
  return { message, at: Number.isInteger(at) ? at : null }
}

/** Gathers the names of the statement's own `with` parts. */
function namesOfParts(
  value: unknown,
  names: ReadableNames,
  own: Set<string>,
): StatementFault | null {
  if (!isNode(value)) return null
  const parts = isNode(value['cte_map']) ? value['cte_map']['map'] : undefined
  for (const part of Array.isArray(parts) ? (parts as unknown[]) : []) {
    const name = isNode(part) ? String(part['key']).toLowerCase() : ''
    const isPlain = /^[a-z_][a-z0-9_]*$/.test(name)
    if (!isPlain || names.tables.has(name)) {
      return { message: `A part of WITH cannot be named "${name}". Choose another name`, at: null }
    }
    own.add(name)
  }
  for (const inner of Object.values(value)) {
    const fault = namesOfParts(inner, names, own)
    if (fault !== null) return fault
  }
  return null
}

function faultIn(
  value: unknown,
  names: ReadableNames,
  own: ReadonlySet<string>,
): StatementFault | null {
  if (!isNode(value)) return null
  const fault = faultOf(value, names, own)
  if (fault !== null) return fault
  // The function of a table function is looked at with it.
  const inner = value['type'] === 'TABLE_FUNCTION' ? argumentsOf(value) : Object.values(value)
  for (const one of inner) {
    const found = faultIn(one, names, own)
    if (found !== null) return found
  }
  return null
}

const argumentsOf = (node: Node): unknown[] => {
  const called = node['function']
  return isNode(called) ? [called['children']] : []
}

/** Where a node stands in the text; the parser gives a huge number where it does not know. */
function placeOf(node: Node): number | null {
  const at = Number(node['query_location'])
  return Number.isSafeInteger(at) ? at : null
}

function faultOf(
  node: Node,
  { views }: ReadableNames,
  own: ReadonlySet<string>,
): StatementFault | null {
  const at = placeOf(node)
  const { type } = node
  if (type === 'BASE_TABLE') {
    const name = String(node['table_name'])
    const isHere = node['catalog_name'] === '' && ['', 'main'].includes(String(node['schema_name']))
    const known = name.toLowerCase()
    if (isHere && (own.has(known) || views.includes(known))) return null
    return { message: `There is no view "${name}". There are: ${views.join(', ')}`, at }
  }
  if (type === 'TABLE_FUNCTION') {
    const called = node['function']
    const name = isNode(called) ? String(called['function_name']).toLowerCase() : ''
    if (ROW_MAKERS.has(name)) return null
    return { message: `${name}() cannot be read from. There are: ${views.join(', ')}`, at }
  }
  if (type === 'SHOW_REF' && node['query'] === null) {
    return { message: `There are: ${views.join(', ')}. DESCRIBE tells the columns of one`, at }
  }
  if (node['class'] === 'PARAMETER') {
    return { message: 'Parameters have no values here. Write the value itself', at }
  }
  const name = node['function_name']
  if (typeof name === 'string' && (node['class'] === 'FUNCTION' || node['class'] === 'WINDOW')) {
    const called = name.toLowerCase()
    if (WITHHELD.test(called) || LISTS_OF_NUMBERS.has(called)) {
      return { message: `${called}() is not answered here`, at }
    }
  }
  return null
}
