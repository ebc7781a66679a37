import { meanOf, quantileOf } from '../../statistics/statistics.ts'
import { DAY } from '../../units.ts'
import type { Millis } from '../../units.ts'
import type { ClosedLots } from '../broker/positions.ts'
import type { Params, ParamValue } from '../strategy.ts'
import type { Axis } from './param-space.ts'

/** Defaults of a walk-forward (methodology L4). */
export const WALK_FORWARD = { trainDays: 60, testDays: 20, embargoDays: 1 } as const
const HOLDING_QUANTILE = 0.95

/**
 * A training range in which parameters are selected, and the test range in which they are then
 * run.
 */
export interface FoldRange {
  readonly trainFrom: Millis
  readonly trainTo: Millis
  readonly testFrom: Millis
  readonly testTo: Millis
}

export interface Fold extends FoldRange {
  readonly params: Params
  /** Median of the neighbours in training; daily, from realised profit. */
  readonly trainScore: number
  /** Lots open at the end of training, which its score excludes. */
  readonly purged: number
  /** Dollars. */
  readonly testProfit: number
  readonly testTrades: number
  readonly testSharpe: number | null
}

/**
 * Folds that fit completely in a range. Each starts one test length after the previous one, so that
 * the tests are contiguous.
 */
export function foldsOf(
  { from, to }: { readonly from: Millis; readonly to: Millis },
  { trainDays, testDays }: { readonly trainDays: number; readonly testDays: number },
  embargoMs: number,
): FoldRange[] {
  const folds: FoldRange[] = []
  for (let trainFrom = from as number; ; trainFrom += testDays * DAY) {
    const trainTo = trainFrom + trainDays * DAY
    const testFrom = trainTo + embargoMs
    const testTo = testFrom + testDays * DAY
    if (testTo > to) return folds
    folds.push({ trainFrom, trainTo, testFrom, testTo } as FoldRange)
  }
}

/** One day, or the 95th percentile of holding times if that is longer. */
export function embargoOf({ openedAt, closedAt }: ClosedLots): Millis {
  const durations = Array.from(closedAt, (at, i) => at - (openedAt[i] ?? at))
  const holdingTime = quantileOf(durations, HOLDING_QUANTILE) ?? 0
  return Math.ceil(Math.max(WALK_FORWARD.embargoDays * DAY, holdingTime)) as Millis
}

/**
 * Daily returns of a training range from realised profit, as shares of the starting cash. Lots
 * still open at its end are purged, because their outcome is not known then.
 */
export function realisedReturns(
  lots: ClosedLots,
  {
    from,
    to,
    startCash,
  }: { readonly from: Millis; readonly to: Millis; readonly startCash: number },
): number[] {
  const days = Math.max(1, Math.floor((to - from) / DAY))
  const returns = Array.from({ length: days }, () => 0)
  for (const [i, at] of lots.closedAt.entries()) {
    const day = Math.min(days - 1, Math.floor((at - from) / DAY))
    returns[day] = (returns[day] ?? 0) + (lots.realised[i] ?? 0) / startCash
  }
  return returns
}

/** How much a parameter changed from fold to fold. */
export interface ParamStability {
  readonly name: string
  /** One per fold. */
  readonly values: readonly ParamValue[]
  readonly distinct: number
  /** Share of folds with the most common value. */
  readonly commonest: number
  /** Mean number of steps between consecutive folds; null for texts and for a single fold. */
  readonly meanSteps: number | null
}

export function stabilityOf(
  axes: readonly Axis[],
  selectedParams: readonly Params[],
): ParamStability[] {
  return axes.map(({ name, values: all, isOrdered }) => {
    const values = selectedParams.map((params) => params[name] as ParamValue)
    const counts = new Map<ParamValue, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    const steps = values
      .slice(1)
      .map((value, i) => Math.abs(all.indexOf(value) - all.indexOf(values[i] as ParamValue)))
    return {
      name,
      values,
      distinct: counts.size,
      commonest: values.length === 0 ? 0 : Math.max(...counts.values()) / values.length,
      meanSteps: isOrdered ? meanOf(steps) : null,
    }
  })
}
