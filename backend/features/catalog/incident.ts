import type { Millis } from '../../domain/units.ts'

export type ComponentStatus = 'operational' | 'degraded' | 'outage'

/** Current state of a component of the service. */
export interface Component {
  readonly name: string
  readonly status: ComponentStatus
  readonly lastOkAt: Millis | null
  readonly dataAgeSeconds: number | null
  readonly message: string | null
}

/** A period in which a component did not work. */
export interface Incident {
  readonly id: string
  /** Name of the component. */
  readonly component: string
  readonly title: string
  readonly impact: ComponentStatus
  readonly startedAt: Millis
  readonly resolvedAt: Millis | null
  readonly updates: readonly { readonly at: Millis; readonly text: string }[]
}
