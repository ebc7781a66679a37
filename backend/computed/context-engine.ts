import type { Millis } from '../domain/units.ts'
import type { IndexReading } from '../domain/world/gauges/index-reading.ts'
import type { Baseline, World } from '../domain/world/world.ts'
import type { ContextSnapshot } from './snapshot/context-snapshot.ts'

/** The world of one five-minute interval, and the context snapshot that it uses. */
export interface WorldSnapshot {
  readonly world: World
  readonly snapshot: ContextSnapshot
  /** Index value of a scope 24 hours before the snapshot instant; null when none is stored. */
  valueDayAgo(scope: string): Promise<number | null>
  /** Reading of a scope at the baseline of the world; null when none is stored. */
  readingAtBaseline(scope: string): Promise<IndexReading | null>
}

/**
 * Instants of the newest context snapshot and world published by a given instant; 0 before the first
 * publication, the given instant itself when no publication was recorded. Later rows were not published.
 */
export interface PublishedSnapshots {
  readonly contextAt: Millis
  readonly worldAt: Millis
}

/**
 * The computed context of prices: a context snapshot each quarter hour, a world snapshot every five
 * minutes. For a past instant it is what was stored then, otherwise it is recomputed from what was
 * known.
 */
export interface ContextEngine {
  /**
   * For null the current snapshot; else the one served at `asOf` or, if none was served then, the
   * newest at or before it.
   * @throws NotReady while none is or was served yet
   */
  snapshot(asOf: Millis | null): Promise<ContextSnapshot>
  /** The snapshot of one snapshot instant, whenever it was served. */
  contextSnapshotOf(at: Millis): Promise<ContextSnapshot>
  /**
   * For null the current world; else the one served at `asOf` or, if none was served then, the newest at
   * or before it.
   * @throws NotReady while none is or was served yet
   */
  world(asOf: Millis | null): Promise<WorldSnapshot>
  /** The newest snapshot and world published by an instant. */
  publishedContext(at: Millis): Promise<PublishedSnapshots>
  /** The same world snapshot with another baseline; ids and stored state are kept. */
  since(worldSnapshot: WorldSnapshot, baseline: Baseline): Promise<WorldSnapshot>
  /** Subscribes to each new world snapshot once it is stored; returns the unsubscribe function. */
  onWorld(listener: (worldSnapshot: WorldSnapshot) => void): () => void
}
