import { WALK_FORWARD } from '../../domain/backtest/studies/folds.ts'
import { checkFolds, studyPlan, type SweepOrder, type WalkForwardOrder } from '../../domain/backtest/studies/study-plan.ts' // prettier-ignore
import type { Millis } from '../../domain/units.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { StartBacktest } from './backtests.schema.ts'

/** A study as it is asked of whoever plays it. */
export interface StudyOrder {
  readonly sweep: SweepOrder
  readonly walkForward: WalkForwardOrder | null
}

/** The study that a body asks for, null for none. Throws InvalidInput for what cannot be played. */
export function studyOf(
  { sweep, walkForward, seed = 1 }: StartBacktest,
  range: { readonly from: Millis; readonly to: Millis },
): StudyOrder | null {
  if (sweep === undefined) {
    if (walkForward === undefined) return null
    throw new InvalidInput('walkForward: needs a sweep, which says what is chosen from')
  }
  const order: StudyOrder = {
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
    const { places } = studyPlan(order.sweep, seed)
    if (order.walkForward !== null) checkFolds(range, order.walkForward, places.length)
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidInput(error.message)
    throw error
  }
  return order
}
