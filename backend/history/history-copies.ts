import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { FactsRow, HistoryBatch } from './history-batch.ts'
import type { MarketId } from './market-key.ts'

/** Kinds of rows a staged Parquet file can hold. */
export type StagedKind = 'trades' | 'quotes' | 'candles' | 'books' | 'activity'

/**
 * The import's side of the history: rows prepared by a worker as a Parquet file inside the data
 * folder are taken over in one step, sorted, leaving out rows that are already there.
 */
export interface HistoryImports {
  /**
   * Takes a staged file (columns named as in the tables, market ids of this history, sorted by
   * market and ts). Rows whose key, (market, ts) or the trade id, is stored already are left out.
   * @param source name of the recording, without its folder; with it, each market's feed is stated as
   * `imported` from the first to the last row (trades and bars with volume: trades; quotes and
   * books: quotes), once however often the same rows come
   */
  adopt(
    kind: StagedKind,
    path: string,
    source?: string,
  ): Promise<{ readonly taken: number; readonly known: number }>
  /** Appends versions of facts, leaving out those whose (market, knownAt) is stored already. */
  adoptFacts(rows: readonly FactsRow[]): Promise<{ readonly taken: number; readonly known: number }>
  /**
   * Appends what another history stated, in its order: change events whose id is not stored yet, and
   * statements of coverage and words on trades that are not stored to the letter.
   */
  adoptStated(rows: StatedRows): Promise<{ readonly taken: number; readonly known: number }>
}

/** What a history states beside ticks and facts. */
export type StatedRows = Pick<HistoryBatch, 'changes' | 'coverage' | 'corrections'>

/** Which rows are copied: from <= ts < to, known at `asOf`, of these markets or (null) of all. */
export interface CopyQuery {
  readonly markets: readonly MarketId[] | null
  /** Only markets of this venue; absent or null: of both. */
  readonly venue?: Venue | null
  readonly from: Millis
  readonly to: Millis
  readonly asOf: Millis
}
/** `bars` are those that `candles` answers, worked out anew from everything stored. */
export type CopiedKind = StagedKind | 'facts' | 'bars' | keyof StatedRows

/**
 * `csv` has a header, CRLF at the ends of lines and an apostrophe in front of text cells that a
 * spreadsheet would take for a formula; `json` is an array with one object a line.
 */
export type CopyFormat = 'parquet' | 'csv' | 'json'

export interface CopyOptions {
  /** By default Parquet (zstd). */
  readonly format?: CopyFormat
  /** Width of the bars of kind `bars`. */
  readonly width?: Millis
  /** About so many rows are sorted in memory at once; by default a million. */
  readonly rowsAtOnce?: number
  /** Hears how many rows are written so far. */
  readonly onRows?: (rows: number) => void
  /** Ends the copy with the signal's reason; what was written of it is removed. */
  readonly signal?: AbortSignal
}

/** The export's side of the history. */
export interface HistoryExports {
  /**
   * Writes rows as a file inside the data folder, replacing what is there; the caller gives it its
   * final name. Rows are in the order of (venue, ticker, ts_ms, known_at_ms); columns are `venue`,
   * `ticker`, `ts_ms`, `known_at_ms`, `origin` and those of the kind, in integers of the store
   * (`price_e4`, `size_e6`), null where unknown. Trades stand as corrected by `asOf`, a corrected one
   * as known when it was corrected. `facts` has `known_at_ms` in place of time and origin, lists as
   * JSON text, and begins with the version of each market that stood at `from`. `bars` are those
   * that start in the span and ended by `asOf`, known at their end, with `crosses_gap` besides.
   * `changes` are those of the span. `corrections` are all versions of each trade that was corrected
   * and stood in the span at any time, the printed one first. `coverage` holds, in the order of being
   * known, every statement about the stretches that meet the span, those of whole venues (ticker null)
   * among them; a stretch that lasts is stated to end at `asOf`, known a millisecond later.
   * Copies run one at a time, beside the readers.
   * @param path absolute, or relative to the data folder
   */
  copyTo(
    kind: CopiedKind,
    query: CopyQuery,
    path: string,
    options?: CopyOptions,
  ): Promise<{ readonly rows: number }>
}
