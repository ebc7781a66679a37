import type { WorldSnapshot } from '../../computed/context-engine.ts'
import { readingOfRegion, scopeOf, UNKNOWN_READING } from '../../computed/world/scopes.ts'
import type { IndexReading } from '../../domain/world/gauges/index-reading.ts'
import { regionOf, REGION_LIMITS, type Region } from '../../domain/world/regions/region.ts'
import type { World } from '../../domain/world/world.ts'
import { InvalidInput } from '../../lib/errors.ts'

/** A region of the world at one instant, and its gauges. */
export interface RegionSnapshot {
  readonly worldSnapshot: WorldSnapshot
  readonly region: Region
  /** Scope of its stored gauges and snapshots; null if none are stored. */
  readonly scope: string | null
  readonly reading: IndexReading
}

/**
 * The region of a path.
 * @throws InvalidInput for more or longer segments than allowed
 */
export function findRegion(world: World, path: readonly string[]): Region {
  const region = regionOf(path, world.series)
  if (region !== null) return region
  const { segments, segmentLength } = REGION_LIMITS
  throw new InvalidInput(
    `path must have at most ${segments} segments of at most ${segmentLength} characters`,
  )
}

const readings = new WeakMap<World, Map<string, IndexReading>>()

/**
 * The region of a path with its gauges: stored ones of its scope, else computed from its markets.
 */
export function regionSnapshotOf(
  worldSnapshot: WorldSnapshot,
  path: readonly string[],
): RegionSnapshot {
  const { world, snapshot: contextSnapshot } = worldSnapshot
  const region = findRegion(world, path)
  const scope = scopeOf(region)
  if (scope !== null) {
    return {
      worldSnapshot,
      region,
      scope,
      reading: contextSnapshot.indices.get(scope) ?? UNKNOWN_READING,
    }
  }
  const existing = readings.get(world) ?? new Map<string, IndexReading>()
  readings.set(world, existing)
  const key = region.path.join('/')
  const reading = existing.get(key) ?? readingOfRegion(world, region)
  existing.set(key, reading)
  return { worldSnapshot, region, scope, reading }
}
