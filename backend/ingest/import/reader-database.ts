import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { csvHeader } from './csv-header.ts'
import { exportedColumns } from './exported-json.ts'
import { UnreadableFile, type FileFormat } from './file-format.ts'

/** The reader's own engine, in memory; the history's stays locked down. */
export interface ReaderDatabase {
  /** For reading files. */
  readonly connection: DuckDBConnection
  /** For writing staged files while rows of a file are streamed. */
  readonly staging: DuckDBConnection
  close(): void
}

/** A file as rows and columns. */
export interface Table {
  readonly path: string
  /** SQL of the rows, with a column `"#row"` that counts them from 1. */
  readonly from: string
  readonly columns: ReadonlySet<string>
}

/** The row number of a table's SQL. */
export const ROW = '"#row"'

/**
 * Opens an engine that may read any file and spills into `tempDir` beyond `memoryLimitMb`.
 * Two threads, since the history needs the rest of the machine.
 */
export async function openReaderDatabase(options: {
  memoryLimitMb: number
  tempDir: string
}): Promise<ReaderDatabase> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryLimitMb}MB`,
    temp_directory: options.tempDir,
    threads: '2',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'true',
  })
  const connection = await instance.connect()
  // Instants with a zone are read as text in one zone, whatever the machine's.
  await connection.run(`set TimeZone = 'UTC'`)
  const staging = await instance.connect()
  return {
    connection,
    staging,
    close() {
      staging.closeSync()
      connection.closeSync()
      instance.closeSync()
    },
  }
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A path as the engine's file functions take it: signs of a pattern stand for themselves. */
const literalPath = (path: string): string => quoted(path.replace(/[[*?]/g, '[$&]'))

/**
 * The rows of a file. Bad lines of a text are passed over here and told by `rejectedLines`.
 * @throws UnreadableFile when the engine cannot make rows of it
 */
export async function openTable(
  db: DuckDBConnection,
  path: string,
  format: FileFormat,
): Promise<Table> {
  const from = await rowsOf(path, format)
  try {
    const described = await db.runAndReadAll(`describe select * from ${from}`)
    const columns = described.getRows().map(([name]) => (typeof name === 'string' ? name : ''))
    return { path, from, columns: new Set(columns) }
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new UnreadableFile(`the file could not be read as ${format}: ${why}`, { cause })
  }
}

/** Columns that are read as they are written. */
const textsOf = (columns: readonly string[]): string =>
  columns.map((name) => `${quoted(name)}: 'VARCHAR'`).join(', ')

async function rowsOf(path: string, format: FileFormat): Promise<string> {
  const file = literalPath(path)
  switch (format) {
    case 'parquet':
      return `(select * exclude (file_row_number), file_row_number + 1 as ${ROW}
        from read_parquet(${file}, file_row_number = true, hive_partitioning = false))`
    case 'csv': {
      const { separator, columns } = await csvHeader(path)
      return `(select *, row_number() over () as ${ROW}
        from read_csv(${file}, auto_detect = false, header = true, delim = ${quoted(separator)},
          quote = '"', escape = '"', columns = {${textsOf(columns)}}, store_rejects = true,
          hive_partitioning = false, parallel = false))`
    }
    case 'json': {
      const exported = await exportedColumns(path)
      const shape =
        exported === null ? "format = 'auto'" : `format = 'array', columns = {${textsOf(exported)}}`
      return `(select *, row_number() over () as ${ROW}
        from read_json(${file}, ${shape}, hive_partitioning = false, ignore_errors = false))`
    }
  }
}

/** Lines of the text files read so far that were no rows of their table; forgets them. */
export async function rejectedLines(
  db: DuckDBConnection,
): Promise<{ reason: string; count: number; firstRow: number }[]> {
  const known = await db.runAndReadAll(
    `select count(*)::integer as n from duckdb_tables() where table_name = 'reject_errors'`,
  )
  if (known.getRowObjectsJS()[0]?.['n'] === 0) return []
  // One line may be wrong in several ways, and is met again at each scan: it counts once.
  const result = await db.runAndReadAll(
    `select lower(replace(error, '_', ' ')) as reason, count(*)::integer as count,
            min(line)::integer - 1 as first_row
       from (select line, min(error_type)::varchar as error from reject_errors group by line)
      group by reason order by first_row`,
  )
  const rows = result.getRowObjectsJS().map((row) => ({
    reason: `line is no row of the table (${typeof row['reason'] === 'string' ? row['reason'] : 'broken'})`,
    count: Number(row['count']),
    firstRow: Number(row['first_row']),
  }))
  await db.run('delete from reject_errors')
  return rows
}
