import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'
import type { ComponentStatus, Incident } from './incident.ts'

/** Stores incidents across restarts. */
export interface IncidentsStore {
  /** Incidents that began at or after `since`, newest first. */
  since(since: Millis): Promise<Incident[]>
  /** Adds an incident or replaces its stored version. */
  save(incident: Incident): Promise<void>
}

export const createIncidentsStore = (state: State): IncidentsStore => ({
  async since(since) {
    const rows = await state
      .selectFrom('incident')
      .selectAll()
      .where('started_at', '>=', since)
      .orderBy('started_at', 'desc')
      .execute()
    const updates = await state
      .selectFrom('incident_update')
      .innerJoin('incident', 'incident.id', 'incident_update.incident_id')
      .select(['incident_update.incident_id', 'incident_update.at', 'incident_update.text'])
      .where('incident.started_at', '>=', since)
      .orderBy('incident_update.seq')
      .execute()
    return rows.map((row) => ({
      id: row.id,
      component: row.component,
      title: row.title,
      impact: row.impact as ComponentStatus,
      startedAt: row.started_at as Millis,
      resolvedAt: row.resolved_at as Millis | null,
      updates: updates
        .filter((update) => update.incident_id === row.id)
        .map(({ at, text }) => ({ at: at as Millis, text })),
    }))
  },

  async save({ id, component, title, impact, startedAt, resolvedAt, updates }) {
    await state.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('incident')
        .values({
          id,
          component,
          title,
          impact,
          started_at: startedAt,
          resolved_at: resolvedAt,
        })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ title, impact, resolved_at: resolvedAt }),
        )
        .execute()
      await transaction.deleteFrom('incident_update').where('incident_id', '=', id).execute()
      await transaction
        .insertInto('incident_update')
        .values(updates.map(({ at, text }) => ({ incident_id: id, at, text })))
        .execute()
    })
  },
})
