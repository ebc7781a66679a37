import { HOUR, SECOND, type Millis } from '../../domain/units.ts'
import type { PanelOutcome } from './panel-runs.store.ts'
import { cadenceSecondsOf } from './panel-spec.schema.ts'
import type { PanelSpec } from './panel-spec.schema.ts'

/** Failures in a row from which on a panel is tried less often. */
const PATIENT_UNTIL = 5
const SLOWED_BY = 5
const MOST_SLOWED = HOUR

/** For how long what a panel shows counts as fresh: its cadence, no less than the tier's floor. */
export const freshFor = (spec: PanelSpec, floorSeconds: number): Millis =>
  (Math.max(cadenceSecondsOf(spec) ?? 0, floorSeconds) * SECOND) as Millis

/** Time from the end of a run to the next one; longer after five failures in a row. */
export function refreshAfter(spec: PanelSpec, floorSeconds: number, failures: number): Millis {
  const usual = freshFor(spec, floorSeconds)
  if (failures < PATIENT_UNTIL) return usual
  const cadence = (cadenceSecondsOf(spec) ?? floorSeconds) * SECOND
  return Math.max(usual, Math.min(cadence * SLOWED_BY, MOST_SLOWED)) as Millis
}

/**
 * When a panel is due for its next refresh; null for one that is refreshed by hand. One that never ran
 * is due at once.
 */
export function dueAt(
  spec: PanelSpec,
  floorSeconds: number,
  { endedAt, failures }: Pick<PanelOutcome, 'endedAt' | 'failures'>,
  now: Millis,
): Millis | null {
  if (cadenceSecondsOf(spec) === null) return null
  if (endedAt === null) return now
  const after = refreshAfter(spec, floorSeconds, failures)
  return (endedAt + after) as Millis
}
