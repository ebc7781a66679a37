import type { ContextStore, HistoryColumns } from './context-store.ts'
import type { HistoryExports, HistoryImports } from './history-copies.ts'
import type { HistoryQueries } from './history-queries.ts'
import type { HistoryStore } from './history-store.ts'
import type { RunReads } from './run-reads.ts'
import type { Settlements } from './settlements.ts'
import type { TrendReads } from './trend-reads.ts'

/** The history as readers have it: one market at a time, many at once, and what was computed. */
export type ReadHistory = HistoryStore &
  HistoryColumns &
  ContextStore &
  Settlements &
  TrendReads &
  RunReads

/** A history with all its sides. */
export type WholeHistory = ReadHistory & HistoryImports & HistoryExports & HistoryQueries
