import type { LiveTicker, MarketPage, MarketRow, ScanPage } from '../../api/types.ts'

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
