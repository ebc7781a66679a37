import type { ComponentStatus, ServiceStatus, Venue } from './types.ts'

/** How far a value may be trusted as current. */
export type Freshness = 'fresh' | 'late' | 'stale'

/** Data is late beyond one cadence and stale beyond three. */
export function freshnessOf(age: number | null, cadence: number): Freshness {
  if (age === null || age > cadence * 3) return 'stale'
  return age > cadence ? 'late' : 'fresh'
}

const BY_STATUS: Readonly<Record<ComponentStatus, Freshness>> = {
  operational: 'fresh',
  degraded: 'late',
  outage: 'stale',
}

/** The service's own word on a venue's feed; a venue it does not name is taken as fresh. */
export function venueFreshness(status: ServiceStatus | null, venue: Venue): Freshness {
  const component = status?.components.find(({ name }) => name === venue)
  return component === undefined ? 'fresh' : BY_STATUS[component.status]
}

const ORDER: readonly Freshness[] = ['fresh', 'late', 'stale']

/** The worst of several, because one stale part makes the whole stale. */
export const worstOf = (parts: readonly Freshness[]): Freshness =>
  ORDER[Math.max(0, ...parts.map((part) => ORDER.indexOf(part)))] ?? 'fresh'

/** The best of several that vouch for the same thing. */
export const bestOf = (parts: readonly Freshness[]): Freshness =>
  ORDER[Math.min(ORDER.length - 1, ...parts.map((part) => ORDER.indexOf(part)))] ?? 'stale'

export const VENUES: readonly Venue[] = ['venue_a', 'venue_b']
