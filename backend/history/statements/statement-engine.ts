import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../duckdb/engine/engine.ts'
import { QUERY_VIEWS, type QueryView } from '../query-views.ts'
import type { StatementLimits, ViewFile } from './messages.ts'
import { TABLES_SCHEMA } from './scan-plan.ts'

/** A small machine has two processors, and the service needs one. */
const THREADS = 2
/** Rows that the engine prefetches. */
const STREAMED_MB = 8

/**
 * Optimiser rules that hold for any rows. While a statement is planned the tables are empty, so
 * rules based on statistics would omit scans that the rows need.
 */
const REWRITES: ReadonlySet<string> = new Set([
  'expression_rewriter',
  'filter_pullup',
  'filter_pushdown',
  'cte_filter_pusher',
  'empty_result_pullup',
  'regex_range',
  'in_clause',
  'deliminator',
  'unnest_rewriter',
  'unused_columns',
  'limit_pushdown',
  'top_n',
  'cte_inlining',
])

/** The engine of one statement: in memory, with the documented views over empty tables. */
export interface StatementEngine {
  readonly connection: DuckDBConnection
  /** Replaces the empty tables with files. */
  showFiles(files: readonly ViewFile[]): Promise<void>
  close(): void
}

/**
 * Opens the engine of a statement and locks it down: no file outside the folder, no network, no
 * extensions, and the settings cannot be changed again.
 */
export async function openStatementEngine(
  folder: string,
  { engineMb, diskMb }: StatementLimits,
): Promise<StatementEngine> {
  const spill = join(folder, 'spill')
  mkdirSync(spill, { recursive: true })
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${engineMb}MiB`,
    threads: String(Math.min(THREADS, availableParallelism())),
    temp_directory: spill,
    max_temp_directory_size: `${diskMb}MiB`,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Each start of the service counts folders from 0 again: two files may have one name.
    enable_external_file_cache: 'false',
  })
  const connection = await instance.connect()
  const close = (): void => {
    connection.closeSync()
    instance.closeSync()
  }
  try {
    await connection.run(`set streaming_buffer_size = '${STREAMED_MB}MiB'`)
    await connection.run(emptyViews())
    await connection.run(`set disabled_optimizers = ${quoteText(await otherRewrites(connection))}`)
    await connection.run(`set allowed_directories = [${quoteText(folder)}]`)
    await connection.run('set enable_external_access = false')
  } catch (error) {
    close()
    throw error
  }
  return {
    connection,
    close,
    async showFiles(files) {
      for (const file of files) {
        const view = QUERY_VIEWS.find(({ name }) => name === file.view)
        if (view !== undefined) await connection.run(viewOfFile(view, file))
      }
      await connection.run("set disabled_optimizers = ''")
      await connection.run('set lock_configuration = true')
    },
  }
}

function emptyViews(): string {
  const statements = QUERY_VIEWS.map(({ name, columns }) => {
    const shape = columns.map((column) => `"${column.name}" ${column.type}`)
    return `create table ${TABLES_SCHEMA}.${name} (${shape.join(', ')});
      create view ${name} as from ${TABLES_SCHEMA}.${name};`
  })
  return `create schema ${TABLES_SCHEMA}; ${statements.join('\n')}`
}

/** A view with all documented columns; those that the statement does not read are null. */
function viewOfFile({ name, columns }: QueryView, { columns: read, path }: ViewFile): string {
  const selectedColumns = columns.map((column) =>
    read.includes(column.name) ? `"${column.name}"` : `null::${column.type} as "${column.name}"`,
  )
  return `create or replace view ${name} as
    select ${selectedColumns.join(', ')} from read_parquet(${quoteText(path)})`
}

async function otherRewrites(connection: DuckDBConnection): Promise<string> {
  const optimizerReader = await connection.runAndReadAll('select name from duckdb_optimizers()')
  const names = optimizerReader.getRows().map(([name]) => String(name))
  return names.filter((name) => !REWRITES.has(name)).join()
}
