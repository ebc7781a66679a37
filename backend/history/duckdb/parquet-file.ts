import { DuckDBInstance } from '@duckdb/node-api'
import { appendColumns, doubles, texts, wholes, type ColumnSource } from './columns.ts'
import { quoted } from './engine.ts'

/** A column of a table that is written as a file. */
export type WrittenColumn =
  | { readonly name: string; readonly kind: 'whole' | 'double'; readonly values: Float64Array }
  | { readonly name: string; readonly kind: 'text'; readonly values: readonly string[] }

const TYPES = { whole: 'bigint', double: 'double', text: 'varchar' } as const
const MEMORY_MB = 256

const sourceOf = (column: WrittenColumn): ColumnSource =>
  column.kind === 'text'
    ? texts(column.values)
    : column.kind === 'whole'
      ? wholes(column.values)
      : doubles(Array.from(column.values, (value) => (Number.isNaN(value) ? null : value)))

/** Writes columns as one Parquet file, in an engine of its own. @param path of a file that is replaced */
export async function writeParquet(path: string, columns: readonly WrittenColumn[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${MEMORY_MB}MB`,
    threads: '1',
  })
  const connection = await instance.connect()
  try {
    const shape = columns.map(({ name, kind }) => `"${name.replaceAll('"', '')}" ${TYPES[kind]}`)
    await connection.run(`create table rows (${shape.join(', ')})`)
    const appender = await connection.createAppender('rows')
    appendColumns(appender, columns.map(sourceOf), columns[0]?.values.length ?? 0)
    appender.closeSync()
    await connection.run(`copy rows to ${quoted(path)} (format parquet, compression zstd)`)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
