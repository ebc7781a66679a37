import { centsOf, headlineCents, lessCents, type Mover } from '../../api/socket/shapes.ts'
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
  return byMove([...byTicker.values()])
}

const byMove = (rows: readonly MarketRow[]): readonly MarketRow[] =>
  rows
    .filter(({ change24h }) => change24h !== null && change24h !== 0)
    .sort(
      (left, right) =>
        Math.abs(right.change24h ?? 0) - Math.abs(left.change24h ?? 0) ||
        (left.ticker < right.ticker ? -1 : 1),
    )

/** Whether a list is about all markets. */
export const isUnfiltered = ({ subject, filters, venue }: Command): boolean =>
  subject?.kind !== 'topic' && filters.length === 0 && venue === null

const centsOrNull = (probability: number | null): number | null =>
  probability === null ? null : centsOf(probability)

/**
 * Rows at the prices of the movers told, the largest change first. Their changes are the rows' own,
 * of the price that is shown: a mover's is that of its last trade. Movers without a row are left
 * out: what they are is not known yet.
 */
export function withMovers(
  rows: readonly MarketRow[],
  movers: readonly Mover[],
): readonly MarketRow[] {
  const told = new Map(movers.map((mover) => [mover.ticker, mover]))
  return byMove(
    rows.map((row) => {
      const mover = told.get(row.ticker)
      if (mover === undefined || row.price === null || row.change24h === null) return row
      const [lastPrice, bestBid, bestAsk] = [
        ...[centsOrNull(mover.lastPrice), centsOrNull(mover.bestBid), centsOrNull(mover.bestAsk)],
      ] as const
      const price = headlineCents(lastPrice, bestBid, bestAsk)
      if (price === null) return row
      const change24h = lessCents(price, lessCents(row.price, row.change24h))
      return { ...row, price, lastPrice, bestBid, bestAsk, change24h }
    }),
  )
}
