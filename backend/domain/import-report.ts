import type { Venue } from './market.ts'

/** What to take into the history, and how to read it. */
export interface ImportRequest {
  /** Absolute; a folder stands for the files below it. */
  readonly paths: readonly string[]
  /** Refuses files of the other venue; null takes both. */
  readonly venue: Venue | null
  /** Name of a layout that every file must have; null detects it file by file. */
  readonly kind: string | null
  /** Reads and counts, stores nothing. */
  readonly dryRun: boolean
  /** Takes nothing of a file that has a refused row; off by default. */
  readonly strict?: boolean
}

export interface RefusalReason {
  readonly reason: string
  readonly count: number
  /** Number of the first such row in the file, from 1. */
  readonly firstRow: number
}

/** What became of one file; taken + known + refused is the number of its rows. */
export interface FileReport {
  readonly path: string
  /** Null until the layout is known, or when there is none. */
  readonly layout: string | null
  readonly rowsTaken: number
  /** Rows that were stored already. */
  readonly rowsKnown: number
  readonly rowsRefused: number
  readonly reasons: readonly RefusalReason[]
  /** Why the file as a whole was given up; rows counted as taken stay taken. */
  readonly error: string | null
}

/** A file of which nothing is known yet. */
export const unreadReport = (path: string): FileReport => ({
  path,
  layout: null,
  rowsTaken: 0,
  rowsKnown: 0,
  rowsRefused: 0,
  reasons: [],
  error: null,
})
