import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { csvHeader } from './csv-header.ts'
import { exportedColumns, isExport } from './layouts/exported-json.ts'
import { UnreadableFile, type FileFormat } from './file-format.ts'

/** The reader's own in-memory engine; the history's engine stays locked down. */
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
    // The cache may return the bytes of an earlier file of the same name.
    enable_external_file_cache: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'true',
  })
  const connection = await instance.connect()
  // Instants with a time zone are read as text in one zone, whatever the machine's zone.
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

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A path for the engine's file functions, with glob characters escaped. */
const literalPath = (path: string): string => quoteText(path.replace(/[[*?]/g, '[$&]'))

/**
 * The rows of a file. Malformed lines of a text are skipped here and returned by `rejectedLines`.
 * @throws UnreadableFile when the engine cannot read rows from it
 */
export async function openTable(
  db: DuckDBConnection,
  path: string,
  format: FileFormat,
): Promise<Table> {
  const from = await rowsOf(path, format)
  try {
    const describeReader = await db.runAndReadAll(`describe select * from ${from}`)
    const columns = describeReader.getRows().map(([name]) => (typeof name === 'string' ? name : ''))
    return { path, from, columns: new Set(columns) }
  } catch (cause) {
    // The engine's message may quote the file, which may be any text of this machine.
    throw new UnreadableFile(`the file could not be read as ${format}`, { cause })
  }
}

/** Columns that are read without conversion. */
const textsOf = (columns: readonly string[]): string =>
  columns.map((name) => `${quoteText(name)}: 'VARCHAR'`).join(', ')

/**
 * A text of an exported CSV without the apostrophe that keeps a spreadsheet from running it as a
 * formula; other formats have none.
 */
const withoutGuard = (name: string): string => {
  const column = `"${name.replaceAll('"', '""')}"`
  return `if(starts_with(${column}, ''''),
    regexp_replace(${column}, '^''(''*[=+@\\t\\r-])', '\\1'), ${column}) as ${column}`
}

async function rowsOf(path: string, format: FileFormat): Promise<string> {
  const file = literalPath(path)
  switch (format) {
    case 'parquet':
      return `(select * exclude (file_row_number), file_row_number + 1 as ${ROW}
        from read_parquet(${file}, file_row_number = true, hive_partitioning = false))`
    case 'csv': {
      const { separator, columns } = await csvHeader(path)
      const selectedColumns = isExport(columns)
        ? `* replace (${columns.map(withoutGuard).join(', ')})`
        : '*'
      return `(select ${selectedColumns}, row_number() over () as ${ROW}
        from read_csv(${file}, auto_detect = false, header = true, delim = ${quoteText(separator)},
          quote = '"', escape = '"', columns = {${textsOf(columns)}}, store_rejects = true,
          hive_partitioning = false, parallel = false))`
    }
    case 'json': {
      const exportedNames = await exportedColumns(path)
      const shape =
        exportedNames === null
          ? "format = 'auto'"
          : `format = 'array', columns = {${textsOf(exportedNames)}}`
      return `(select *, row_number() over () as ${ROW}
        from read_json(${file}, ${shape}, hive_partitioning = false, ignore_errors = false))`
    }
  }
}

/** Lines of the text files read so far that could not be parsed as rows; clears the list. */
export async function rejectedLines(
  db: DuckDBConnection,
): Promise<{ reason: string; count: number; firstRow: number }[]> {
  const describeReader = await db.runAndReadAll(
    `select count(*)::integer as n from duckdb_tables() where table_name = 'reject_errors'`,
  )
  if (describeReader.getRowObjectsJS()[0]?.['n'] === 0) return []
  // One line may have several errors and is reported at each scan; it counts once.
  const result = await db.runAndReadAll(
    `select lower(replace(error, '_', ' ')) as reason, count(*)::integer as count,
            min(line)::integer - 1 as first_row
       from (select line, min(error_type)::varchar as error from reject_errors group by line)
      group by reason order by first_row`,
  )
  const rows = result.getRowObjectsJS().map((row) => ({
    reason: `line could not be parsed as a row (${typeof row['reason'] === 'string' ? row['reason'] : 'broken'})`,
    count: Number(row['count']),
    firstRow: Number(row['first_row']),
  }))
  await db.run('delete from reject_errors')
  return rows
}
