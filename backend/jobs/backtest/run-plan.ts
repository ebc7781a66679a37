import type { Millis } from '../../domain/units.ts'

/** One of the runs that a request takes: the run itself, and those it is compared with. */
export interface PlannedRun {
  readonly to: Millis
  /** Times the size of the orders. */
  readonly times: number
}

export interface RunPlan {
  readonly to: Millis
  /** Instants at which the run is compared with one that knows nothing later. */
  readonly cuts: readonly Millis[]
  readonly checkDeterminism: boolean
  /** Times the size at which it is played again. */
  readonly multiples: readonly number[]
}

/** The run itself, the cuts, the second time, the larger sizes. */
export const runsOf = ({ to, cuts, checkDeterminism, multiples }: RunPlan): PlannedRun[] => [
  { to, times: 1 },
  ...cuts.map((cut) => ({ to: cut, times: 1 })),
  ...(checkDeterminism ? [{ to, times: 1 }] : []),
  ...multiples.map((times) => ({ to, times })),
]

/** What the runs came to, in the order of `runsOf`. */
export function sortedOut<Result>(
  { cuts, checkDeterminism, multiples }: RunPlan,
  results: readonly Result[],
) {
  // prettier-ignore
  const after = 1 + cuts.length
  return {
    prefixes: results.slice(1, after),
    again: checkDeterminism ? results[after] : undefined,
    larger: results.slice(results.length - multiples.length),
  }
}
