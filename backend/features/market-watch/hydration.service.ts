import { TIERS } from '../../domain/tiers.ts'
import { MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { weakTagOf } from '../../http/answers.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf, sleepUnless, type Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import { newestOf, sourceClockAt } from './panel-content.ts'
import type { PanelContents, SharedPreset } from './panel-contents.ts'
import type { Execution, PanelExecution } from './panel-execution.ts'
import type { PanelEntry } from './panel-memory.ts'
import type { PanelOutcomes } from './panel-outcomes.ts'
import { isYounger, type Lookup, type PanelRefresh } from './panel-refresh.ts'
import type { PanelRefresher } from './panel-refresher.ts'
import type { PanelRunsStore } from './panel-runs.store.ts'
import { panelStateOf, type PanelState } from './panel-state.ts'
import type { Hydration, Panel } from '../../contract/panels/panels.ts'
import type { PanelPayload } from '../../contract/panels/panel-payloads.ts'
import type { ServiceCondition } from './panel-sources.ts'
import { headOf, type PanelUser } from './panels.service.ts'
import type { PanelRecord, PanelsStore } from './panels.store.ts'
import { dueTime, freshFor } from './refresh-times.ts'

const BOARD = 'Market watch'
/** Longest total wait for missing panels; the rest is computed after the response. */
const MAX_WAIT = 2 * SECOND
const MAX_PER_PANE = 10
const COLUMNS = 12
const SIDE = 4

/** Presets of the panes beside the panels. */
const PANES = [
  'sf_index_24h',
  'liquidity_by_theme',
  'regime_attention',
  'cross_venue_contagion',
  'movers_volume_z',
] as const satisfies readonly SharedPreset[]
type PaneId = (typeof PANES)[number]
type PaneOf<Id extends PaneId> = Extract<
  PanelPayload,
  { readonly kind: Id; readonly filters?: never }
>

/** Layout with three panels per row, in the order of the board. */
const layoutOf = (panels: readonly PanelRecord[]): Hydration['dashboard']['layout'] => {
  const perRow = COLUMNS / SIDE
  return {
    columns: COLUMNS,
    items: panels.map(({ id }, index) => ({
      panelId: id,
      x: (index % perRow) * SIDE,
      y: Math.floor(index / perRow) * SIDE,
      w: SIDE,
      h: SIDE,
    })),
  }
}

/** The whole board of a user: panels with their content, and the panes beside them. */
export function createHydration(deps: {
  readonly store: Pick<PanelsStore, 'dashboardOf' | 'panelsOfUser'>
  readonly runs: Pick<PanelRunsStore, 'claimsOf'>
  readonly contents: PanelContents
  readonly execution: PanelExecution
  readonly refresh: PanelRefresh
  readonly refresher: Pick<PanelRefresher, 'plan'>
  readonly outcomes: Pick<PanelOutcomes, 'get'>
  readonly condition: Pick<ServiceCondition, 'sources'>
  /** Data time. */
  readonly clock: Pick<Clock, 'now'>
  /** Wall time, used for cooldowns and timeouts. */
  readonly wallClock: Clock
  readonly log: Logger
}) {
  const { store, refresh, refresher, outcomes, clock, wallClock, log } = deps

  /** Cached content of these panels; each key is looked up once. */
  const lookupsFor = async (
    panels: readonly PanelRecord[],
  ): Promise<ReadonlyMap<string, Lookup>> => {
    const byKey = new Map<string, Lookup>()
    for (const key of new Set(panels.map((panel) => refresh.keyOf(panel))))
      byKey.set(key, await refresh.lookUp(key))
    const lookups = panels.map((panel) => [panel.id, byKey.get(refresh.keyOf(panel))] as const)
    return new Map(lookups.flatMap(([id, lookup]) => (lookup === undefined ? [] : [[id, lookup]])))
  }

  /**
   * Content of each pane: at most a minute old if it can be computed in time, else the cached one.
   */
  const paneEntries = (floor: Millis) => {
    const entries = new Map<PaneId, PanelEntry>()
    const computing = PANES.map(async (id) => {
      const work = deps.contents.presetWork(id)
      const { entry } = await refresh.lookUp(work.key)
      if (entry !== null) entries.set(id, entry)
      if (entry !== null && isYounger(entry, floor, clock.now())) return
      const pendingExecution = deps.execution.run(work)
      // Content that would become too old while the response is cached is refreshed after the
      // response.
      if (entry !== null && isYounger(entry, MINUTE, clock.now())) return
      const result = await pendingExecution
      if (result.outcome === 'done') entries.set(id, result.entry)
    })
    const payloadOf = <Id extends PaneId>(id: Id): PaneOf<Id> | null =>
      (entries.get(id)?.payload as PaneOf<Id> | undefined) ?? null
    return { computing: Promise.all(computing), payloadOf }
  }

  /** Waits until everything is computed, or for the longest wait. */
  const waitForAll = async (computing: readonly Promise<unknown>[]): Promise<void> => {
    const endOfWait = new AbortController()
    await Promise.race([Promise.all(computing), sleepUnless(endOfWait.signal, wallClock, MAX_WAIT)])
    endOfWait.abort()
  }

  const claimsOf = (userId: string): Promise<ReadonlyMap<string, Millis>> =>
    deps.runs.claimsOf(userId).catch((error: unknown) => {
      log.warn({ err: error }, 'claims of panels could not be read')
      return new Map<string, Millis>()
    })

  return {
    /** The response as JSON. Payloads are cached as bytes because a full board is large. */
    async hydrate(user: PanelUser): Promise<TaggedJson> {
      const { userId, tier: name } = user
      const tier = TIERS[name]
      const floorSeconds = tier.minRefreshSeconds
      const cooldown = tier.manualRefreshCooldownSeconds * SECOND
      const startedAt = clock.now()
      const dashboardId = await store.dashboardOf(userId, {
        id: newId('dsh', startedAt),
        name: BOARD,
        at: startedAt,
      })
      const [panels, claims] = await Promise.all([store.panelsOfUser(userId), claimsOf(userId)])
      const lookups = await lookupsFor(panels)
      const executions = new Map<string, Execution>()
      const missing = panels.filter(({ id }) => (lookups.get(id)?.entry ?? null) === null)
      const panes = paneEntries((floorSeconds * SECOND) as Millis)
      await waitForAll([
        panes.computing,
        ...missing.map(async (panel) => {
          const { execution } = await refresh.run(panel, 'scheduled')
          executions.set(panel.id, execution)
        }),
      ])
      const now = clock.now()
      const wallNow = wallClock.now()

      const cooldownEnd = (id: string): Millis | null => {
        const claimedAt = claims.get(id) ?? null
        const isCoolingDown =
          claimedAt !== null && claimedAt <= wallNow && claimedAt + cooldown > wallNow
        return isCoolingDown ? ((claimedAt + cooldown) as Millis) : null
      }
      const nextRunOf = ({ id, spec, specVersion, status }: PanelRecord): Millis | null => {
        const dueAt = dueTime(spec, floorSeconds, outcomes.get(id, specVersion), now)
        return status === 'paused' || dueAt === null ? null : (Math.max(dueAt, now) as Millis)
      }
      const stateOf = (panel: PanelRecord): PanelState =>
        panelStateOf({
          lookup: lookups.get(panel.id) ?? { entry: null, isUnavailable: false },
          execution: executions.get(panel.id) ?? null,
          outcome: outcomes.get(panel.id, panel.specVersion),
          maxAge: freshFor(panel.spec, floorSeconds),
          now,
        })
      const toResponse = (panel: PanelRecord): ServedPanel => {
        const { entry, cacheState, executionStatus, lastError } = stateOf(panel)
        if (executionStatus === 'success-stale') refresher.plan(panel.id, userId)
        const { endedAt } = outcomes.get(panel.id, panel.specVersion)
        const head: Omit<Panel, 'payload'> = {
          ...headOf(panel, floorSeconds),
          spec: panel.spec,
          createdAt: isoOf(panel.createdAt),
          updatedAt: isoOf(panel.updatedAt),
          lastRunAt: isoOrNull(newestOf([endedAt, entry?.computedAt ?? null])),
          lastError: lastError === null ? null : { ...lastError, at: isoOf(lastError.at) },
          nextRunAt: isoOrNull(nextRunOf(panel)),
          cooldownUntil: isoOrNull(cooldownEnd(panel.id)),
          sourceClock: entry === null ? null : sourceClockAt(entry.source, now),
          cacheState,
          executionStatus,
        }
        return { head, entry }
      }
      const movers = panes.payloadOf('movers_volume_z')?.movers ?? []
      const rest: Omit<Hydration, 'panels'> = {
        dashboard: { id: dashboardId, name: BOARD, isDefault: true, layout: layoutOf(panels) },
        panes: {
          servedAt: isoOf(now),
          indexSeries: panes.payloadOf('sf_index_24h')?.series ?? [],
          themes: panes.payloadOf('liquidity_by_theme')?.themes.slice(0, MAX_PER_PANE) ?? [],
          regimeBuckets: panes.payloadOf('regime_attention')?.buckets ?? [],
          contagion: panes.payloadOf('cross_venue_contagion')?.links.slice(0, MAX_PER_PANE) ?? [],
          movers: movers.slice(0, MAX_PER_PANE),
          sources: deps.condition.sources(),
        },
        tier: {
          panelCap: tier.panelCap,
          screenPanelCap: tier.screenPanelCap,
          minRefreshSeconds: floorSeconds,
          manualRefreshCooldownSeconds: tier.manualRefreshCooldownSeconds,
          currentPanelCount: panels.length,
          currentScreenPanelCount: panels.filter(({ spec }) => spec.kind === 'screen').length,
          name,
        },
        generatedAt: isoOf(now),
      }
      return boardOf(rest, panels.map(toResponse))
    },
  }
}
export type HydrationService = ReturnType<typeof createHydration>

interface ServedPanel {
  readonly head: Omit<Panel, 'payload'>
  readonly entry: PanelEntry | null
}

/** A response body with its weak entity tag. */
interface TaggedJson {
  readonly json: Buffer
  readonly tag: string
}

/** The members of an object as JSON without the closing brace, so that another can follow. */
const openObject = (object: object): string => JSON.stringify(object).slice(0, -1)

/**
 * Assembles the board from the bytes of its payloads. Its tag is derived from theirs, so megabytes
 * are neither decoded nor hashed again.
 */
function boardOf(rest: Omit<Hydration, 'panels'>, panels: readonly ServedPanel[]): TaggedJson {
  const digestLines: string[] = [openObject(rest)]
  const parts: Buffer[] = [Buffer.from(`${openObject(rest)},"panels":[`)]
  panels.forEach(({ head, entry }, index) => {
    const text = `${index === 0 ? '' : ','}${openObject(head)},"payload":`
    digestLines.push(text, entry?.tag ?? 'null')
    parts.push(Buffer.from(text), entry?.bytes ?? NULL, CLOSING_BRACE)
  })
  parts.push(Buffer.from(']}'))
  return { json: Buffer.concat(parts), tag: weakTagOf(Buffer.from(digestLines.join('\n'))) }
}
const NULL = Buffer.from('null')
const CLOSING_BRACE = Buffer.from('}')
