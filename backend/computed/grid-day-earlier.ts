import { DAY } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import type { ContextEngine } from './context-engine.ts'
import type { Grid } from './grid/grid.ts'
import type { ServedLog } from './served-log.ts'

/** The grid a day before another one. */
export interface GridDayEarlier {
  /**
   * The grid a day before `grid`, which is served at `at`; null while, or as long as then, it was still
   * being worked out, which takes longer than an answer may.
   */
  before(at: Millis, grid: Grid | null, isNow: boolean): Promise<Grid | null>
  /** Works it out ahead for a grid that is served, or about to be. */
  prepare(grid: Grid): Promise<void>
  /** Whether it stands. */
  isReadyFor(grid: Grid): boolean
}

interface Kept {
  readonly grid: Grid
  readonly working: Promise<void>
  earlier: Grid | null
}

/**
 * Keeps the grid that lies a day before the standing one: every answer about the last 24 hours reads
 * it.
 */
export function createGridDayEarlier(
  context: Pick<ContextEngine, 'gridOf'>,
  served: Pick<ServedLog, 'at' | 'noteDayEarlier'>,
): GridDayEarlier {
  let kept: Kept | null = null
  const gridBefore = (grid: Grid): Promise<Grid> => context.gridOf((grid.at - DAY) as Millis)

  const keptFor = (grid: Grid): Kept => {
    if (kept?.grid === grid) return kept
    const work = async (): Promise<void> => {
      try {
        made.earlier = await gridBefore(grid)
        served.noteDayEarlier(grid.at)
      } catch {
        // Whoever asks for it next has it tried again.
        if (kept === made) kept = null
      }
    }
    const made: Kept = {
      grid,
      earlier: null,
      working: Promise.resolve().then(work),
    }
    kept = made
    return made
  }

  return {
    async before(at, grid, isNow) {
      if (grid === null) return null
      if (!isNow) {
        const then = await served.at(at)
        return then === null || then.hasDayEarlier ? gridBefore(grid) : null
      }
      const found = keptFor(grid)
      const turn = new Promise<void>((resolve) => setImmediate(resolve))
      await Promise.race([found.working, turn])
      return found.earlier
    },
    async prepare(grid) {
      await keptFor(grid).working
    },
    isReadyFor: (grid) => kept?.grid === grid && kept.earlier !== null,
  }
}
