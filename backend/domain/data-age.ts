import { MINUTE } from './units.ts'
import type { Millis } from './units.ts'

/** How a source is refreshed. */
export type SourceCadence = 'socket' | 'polled' | 'computed'

export interface DataAgeParams {
  /** How often a source of each kind is expected. */
  readonly cadence: Readonly<Record<SourceCadence, Millis>>
  /** Cadences beyond which an answer is late, and beyond which its source is down. */
  readonly lateAfter: number
  readonly staleAfter: number
}
export const DATA_AGE_PARAMS: DataAgeParams = {
  cadence: { socket: MINUTE, polled: (5 * MINUTE) as Millis, computed: (15 * MINUTE) as Millis },
  lateAfter: 1,
  staleAfter: 3,
}

/** A source that an answer used, and when it was last heard of. */
export interface UsedSource {
  readonly name: string
  readonly cadence: SourceCadence
  /** Null when it was never heard of. */
  readonly knownAt: Millis | null
}

export const FRESHNESS = ['fresh', 'late', 'stale'] as const
export type Freshness = (typeof FRESHNESS)[number]

export interface DataAge {
  /** Age of the oldest used source, ms; null when none was used or one was never heard of. */
  readonly ageMs: number | null
  /** Of the worst source by its own cadence. */
  readonly freshness: Freshness
  /** Names of sources that are down, in order. */
  readonly down: readonly string[]
}

/** Freshness of one source at an instant. */
export function freshnessOf(
  source: UsedSource,
  at: Millis,
  params: DataAgeParams = DATA_AGE_PARAMS,
): Freshness {
  if (source.knownAt === null) return 'stale'
  const cadences = (at - source.knownAt) / params.cadence[source.cadence]
  if (cadences > params.staleAfter) return 'stale'
  return cadences > params.lateAfter ? 'late' : 'fresh'
}

/** Age of an answer by the sources it used. Methodology part M. */
export function dataAge(
  sources: Iterable<UsedSource>,
  at: Millis,
  params: DataAgeParams = DATA_AGE_PARAMS,
): DataAge {
  let [oldest, worst, isKnown] = [-1, 0, true]
  const down: string[] = []
  for (const source of sources) {
    const freshness = freshnessOf(source, at, params)
    worst = Math.max(worst, FRESHNESS.indexOf(freshness))
    if (freshness === 'stale') down.push(source.name)
    if (source.knownAt === null) isKnown = false
    else oldest = Math.max(oldest, at - source.knownAt, 0)
  }
  return {
    ageMs: isKnown && oldest >= 0 ? oldest : null,
    freshness: FRESHNESS[worst] ?? 'stale',
    down: down.sort(),
  }
}
