import type { Millis } from '../../units.ts'
import type { Params, ParamValue } from '../strategy.ts'
import type { Fold, ParamStability } from './folds.ts'
import type { Luck, Overfitting } from './overfitting.ts'

export const SWEEP_METHODS = ['grid', 'random', 'halving'] as const
export type SweepMethod = (typeof SWEEP_METHODS)[number]

/** `whole` played to the end of its range, `abandoned` given up by halving, `failed` by a fault of the strategy. */
export type TrialState = 'whole' | 'abandoned' | 'failed'

/** One try of a study, kept whatever became of it. */
export interface Trial {
  /** Fold of a walk-forward, from 0. */
  readonly fold: number
  /** Those that the study varies. */
  readonly params: Params
  readonly state: TrialState
  /** The last instant that was played; null where it failed. */
  readonly until: Millis | null
  readonly days: number
  /** Dollars. */
  readonly profit: number | null
  readonly trades: number | null
  /** Sharpe of a day by which it was judged; null where it never moved or failed. */
  readonly score: number | null
  /** Of itself and its neighbours; null for what was not played to the end. */
  readonly median: number | null
  readonly neighbours: number | null
  readonly error: string | null
}

/** What a study chose. */
export interface Chosen {
  readonly params: Params
  readonly median: number
  readonly neighbours: number
  readonly score: number | null
  /** The best score by itself, which was not what decided. */
  readonly peak: { readonly params: Params; readonly score: number | null }
}

/** Many tries of one strategy, and what the best of them is worth (methodology L4). */
export interface Study {
  readonly kind: 'sweep' | 'walk-forward'
  readonly method: SweepMethod
  readonly seed: number
  readonly axes: readonly { readonly name: string; readonly values: readonly ParamValue[] }[]
  readonly gridPoints: number
  readonly trials: readonly Trial[]
  /** Null for a walk-forward, which chooses in every fold. */
  readonly chosen: Chosen | null
  readonly luck: Luck
  /** Null for a walk-forward, whose line is out of sample. */
  readonly overfitting: Overfitting | null
  readonly folds: readonly Fold[]
  readonly stability: readonly ParamStability[]
  readonly embargoMs: Millis | null
}

/** How many tries there were, by what became of them. */
export const trialCounts = (trials: readonly Trial[]): Readonly<Record<TrialState, number>> => ({
  whole: trials.filter(({ state }) => state === 'whole').length,
  abandoned: trials.filter(({ state }) => state === 'abandoned').length,
  failed: trials.filter(({ state }) => state === 'failed').length,
})

/** What a reader should know of a study before believing its figures. */
export function studyWarnings({ kind, trials, luck, overfitting, chosen }: Study): string[] {
  const counts = trialCounts(trials)
  const left = counts.abandoned + counts.failed
  const tries = `${trials.length} tries${left === 0 ? '' : `, ${left} of them given up or failed`}`
  const chance = luck.deflated === null ? 'cannot be told' : `${(luck.deflated * 100).toFixed(1)} %`
  return [
    ...(kind === 'sweep'
      ? [`The parameters were chosen in this very range out of ${tries}: its figures are not what to expect.`] // prettier-ignore
      : [`Parameters were chosen before each fold out of ${tries}; positions open at a fold’s end count at their mark.`]), // prettier-ignore
    ...(luck.isDistinguishable
      ? []
      : [`Not distinguishable from luck: the chance that its Sharpe is more ${luck.deflated === null ? chance : `is ${chance}`}.`]), // prettier-ignore
    ...(overfitting !== null && overfitting.chance !== null && overfitting.chance >= 0.5
      ? [`Overfit more likely than not: the best half in sample falls below the middle in ${(overfitting.chance * 100).toFixed(0)} % of splits.`] // prettier-ignore
      : []),
    ...(chosen !== null && chosen.neighbours === 0
      ? ['No neighbour of the chosen parameters was tried: a peak cannot be told from a plateau.']
      : []),
  ]
}
