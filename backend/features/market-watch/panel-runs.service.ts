import { TIERS } from '../../domain/tiers.ts'
import { SECOND, type Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import type { Refused } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PanelRun } from '../../contract/panels/panels.ts'
import { sourceClockAt } from './panel-content.ts'
import { MANUAL_WAIT_TIMEOUT } from './panel-execution.ts'
import type { Execution } from './panel-execution.ts'
import type { PanelRefresh } from './panel-refresh.ts'
import { coolingDown, panelRefusal, unknownPanel } from './panel-refusals.ts'
import type { PanelRunsStore } from './panel-runs.store.ts'
import { bodyIn } from './panel-spec.ts'
import type { PanelUser } from './panels.service.ts'
import type { PanelsStore } from './panels.store.ts'

const RETRY_SECONDS = 5

/** A claim; null if claims cannot be stored now. */
type Claim = { readonly at: Millis } | null

/** Manual runs of panels, one per panel within the cooldown of the tier. */
export function createPanelRuns(deps: {
  readonly panels: Pick<PanelsStore, 'byId'>
  readonly store: Pick<PanelRunsStore, 'claim' | 'releaseClaim'>
  readonly refresh: Pick<PanelRefresh, 'run'>
  readonly appUrl: string
  /** Data time. */
  readonly clock: Pick<Clock, 'now'>
  /** Wall time, used for cooldowns. */
  readonly wallClock: Pick<Clock, 'now'>
  readonly log: Logger
}) {
  const { panels, store, refresh, appUrl, clock, wallClock, log } = deps

  /** @throws Refused panel_refresh_cooldown */
  const claimRun = async ({ userId, tier }: PanelUser, id: string): Promise<Claim> => {
    const at = wallClock.now()
    const cooldown = (TIERS[tier].manualRefreshCooldownSeconds * SECOND) as Millis
    let claimedAt: Millis | null
    try {
      claimedAt = await store.claim(userId, id, at, cooldown)
    } catch (error) {
      log.warn({ err: error }, 'a run could not be claimed and proceeds without a claim')
      return null
    }
    if (claimedAt === null) return { at }
    const left = Math.ceil((claimedAt + cooldown - at) / SECOND)
    throw coolingDown(Math.max(1, left), appUrl)
  }

  /** Nothing was computed, so the claim is released. */
  const notStartedRefusal = async (
    { userId }: PanelUser,
    id: string,
    claim: Claim,
    execution: Extract<Execution, { outcome: 'busy' | 'not-ready' }>,
  ): Promise<Refused> => {
    if (claim !== null) {
      await store
        .releaseClaim(userId, id, claim.at)
        .catch((error: unknown) => log.warn({ err: error }, 'a claim could not be released'))
    }
    return execution.outcome === 'busy'
      ? panelRefusal(
          'busy',
          'panel_execution_busy',
          'All runs are in use. Run it again in a moment',
          {},
          RETRY_SECONDS,
        )
      : panelRefusal('busy', 'not_ready', execution.message, { code: 'NOT_READY' }, RETRY_SECONDS)
  }

  return {
    /**
     * Computes a panel.
     * @param text the body as sent; its content is ignored
     * @throws Refused
     */
    async run(user: PanelUser, id: string, text: unknown): Promise<PanelRun> {
      if (typeof text === 'string' && text !== '') bodyIn(text)
      const panel = await panels.byId(user.userId, id)
      if (panel === null) throw unknownPanel()
      const claim = await claimRun(user, id)
      const { runId, execution } = await refresh.run(panel, 'manual', MANUAL_WAIT_TIMEOUT)
      if (execution.outcome === 'busy' || execution.outcome === 'not-ready') {
        throw await notStartedRefusal(user, id, claim, execution)
      }
      if ((await panels.byId(user.userId, id)) === null) throw unknownPanel()
      if (execution.outcome === 'failed') {
        const { reason, message } = execution
        const ground = reason === 'panel_execution_timeout' ? 'too-slow' : 'failed'
        throw panelRefusal(ground, reason, message, { runId })
      }
      const { entry, isCached } = execution
      const now = clock.now()
      return {
        panelId: id,
        status: claim !== null && isCached ? 'success-miss' : 'success-bypass',
        payload: entry.payload,
        sourceClock: sourceClockAt(entry.source, now),
        generatedAt: isoOf(now),
        runId,
      }
    },
  }
}
export type PanelRuns = ReturnType<typeof createPanelRuns>
