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
  /** Name of the part. */
  readonly component: string
  readonly title: string
  readonly impact: ComponentStatus
  readonly startedAt: Millis
  readonly resolvedAt: Millis | null
  readonly updates: readonly { readonly at: Millis; readonly text: string }[]
}
