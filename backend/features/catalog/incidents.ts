import type { Millis } from '../../domain/units.ts'

export type ComponentStatus = 'operational' | 'degraded' | 'outage'

/** One part of the service as it is now. */
export interface Component {
  readonly name: string
  readonly status: ComponentStatus
  readonly lastOkAt: Millis | null
  readonly dataAgeSeconds: number | null
  readonly message: string | null
}

/** A time during which a part of the service did not work. */
export interface Incident {
  readonly id: string
  readonly title: string
  readonly impact: ComponentStatus
  readonly startedAt: Millis
  readonly resolvedAt: Millis | null
  readonly updates: readonly { readonly at: Millis; readonly text: string }[]
}

/** How long a component must be out of order before it is an incident. */
const CONFIRMED_AFTER = 60_000
/** How long incidents are told. */
const TOLD_FOR = 90 * 86_400_000

export interface IncidentLog {
  /** Takes the state of the components; call it whenever they are looked at, at least each minute. */
  observe(components: readonly Component[], now: Millis): void
  /** Incidents of the last 90 days, newest first. */
  recent(now: Millis): readonly Incident[]
}

/**
 * Opens an incident when a component stays out of order for a minute and ends it with its
 * recovery. Kept in memory.
 */
export function createIncidentLog(): IncidentLog {
  const troubledSince = new Map<string, Millis>()
  const open = new Map<string, Incident>()
  let ended: Incident[] = []
  const recover = (name: string, now: Millis) => {
    troubledSince.delete(name)
    const incident = open.get(name)
    if (incident === undefined) return
    open.delete(name)
    const updates = [...incident.updates, { at: now, text: `${name} works again` }]
    ended = [{ ...incident, resolvedAt: now, updates }, ...ended]
  }
  return {
    observe(components, now) {
      for (const { name, status, message } of components) {
        if (status === 'operational') {
          recover(name, now)
          continue
        }
        const since = troubledSince.get(name) ?? now
        troubledSince.set(name, since)
        if (now - since < CONFIRMED_AFTER || open.has(name)) continue
        open.set(name, {
          id: `inc_${name}_${since}`,
          title: `${name} is ${status === 'outage' ? 'down' : 'degraded'}`,
          impact: status,
          startedAt: since,
          resolvedAt: null,
          updates: [{ at: now, text: message ?? `${name} does not work as it should` }],
        })
      }
    },
    recent(now) {
      ended = ended.filter(({ startedAt }) => now - startedAt <= TOLD_FOR)
      return [...open.values(), ...ended].sort((a, b) => b.startedAt - a.startedAt)
    },
  }
}
