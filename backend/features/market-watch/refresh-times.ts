import { HOUR, SECOND, type Millis } from '../../domain/units.ts'
import type { PanelOutcome } from './panel-runs.store.ts'
import { cadenceSecondsOf } from '../../contract/panels/panel-spec.ts'
import type { PanelSpec } from '../../contract/panels/panel-spec.ts'

/** Consecutive failures from which a panel is refreshed less often. */
const FAILURES_BEFORE_BACKOFF = 5
const BACKOFF_FACTOR = 5
const MAX_BACKOFF_INTERVAL = HOUR

/** Age up to which content counts as fresh: the panel's cadence, at least the tier's floor. */
export const freshFor = (spec: PanelSpec, floorSeconds: number): Millis =>
  (Math.max(cadenceSecondsOf(spec) ?? 0, floorSeconds) * SECOND) as Millis

/** Time from the end of a run to the next; longer after five consecutive failures. */
export function refreshAfter(spec: PanelSpec, floorSeconds: number, failures: number): Millis {
  const usual = freshFor(spec, floorSeconds)
  if (failures < FAILURES_BEFORE_BACKOFF) return usual
  const cadence = (cadenceSecondsOf(spec) ?? floorSeconds) * SECOND
  return Math.max(usual, Math.min(cadence * BACKOFF_FACTOR, MAX_BACKOFF_INTERVAL)) as Millis
}

/** When a panel is due; null for manual refresh. A panel that never ran is due at once. */
export function dueTime(
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
