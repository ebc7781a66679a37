import type { Millis } from '../../domain/units.ts'
import type { CacheState, ExecutionStatus } from './market-watch.schema.ts'
import type { Execution } from './panel-execution.ts'
import type { PanelEntry } from './panel-memory.ts'
import { isYounger, type Lookup } from './panel-refresh.ts'
import type { PanelOutcome } from './panel-runs.store.ts'

/** What is known of what a panel shows when it is asked for. */
export interface PanelReadings {
  readonly lookup: Lookup
  /** What came of computing it for this answer; null where that was not needed, or takes longer. */
  readonly execution: Execution | null
  readonly outcome: PanelOutcome
  /** For how long what it shows counts as fresh. */
  readonly maxAge: Millis
  readonly now: Millis
}

export interface PanelState {
  readonly entry: PanelEntry | null
  readonly cacheState: CacheState
  readonly executionStatus: ExecutionStatus
  readonly lastError: PanelOutcome['lastError']
}

/** What a panel shows, and how that came about; contract/accounts.md 6.3. */
export function panelStateOf(readings: PanelReadings): PanelState {
  const { lookup, execution, outcome, maxAge, now } = readings
  if (execution?.outcome === 'done') {
    const { entry, isCached } = execution
    return lookup.isOut || !isCached
      ? { entry, cacheState: 'bypass', executionStatus: 'success-bypass', lastError: null }
      : { entry, cacheState: 'miss', executionStatus: 'success-miss', lastError: null }
  }
  const { entry } = lookup
  const { lastError } = outcome
  if (entry === null) {
    const executionStatus = lastError === null ? 'pending' : 'error-miss'
    return { entry, cacheState: 'miss', executionStatus, lastError }
  }
  // What others like it computed since then is news.
  if (lastError !== null && lastError.at >= entry.computedAt) {
    return { entry, cacheState: 'stale', executionStatus: 'error-stale', lastError }
  }
  return isYounger(entry, maxAge, now)
    ? { entry, cacheState: 'fresh', executionStatus: 'success-fresh', lastError: null }
    : { entry, cacheState: 'stale', executionStatus: 'success-stale', lastError: null }
}
