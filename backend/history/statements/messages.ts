import type { QueryAnswer } from '../history-queries.ts'
import type { StatementProblem } from './statement-check.ts'
import type { ViewScan } from './view-scan.ts'

/** A statement for a process to run. */
export interface StatementTask {
  readonly type: 'run'
  readonly sql: string
  readonly maxRows: number
  /** Length of all rows as JSON, in characters. */
  readonly maxLength: number
  /** Empty; the only folder that the engine of the statement may read, and where it spills. */
  readonly folder: string
  readonly limits: StatementLimits
}

export interface StatementLimits {
  /** Of the engine of a statement, in MiB. */
  readonly engineMb: number
  /** Of the whole process, in MiB. */
  readonly residentMb: number
  /** Of the rows that a statement reads, and of what its engine spills, in MiB each. */
  readonly diskMb: number
}

/** Rows of a view as a Parquet file with some of its columns. */
export interface ViewFile {
  readonly view: string
  readonly columns: readonly string[]
  readonly path: string
}

export type ToStatement = StatementTask | { readonly type: 'rows'; readonly files: ViewFile[] }

export type FromStatement =
  /** The statement is valid and needs these rows; it continues with `rows`. */
  | { readonly type: 'scans'; readonly scans: readonly ViewScan[] }
  | { readonly type: 'answered'; readonly answer: QueryAnswer }
  | ({ readonly type: 'faulty' } & StatementProblem)
  /** The engine, or the process, has no more memory than this. */
  | { readonly type: 'too-large' }
  /** A failure that is not caused by the statement. */
  | { readonly type: 'failed'; readonly message: string }

/** The process has started and takes statements. */
export interface StatementReady {
  readonly type: 'ready'
}
