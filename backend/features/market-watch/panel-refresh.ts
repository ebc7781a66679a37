import type { Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PanelContents } from './panel-contents.ts'
import type { Execution, PanelExecution } from './panel-execution.ts'
import type { PanelCache, PanelEntry } from './panel-memory.ts'
import type { PanelOutcomes } from './panel-outcomes.ts'
import type { RunTrigger } from './panel-runs.store.ts'
import { subjectOf } from '../../contract/panels/panel-spec.ts'
import type { PanelRecord } from './panels.store.ts'

/** Result of a cache lookup; an unavailable cache is distinguished from a missing entry. */
export interface Lookup {
  readonly entry: PanelEntry | null
  readonly isUnavailable: boolean
}

/** Runs panels and records the results. */
export interface PanelRefresh {
  keyOf(panel: PanelRecord): string
  lookUp(key: string): Promise<Lookup>
  /** Computes a panel and records the result. Never rejects. */
  run(
    panel: PanelRecord,
    trigger: RunTrigger,
    maxWait?: number,
  ): Promise<{ readonly runId: string; readonly execution: Execution }>
  /**
   * Takes a shared result younger than `maxAge`, else computes the panel.
   * @returns null if nothing was computed
   */
  runUnlessFresh(panel: PanelRecord, maxAge: Millis): Promise<Execution | null>
}

/** Whether an entry is younger than `maxAge`; an entry from the future is not. */
export const isYounger = (entry: PanelEntry, maxAge: Millis, now: Millis): boolean =>
  entry.computedAt <= now && now - entry.computedAt < maxAge

export function createPanelRefresh(deps: {
  readonly contents: PanelContents
  readonly execution: PanelExecution
  readonly cache: Pick<PanelCache, 'get'>
  readonly outcomes: PanelOutcomes
  /** Data time. */
  readonly clock: Pick<Clock, 'now'>
  readonly wallClock: Pick<Clock, 'monotonic'>
  readonly log: Logger
}): PanelRefresh {
  const { contents, execution, cache, outcomes, clock, wallClock, log } = deps
  const keyOf = ({ spec, userId }: PanelRecord): string => contents.workFor(spec, userId).key

  const lookUp = async (key: string): Promise<Lookup> => {
    try {
      return { entry: await cache.get(key), isUnavailable: false }
    } catch (error) {
      log.warn({ err: error }, 'the cache of panels does not respond')
      return { entry: null, isUnavailable: true }
    }
  }

  const run: PanelRefresh['run'] = async (panel, trigger, maxWait) => {
    const { id: panelId, userId, spec, specVersion } = panel
    const runId = newId('run', clock.now())
    const since = wallClock.monotonic()
    const endedExecution = await execution.run(contents.workFor(spec, userId), maxWait)
    if (endedExecution.outcome === 'done' || endedExecution.outcome === 'failed') {
      outcomes.record({
        runId,
        panelId,
        userId,
        specVersion,
        trigger,
        kind: subjectOf(spec),
        endedAt: clock.now(),
        elapsedMs: wallClock.monotonic() - since,
        failure: endedExecution.outcome === 'done' ? null : endedExecution,
      })
    }
    return { runId, execution: endedExecution }
  }

  return {
    keyOf,
    lookUp,
    run,
    async runUnlessFresh(panel, maxAge) {
      const { entry } = await lookUp(keyOf(panel))
      if (entry !== null && isYounger(entry, maxAge, clock.now())) {
        outcomes.share(panel.id, panel.specVersion, entry.computedAt)
        return null
      }
      return (await run(panel, 'scheduled')).execution
    },
  }
}
