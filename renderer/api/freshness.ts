import type { ComponentStatus, Status } from '../../backend/contract/operations.ts'
import type { Freshness } from '../../backend/domain/data-age.ts'
import type { Venue } from '../../backend/domain/market.ts'

const BY_STATUS: Readonly<Record<ComponentStatus, Freshness>> = {
  operational: 'fresh',
  degraded: 'late',
  outage: 'stale',
}

/** The service's status of a venue's feed; a venue without a status counts as fresh. */
export function venueFreshness(status: Status | null, venue: Venue): Freshness {
  const component = status?.components.find(({ name }) => name === venue)
  return component === undefined ? 'fresh' : BY_STATUS[component.status]
}

const ORDER: readonly Freshness[] = ['fresh', 'late', 'stale']

/** The worst of several states, because one stale part makes the whole stale. */
export const worstOf = (parts: readonly Freshness[]): Freshness =>
  ORDER[Math.max(0, ...parts.map((part) => ORDER.indexOf(part)))] ?? 'fresh'

/** The best of several states that confirm the same data. */
export const bestOf = (parts: readonly Freshness[]): Freshness =>
  ORDER[Math.min(ORDER.length - 1, ...parts.map((part) => ORDER.indexOf(part)))] ?? 'stale'
