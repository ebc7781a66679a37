import { WALK_FORWARD } from '../../domain/backtest/studies/folds.ts'
import {
  checkFolds,
  studyPlan,
  type SweepSpec,
  type WalkForwardSpec,
} from '../../domain/backtest/studies/study-plan.ts'
import type { Millis } from '../../domain/units.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { StartBacktest } from '../../contract/backtests.ts'

/** A study as passed to a run. */
export interface StudySpec {
  readonly sweep: SweepSpec
  readonly walkForward: WalkForwardSpec | null
}

/** The study of a request body; null if it has none. @throws InvalidInput for an invalid study */
export function studyOf(
  { sweep, walkForward, seed = 1 }: StartBacktest,
  range: { readonly from: Millis; readonly to: Millis },
): StudySpec | null {
  if (sweep === undefined) {
    if (walkForward === undefined) return null
    throw new InvalidInput('walkForward: needs a sweep to select parameters from')
  }
  const studySpec: StudySpec = {
    sweep: { ranges: sweep.params, method: sweep.method ?? 'grid', trials: sweep.trials ?? null },
    walkForward:
      walkForward === undefined
        ? null
        : {
            trainDays: walkForward.trainDays ?? WALK_FORWARD.trainDays,
            testDays: walkForward.testDays ?? WALK_FORWARD.testDays,
            embargoDays: walkForward.embargoDays ?? null,
          },
  }
  try {
    const { points } = studyPlan(studySpec.sweep, seed)
    if (studySpec.walkForward !== null) checkFolds(range, studySpec.walkForward, points.length)
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidInput(error.message)
    throw error
  }
  return studySpec
}
