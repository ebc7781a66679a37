import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { State } from '../../state/open.ts'
import { createHydration } from './hydration.service.ts'
import { createMarketWatchHealth } from './market-watch-health.service.ts'
import { marketWatchRoutes } from './market-watch.routes.ts'
import { createPanelContents } from './panel-contents.ts'
import { createPanelExecution } from './panel-execution.ts'
import { createPanelMemory, type PanelCache } from './panel-memory.ts'
import { createPanelOutcomes } from './panel-outcomes.ts'
import { createPanelRefresh } from './panel-refresh.ts'
import { createPanelRefresher } from './panel-refresher.ts'
import { createPanelRuns } from './panel-runs.service.ts'
import { createPanelRunsStore } from './panel-runs.store.ts'
import type { PanelSources } from './panel-sources.ts'
import { createPanels } from './panels.service.ts'
import { createPanelsStore } from './panels.store.ts'

/** Boards of panels, and their refresh. */
export interface MarketWatch {
  readonly routes: ReturnType<typeof marketWatchRoutes>
  /** Loads the results of earlier runs; call it first. */
  open(): Promise<void>
  /** Refreshes panels at their intervals until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when no scheduled refresh is running. */
  waitUntilSettled(): Promise<void>
  /** Number of panels with a refresh interval. */
  plannedCount(): number
  /** Called when the tier of a user may have changed. */
  reloadUser(userId: string): void
  /** Drops cached content after stored history changed. */
  invalidate(): void
  close(): Promise<void>
}

export function createMarketWatch(deps: {
  readonly state: State
  readonly sources: PanelSources
  /** Replaces the in-process cache. */
  readonly cache?: PanelCache
  /** Address of the page, which lists the tiers. */
  readonly appUrl: string
  /** Data time, replayed in a replay. */
  readonly clock: Clock
  /** Wall time, used for cooldowns. */
  readonly wallClock: Clock
  readonly log: Logger
}): MarketWatch {
  const { state, sources, appUrl, clock, wallClock, log } = deps
  const cache = deps.cache ?? createPanelMemory(clock)
  const store = createPanelsStore(state)
  const runs = createPanelRunsStore(state)
  const contents = createPanelContents(sources)
  const outcomes = createPanelOutcomes({ store: runs, clock, wallClock, log })
  const execution = createPanelExecution({ cache, clock, wallClock, log })
  const refresh = createPanelRefresh({
    contents,
    execution,
    cache,
    outcomes,
    clock,
    wallClock,
    log,
  })
  const refresher = createPanelRefresher({ store, refresh, outcomes, clock, wallClock, log })

  return {
    routes: marketWatchRoutes({
      hydration: createHydration({
        store,
        runs,
        contents,
        execution,
        refresh,
        refresher,
        outcomes,
        condition: sources.condition,
        clock,
        wallClock,
        log,
      }),
      panels: createPanels({ store, refresh, refresher, outcomes, appUrl, clock }),
      runs: createPanelRuns({
        panels: store,
        store: runs,
        refresh,
        appUrl,
        clock,
        wallClock,
        log,
      }),
      health: createMarketWatchHealth({ panels: store, runs, outcomes, clock }),
    }),
    open: () => outcomes.open(),
    run: (signal) => refresher.run(signal),
    waitUntilSettled: () => refresher.settle(),
    /** Number of panels with a refresh interval. */
    plannedCount: () => refresher.planned(),
    reloadUser: (userId) => refresher.reloadUser(userId),
    invalidate: () => void cache.clear().catch(() => {}),
    close: () => outcomes.close(),
  }
}
