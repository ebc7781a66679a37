import { centsOf, headlineCents, type Mover } from '../../api/socket/shapes.ts'
import type { LiveTicker, MarketPage, MarketRow, ScanPage } from '../../api/types.ts'
import type { Command } from '../../shell/command.ts'

/** A row with the newest price known: the list's own, or the shared quote when that is newer. */
export function withQuote(row: MarketRow, quote: LiveTicker | undefined): MarketRow {
  if (quote === undefined || quote.updatedAt < row.updatedAt) return row
  const { price, bestBid, bestAsk, lastPrice, change24h, volume24h, updatedAt } = quote
  const spread = bestBid === null || bestAsk === null ? null : bestAsk - bestBid
  return { ...row, price, bestBid, bestAsk, spread, lastPrice, change24h, volume24h, updatedAt }
}

/** The rows of any list answer. */
export const rowsOfPage = (page: MarketPage | ScanPage | null): readonly MarketRow[] => {
  if (page === null) return []
  return 'results' in page ? page.results : page.markets
}

/** Rising and falling markets together, the largest change first; without a change none moved. */
export function strongestMoves(
  rising: readonly MarketRow[],
  falling: readonly MarketRow[],
): readonly MarketRow[] {
  const byTicker = new Map([...rising, ...falling].map((row) => [row.ticker, row]))
  return [...byTicker.values()]
    .filter(({ change24h }) => change24h !== null && change24h !== 0)
    .sort(
      (left, right) =>
        Math.abs(right.change24h ?? 0) - Math.abs(left.change24h ?? 0) ||
        (left.ticker < right.ticker ? -1 : 1),
    )
}

/** Whether a list is about all markets. */
export const isUnfiltered = ({ subject, filters, venue }: Command): boolean =>
  subject?.kind !== 'topic' && filters.length === 0 && venue === null

const centsOrNull = (probability: number | null): number | null =>
  probability === null ? null : centsOf(probability)

/**
 * Rows in the order of the movers told, with their changes; rows that are not among them follow as
 * they were. Movers without a row are left out: what they are is not known yet.
 */
export function withMovers(
  rows: readonly MarketRow[],
  movers: readonly Mover[],
): readonly MarketRow[] {
  const byTicker = new Map(rows.map((row) => [row.ticker, row]))
  const moved = movers.flatMap((mover) => {
    const row = byTicker.get(mover.ticker)
    if (row === undefined || mover.change === 0) return []
    const lastPrice = centsOrNull(mover.lastPrice)
    const bestBid = centsOrNull(mover.bestBid)
    const bestAsk = centsOrNull(mover.bestAsk)
    const price = headlineCents(lastPrice, bestBid, bestAsk)
    return [{ ...row, price, lastPrice, bestBid, bestAsk, change24h: centsOf(mover.change) }]
  })
  const told = new Set(moved.map(({ ticker }) => ticker))
  return [...moved, ...rows.filter(({ ticker }) => !told.has(ticker))]
}
