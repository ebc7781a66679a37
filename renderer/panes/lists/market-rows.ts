import { descriptorOf } from '../../../backend/domain/venue.ts'
import { isAboveMoverFloor } from '../../../backend/domain/world/mover-floor.ts'
import { centsOrNull, centsDifference, tradingPrice, type Mover } from '../../api/socket/shapes.ts'
import type { MarketPage, ScanAnswer } from '../../../backend/contract/markets.ts'
import type { MarketRow } from '../../../backend/contract/market.ts'
import type { Command } from '../../shell/commands/command.ts'
import type { PolledQuote } from '../../shell/window/health.svelte.ts'

/** A row with the newest known price: the list's own, or the shared quote when that is newer. */
export function withQuote(row: MarketRow, quote: PolledQuote | undefined): MarketRow {
  if (quote === undefined || quote.updatedAt < row.updatedAt) return row
  const { price, bestBid, bestAsk, lastPrice, change24h, volume24h, updatedAt } = quote
  const spread = bestBid === null || bestAsk === null ? null : bestAsk - bestBid
  return { ...row, price, bestBid, bestAsk, spread, lastPrice, change24h, volume24h, updatedAt }
}

/** When a market was first seen; only the list of new markets has it, null elsewhere. */
export const firstSeenOf = (row: MarketRow): string | null =>
  'firstSeenAt' in row && typeof row.firstSeenAt === 'string' ? row.firstSeenAt : null

/** The rows of any list response. */
export const rowsOfPage = (page: MarketPage | ScanAnswer | null): readonly MarketRow[] => {
  if (page === null) return []
  return 'results' in page ? page.results : page.markets
}

/** Gainers and losers together, the largest change first; rows without a change are left out. */
export function strongestMoves(
  gainers: readonly MarketRow[],
  losers: readonly MarketRow[],
): readonly MarketRow[] {
  const byTicker = new Map([...gainers, ...losers].map((row) => [row.ticker, row]))
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

/** Whether a streamed mover is traded enough for the list of movers. */
export function isListedMover({ venue, lastPrice, volume24h }: Mover): boolean {
  const price = centsOrNull(lastPrice)
  const isInDollars = descriptorOf(venue).volumeUnit === 'usd'
  const volume24hUsd =
    volume24h === null || isInDollars || price === null ? volume24h : (volume24h * price) / 100
  return isAboveMoverFloor({ price, volume24hUsd })
}

/** Whether a list covers all markets. */
export const isUnfiltered = ({ subject, filters, venue }: Command): boolean =>
  subject?.kind !== 'topic' && filters.length === 0 && venue === null

/**
 * Rows at the prices of the topic's movers, the largest change first. The change is the row's own,
 * of the shown price, whereas a mover's change is that of its last trade. Movers without a row are
 * left out, because their facts are not loaded yet.
 */
export function mergeMovers(
  rows: readonly MarketRow[],
  movers: readonly Mover[],
): readonly MarketRow[] {
  const moversByTicker = new Map(movers.map((mover) => [mover.ticker, mover]))
  return byMove(
    rows.map((row) => {
      const mover = moversByTicker.get(row.ticker)
      if (mover === undefined || row.price === null || row.change24h === null) return row
      const lastPrice = centsOrNull(mover.lastPrice)
      const bestBid = centsOrNull(mover.bestBid)
      const bestAsk = centsOrNull(mover.bestAsk)
      const price = tradingPrice(lastPrice, bestBid, bestAsk, row.status)
      if (price === null) return row
      const change24h = centsDifference(price, centsDifference(row.price, row.change24h))
      return { ...row, price, lastPrice, bestBid, bestAsk, change24h }
    }),
  )
}
