import type { HistoryBatch } from '../history/history-batch.ts'
import type { TapeKind, TapeWindow } from '../history/tape.ts'

/** Row counts of a window by kind. */
export type EmittedCounts = Record<TapeKind | 'facts' | 'corrections' | 'coverage', number>

const KINDS: readonly TapeKind[] = ['trades', 'quotes', 'books', 'candles', 'activity']

/** The rows of a window between two positions, to be appended; null when there are none. */
export function windowSlices(
  window: TapeWindow,
  from: EmittedCounts,
  to: EmittedCounts,
): HistoryBatch | null {
  const batch: Record<string, unknown> = {}
  for (const kind of KINDS) {
    if (to[kind] > from[kind]) batch[kind] = sliceOf(window.ticks[kind], from[kind], to[kind])
  }
  const { facts, corrections, coverage } = window
  if (to.facts > from.facts) batch['facts'] = facts.slice(from.facts, to.facts)
  if (to.corrections > from.corrections)
    batch['corrections'] = corrections.slice(from.corrections, to.corrections)
  if (to.coverage > from.coverage) batch['coverage'] = coverage.slice(from.coverage, to.coverage)
  return Object.keys(batch).length === 0 ? null : batch
}

/** A range of rows of columns; each column has one entry per row or a fixed number of them. */
function sliceOf(columns: { readonly market: Int32Array }, from: number, to: number): object {
  const { market } = columns
  return Object.fromEntries(
    Object.entries<Int32Array | Float64Array | string[]>({ ...columns }).map(([name, column]) => {
      const width = market.length === 0 ? 1 : column.length / market.length
      // The engine reads the memory of a column from its beginning.
      return [name, column.slice(from * width, to * width)]
    }),
  )
}
