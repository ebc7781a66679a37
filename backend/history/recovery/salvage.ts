import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../duckdb/engine/engine.ts'
import type { BackupTable } from './copied-kinds.ts'
import type { LostSpan } from '../../domain/history-damage.ts'

/** Rows of a row group: the most that one damaged block can make unreadable. */
const GROUP_ROWS = 122_880

/**
 * Rows of a damaged table that are readable or not: rowids from `first` up to but excluding `last`.
 */
interface Slice {
  readonly first: number
  readonly last: number
}

/** The damaged history, attached read-only beside the new one. */
export const DAMAGED_SCHEMA = 'damaged'

/**
 * Opens the remains of a history beside the new one. False when the engine cannot open it at all,
 * or cannot read the names of its markets.
 */
export async function attachDamaged(connection: DuckDBConnection, path: string): Promise<boolean> {
  try {
    await connection.run(`attach ${quoteText(path)} as ${DAMAGED_SCHEMA} (read_only)`)
    // Rows refer to their market by id: without every name they cannot be assigned.
    await connection.run(`select bit_xor(hash(id, venue, ticker)) from ${DAMAGED_SCHEMA}.market`)
    return true
  } catch {
    return false
  }
}

/** Whether the damaged history's schema had the table. */
export async function hadTable(connection: DuckDBConnection, table: string): Promise<boolean> {
  const countReader = await connection.runAndReadAll(
    `select 1 from duckdb_tables()
      where database_name = ${quoteText(DAMAGED_SCHEMA)} and table_name = ${quoteText(table)}`,
  )
  return countReader.currentRowCount > 0
}

/**
 * Fills `staged` with the rows of a damaged table slice by slice, in order, and passes each slice
 * to `take`. The engine compares every block with its checksum as it reads, so what it reads is
 * what was written; unreadable slices are returned with their time range.
 */
export async function salvageTable(
  connection: DuckDBConnection,
  table: string,
  kind: BackupTable,
  take: () => Promise<void>,
): Promise<LostSpan[]> {
  const lostSpans: LostSpan[] = []
  for (const slice of await slicesOf(connection, table)) {
    try {
      await connection.run(
        `create or replace temp table staged as select * from ${DAMAGED_SCHEMA}.${table}
          where rowid >= ${slice.first} and rowid < ${slice.last} order by rowid`,
      )
    } catch {
      lostSpans.push(...(await spansOfSlice(connection, table, kind, slice)))
      continue
    }
    await take()
  }
  return lostSpans
}

async function slicesOf(connection: DuckDBConnection, table: string): Promise<Slice[]> {
  const salvagedRows = await connection
    .runAndReadAll(`select coalesce(max(rowid), -1)::double from ${DAMAGED_SCHEMA}.${table}`)
    .then((read) => Number(read.getRows()[0]?.[0]))
    .catch(() => Infinity)
  const slices: Slice[] = []
  const rows = salvagedRows === Infinity ? await groupsEnd(connection, table) : salvagedRows + 1
  for (let first = 0; first < rows; first += GROUP_ROWS) {
    slices.push({ first, last: first + GROUP_ROWS })
  }
  return slices
}

async function groupsEnd(connection: DuckDBConnection, table: string): Promise<number> {
  const read = await connection.runAndReadAll(
    `select coalesce(max(start + count), 0)::double from pragma_storage_info('${DAMAGED_SCHEMA}.${table}')`,
  )
  return Number(read.getRows()[0]?.[0] ?? 0)
}

/**
 * Venues and times of an unreadable slice: from its own columns when they are readable, else from
 * its bounds.
 */
async function spansOfSlice(
  connection: DuckDBConnection,
  table: string,
  { kind, time }: BackupTable,
  { first, last }: Slice,
): Promise<LostSpan[]> {
  const rowsSql = `${DAMAGED_SCHEMA}.${table} where rowid >= ${first} and rowid < ${last}`
  const times = `min(${time})::double, max(${time})::double`
  try {
    const read = await connection.runAndReadAll(
      `select ${times} from ${rowsSql} having count(*) > 0`,
    )
    return read.getRows().map(([from, to]) => ({
      kind,
      venue: null,
      from: Number(from),
      to: Number(to) + 1,
    }))
  } catch {
    const read = await connection
      .runAndReadAll(
        `select stats from pragma_storage_info('${DAMAGED_SCHEMA}.${table}')
          where column_name = '${time}' and segment_type = 'BIGINT'
            and row_group_id >= ${Math.floor(first / GROUP_ROWS)} and start < ${last}`,
      )
      .then((rows) => rows.getRows().map(([stats]) => String(stats)))
      .catch(() => [])
    const bounds = read.flatMap((stats) => {
      const [, from, to] = /Min: (-?\d+), Max: (-?\d+)/.exec(stats) ?? []
      return from === undefined || to === undefined ? [] : [[Number(from), Number(to)] as const]
    })
    if (bounds.length === 0) return [{ kind, venue: null, from: 0, to: Infinity }]
    return [
      {
        kind,
        venue: null,
        from: Math.min(...bounds.map(([from]) => from)),
        to: Math.max(...bounds.map(([, to]) => to)) + 1,
      },
    ]
  }
}
