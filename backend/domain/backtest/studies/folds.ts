import { meanOf, quantileOf } from '../../statistics.ts'
import { DAY } from '../../units.ts'
import type { Millis } from '../../units.ts'
import type { ClosedLots } from '../positions.ts'
import type { Params, ParamValue } from '../strategy.ts'
import type { Axis } from './param-space.ts'

/** Of a walk-forward (methodology L4). */
export const WALK_FORWARD = { trainDays: 60, testDays: 20, embargoDays: 1 } as const
const HOLDING_QUANTILE = 0.95

/** One stretch that parameters were chosen in, and the one they were then played in. */
export interface FoldRange {
  readonly trainFrom: Millis
  readonly trainTo: Millis
  readonly testFrom: Millis
  readonly testTo: Millis
}

export interface Fold extends FoldRange {
  readonly params: Params
  /** Median of neighbours in training; of a day, on what was realised. */
  readonly trainScore: number
  /** Lots open at the end of training, which its score leaves out. */
  readonly purged: number
  /** Dollars. */
  readonly testProfit: number
  readonly testTrades: number
  readonly testSharpe: number | null
}

/**
 * Folds that lie whole within a range; each begins a test's length after the one before, so that their
 * tests follow each other without a hole.
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

/** A day, or as long as 95 of 100 lots were held, if that is longer. */
export function embargoOf({ openedAt, closedAt }: ClosedLots): Millis {
  const held = Array.from(closedAt, (at, i) => at - (openedAt[i] ?? at))
  const usual = quantileOf(held, HOLDING_QUANTILE) ?? 0
  return Math.ceil(Math.max(WALK_FORWARD.embargoDays * DAY, usual)) as Millis
}

/**
 * Returns of the days of a training by what its lots realised, as shares of the money at the start. Lots
 * still open at its end are purged by that: whether the test goes on with them is not known then.
 */
export function realisedReturns(
  lots: ClosedLots,
  { from, to, startCash }: { readonly from: Millis; readonly to: Millis; readonly startCash: number }, // prettier-ignore
): number[] {
  const days = Math.max(1, Math.floor((to - from) / DAY))
  const returns = Array.from({ length: days }, () => 0)
  for (const [i, at] of lots.closedAt.entries()) {
    const day = Math.min(days - 1, Math.floor((at - from) / DAY))
    returns[day] = (returns[day] ?? 0) + (lots.realised[i] ?? 0) / startCash
  }
  return returns
}

/** How far a parameter moved from fold to fold. */
export interface ParamStability {
  readonly name: string
  /** Fold by fold. */
  readonly values: readonly ParamValue[]
  readonly distinct: number
  /** Share of folds with the commonest value. */
  readonly commonest: number
  /** Mean of the steps between one fold and the next; null for texts and for one fold. */
  readonly meanSteps: number | null
}

export function stabilityOf(axes: readonly Axis[], chosen: readonly Params[]): ParamStability[] {
  return axes.map(({ name, values: all, isOrdered }) => {
    const values = chosen.map((params) => params[name] as ParamValue)
    const counts = new Map<ParamValue, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    const steps = values.slice(1).map((value, i) => Math.abs(all.indexOf(value) - all.indexOf(values[i] as ParamValue))) // prettier-ignore
    return {
      ...{ name, values, distinct: counts.size },
      commonest: values.length === 0 ? 0 : Math.max(...counts.values()) / values.length,
      meanSteps: isOrdered ? meanOf(steps) : null,
    }
  })
}
