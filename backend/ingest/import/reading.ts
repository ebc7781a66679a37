import type { DuckDBConnection } from '@duckdb/node-api'
import type { Ticker, Venue } from '../../domain/market.ts'
import type { ImportHost } from './import-host.ts'
import type { Table } from './reader-database.ts'
import type { Stager } from './stager.ts'
import type { Tally } from './tally.ts'
import type { TitleBook } from './title-book.ts'

/** Why the second of two equal rows of a file is refused. */
export const REPEATED = 'another row of the same market and instant'

/** What the files of one import share. */
export interface Session {
  /** Reads the files. */
  readonly db: DuckDBConnection
  /** Writes staged files; a query of its own would end the rows that are being streamed from `db`. */
  readonly staging: DuckDBConnection
  readonly host: ImportHost
  readonly stager: Stager
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** Takes rows of this venue only; null takes both. */
  readonly venue: Venue | null
  /** Tables of the same import by the name of their layout. */
  readonly tables: ReadonlyMap<string, readonly Table[]>
  /** «event ID» and «series ID» of markets described in this import, and whether that was new. */
  readonly described: Map<string, 'taken' | 'known'>
  /** Markets by their other names (`venue name`), as far as asked for or described; null is nobody's. */
  readonly named: Map<string, Ticker | null>
  /** Outcome that an asset of venue_b stands for (`ticker asset`), as far as asked for or described. */
  readonly assets: Map<string, 0 | 1>
  /** Assets that files of this import name and that the history was not asked for yet. */
  readonly assetsToAsk: Set<string>
  /** What files of events and series say, and what became of it: asked of the history once. */
  readonly titles: TitleBook
}

/** One file being read. */
export interface Reading extends Session {
  readonly tally: Tally
}

/** A layout of rows and columns, known by its columns. */
export interface TableLayout {
  readonly name: string
  /** Null when each row names its venue. */
  readonly venue: Venue | null
  /** Columns that a file must have to be one. */
  readonly columns: readonly string[]
  /** Files of a lower rank are read first: descriptions before outcomes before prices. */
  readonly rank: number
  /** Takes the file; may return while its last staged part is still being taken over. */
  read(table: Table, reading: Reading): Promise<void>
}
