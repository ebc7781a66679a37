import type { EventWindow } from '../domain/backtest/event-columns.ts'
import type { Millis } from '../domain/units.ts'

/** The rows of a window that became known by an instant inside it. */
export function cutWindow(window: EventWindow, until: Millis): EventWindow {
  return {
    until,
    trades: cutRows(window.trades, until),
    quotes: cutRows(window.quotes, until),
    books: cutRows(window.books, until),
    bars: cutRows(window.bars, until),
  }
}

type Column = Float64Array | Int32Array | Uint8Array

function cutRows<Rows extends { readonly known: Float64Array }>(
  rows: Rows | null,
  until: number,
): Rows | null {
  if (rows === null) return null
  const all = rows.known.length
  const count = knownRowCount(rows.known, until)
  if (count === 0) return null
  const columns = Object.entries(rows as unknown as Record<string, Column>).map(
    ([name, column]) => [name, column.subarray(0, (column.length / all) * count)],
  )
  return Object.fromEntries(columns) as Rows
}

/** Number of ascending instants that are not after `until`. */
function knownRowCount(knownAt: Float64Array, until: number): number {
  let [low, high] = [0, knownAt.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((knownAt[middle] as number) <= until) low = middle + 1
    else high = middle
  }
  return low
}
