import type { Venue } from './market.ts'

/** Paths to import into the history, and how to read them. */
export interface ImportRequest {
  /** Absolute; a folder means the files below it. */
  readonly paths: readonly string[]
  /** Refuses files of the other venues; null accepts all. */
  readonly venue: Venue | null
  /** Name of a layout that every file must have; null detects it file by file. */
  readonly kind: string | null
  /** Reads and counts without storing. */
  readonly dryRun: boolean
  /** Imports nothing from a file that has a refused row; off by default. */
  readonly strict?: boolean
}

export interface RefusalReason {
  readonly reason: string
  readonly count: number
  /** Number of the first such row in the file, from 1. */
  readonly firstRow: number
}

/** Result of one file; taken + known + refused is its number of rows. */
export interface FileReport {
  readonly path: string
  /** Null until the layout is detected, or when none matches. */
  readonly layout: string | null
  readonly rowsTaken: number
  /** Of `rowsTaken`, those stored before the service was interrupted; absent where there are none. */
  readonly rowsTakenBefore?: number
  /** Rows that were stored already. */
  readonly rowsKnown: number
  /** Of the rows taken and known, those of markets that nothing describes; absent without any. */
  readonly rowsUndescribed?: number
  /** Number of those markets, which are listed by their ids. */
  readonly marketsUndescribed?: number
  readonly rowsRefused: number
  readonly reasons: readonly RefusalReason[]
  /** Why the import of the file failed; rows counted as taken stay stored. */
  readonly error: string | null
}

/** Start of the error for a file that disappeared before its import was resumed. */
export const GONE = 'the file was removed after the service was interrupted'

/** The initial report of a file. */
export const unreadReport = (path: string): FileReport => ({
  path,
  layout: null,
  rowsTaken: 0,
  rowsKnown: 0,
  rowsRefused: 0,
  reasons: [],
  error: null,
})
