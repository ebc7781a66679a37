import type { Millis } from '../units.ts'
import type { RunResult } from './report/run-result.ts'
import { DECISION_COLUMNS, FILL_COLUMNS } from './run-log.ts'

/** Compares a run up to an instant with a run that had no later data. */
export interface PrefixCheck {
  readonly cutAt: Millis
  readonly isEqual: boolean
  /** Decisions and fills up to the cut, in the full run. */
  readonly decisions: number
  readonly fills: number
  /** Instant of the first difference; null when there is none. */
  readonly firstDifferenceAt: Millis | null
}

type Columns = Readonly<Record<string, Float64Array>>

/** Number of log rows up to an instant; logs ascend. */
function rowsBy(log: Columns, at: Millis): number {
  const instants = log['at'] ?? new Float64Array()
  let rows = 0
  while (rows < instants.length && (instants[rows] as number) <= at) rows++
  return rows
}

/** Instant of the first row in which two logs differ; null when there is none. */
function firstDifference(
  names: readonly string[],
  full: Columns,
  prefix: Columns,
  cutAt: Millis,
): Millis | null {
  const [rows, others] = [rowsBy(full, cutAt), rowsBy(prefix, cutAt)]
  for (let row = 0; row < Math.max(rows, others); row++) {
    const isSame =
      row < rows &&
      row < others &&
      names.every((name) => Object.is(full[name]?.[row], prefix[name]?.[row]))
    if (isSame) continue
    const instants = [full['at']?.[row], prefix['at']?.[row]].filter((at) => at !== undefined)
    return Math.min(...instants) as Millis
  }
  return null
}

/**
 * Checks whether removing the future changes the past: compares the decisions and fills up to the
 * cut of a full run with those of a run without data known after the cut. They differ when a
 * strategy looks ahead.
 */
export function comparePrefix(full: RunResult, prefix: RunResult, cutAt: Millis): PrefixCheck {
  const differences = [
    firstDifference(DECISION_COLUMNS, full.decisions, prefix.decisions, cutAt),
    firstDifference(FILL_COLUMNS, full.fills, prefix.fills, cutAt),
  ].filter((at) => at !== null)
  return {
    cutAt,
    isEqual: differences.length === 0,
    decisions: rowsBy(full.decisions, cutAt),
    fills: rowsBy(full.fills, cutAt),
    firstDifferenceAt: differences.length === 0 ? null : (Math.min(...differences) as Millis),
  }
}
