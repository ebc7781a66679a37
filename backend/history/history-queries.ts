/** Answer to a statement of a user, row by row as JSON. */
export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Each row as a JSON list. */
  readonly rows: readonly string[]
  /** More rows were there than were asked for, or than an answer holds. */
  readonly isTruncated: boolean
}

/** How a statement ended. */
export type QueryOutcome =
  | { readonly kind: 'answered'; readonly answer: QueryAnswer }
  /** Its author can mend it. */
  | { readonly kind: 'faulty'; readonly message: string; readonly at: number | null }
  /** The engine's memory did not suffice. */
  | { readonly kind: 'too-large' }
  /** The signal ended it. */
  | { readonly kind: 'stopped' }

export interface QueryBounds {
  readonly maxRows: number
  /** Length of all rows as JSON, in characters. */
  readonly maxLength: number
  /** Ends the statement where it stands. */
  readonly signal: AbortSignal
}

/** Statements of users over the documented views of the history (`query-views.ts`). */
export interface HistoryQueries {
  /**
   * Runs one SELECT; nothing is written, and no file, setting or table beside the views is read. One
   * statement at a time; others wait.
   * @throws StoreFailed when the store itself fails
   */
  query(sql: string, bounds: QueryBounds): Promise<QueryOutcome>
  /** Memory that the engine holds only to read the same rows again sooner, in bytes. */
  cachedBytes(): Promise<number>
}
