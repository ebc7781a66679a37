import type { DuckDBConnection } from '@duckdb/node-api'
import type { Venue } from '../../domain/market.ts'
import type { ImportHost } from './import-host.ts'
import type { Table } from './reader-database.ts'
import type { Stager } from './stager.ts'
import type { Tally } from './tally.ts'

/** What the files of one import share. */
export interface Session {
  readonly db: DuckDBConnection
  readonly host: ImportHost
  readonly stager: Stager
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** Tables of the same import by the name of their layout. */
  readonly tables: ReadonlyMap<string, readonly Table[]>
  /** «event ID» and «series ID» of markets described in this import, and whether that was new. */
  readonly described: Map<string, 'taken' | 'known'>
}

/** One file being read. */
export interface Reading extends Session {
  readonly tally: Tally
}

/** A layout of rows and columns, known by its columns. */
export interface TableLayout {
  readonly name: string
  readonly venue: Venue
  /** Columns that a file must have to be one. */
  readonly columns: readonly string[]
  /** Files of a lower rank are read first: descriptions before outcomes before prices. */
  readonly rank: number
  /** Takes the file; may return while its last staged part is still being taken over. */
  read(table: Table, reading: Reading): Promise<void>
}
