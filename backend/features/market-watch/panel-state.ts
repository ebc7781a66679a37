import type { Millis } from '../../domain/units.ts'
import type { CacheState, ExecutionStatus } from '../../contract/panels/panels.ts'
import type { Execution } from './panel-execution.ts'
import type { PanelEntry } from './panel-memory.ts'
import { isYounger, type Lookup } from './panel-refresh.ts'
import type { PanelOutcome } from './panel-runs.store.ts'

/** Inputs of a panel's state when it is read. */
export interface PanelReadings {
  readonly lookup: Lookup
  /** Result of the computation for this response; null if none was needed or it takes longer. */
  readonly execution: Execution | null
  readonly outcome: PanelOutcome
  /** Age up to which content counts as fresh. */
  readonly maxAge: Millis
  readonly now: Millis
}

export interface PanelState {
  readonly entry: PanelEntry | null
  readonly cacheState: CacheState
  readonly executionStatus: ExecutionStatus
  readonly lastError: PanelOutcome['lastError']
}

/** The cache state and execution status of a panel; contract/accounts.md 6.3. */
export function panelStateOf(readings: PanelReadings): PanelState {
  const { lookup, execution, outcome, maxAge, now } = readings
  if (execution?.outcome === 'done') {
    const { entry, isCached } = execution
    return lookup.isUnavailable || !isCached
      ? { entry, cacheState: 'bypass', executionStatus: 'success-bypass', lastError: null }
      : { entry, cacheState: 'miss', executionStatus: 'success-miss', lastError: null }
  }
  const { entry } = lookup
  const { lastError } = outcome
  if (entry === null) {
    const executionStatus = lastError === null ? 'pending' : 'error-miss'
    return { entry, cacheState: 'miss', executionStatus, lastError }
  }
  // A result shared by another panel after the failure is newer.
  if (lastError !== null && lastError.at >= entry.computedAt) {
    return { entry, cacheState: 'stale', executionStatus: 'error-stale', lastError }
  }
  return isYounger(entry, maxAge, now)
    ? { entry, cacheState: 'fresh', executionStatus: 'success-fresh', lastError: null }
    : { entry, cacheState: 'stale', executionStatus: 'success-stale', lastError: null }
}
