import { isoOf } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Component } from './incident.ts'
import type { IncidentLog } from './incidents.ts'
import type { Health, Status } from '../../contract/operations.ts'

export interface HealthDeps {
  readonly clock: Clock
  /** Version of the application. */
  readonly version: string
  /** Source of the data; null until it is chosen. */
  readonly source: () => NonNullable<Health['source']> | null
  /** Current state of the service's components, in a fixed order. */
  readonly components: () => readonly Component[]
  readonly incidents: IncidentLog
}

/** Components without which no request can be answered. */
const CRITICAL = new Set(['database', 'history'])

function overall(components: readonly Component[]): Status['status'] {
  const failingComponents = components.filter(({ status }) => status !== 'operational')
  if (failingComponents.length === 0) return 'operational'
  const isDown =
    failingComponents.some(({ name, status }) => status === 'outage' && CRITICAL.has(name)) ||
    components.every(({ status }) => status === 'outage')
  return isDown ? 'outage' : 'degraded'
}

/** Liveness of the service and the state of its components. */
export function createHealthService(deps: HealthDeps) {
  const { clock, version, source, components, incidents } = deps
  const startedAt = clock.monotonic()
  return {
    health: (): Health => ({
      status: 'ok',
      condition: overall(components()),
      service: 'augury',
      version,
      source: source(),
      uptimeSeconds: Math.floor((clock.monotonic() - startedAt) / 1_000),
      time: isoOf(clock.now()),
    }),

    status(): Status {
      const now = clock.now()
      const parts = components()
      incidents.observe(parts, now)
      return {
        status: overall(parts),
        components: parts.map(({ lastOkAt, ...part }) => ({
          ...part,
          lastOkAt: lastOkAt === null ? null : isoOf(lastOkAt),
        })),
        incidents: incidents.recent(now).map(({ component: _component, ...incident }) => ({
          ...incident,
          startedAt: isoOf(incident.startedAt),
          resolvedAt: incident.resolvedAt === null ? null : isoOf(incident.resolvedAt),
          updates: incident.updates.map(({ at, text }) => ({ at: isoOf(at), text })),
          postmortemUrl: null,
        })),
        updatedAt: isoOf(now),
      }
    },
  }
}
export type HealthService = ReturnType<typeof createHealthService>
