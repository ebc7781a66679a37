import type { DuckDBConnection } from '@duckdb/node-api'
import type { QueryAnswer } from '../history-queries.ts'
import { QUERY_VIEWS } from '../query-views.ts'
import { jsonValue } from './json-value.ts'
import type { FromStatement, StatementTask, ViewFile } from './messages.ts'
import { scansOfPlan, wholeScans } from './scan-plan.ts'
import { openStatementEngine } from './statement-engine.ts'
import { statementProblem, viewsRead } from './statement-check.ts'
import type { ViewScan } from './view-scan.ts'

const VIEWS = QUERY_VIEWS.map(({ name }) => name)

/**
 * Runs one statement in an engine of its own: checks it, requests the rows that it reads, returns
 * the result.
 * @param rowsOf writes the rows of scans to files in the folder of the statement
 */
export async function runStatement(
  task: StatementTask,
  rowsOf: (scans: readonly ViewScan[]) => Promise<readonly ViewFile[]>,
): Promise<FromStatement> {
  const engine = await openStatementEngine(task.folder, task.limits)
  const { connection } = engine
  try {
    const statementAst = await serializeStatement(
      connection,
      'json_serialize_sql($sql::varchar)',
      task.sql,
    )
    const problem = statementProblem(statementAst, VIEWS)
    if (problem !== null) return { type: 'faulty', ...problem }
    const scans = await scansOf(connection, statementAst, task)
    await engine.showFiles(scans.length === 0 ? [] : await rowsOf(scans))
    return { type: 'answered', answer: await answerOf(connection, task) }
  } catch (error) {
    return failureOf(error)
  } finally {
    engine.close()
  }
}

async function scansOf(
  connection: DuckDBConnection,
  statementAst: unknown,
  { sql, maxRows }: StatementTask,
): Promise<readonly ViewScan[]> {
  const options = 'optimize := true, skip_null := true, skip_empty := true'
  const plan = await serializeStatement(
    connection,
    `json_serialize_plan($sql::varchar, ${options})`,
    sql,
  )
  const scans = scansOfPlan(plan, maxRows)
  if (scans !== null) return scans
  // Nothing is read for a statement that cannot be bound.
  const statement = await connection.prepare(sql)
  statement.destroySync()
  return wholeScans(viewsRead(statementAst, VIEWS))
}

/** The engine's JSON description of a statement; null when it is not valid JSON. */
async function serializeStatement(
  connection: DuckDBConnection,
  call: string,
  sql: string,
): Promise<unknown> {
  const serializedReader = await connection.runAndReadAll(`select ${call}`, { sql })
  try {
    return JSON.parse(String(serializedReader.getRows()[0]?.[0]))
  } catch {
    return null
  }
}

async function answerOf(
  connection: DuckDBConnection,
  { sql, maxRows, maxLength }: StatementTask,
): Promise<QueryAnswer> {
  const result = await connection.stream(sql)
  const names = result.columnNames()
  const columns = result.columnTypes().map((type, index) => ({
    name: names[index] ?? '',
    type: type.toString(),
  }))
  const rows: string[] = []
  let length = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) return { columns, rows, isTruncated: false }
    for (const row of chunk.getRows()) {
      const text = JSON.stringify(row.map(jsonValue))
      length += text.length
      if (rows.length === maxRows || length > maxLength) return { columns, rows, isTruncated: true }
      rows.push(text)
    }
  }
}

/** Prefixes of the engine's messages for errors in the statement. */
const STATEMENT_ERRORS =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Invalid Type|Mismatch Type|Out of Range|Not implemented|Syntax|Permission|Constraint|Sequence|Divide by Zero|Expression|Planner|Serialization|Parameter Not (?:Resolved|Allowed)|Unrecognized|Decimal|Depth limit|Stack Limit) ?(?:Error|exceeded)?:\s*/i

function failureOf(error: unknown): FromStatement {
  const text = error instanceof Error ? error.message : String(error)
  if (/^Out of Memory Error|could not allocate|bad_alloc/i.test(text)) return { type: 'too-large' }
  const errorMatch = STATEMENT_ERRORS.exec(text)
  if (errorMatch === null) return { type: 'failed', message: text }
  // The lines after the first quote the statement.
  const message = text.slice(errorMatch[0].length).split('\n')[0] ?? text
  return { type: 'faulty', message, at: null }
}
