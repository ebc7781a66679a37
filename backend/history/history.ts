import type { ContextStore, HistoryColumns } from './context-store.ts'
import type { HistoryExports, HistoryImports } from './history-copies.ts'
import type { HistoryQueries } from './history-queries.ts'
import type { HistoryStore } from './history-store.ts'
import type { EventReads } from './event-streams.ts'
import type { Settlements } from './settlements.ts'
import type { TrendReads } from './trend-reads.ts'

/**
 * The history's interfaces for readers: one market at a time, many at once, and computed results.
 */
export type ReadHistory = HistoryStore &
  HistoryColumns &
  ContextStore &
  Settlements &
  TrendReads &
  EventReads

/** A history with all its interfaces. */
export type WholeHistory = ReadHistory &
  HistoryImports &
  HistoryExports &
  HistoryQueries & {
    /**
     * Aborts the long reads: exports, reads of many markets, backtests, statements. They reject,
     * and so do later ones. Pending writes and short reads continue.
     */
    interrupt(): void
  }
