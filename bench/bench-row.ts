/** One row of the table that `npm run bench` writes: our figure beside its baseline. */
export interface BenchRow {
  readonly name: string
  readonly ours: number
  /** Measured in the same run; null when the goal is absolute. */
  readonly baseline: number | null
  readonly unit: string
  /** Our figure against the baseline, in the direction of the goal. */
  readonly ratio: number | null
  /** As worded in the specification, for example `≥ 0.5 ×`. */
  readonly goal: string
  readonly note: string | null
}
