import { basename } from 'node:path'
import type { FileReport } from '../../domain/import-report.ts'
import type { StoredCounts } from './import-host.ts'

/** The counts of one file while it is read. */
export interface Tally {
  /** Name of the file, stored as the source of its rows. */
  readonly source: string
  /** Index of the file in the request. */
  readonly file: number
  name(layout: string): void
  addRows(rows: number): void
  know(rows: number): void
  /** Counts refused rows; `firstRow` is the lowest of their numbers, from 1. */
  refuse(reason: string, rows: number, firstRow: number): void
  /** Counts rows of markets that neither this import nor the history describes. */
  leaveUndescribed(rows: number): void
  fail(error: string): void
  /** Counts what the history did with staged rows of this file. */
  readonly settle: (outcome: StoredCounts | { readonly error: string }) => void
  report(): FileReport
}

/**
 * Starts counting a file; `onChange` receives every new state. @param file its index in the
 * request
 */
export function createTally(path: string, onChange: (report: FileReport) => void, file = 0): Tally {
  const reasons = new Map<string, { count: number; firstRow: number }>()
  let layout: string | null = null
  let rowsTaken = 0
  let rowsTakenBefore = 0
  let rowsKnown = 0
  let rowsUndescribed = 0
  let marketsUndescribed = 0
  let error: string | null = null
  const report = (): FileReport => ({
    path,
    layout,
    rowsTaken,
    ...(rowsTakenBefore > 0 && { rowsTakenBefore }),
    rowsKnown,
    ...(marketsUndescribed > 0 && { rowsUndescribed, marketsUndescribed }),
    rowsRefused: [...reasons.values()].reduce((sum, { count }) => sum + count, 0),
    reasons: [...reasons].map(([reason, reasonCount]) => ({ reason, ...reasonCount })),
    error,
  })
  const notify = (): void => onChange(report())
  return {
    source: basename(path),
    file,
    name(text) {
      layout = text
      notify()
    },
    addRows(rows) {
      rowsTaken += rows
      notify()
    },
    know(rows) {
      rowsKnown += rows
      notify()
    },
    refuse(reason, rows, firstRow) {
      if (rows === 0) return
      const previous = reasons.get(reason)
      reasons.set(reason, {
        count: (previous?.count ?? 0) + rows,
        firstRow: Math.min(previous?.firstRow ?? firstRow, firstRow),
      })
      notify()
    },
    leaveUndescribed(rows) {
      rowsUndescribed += rows
      marketsUndescribed += 1
      notify()
    },
    fail(text) {
      error = text
      notify()
    },
    settle(outcome) {
      if ('error' in outcome) error = outcome.error
      else {
        rowsTaken += outcome.taken
        rowsTakenBefore += outcome.takenBefore ?? 0
        rowsKnown += outcome.known
      }
      notify()
    },
    report,
  }
}
