import type { DuckDBConnection } from '@duckdb/node-api'

/** Rows read at a time: the delay before a pause or a deadline takes effect. */
const SLICE_ROWS = 1_000_000

/**
 * Reads every column of every table once; the engine compares each block with its checksum. Throws
 * the engine's error at the first damaged block.
 * @param goOn called before each slice of a million rows; false stops
 * @returns whether everything was read
 */
export async function walkTables(
  connection: DuckDBConnection,
  goOn: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const tables = await connection.runAndReadAll(
    `select table_name from duckdb_tables() where not internal order by estimated_size, table_name`,
  )
  for (const [table] of tables.getRows()) {
    const name = `"${String(table).replaceAll('"', '""')}"`
    const bounds = await connection.runAndReadAll(
      `select coalesce(max(rowid), -1)::double from ${name}`,
    )
    const last = Number(bounds.getRows()[0]?.[0] ?? -1)
    for (let from = 0; from <= last; from += SLICE_ROWS) {
      if (!(await goOn())) return false
      await connection.run(
        `select bit_xor(hash(columns(*)))
           from (select * from ${name} where rowid >= ${from} and rowid < ${from + SLICE_ROWS})`,
      )
    }
  }
  return true
}
