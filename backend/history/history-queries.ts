/** Result of a user's statement, row by row as JSON. */
export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Each row as a JSON list. */
  readonly rows: readonly string[]
  /** There were more rows than requested, or than a result may have. */
  readonly isTruncated: boolean
}

/** How a statement ended. */
export type QueryOutcome =
  | { readonly kind: 'answered'; readonly answer: QueryAnswer }
  /** An error in the statement, which its author can fix. */
  | { readonly kind: 'faulty'; readonly message: string; readonly at: number | null }
  /** The statement exceeded its memory limit or its row limit. */
  | { readonly kind: 'too-large'; readonly limit: 'memory' | 'rows'; readonly limitMb: number }
  /** The signal aborted it. */
  | { readonly kind: 'stopped' }

export interface QueryBounds {
  readonly maxRows: number
  /** Length of all rows as JSON, in characters. */
  readonly maxLength: number
  /** Kills the process of the statement. */
  readonly signal: AbortSignal
}

/** Statements of users over the documented views of the history (`query-views.ts`). */
export interface HistoryQueries {
  /**
   * Runs one SELECT in a process of its own over the rows that are stored now. Nothing is written,
   * and no file, setting or table other than the views is read.
   * @throws StoreFailed when the store itself fails
   */
  query(sql: string, bounds: QueryBounds): Promise<QueryOutcome>
}
