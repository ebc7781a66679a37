import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import {
  appendColumns,
  doubles,
  readDoubles,
  readTexts,
  texts,
  wholes,
  type ColumnSource,
} from '../engine/columns.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import { quoteText } from '../engine/engine.ts'

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

const nameOf = (name: string): string => `"${name.replaceAll('"', '')}"`

/** Writes columns as one Parquet file, in an engine of its own. @param path of a file that is replaced */
export const writeParquet = (path: string, columns: readonly WrittenColumn[]): Promise<void> =>
  runInEngine(async (connection) => {
    const shape = columns.map(({ name, kind }) => `${nameOf(name)} ${TYPES[kind]}`)
    await connection.run(`create table rows (${shape.join(', ')})`)
    const appender = await connection.createAppender('rows')
    appendColumns(appender, columns.map(sourceOf), columns[0]?.values.length ?? 0)
    appender.closeSync()
    await connection.run(`copy rows to ${quoteText(path)} (format parquet, compression zstd)`)
  })

/** Columns of a file that are read, and as what. */
export type RequestedColumns = Readonly<Record<string, 'number' | 'text'>>
/** Columns of some rows; absent numbers are NaN, absent texts ''. */
export type ReadColumns<Requested extends RequestedColumns> = {
  readonly [Name in keyof Requested]: readonly (Requested[Name] extends 'text' ? string : number)[]
}

/** Rows of a Parquet file in the order in which they were written: `count` at most from `first` on. Rejects with StoreFailed. */
export const readParquet = <Requested extends RequestedColumns>(
  path: string,
  requestedFile: Requested,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<ReadColumns<Requested>> =>
  runInEngine(async (connection) => {
    const names = Object.keys(requestedFile)
    const terms = names.map((name) =>
      requestedFile[name] === 'text'
        ? `coalesce(${nameOf(name)}, '')`
        : `coalesce(${nameOf(name)}::double, 'nan'::double)`,
    )
    const result = await connection.run(
      `select ${terms.join(', ')} from read_parquet(${quoteText(path)}) limit ${count} offset ${first}`,
    )
    const read = names.map((): (string | number)[] => [])
    for (const chunk of await result.fetchAllChunks()) {
      for (const [index, name] of names.entries()) {
        const values =
          requestedFile[name] === 'text' ? readTexts(chunk, index) : readDoubles(chunk, index)
        for (let row = 0; row < chunk.rowCount; row++) read[index]?.push(values[row] as never)
      }
    }
    const columns: unknown = Object.fromEntries(names.map((name, index) => [name, read[index]]))
    return columns as ReadColumns<Requested>
  }).catch((error: unknown) => {
    throw new StoreFailed(`${path} could not be read`, { cause: error })
  })

async function runInEngine<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${MEMORY_MB}MB`,
    threads: '1',
    // The cache may serve the bytes of an earlier file of the same name.
    enable_external_file_cache: 'false',
  })
  const connection = await instance.connect()
  try {
    return await task(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
