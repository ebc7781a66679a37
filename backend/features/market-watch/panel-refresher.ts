import { TIERS } from '../../domain/tiers.ts'
import { DAY, SECOND, type Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { MAX_CONCURRENT_EXECUTIONS } from './panel-execution.ts'
import type { PanelOutcomes } from './panel-outcomes.ts'
import type { PanelRefresh } from './panel-refresh.ts'
import type { PanelSpec } from '../../contract/panels/panel-spec.ts'
import type { PanelsStore } from './panels.store.ts'
import { dueTime, freshFor } from './refresh-times.ts'

/** Delay after a failed attempt: the store was unavailable or the first load has not finished. */
const RETRY_DELAY = 5 * SECOND
/** Longest sleep, so that a changed clock is noticed. */
const MAX_SLEEP = 5 * SECOND
const MAX_STOP = SECOND
/** A constant abort reason avoids creating an error with a stack trace on every wake-up. */
const WAKE_UP = Symbol('woken')

/** A panel with a refresh interval, as last read. */
interface PlannedRefresh {
  readonly id: string
  readonly userId: string
  /** Null until the row was read; the panel is due at once then. */
  readonly read: {
    readonly spec: PanelSpec
    readonly specVersion: number
    readonly floor: number
  } | null
  readonly notBefore: Millis
}

/** Refreshes panels at their intervals while the service runs. */
export interface PanelRefresher {
  /** Runs until the signal aborts, then until running computations end, at most a second. */
  run(signal: AbortSignal): Promise<void>
  /** Checks a panel now: it is new, has changed or may be due. */
  recheck(id: string, userId: string): void
  /** Schedules a panel that is served stale, unless it is scheduled already. */
  plan(id: string, userId: string): void
  remove(id: string): void
  /** Number of panels with a refresh interval. */
  planned(): number
  /** Resolves when no panel is being refreshed. */
  settle(): Promise<void>
  /** Called when the tier of a user may have changed. */
  reloadUser(userId: string): void
}

/**
 * Refreshes the panels that are due, longest overdue first, four at a time and each once. A
 * panel's row is read when its refresh starts, so changed or removed panels are not refreshed with
 * old data.
 */
export function createPanelRefresher(deps: {
  readonly store: Pick<PanelsStore, 'scheduledPanels' | 'scheduledPanel'>
  readonly refresh: Pick<PanelRefresh, 'runUnlessFresh'>
  readonly outcomes: Pick<PanelOutcomes, 'get' | 'remove'>
  /** Data time, replayed in a replay. */
  readonly clock: Clock
  readonly wallClock: Pick<Clock, 'sleep'>
  readonly log: Logger
}): PanelRefresher {
  const { store, refresh, outcomes, clock, wallClock, log } = deps
  const plans = new Map<string, PlannedRefresh>()
  const pendingRefreshes = new Map<string, Promise<void>>()
  let wakeWaiting: () => void = () => {}

  const unreadPlan = (id: string, userId: string): PlannedRefresh => ({
    id,
    userId,
    read: null,
    notBefore: 0 as Millis,
  })
  const dueTimeOf = ({ id, read, notBefore }: PlannedRefresh, now: Millis): Millis => {
    if (read === null) return notBefore
    const outcome = outcomes.get(id, read.specVersion)
    return Math.max(dueTime(read.spec, read.floor, outcome, now) ?? now, notBefore) as Millis
  }
  /** The panel that is due first among the idle ones. */
  const first = (now: Millis): { readonly plan: PlannedRefresh; readonly at: Millis } | null => {
    let best: { readonly plan: PlannedRefresh; readonly at: Millis } | null = null
    for (const plan of plans.values()) {
      if (pendingRefreshes.has(plan.id)) continue
      const at = dueTimeOf(plan, now)
      const isSooner = best === null || at < best.at || (at === best.at && plan.id < best.plan.id)
      if (isSooner) best = { plan, at }
    }
    return best
  }

  /** Reads a panel's row; schedules it if it is new, runs it if it is due. */
  const refreshIfDue = async ({ id, userId, read }: PlannedRefresh): Promise<void> => {
    const row = await store.scheduledPanel(id)
    if (row === null) {
      plans.delete(id)
      return
    }
    const { panel, tier } = row
    const { spec, specVersion } = panel
    const floor = TIERS[tier].minRefreshSeconds
    const plan: PlannedRefresh = {
      id,
      userId,
      read: { spec, specVersion, floor },
      notBefore: 0 as Millis,
    }
    plans.set(id, plan)
    if (read === null || dueTimeOf(plan, clock.now()) > clock.now()) return
    const completedExecution = await refresh.runUnlessFresh(panel, freshFor(spec, floor))
    if (completedExecution?.outcome === 'busy' || completedExecution?.outcome === 'not-ready')
      retryLater(plan)
  }
  const retryLater = (plan: PlannedRefresh): void => {
    if (!plans.has(plan.id)) return
    plans.set(plan.id, { ...plan, notBefore: (clock.now() + RETRY_DELAY) as Millis })
  }
  const begin = (plan: PlannedRefresh): void => {
    const pendingRefresh = refreshIfDue(plan)
      .catch((error: unknown) => {
        log.error({ err: error, panel: plan.id }, 'a panel could not be refreshed')
        retryLater(plan)
      })
      .finally(() => {
        pendingRefreshes.delete(plan.id)
        wakeWaiting()
      })
    pendingRefreshes.set(plan.id, pendingRefresh)
  }

  /** Sleeps until a panel may be due or a wake-up. */
  const sleep = async (signal: AbortSignal): Promise<void> => {
    const now = clock.now()
    const next = pendingRefreshes.size < MAX_CONCURRENT_EXECUTIONS ? first(now) : null
    const span = next === null ? DAY : Math.min(Math.max(0, next.at - now), MAX_SLEEP)
    const wakeUp = new AbortController()
    wakeWaiting = () => wakeUp.abort(WAKE_UP)
    await clock.sleep(span, AbortSignal.any([signal, wakeUp.signal])).catch(() => {})
    wakeWaiting = () => {}
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        try {
          for (const { id, userId } of await store.scheduledPanels()) {
            if (!plans.has(id)) plans.set(id, unreadPlan(id, userId))
          }
          break
        } catch (error) {
          log.error({ err: error }, 'the panels to refresh could not be read')
          await clock.sleep(RETRY_DELAY, signal).catch(() => {})
        }
      }
      while (!signal.aborted) {
        const now = clock.now()
        for (
          let next = first(now);
          next !== null && next.at <= now && pendingRefreshes.size < MAX_CONCURRENT_EXECUTIONS;
          next = first(now)
        ) {
          begin(next.plan)
        }
        await sleep(signal)
      }
      // Stopping does not wait for a computation that hangs.
      const timeoutController = new AbortController()
      await Promise.race([
        Promise.all(pendingRefreshes.values()),
        wallClock.sleep(MAX_STOP, timeoutController.signal).catch(() => {}),
      ])
      timeoutController.abort()
    },
    recheck(id, userId) {
      plans.set(id, unreadPlan(id, userId))
      wakeWaiting()
    },
    plan(id, userId) {
      if (plans.has(id)) return
      plans.set(id, unreadPlan(id, userId))
      wakeWaiting()
    },
    planned: () => plans.size,
    remove(id) {
      plans.delete(id)
    },
    async settle() {
      while (pendingRefreshes.size > 0) await Promise.all(pendingRefreshes.values())
    },
    reloadUser(userId) {
      for (const plan of plans.values()) {
        if (plan.userId === userId) plans.set(plan.id, unreadPlan(plan.id, userId))
      }
      wakeWaiting()
    },
  }
}
