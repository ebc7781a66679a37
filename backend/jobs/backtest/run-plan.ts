import type { Millis } from '../../domain/units.ts'

/** One of the runs of a request: the run itself, or one it is compared with. */
export interface PlannedRun {
  readonly to: Millis
  /** Multiple of the order size. */
  readonly times: number
}

export interface RunPlan {
  readonly to: Millis
  /** Instants at which the run is compared with one whose data ends there. */
  readonly cuts: readonly Millis[]
  readonly checkDeterminism: boolean
  /** Multiples of the order size at which the run is repeated. */
  readonly multiples: readonly number[]
}

/** The run itself, the cuts, the repetition, the larger sizes. */
export const runsOf = ({ to, cuts, checkDeterminism, multiples }: RunPlan): PlannedRun[] => [
  { to, times: 1 },
  ...cuts.map((cut) => ({ to: cut, times: 1 })),
  ...(checkDeterminism ? [{ to, times: 1 }] : []),
  ...multiples.map((times) => ({ to, times })),
]

/** Results of the runs, in the order of `runsOf`. */
export function assignResults<Result>(
  { cuts, checkDeterminism, multiples }: RunPlan,
  results: readonly Result[],
) {
  const remainingWindows = 1 + cuts.length
  return {
    prefixes: results.slice(1, remainingWindows),
    again: checkDeterminism ? results[remainingWindows] : undefined,
    larger: results.slice(results.length - multiples.length),
  }
}
