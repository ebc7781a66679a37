import type { MarketId } from '../../history/market-key.ts'

/** Rows of a column, `end` exclusive. */
export type RowRange = readonly [first: number, end: number]

/** First row and end row by market; rows of one market are adjacent. */
export function rangesOf(market: Int32Array): Map<MarketId, RowRange> {
  const ranges = new Map<MarketId, RowRange>()
  for (let first = 0; first < market.length;) {
    const id = market[first] ?? -1
    let end = first + 1
    while (market[end] === id) end++
    ranges.set(id, [first, end])
    first = end
  }
  return ranges
}
