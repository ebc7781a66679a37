import type { DepthBar, DepthBars } from '../../../../backend/contract/market-tape.ts'
import { BAR_SECONDS, type Band } from '../../../charts/series.ts'

/** Size at one price, in contracts. */
export interface DepthCell {
  /** Whole cents. */
  readonly price: number
  readonly side: 'bid' | 'ask'
  readonly size: number
}

/** The book of one bar. */
export interface DepthColumn {
  /** Start of the bar, Unix seconds. */
  readonly time: number
  /** Books were not received in a part of the bar. */
  readonly isGap: boolean
  /** Null when no book is known: in a gap until the next book. */
  readonly cells: readonly DepthCell[] | null
}

export interface DepthGrid {
  readonly columns: readonly DepthColumn[]
  /** Lowest and highest price of a cell, in whole cents. */
  readonly low: number
  readonly high: number
  readonly largest: number
}

/** Sums sizes by whole cent: bids are rounded down and asks up, so that the sides stay apart. */
function cellsOf({ bids, asks }: DepthBar): readonly DepthCell[] {
  const sums = new Map<string, DepthCell>()
  const add = (side: DepthCell['side'], price: number, size: number) => {
    const key = `${side}${price}`
    sums.set(key, { side, price, size: size + (sums.get(key)?.size ?? 0) })
  }
  for (const { price, size } of bids) add('bid', Math.floor(price), size)
  for (const { price, size } of asks) add('ask', Math.ceil(price), size)
  return [...sums.values()]
}

/**
 * The books of a market on an even time axis. A book stays until the next one, but not across a gap
 * of the feed.
 */
export function depthGrid({ bars, gaps, timeframe }: DepthBars): DepthGrid | null {
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return null
  const seconds = BAR_SECONDS[timeframe]
  const bands: readonly Band[] = gaps.map(({ from, to }) => ({
    from: Date.parse(from) / 1_000,
    to: Date.parse(to) / 1_000,
  }))
  const byTime = new Map(bars.map((bar) => [bar.t, bar]))
  const columns: DepthColumn[] = []
  let cells: readonly DepthCell[] | null = null
  for (let time = first.t; time <= last.t; time += seconds) {
    const isGap = bands.some(({ from, to }) => from < time + seconds && to > time)
    const bar = byTime.get(time)
    if (bar !== undefined) cells = cellsOf(bar)
    else if (isGap) cells = null
    columns.push({ time, isGap, cells })
  }
  const allCells = columns.flatMap((column) => column.cells ?? [])
  const prices = allCells.map(({ price }) => price)
  return {
    columns,
    low: prices.length === 0 ? 0 : Math.min(...prices),
    high: prices.length === 0 ? 100 : Math.max(...prices),
    largest: Math.max(0, ...allCells.map(({ size }) => size)),
  }
}

/** A place in the grid: index of a column, and whole cents. */
export interface DepthPoint {
  readonly column: number
  readonly price: number
}

/** The place within the grid that is nearest to another. */
export const pointWithin = (
  { columns, low, high }: DepthGrid,
  { column, price }: DepthPoint,
): DepthPoint => ({
  column: Math.max(0, Math.min(columns.length - 1, column)),
  price: Math.max(low, Math.min(high, price)),
})

/** Share of the full colour of a size: equal steps of area, so that small sizes stay visible. */
export const shadeOf = (size: number, largest: number): number =>
  largest <= 0 ? 0 : 0.12 + 0.88 * Math.sqrt(Math.min(1, size / largest))

/** The drawing in one sentence. */
export function depthSentence({ columns, low, high, largest }: DepthGrid): string {
  const missingCount = columns.filter(({ cells, isGap }) => isGap || cells === null).length
  const gaps = missingCount === 0 ? 'no gaps' : `${missingCount} with a feed gap`
  return `Book over ${columns.length} bars, ${low} to ${high}¢, at most ${Math.round(largest)} contracts at a price, ${gaps}`
}
