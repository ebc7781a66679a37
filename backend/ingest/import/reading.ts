import type { DuckDBConnection } from '@duckdb/node-api'
import type { Ticker, Venue } from '../../domain/market.ts'
import type { ImportHost } from './import-host.ts'
import type { Table } from './reader-database.ts'
import type { StagedMarkets } from './staging/staged-markets.ts'
import type { Stager } from './staging/stager.ts'
import type { Tally } from './tally.ts'
import type { TitleBook } from './layouts/title-book.ts'

/** Why the second of two equal rows of a file is refused. */
export const REPEATED_REASON = 'another row of the same market and instant'

/** State shared by the files of one import. */
export interface Session {
  /** Reads the files. */
  readonly db: DuckDBConnection
  /** Writes staged files; a query on `db` would end the rows being streamed from it. */
  readonly staging: DuckDBConnection
  readonly host: ImportHost
  readonly stager: Stager
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** Imports rows of this venue only; null imports both. */
  readonly venue: Venue | null
  /** Tables of the same import by layout name. */
  readonly tables: ReadonlyMap<string, readonly Table[]>
  /**
   * "event ID" and "series ID" of markets described in this import, and whether the description
   * was new.
   */
  readonly described: Map<string, 'taken' | 'known'>
  /**
   * Markets by their other names (`venue name`), as far as looked up or described; null when no
   * market has the name.
   */
  readonly named: Map<string, Ticker | null>
  /** Outcome of an asset of venue_b (`ticker asset`), as far as looked up or described. */
  readonly assets: Map<string, 0 | 1>
  /** Assets that files of this import name and that have not been looked up in the history. */
  readonly assetsToResolve: Set<string>
  /** Markets of which rows were staged. */
  readonly staged: StagedMarkets
  /** Titles from files of events and series and their status; read from the history once. */
  readonly titles: TitleBook
}

/** One file being read. */
export interface Reading extends Session {
  readonly tally: Tally
}

/** A layout of rows and columns, detected by its columns. */
export interface TableLayout {
  readonly name: string
  /** Null when each row names its venue. */
  readonly venue: Venue | null
  /** Columns that a file must have to match. */
  readonly columns: readonly string[]
  /** Files of a lower rank are read first: descriptions before outcomes before prices. */
  readonly rank: number
  /** Imports the file; may return while its last staged part is still being adopted. */
  read(table: Table, reading: Reading): Promise<void>
}
