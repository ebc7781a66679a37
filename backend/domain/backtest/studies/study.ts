import type { Millis } from '../../units.ts'
import type { Params, ParamValue } from '../strategy.ts'
import type { Fold, ParamStability } from './folds.ts'
import type { SharpeSignificance, Overfitting } from './overfitting.ts'

export const SWEEP_METHODS = ['grid', 'random', 'halving'] as const
export type SweepMethod = (typeof SWEEP_METHODS)[number]

/**
 * `whole` ran to the end of its range, `abandoned` was dropped by halving, `failed` threw an
 * error.
 */
export type TrialState = 'whole' | 'abandoned' | 'failed'

/** One trial of a study; every trial is kept, whatever its state. */
export interface Trial {
  /** Fold of a walk-forward, from 0. */
  readonly fold: number
  /** The varied parameters. */
  readonly params: Params
  readonly state: TrialState
  /** The last instant that was processed; null when it failed. */
  readonly until: Millis | null
  readonly days: number
  /** Dollars. */
  readonly profit: number | null
  readonly trades: number | null
  /** Daily Sharpe by which it was judged; null for zero variance or failure. */
  readonly score: number | null
  /** Of itself and its neighbours; null for a trial that did not run to the end. */
  readonly median: number | null
  readonly neighbours: number | null
  readonly error: string | null
}

/** The selection of a study. */
export interface SelectedTrial {
  readonly params: Params
  readonly median: number
  readonly neighbours: number
  readonly score: number | null
  /** The best single score, which did not decide the selection. */
  readonly peak: { readonly params: Params; readonly score: number | null }
}

/** Many trials of one strategy, and the significance of the best one (methodology L4). */
export interface Study {
  readonly kind: 'sweep' | 'walk-forward'
  readonly method: SweepMethod
  readonly seed: number
  readonly axes: readonly { readonly name: string; readonly values: readonly ParamValue[] }[]
  readonly gridPoints: number
  readonly trials: readonly Trial[]
  /** Null for a walk-forward, which selects in every fold. */
  readonly chosen: SelectedTrial | null
  readonly luck: SharpeSignificance
  /** Null for a walk-forward, whose equity curve is out of sample. */
  readonly overfitting: Overfitting | null
  readonly folds: readonly Fold[]
  readonly stability: readonly ParamStability[]
  readonly embargoMs: Millis | null
}

/** Number of trials by state. */
export const trialCounts = (trials: readonly Trial[]): Readonly<Record<TrialState, number>> => ({
  whole: trials.filter(({ state }) => state === 'whole').length,
  abandoned: trials.filter(({ state }) => state === 'abandoned').length,
  failed: trials.filter(({ state }) => state === 'failed').length,
})

/** Warnings that a reader of a study should know before trusting its figures. */
export function studyWarnings({ kind, trials, luck, overfitting, chosen }: Study): string[] {
  const counts = trialCounts(trials)
  const left = counts.abandoned + counts.failed
  const tries = `${trials.length} trials${left === 0 ? '' : `, ${left} of them abandoned or failed`}`
  const chance = luck.deflated === null ? 'unknown' : `${(luck.deflated * 100).toFixed(1)} %`
  return [
    ...(kind === 'sweep'
      ? [
          `The parameters were selected on this same range from ${tries}: its figures overstate what to expect.`,
        ]
      : [
          `Parameters were selected before each fold from ${tries}; positions open at a fold’s end count at their mark.`,
        ]),
    ...(luck.isDistinguishable
      ? []
      : [
          `Not distinguishable from luck: the probability that its Sharpe exceeds luck is ${chance}.`,
        ]),
    ...(overfitting !== null && overfitting.chance !== null && overfitting.chance >= 0.5
      ? [
          `Probably overfit: the best trial in sample ranks below the median out of sample in ${(overfitting.chance * 100).toFixed(0)} % of splits.`,
        ]
      : []),
    ...(chosen !== null && chosen.neighbours === 0
      ? [
          'No neighbour of the selected parameters was tried: a peak cannot be distinguished from a plateau.',
        ]
      : []),
  ]
}
