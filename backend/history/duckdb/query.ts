import {
  DuckDBArrayValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBConnection,
  type DuckDBResult,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'
import type { QueryAnswer, QueryBounds, QueryOutcome } from '../history-queries.ts'
import { QUERY_VIEWS } from '../query-views.ts'
import type { Session } from './connections.ts'
import { readDoubles, readTexts } from './columns.ts'
import { statementFault, type StatementFault } from './statement-check.ts'

const VIEWS = QUERY_VIEWS.map(({ name }) => name)

/** Runs a statement of a user in a read transaction of its own. */
export async function queryViews(
  session: Session,
  sql: string,
  bounds: QueryBounds,
): Promise<QueryOutcome> {
  const { connection } = session
  const fault = await faultOf(session, sql)
  if (fault !== null) return { kind: 'faulty', ...fault }
  const stop = (): void => connection.interrupt()
  bounds.signal.addEventListener('abort', stop, { once: true })
  try {
    if (bounds.signal.aborted) return { kind: 'stopped' }
    await connection.run('begin transaction read only')
    try {
      return { kind: 'answered', answer: await answerOf(connection, sql, bounds) }
    } finally {
      await connection.run('rollback').catch(() => {})
    }
  } catch (error) {
    return outcomeOf(error, bounds.signal)
  } finally {
    bounds.signal.removeEventListener('abort', stop)
  }
}

/** Memory of the engine that holds blocks of the file, which it gives up when others need it. */
export async function cachedBytes(session: Session): Promise<number> {
  const [found] = await session.read(
    "select coalesce(sum(memory_usage_bytes), 0)::double from duckdb_memory() where tag in ('BASE_TABLE', 'METADATA')",
  )
  return (found && readDoubles(found, 0)[0]) ?? 0
}

async function faultOf(session: Session, sql: string): Promise<StatementFault | null> {
  const [parsed] = await session.read('select json_serialize_sql($sql::varchar)', { sql })
  const tables = await session.read('select table_name from duckdb_tables()')
  const text = parsed === undefined ? null : readTexts(parsed, 0)[0]
  return statementFault(JSON.parse(text ?? 'null'), {
    views: VIEWS,
    tables: new Set(tables.flatMap((chunk) => readTexts(chunk, 0).filter((name) => name !== null))),
  })
}

async function answerOf(
  connection: DuckDBConnection,
  sql: string,
  { maxRows, maxLength, signal }: QueryBounds,
): Promise<QueryAnswer> {
  const result: DuckDBResult = await connection.stream(sql)
  const names = result.columnNames()
  const columns = result.columnTypes().map((type, index) => ({
    ...{ name: names[index] ?? '', type: type.toString() },
  }))
  const rows: string[] = []
  let length = 0
  for (;;) {
    signal.throwIfAborted()
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) return { columns, rows, isTruncated: false }
    for (const row of chunk.getRows()) {
      const text = JSON.stringify(row.map(jsonOf))
      length += text.length
      if (rows.length === maxRows || length > maxLength) return { columns, rows, isTruncated: true }
      rows.push(text)
    }
  }
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Instants as text in UTC; those that no calendar of ours holds in the engine's words. */
function instant(micros: bigint, fallback: { toString(): string }): string {
  const at = Number(micros / 1_000n)
  return Math.abs(at) <= 8.64e15 ? isoOf(at as Millis) : fallback.toString()
}

/**
 * A value as JSON knows it: whole numbers as numbers while those are exact, else as text; NaN and
 * infinity as null.
 */
function jsonOf(value: DuckDBValue): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return finite(value)
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return instant(value.micros, value)
  }
  if (value instanceof DuckDBTimestampMillisecondsValue)
    return instant(value.millis * 1_000n, value)
  if (value instanceof DuckDBTimestampSecondsValue)
    return instant(value.seconds * 1_000_000n, value)
  if (value instanceof DuckDBTimestampNanosecondsValue) return instant(value.nanos / 1_000n, value)
  if (value instanceof DuckDBDecimalValue) return finite(value.toDouble())
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return value.items.map(jsonOf)
  }
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([key, one]) => [key, jsonOf(one)]))
  }
  if (value instanceof DuckDBMapValue) {
    return value.entries.map(({ key, value: one }) => ({ key: jsonOf(key), value: jsonOf(one) }))
  }
  return String(value)
}

/** What the engine calls the faults of a statement, in front of its message. */
const OF_THE_STATEMENT =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Invalid Type|Mismatch Type|Out of Range|Not implemented|Syntax|Permission|Constraint|Sequence|Divide by Zero|Expression|Planner|Serialization|Parameter Not (?:Resolved|Allowed)|Unrecognized|Decimal|Depth limit|Stack Limit) ?(?:Error|exceeded)?:\s*/i

function outcomeOf(error: unknown, signal: AbortSignal): QueryOutcome {
  if (signal.aborted) return { kind: 'stopped' }
  const text = error instanceof Error ? error.message : String(error)
  if (/^Out of Memory Error|could not allocate/i.test(text)) return { kind: 'too-large' }
  if (/^INTERRUPT Error/i.test(text)) return { kind: 'stopped' }
  const said = OF_THE_STATEMENT.exec(text)
  if (said === null) throw error
  // After the first line comes a drawing of the statement, which speaks of our own.
  const message = text.slice(said[0].length).split('\n')[0] ?? text
  return { kind: 'faulty', message, at: null }
}
