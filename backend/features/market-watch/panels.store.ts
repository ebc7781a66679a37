import type { Selectable } from 'kysely'
import type { Tier } from '../../domain/tiers.ts'
import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'
import type { PanelTable } from '../../state/schema.ts'
import { cadenceSecondsOf, subjectOf } from '../../contract/panels/panel-spec.ts'
import type { PanelSpec } from '../../contract/panels/panel-spec.ts'
import type { PanelKind, PanelStatus } from '../../contract/panels/panel-names.ts'

/** A stored panel. */
export interface PanelRecord {
  readonly id: string
  readonly userId: string
  readonly title: string
  readonly status: PanelStatus
  readonly sortIdx: number
  readonly spec: PanelSpec
  /** Incremented with every new spec. */
  readonly specVersion: number
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

/** Panel caps of a tier. */
export interface PanelCaps {
  readonly panels: number
  readonly screens: number
}

/** The cap that was reached, and the current number. */
export interface CapReached {
  readonly capped: PanelKind | 'any'
  readonly cap: number
  readonly current: number
}

/** Changes of a panel; absent fields stay. */
export interface PanelChange {
  readonly title?: string
  readonly status?: PanelStatus
  readonly sortIdx?: number
  readonly spec?: PanelSpec
}

export interface PanelPosition {
  readonly id: string
  readonly sortIdx: number
}

export interface PanelsStore {
  /** The board id of a user; `candidate` is stored if there is none yet. */
  dashboardOf(userId: string, candidate: { id: string; name: string; at: Millis }): Promise<string>
  /** In the order of the board. */
  panelsOfUser(userId: string): Promise<PanelRecord[]>
  byId(userId: string, id: string): Promise<PanelRecord | null>
  /** Appends a panel unless a cap is reached; concurrent calls respect the cap. */
  add(panel: Omit<PanelRecord, 'sortIdx'>, caps: PanelCaps): Promise<PanelRecord | CapReached>
  /** Null if the user has no such panel. The screen cap applies when a panel becomes a screen. */
  change(
    userId: string,
    id: string,
    change: PanelChange,
    caps: Pick<PanelCaps, 'screens'>,
    at: Millis,
  ): Promise<PanelRecord | CapReached | null>
  remove(userId: string, id: string): Promise<boolean>
  /** Reorders all, or nothing and returns the ids that are not the user's. */
  reorder(
    userId: string,
    positions: readonly PanelPosition[],
    at: Millis,
  ): Promise<{ readonly unknown: readonly string[] } | { readonly order: readonly PanelPosition[] }>
  /** Every panel with a refresh interval. */
  scheduledPanels(): Promise<{ id: string; userId: string }[]>
  /** Such a panel with its user's tier; null if it has no interval any more. */
  scheduledPanel(id: string): Promise<{ panel: PanelRecord; tier: Tier } | null>
  /** Number of panels by status and subject. */
  counts(): Promise<{ status: PanelStatus; kind: PanelKind; subject: string; count: number }[]>
}

/** Largest position of a panel. */
export const LAST_SORT_IDX = 100_000

const panelOf = (row: Selectable<PanelTable>): PanelRecord => ({
  id: row.id,
  userId: row.user_id,
  title: row.title,
  status: row.status as PanelStatus,
  sortIdx: row.sort_idx,
  spec: JSON.parse(row.spec) as PanelSpec,
  specVersion: row.spec_version,
  createdAt: row.created_at as Millis,
  updatedAt: row.updated_at as Millis,
})

const specColumns = (spec: PanelSpec) => ({
  kind: spec.kind,
  subject: subjectOf(spec),
  spec: JSON.stringify(spec),
  is_scheduled: cadenceSecondsOf(spec) === null ? 0 : 1,
})

export function createPanelsStore(state: State): PanelsStore {
  const queryOfUser = (from: State, userId: string) =>
    from
      .selectFrom('panel')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('sort_idx')
      .orderBy('created_at')
      .orderBy('id')
  const countOf = async (from: State, userId: string, kind: PanelKind | null): Promise<number> => {
    let query = from
      .selectFrom('panel')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
    if (kind !== null) query = query.where('kind', '=', kind)
    return (await query.executeTakeFirstOrThrow()).count
  }
  /** Returns the reached cap instead of throwing. */
  const screensFull = async (
    from: State,
    userId: string,
    cap: number,
  ): Promise<CapReached | null> => {
    const current = await countOf(from, userId, 'screen')
    return current >= cap ? { capped: 'screen', cap, current } : null
  }

  return {
    async dashboardOf(userId, { id, name, at }) {
      const findDashboard = () =>
        state.selectFrom('dashboard').select('id').where('user_id', '=', userId).executeTakeFirst()
      const dashboardRow = await findDashboard()
      if (dashboardRow !== undefined) return dashboardRow.id
      await state
        .insertInto('dashboard')
        .values({ id, user_id: userId, name, created_at: at })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute()
      return (await findDashboard())?.id ?? id
    },
    panelsOfUser: async (userId) => (await queryOfUser(state, userId).execute()).map(panelOf),
    async byId(userId, id) {
      const row = await state
        .selectFrom('panel')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row === undefined ? null : panelOf(row)
    },
    add: (panel, caps) =>
      state.transaction().execute(async (transaction) => {
        const current = await countOf(transaction, panel.userId, null)
        if (current >= caps.panels) return { capped: 'any', cap: caps.panels, current }
        if (panel.spec.kind === 'screen') {
          const full = await screensFull(transaction, panel.userId, caps.screens)
          if (full !== null) return full
        }
        const { last } = await transaction
          .selectFrom('panel')
          .select(({ fn }) => fn.max<number | null>('sort_idx').as('last'))
          .where('user_id', '=', panel.userId)
          .executeTakeFirstOrThrow()
        const sortIdx = last === null ? 0 : Math.min(last + 1, LAST_SORT_IDX)
        await transaction
          .insertInto('panel')
          .values({
            id: panel.id,
            user_id: panel.userId,
            title: panel.title,
            sort_idx: sortIdx,
            status: panel.status,
            spec_version: panel.specVersion,
            created_at: panel.createdAt,
            updated_at: panel.updatedAt,
            ...specColumns(panel.spec),
          })
          .execute()
        return { ...panel, sortIdx }
      }),
    change: (userId, id, { title, status, sortIdx, spec }, caps, at) =>
      state.transaction().execute(async (transaction) => {
        const previous = await transaction
          .selectFrom('panel')
          .select(['kind', 'spec_version'])
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirst()
        if (previous === undefined) return null
        if (spec?.kind === 'screen' && previous.kind !== 'screen') {
          const full = await screensFull(transaction, userId, caps.screens)
          if (full !== null) return full
        }
        const row = await transaction
          .updateTable('panel')
          .set({
            ...(title !== undefined && { title }),
            ...(status !== undefined && { status }),
            ...(sortIdx !== undefined && { sort_idx: sortIdx }),
            ...(spec !== undefined && {
              ...specColumns(spec),
              spec_version: previous.spec_version + 1,
            }),
            updated_at: at,
          })
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returningAll()
          .executeTakeFirstOrThrow()
        return panelOf(row)
      }),
    async remove(userId, id) {
      const { numDeletedRows } = await state
        .deleteFrom('panel')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    reorder: (userId, positions, at) =>
      state.transaction().execute(async (transaction) => {
        const ownedIds = new Set(
          (await queryOfUser(transaction, userId).execute()).map(({ id }) => id),
        )
        const unknown = positions.flatMap(({ id }) => (ownedIds.has(id) ? [] : [id]))
        if (unknown.length > 0) return { unknown }
        for (const { id, sortIdx } of positions) {
          await transaction
            .updateTable('panel')
            .set({ sort_idx: sortIdx, updated_at: at })
            .where('id', '=', id)
            .where('user_id', '=', userId)
            .where('sort_idx', '!=', sortIdx)
            .execute()
        }
        const rows = await queryOfUser(transaction, userId).execute()
        return { order: rows.map(({ id, sort_idx: sortIdx }) => ({ id, sortIdx })) }
      }),
    async scheduledPanels() {
      const rows = await state
        .selectFrom('panel')
        .select(['id', 'user_id'])
        .where('status', '=', 'active')
        .where('is_scheduled', '=', 1)
        .execute()
      return rows.map(({ id, user_id: userId }) => ({ id, userId }))
    },
    async scheduledPanel(id) {
      const row = await state
        .selectFrom('panel')
        .innerJoin('account', 'account.id', 'panel.user_id')
        .selectAll('panel')
        .select('account.tier as tier')
        .where('panel.id', '=', id)
        .where('panel.status', '=', 'active')
        .where('panel.is_scheduled', '=', 1)
        .executeTakeFirst()
      return row === undefined ? null : { panel: panelOf(row), tier: row.tier as Tier }
    },
    async counts() {
      const rows = await state
        .selectFrom('panel')
        .select(({ fn }) => ['status', 'kind', 'subject', fn.countAll<number>().as('count')])
        .groupBy(['status', 'kind', 'subject'])
        .execute()
      return rows.map(({ status, kind, ...row }) => ({
        ...row,
        status: status as PanelStatus,
        kind: kind as PanelKind,
      }))
    },
  }
}
