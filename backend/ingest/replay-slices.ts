import type { HistoryBatch } from '../history/history-batch.ts'
import type { TapeKind, TapeWindow } from '../history/tape.ts'

/** How many rows of each kind of a window. */
export type Told = Record<TapeKind | 'facts' | 'corrections' | 'coverage', number>

const KINDS: readonly TapeKind[] = ['trades', 'quotes', 'books', 'candles', 'activity']

/** The rows of a window from one place to another, to be appended; null for none. */
export function windowSlices(window: TapeWindow, from: Told, to: Told): HistoryBatch | null {
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

/** Some rows of columns, each with one entry a row or as many for each. */
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
