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
 * The standing answer to «what do the prices mean»: computed on the quarter hour, the world every
 * five minutes. For a past instant it is what was stored then, else worked out from what was known.
 */
export interface ContextEngine {
  /**
   * The newest grid at or before `asOf`, or now for null.
   * @throws NotReady before the first one stands
   */
  grid(asOf: Millis | null): Promise<Grid>
  /**
   * The newest world at or before `asOf`, or now for null.
   * @throws NotReady before the first one stands
   */
  world(asOf: Millis | null): Promise<WorldBucket>
  /** The same bucket with changes counted from another instant; ids and memory stay. */
  since(bucket: WorldBucket, baseline: Baseline): Promise<WorldBucket>
  /** Hears of each new world once it stands and is stored; returns how to stop. */
  onWorld(listener: (bucket: WorldBucket) => void): () => void
}
