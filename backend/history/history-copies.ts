import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { FactsRow, HistoryBatch } from './history-batch.ts'
import type { MarketId } from './market-key.ts'

/** Kinds of rows a staged Parquet file can hold. */
export type StagedKind = 'trades' | 'quotes' | 'candles' | 'books' | 'activity'

/** The row count and hash that the writer of a staged file computed. */
export interface StagedContent {
  readonly rows: number
  /** Hash over every cell of the rows, independent of their order. */
  readonly hash: string
}

/** A step of an import, recorded with its rows so that a resumed import does not count it again. */
export interface ImportStep {
  readonly importId: string
  /** Identifies the step within its import; the same in every attempt. */
  readonly key: string
  /** Result of the step beyond its row counts; JSON. */
  readonly result?: unknown
}

export interface StoredStep {
  readonly key: string
  readonly result: unknown
}

export interface AdoptOptions {
  /**
   * Name of the recording, without its folder. With it, each market's feed is recorded as
   * `imported` from the first to the last row (trades and bars with volume: trades; quotes and
   * books: quotes), once however often the same rows are imported.
   */
  readonly source?: string
  /** Expected content of the file; nothing is stored when other rows are read. */
  readonly content?: StagedContent
  /** Recorded with the rows. */
  readonly step?: ImportStep
}

/**
 * The import's interface to the history: a worker prepares rows as a Parquet file inside the data
 * folder, which is adopted in one step, sorted and without rows that already exist.
 */
export interface HistoryImports {
  /**
   * Adopts a staged file (columns named as in the tables, market ids of this history, sorted by
   * market and ts). Rows whose key, (market, ts) or the trade id, is stored already are skipped.
   * @throws StoreFailed when the file cannot be read or differs from the writer's count
   */
  adopt(
    kind: StagedKind,
    path: string,
    options?: AdoptOptions,
  ): Promise<{ readonly taken: number; readonly known: number }>
  /** Appends versions of facts, skipping those whose (market, knownAt) is stored already. */
  adoptFacts(
    rows: readonly FactsRow[],
    step?: ImportStep,
  ): Promise<{ readonly taken: number; readonly known: number }>
  /**
   * Appends statements of another history, in order: change events whose id is not stored yet, and
   * coverage statements and trade corrections that are not stored identically.
   */
  storeStatements(
    rows: StatedRows,
    step?: ImportStep,
  ): Promise<{ readonly taken: number; readonly known: number }>
  /** Steps of an import whose rows are stored, kept until another import begins. */
  importSteps(importId: string): Promise<readonly StoredStep[]>
  /** Deletes the steps of all other imports. */
  deleteImportSteps(importId: string): Promise<unknown>
}

/** Statements of a history other than ticks and facts. */
export type StatedRows = Pick<HistoryBatch, 'changes' | 'coverage' | 'corrections'>

/** The rows to copy: from <= ts < to, known at `asOf`, of these markets or (null) of all. */
export interface CopyQuery {
  readonly markets: readonly MarketId[] | null
  /** Only markets of this venue; absent or null: of all venues. */
  readonly venue?: Venue | null
  readonly from: Millis
  readonly to: Millis
  readonly asOf: Millis
}
/** `bars` are those that `candles` returns, recomputed from all stored rows. */
export type BackupTable = StagedKind | 'facts' | 'bars' | keyof StatedRows

/**
 * `csv` has a header, CRLF line ends and an apostrophe before text cells that a spreadsheet would
 * run as a formula; `json` is an array with one object per line.
 */
export type CopyFormat = 'parquet' | 'csv' | 'json'

export interface CopyOptions {
  /** By default Parquet (zstd). */
  readonly format?: CopyFormat
  /** Width of the bars of kind `bars`. */
  readonly width?: Millis
  /** Approximate number of rows sorted in memory at once; a million by default. */
  readonly rowsAtOnce?: number
  /** Called with the number of rows written so far. */
  readonly onRows?: (rows: number) => void
  /** Aborts the copy with the signal's reason; partial output is removed. */
  readonly signal?: AbortSignal
}

/** The export's interface to the history. */
export interface HistoryExports {
  /**
   * Writes rows as a file inside the data folder, replacing an existing one; the caller gives it
   * its final name. Rows are in the order of (venue, ticker, ts_ms, known_at_ms); columns are
   * `venue`, `ticker`, `ts_ms`, `known_at_ms`, `origin` and those of the kind, in integers of the
   * store (`price_e4`, `size_e6`), null when unknown. Trades are as corrected by `asOf`, a
   * corrected one with the time of its correction as known time. `facts` has `known_at_ms` in place
   * of time and origin, lists as JSON text, and begins with the version of each market in force at
   * `from`. `bars` are those that start in the span and ended by `asOf`, known at their end, with
   * an additional `crosses_gap`. `changes` are those of the span. `corrections` are all versions of
   * each trade that was corrected and lay in the span at any time, the printed one first.
   * `coverage` holds, in the order of becoming known, every statement about the periods that
   * overlap the span, including those of whole venues (ticker null); an open period ends at `asOf`,
   * known a millisecond later. Copies run one at a time, concurrently with readers.
   * @param path absolute, or relative to the data folder
   */
  copyTo(
    kind: BackupTable,
    query: CopyQuery,
    path: string,
    options?: CopyOptions,
  ): Promise<{ readonly rows: number }>
}
