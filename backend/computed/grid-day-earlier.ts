import { DAY } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import type { ContextEngine } from './context-engine.ts'
import type { Grid } from './grid/grid.ts'
import { gridThen } from './past-grid.ts'

/** The grid a day before the standing one. */
export interface GridDayEarlier {
  /**
   * The newest grid at or before `at` − 24 h; null when the past knows none, and for now also while
   * it is still being worked out, which takes longer than an answer may.
   */
  before(at: Millis, grid: Grid | null, isNow: boolean): Promise<Grid | null>
  /** Works it out ahead for a grid that is about to be served. */
  prepare(grid: Grid): Promise<void>
}

/**
 * Keeps the grid that lies a day before the standing one: every answer about the last 24 hours reads
 * it.
 */
export function createGridDayEarlier(context: Pick<ContextEngine, 'grid'>): GridDayEarlier {
  let kept: { readonly grid: Grid; readonly earlier: Promise<Grid | null> } | null = null

  const keptFor = (grid: Grid): Promise<Grid | null> => {
    if (kept?.grid === grid) return kept.earlier
    const earlier = gridThen(context, (grid.at - DAY) as Millis)
    const made = { grid, earlier }
    kept = made
    earlier.catch(() => {
      if (kept === made) kept = null
    })
    return earlier
  }

  return {
    before(at, grid, isNow) {
      if (!isNow) return gridThen(context, (at - DAY) as Millis)
      if (grid === null) return Promise.resolve(null)
      const turn = new Promise<null>((resolve) => setImmediate(() => resolve(null)))
      return Promise.race([keptFor(grid), turn])
    },
    async prepare(grid) {
      const isFirst = kept === null
      const ready = keptFor(grid).then(
        () => {},
        // Whoever asks for it tries again and hears why.
        () => {},
      )
      // The first grid of a start is served as soon as it stands.
      if (!isFirst) await ready
    },
  }
}
