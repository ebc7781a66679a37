import { TIERS } from '../../domain/tiers.ts'
import type { Millis } from '../../domain/units.ts'
import type { Caller } from '../../http/auth/auth.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Refused } from '../../lib/errors.ts'
import { fieldOf } from '../../lib/field-of.ts'
import { newId } from '../../lib/ids.ts'
import type { PanelOutcomes } from './panel-outcomes.ts'
import type { PanelRefresh } from './panel-refresh.ts'
import type { PanelRefresher } from './panel-refresher.ts'
import { invalidInput, panelRefusal, unknownPanel, upgradeAt } from './panel-refusals.ts'
import { bodyIn, specIn, titlesIn } from './panel-spec.ts'
import { subjectOf } from '../../contract/panels/panel-spec.ts'
import { LABELS } from '../../contract/panels/panel-names.ts'
import type { PanelStatus } from '../../contract/panels/panel-names.ts'
import type {
  PanelChanged,
  PanelHead,
  PanelCreated,
  PanelRemoved,
  PanelsReordered,
} from '../../contract/panels/panels.ts'
import { LAST_SORT_IDX } from './panels.store.ts'
import type {
  CapReached,
  PanelChange,
  PanelPosition,
  PanelRecord,
  PanelsStore,
} from './panels.store.ts'
import { freshFor } from './refresh-times.ts'

const MAX_POSITIONS = 200

/** The caller as panels need it. */
export type PanelUser = Pick<Caller, 'userId' | 'tier'>

/** A panel without its content. */
export const headOf = (panel: PanelRecord, refreshFloorSeconds: number): PanelHead => ({
  id: panel.id,
  title: panel.title,
  kind: panel.spec.kind,
  status: panel.status,
  sortIdx: panel.sortIdx,
  refreshFloorSeconds,
})

const capReached = ({ capped, cap, current }: CapReached, appUrl: string): Refused =>
  panelRefusal(
    'over-cap',
    capped === 'any' ? 'market_watch_panel_cap_exceeded' : 'market_watch_screen_panel_cap_exceeded',
    capped === 'any'
      ? `Your tier allows ${cap} panels, and there are ${current}`
      : `Your tier allows ${cap} screens, and there are ${current}`,
    { cap, current, upgrade: upgradeAt(appUrl) },
  )

const isSortIdx = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_SORT_IDX

/** The positions in a body. @throws Refused order_invalid */
function positionsIn(body: object): PanelPosition[] {
  const orderValue = fieldOf(body, 'order')
  const positions = (Array.isArray(orderValue) ? orderValue : []).flatMap((item: unknown) => {
    const [id, sortIdx] = [fieldOf(item, 'id'), fieldOf(item, 'sortIdx')]
    return typeof id === 'string' && isSortIdx(sortIdx) ? [{ id, sortIdx }] : []
  })
  const isWhole =
    Array.isArray(orderValue) &&
    positions.length === orderValue.length &&
    positions.length >= 1 &&
    positions.length <= MAX_POSITIONS &&
    new Set(positions.map(({ id }) => id)).size === positions.length
  if (isWhole) return positions
  throw invalidInput(
    'order_invalid',
    `The order must name 1 to ${MAX_POSITIONS} panels once each, with a sortIdx of 0 to ${LAST_SORT_IDX}`,
    'order',
  )
}

/** The changes in a body, read in the order in which errors are reported. */
function positionAndStatusIn(body: object): Pick<PanelChange, 'status' | 'sortIdx'> {
  const [status, sortIdx] = [fieldOf(body, 'status'), fieldOf(body, 'sortIdx')]
  if (status !== undefined && status !== 'active' && status !== 'paused') {
    throw invalidInput('status_invalid', 'The status must be active or paused', 'status')
  }
  if (sortIdx !== undefined && !isSortIdx(sortIdx)) {
    const message = `sortIdx must be a whole number of 0 to ${LAST_SORT_IDX}`
    throw invalidInput('sort_idx_invalid', message, 'sortIdx')
  }
  return {
    ...(status !== undefined && { status: status satisfies PanelStatus }),
    ...(sortIdx !== undefined && { sortIdx }),
  }
}

