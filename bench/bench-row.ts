/** One line of the table that `npm run bench` writes: a figure of ours beside its baseline. */
export interface BenchRow {
  readonly name: string
  readonly ours: number
  /** Null where the goal is absolute. */
  readonly baseline: number | null
  readonly unit: string
  /** Ours against the baseline, in the direction the goal speaks of. */
  readonly ratio: number | null
  /** As the specification words it, for example «≥ 0.5 ×». */
  readonly goal: string
  readonly note: string | null
}
