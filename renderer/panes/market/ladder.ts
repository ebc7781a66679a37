import type { BookLevel } from '../../../backend/contract/market.ts'

export interface LadderRow {
  /** Cents of the row: the lowest of its group on the bid side, the highest on the ask side. */
  readonly price: number
  /** Contracts resting at this row; null when the side has none. */
  readonly bid: number | null
  readonly ask: number | null
  /**
   * Cumulative contracts from the best price to this row; null before the best and beyond the last
   * level.
   */
  readonly bidTotal: number | null
  readonly askTotal: number | null
  /** Empty rows above this one that are skipped, so that both sides are in view. */
  readonly skippedRows: number
}

/** Minimum visible rows per side. */
const MIN_ADJACENT = 2

const sizesByRow = (levels: readonly BookLevel[], rowOf: (price: number) => number) => {
  const sizes = new Map<number, number>()
  for (const { price, size } of levels) {
    const row = rowOf(price)
    sizes.set(row, (sizes.get(row) ?? 0) + size)
  }
  return sizes
}

/**
 * Rows of a depth ladder: one row each `group` cents, highest first, around `centre`. A grouped bid
 * rounds down and a grouped ask rounds up, so that no row looks better than it is. When the spread
 * leaves no space for both sides, its empty rows are skipped.
 * @param count number of rows; fewer only at the ends of the scale
 */
export function ladderRows(
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  group: number,
  centre: number,
  count: number,
): readonly LadderRow[] {
  const index = (price: number) => price / group
  const bidSizes = sizesByRow(bids, (price) => Math.floor(index(price) + 1e-9))
  const askSizes = sizesByRow(asks, (price) => Math.ceil(index(price) - 1e-9))
  const last = Math.floor(100 / group)
  const span = Math.min(count, last + 1)
  const top = Math.min(
    last,
    Math.max(span - 1, Math.round(index(centre)) + Math.ceil(span / 2) - 1),
  )
  // Beyond the last published level nothing is known, so no cumulative total is drawn there.
  const worstBid = Math.min(...bidSizes.keys())
  const worstAsk = Math.max(...askSizes.keys())
  const bestBid = Math.max(...bidSizes.keys())
  const bestAsk = Math.min(...askSizes.keys())
  const spreadRows = bestAsk - bestBid - 1
  const isWideSpread = Number.isFinite(spreadRows) && spreadRows > span - 2 * MIN_ADJACENT
  const askRows = isWideSpread
    ? descendingRange(Math.min(last, bestAsk + Math.ceil(span / 2) - 1), bestAsk)
    : []
  const bidRows = isWideSpread
    ? descendingRange(bestBid, Math.max(0, bestBid - span + askRows.length + 1))
    : []
  const visibleRows = isWideSpread ? [...askRows, ...bidRows] : descendingRange(top, top - span + 1)
  return visibleRows.map((row, index): LadderRow => {
    const previous = visibleRows[index - 1] ?? row + 1
    return {
      price: row * group,
      skippedRows: previous - row - 1,
      bid: bidSizes.get(row) ?? null,
      ask: askSizes.get(row) ?? null,
      bidTotal: row < worstBid ? null : total(bidSizes, (price) => price >= row),
      askTotal: row > worstAsk ? null : total(askSizes, (price) => price <= row),
    }
  })
}

/** Integers in descending order, both ends included. */
const descendingRange = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => from - index)

/** Sum of the sizes on the better side of a row; null for an empty side. */
function total(
  sizes: ReadonlyMap<number, number>,
  isBetter: (row: number) => boolean,
): number | null {
  let sum: number | null = null
  for (const [row, size] of sizes) if (isBetter(row)) sum = (sum ?? 0) + size
  return sum
}

/** Middle of the best prices, or the only one; null for an empty book. */
export function midOf(bids: readonly BookLevel[], asks: readonly BookLevel[]): number | null {
  const bid = bids[0]?.price ?? null
  const ask = asks[0]?.price ?? null
  if (bid === null || ask === null) return bid ?? ask
  return (bid + ask) / 2
}