/** Operations of users on the panels of their board. Bodies are passed as sent. */
export function createPanels(deps: {
  readonly store: PanelsStore
  readonly refresh: PanelRefresh
  readonly refresher: Pick<PanelRefresher, 'recheck' | 'remove'>
  readonly outcomes: Pick<PanelOutcomes, 'begin' | 'remove'>
  readonly appUrl: string
  /** Data time. */
  readonly clock: Pick<Clock, 'now'>
}) {
  const { store, refresh, refresher, outcomes, appUrl, clock } = deps
  const boundsOf = ({ tier }: PanelUser) => ({
    minRefreshSeconds: TIERS[tier].minRefreshSeconds,
    appUrl,
  })
  const capsOf = ({ tier }: PanelUser) => ({
    panels: TIERS[tier].panelCap,
    screens: TIERS[tier].screenPanelCap,
  })
  /** Starts the first computation of a new spec after the response. */
  const begin = (panel: PanelRecord, maxAge: Millis): void => {
    outcomes.begin(panel.id, panel.specVersion)
    void refresh.runUnlessFresh(panel, maxAge).then(() => refresher.recheck(panel.id, panel.userId))
  }

  return {
    /** @throws Refused */
    async create(user: PanelUser, text: unknown): Promise<PanelCreated> {
      const body = bodyIn(text)
      const title = titlesIn(body)
      const spec = specIn(body, boundsOf(user))
      const now = clock.now()
      const addResult = await store.add(
        {
          id: newId('pnl', now),
          userId: user.userId,
          status: 'active',
          spec,
          specVersion: 1,
          title: title.inBody ?? title.inSpec ?? LABELS[subjectOf(spec)],
          createdAt: now,
          updatedAt: now,
        },
        capsOf(user),
      )
      if ('capped' in addResult) throw capReached(addResult, appUrl)
      const { minRefreshSeconds } = TIERS[user.tier]
      begin(addResult, freshFor(spec, minRefreshSeconds))
      return { panel: headOf(addResult, minRefreshSeconds) }
    },

    /** @throws Refused */
    async change(user: PanelUser, id: string, text: unknown): Promise<PanelChanged> {
      const body = bodyIn(text)
      const previous = await store.byId(user.userId, id)
      if (previous === null) throw unknownPanel()
      const title = titlesIn(body).inBody
      const placement = positionAndStatusIn(body)
      const hasSpec = fieldOf(body, 'spec') !== undefined
      const change: PanelChange = {
        ...(title !== undefined && { title }),
        ...placement,
        ...(hasSpec && { spec: specIn(body, boundsOf(user)) }),
      }
      const isEmpty = Object.keys(change).length === 0
      const after = isEmpty
        ? previous
        : await store.change(user.userId, id, change, capsOf(user), clock.now())
      if (after === null) throw unknownPanel()
      if ('capped' in after) throw capReached(after, appUrl)
      const { minRefreshSeconds } = TIERS[user.tier]
      if (change.spec !== undefined) begin(after, freshFor(after.spec, minRefreshSeconds))
      else if (change.status !== undefined) refresher.recheck(id, user.userId)
      return { panel: { ...headOf(after, minRefreshSeconds), spec: after.spec } }
    },

    /** @throws Refused */
    async remove(user: PanelUser, id: string): Promise<PanelRemoved> {
      if (!(await store.remove(user.userId, id))) throw unknownPanel()
      outcomes.remove(id)
      refresher.remove(id)
      return { ok: true }
    },

    /** @throws Refused */
    async reorder(user: PanelUser, text: unknown): Promise<PanelsReordered> {
      const positions = positionsIn(bodyIn(text))
      const reorderResult = await store.reorder(user.userId, positions, clock.now())
      if ('unknown' in reorderResult) throw unknownPanel({ ids: reorderResult.unknown })
      return { ok: true, order: [...reorderResult.order] }
    },
  }
}
export type Panels = ReturnType<typeof createPanels>
