import { DAY, MINUTE, type Millis } from '../../domain/units.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Component, Incident } from './incident.ts'
import type { IncidentsStore } from './incidents.store.ts'

/** How long a component must fail before an incident opens. */
const CONFIRMATION_DELAY = MINUTE
/** How long incidents are listed. */
const LISTING_SPAN = (90 * DAY) as Millis

export interface IncidentLog {
  /** Loads the incidents of earlier runs. */
  resume(now: Millis): Promise<void>
  /** Observes the state of the components; call it at least once a minute. */
  observe(components: readonly Component[], now: Millis): void
  /** Records an incident that is already resolved, such as a repaired store. */
  record(incident: Omit<Incident, 'id' | 'resolvedAt'>): void
  /** Incidents of the last 90 days, newest first. */
  recent(now: Millis): readonly Incident[]
}

/**
 * Opens an incident when a component fails for a minute and resolves it on recovery. Incidents
 * that cannot be stored are logged and still listed.
 */
export function createIncidentLog(store: IncidentsStore, log: Logger): IncidentLog {
  const failingSince = new Map<string, Millis>()
  const incidents = new Map<string, Incident>()
  const openOf = (name: string): Incident | undefined =>
    [...incidents.values()].find(
      (incident) => incident.component === name && incident.resolvedAt === null,
    )
  const save = (incident: Incident): void => {
    incidents.set(incident.id, incident)
    store.save(incident).catch((error: unknown) => {
      log.error({ err: error, incident: incident.id }, 'an incident could not be stored')
    })
  }
  return {
    async resume(now) {
      for (const incident of await store.since((now - LISTING_SPAN) as Millis)) {
        incidents.set(incident.id, incident)
      }
    },
    observe(components, now) {
      for (const { name, status, message } of components) {
        const open = openOf(name)
        if (status === 'operational') {
          failingSince.delete(name)
          if (open === undefined) continue
          const updates = [...open.updates, { at: now, text: `${name} works again` }]
          save({ ...open, resolvedAt: now, updates })
          continue
        }
        const since = failingSince.get(name) ?? now
        failingSince.set(name, since)
        const title = `${name} is ${status === 'outage' ? 'down' : 'degraded'}`
        const update = { at: now, text: message ?? title }
        if (open !== undefined) {
          // An incident keeps the worst state of its component.
          if (open.impact === status || status !== 'outage') continue
          save({ ...open, title, impact: status, updates: [...open.updates, update] })
          continue
        }
        if (now - since < CONFIRMATION_DELAY) continue
        save({
          id: `inc_${name}_${since}`,
          component: name,
          title,
          impact: status,
          startedAt: since,
          resolvedAt: null,
          updates: [update],
        })
      }
    },
    record(incident) {
      const { component, startedAt } = incident
      save({ ...incident, id: `inc_${component}_${startedAt}`, resolvedAt: startedAt })
    },
    recent(now) {
      for (const { id, startedAt } of incidents.values()) {
        if (now - startedAt > LISTING_SPAN) incidents.delete(id)
      }
      return [...incidents.values()].sort((a, b) => b.startedAt - a.startedAt)
    },
  }
}
