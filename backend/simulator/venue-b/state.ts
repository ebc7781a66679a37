import { MINUTE } from '../../domain/units.ts'
import { isTrading } from '../catalogue/market.ts'
import type { SimMarket } from '../catalogue/market.ts'

/** Closed according to the metadata service: hours after the end, days after a dispute. */
export const isClosed = (market: SimMarket, at: number): boolean => at >= market.determinedAt
export const isResolved = (market: SimMarket, at: number): boolean => at >= market.settledAt

/** State of the oracle; null before a proposal. */
export function oracleStatus(
  market: SimMarket,
  at: number,
): 'proposed' | 'disputed' | 'resolved' | null {
  if (isResolved(market, at)) return 'resolved'
  if (market.disputed && at >= market.determinedAt) return 'disputed'
  return at >= market.closeAt - 10 * MINUTE ? 'proposed' : null
}

/** Value of a share of the first outcome once resolved: 1, 0 or 0.5; null before. */
export const payoutAt = (market: SimMarket, at: number): number | null =>
  isResolved(market, at) ? market.payout : null

/** Listed, but without books yet. */
export const hasBook = (market: SimMarket, at: number): boolean => isTrading(market, at)
