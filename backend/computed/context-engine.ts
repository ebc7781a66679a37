import type { Millis } from '../domain/units.ts'
import type { IndexReading } from '../domain/world/index-reading.ts'
import type { Baseline, World } from '../domain/world/world.ts'
import type { Grid } from './grid/grid.ts'

/** The world of one five-minute bucket, and the grid that it carries. */
export interface WorldBucket {
  readonly world: World
  readonly grid: Grid
  /** Index value of a scope 24 hours before the grid instant; null when none is stored. */
  valueDayAgo(scope: string): Promise<number | null>
  /** Reading of a scope at the baseline of the world; null when none is stored. */
  readingAtBaseline(scope: string): Promise<IndexReading | null>
}

/**
 * Instants of the newest grid and the newest world that were ever served by then, 0 before the first;
 * the instant itself where nobody was served. Rows of later ones were not told.
 */
export interface Published {
  readonly gridAt: Millis
  readonly worldAt: Millis
}

/**
 * The standing answer to «what do the prices mean»: computed on the quarter hour, the world every
 * five minutes. For a past instant it is what was stored then, else worked out from what was known.
 */
export interface ContextEngine {
  /**
   * The grid that is served now, for null, or was served at `asOf`; where nobody was served, the
   * newest one at or before it.
   * @throws NotReady while none is or was served yet
   */
  grid(asOf: Millis | null): Promise<Grid>
  /** The grid of one grid instant, whenever it was served. */
  gridOf(at: Millis): Promise<Grid>
  /**
   * The world that is served now, for null, or was served at `asOf`; where nobody was served, the
   * newest one at or before it.
   * @throws NotReady while none is or was served yet
   */
  world(asOf: Millis | null): Promise<WorldBucket>
  /** Up to which grid and world anything was published by an instant. */
  published(at: Millis): Promise<Published>
  /** The same bucket with changes counted from another instant; ids and memory stay. */
  since(bucket: WorldBucket, baseline: Baseline): Promise<WorldBucket>
  /** Hears of each new world once it stands and is stored; returns how to stop. */
  onWorld(listener: (bucket: WorldBucket) => void): () => void
}
