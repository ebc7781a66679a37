import { DAY } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { foldsOf, WALK_FORWARD } from './folds.ts'
import {
  axesOf,
  gridOf,
  randomPoints,
  type Axis,
  type ParamRange,
  type GridPoint,
} from './param-space.ts'
import type { SweepMethod } from './study.ts'

/** Which parameters a sweep varies, and how. */
export interface SweepSpec {
  readonly ranges: Readonly<Record<string, ParamRange>>
  readonly method: SweepMethod
  /** Number of points for random and halving; null for 50. A grid runs all. */
  readonly trials: number | null
}

/** Range lengths of a walk-forward, in days. */
export interface WalkForwardSpec {
  readonly trainDays: number
  readonly testDays: number
  /** Null: one day, or the 95th percentile of holding times in the first training if longer. */
  readonly embargoDays: number | null
}

const DEFAULT_TRIALS = 50
/** Limit of trials over all folds. */
const MAX_TRIALS = 2_000

/** The points that a sweep runs. */
export interface StudyPlan {
  readonly axes: readonly Axis[]
  readonly points: readonly GridPoint[]
}

/** Throws RangeError for invalid ranges or too many points. */
export function studyPlan({ ranges, method, trials }: SweepSpec, seed: number): StudyPlan {
  const axes = axesOf(ranges)
  if (method === 'grid') {
    if (trials !== null) {
      throw new RangeError('sweep: a grid runs all of its points; trials is for random and halving')
    }
    return { axes, points: gridOf(axes) }
  }
  return { axes, points: randomPoints(axes, trials ?? DEFAULT_TRIALS, seed) }
}

/**
 * Checks that a walk-forward has at least one fold and not too many trials. Throws RangeError.
 * @param points per fold
 */
export function checkFolds(
  range: { readonly from: Millis; readonly to: Millis },
  order: WalkForwardSpec,
  points: number,
): void {
  const { trainDays, testDays } = order
  const embargoDays = order.embargoDays ?? WALK_FORWARD.embargoDays
  const folds = foldsOf(range, order, embargoDays * DAY).length
  if (folds === 0) {
    const neededDays = trainDays + embargoDays + testDays
    const days = Math.floor((range.to - range.from) / DAY)
    throw new RangeError(
      `walkForward: ${trainDays} days to train, ${embargoDays} between and ${testDays} to test need ${neededDays} days between from and to, which are ${days} apart`,
    )
  }
  if (folds * points > MAX_TRIALS) {
    throw new RangeError(
      `walkForward: ${folds} folds of ${points} points are ${folds * points} trials; at most ${MAX_TRIALS} are allowed`,
    )
  }
}
