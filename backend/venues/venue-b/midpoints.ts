import type { OrderBook } from '../../domain/market.ts'
import type { PriceE4 } from '../../domain/units.ts'
import { scaledOf, wireOf } from '../fields.ts'
import { priceInRange } from '../parsed.ts'

/**
 * Midpoints further apart than this, 5¢, are not of the same book: no market moves that far
 * between two calls.
 */
const OUTLIER_DISTANCE = 500

/** The venue's midpoint of each asset: `POST /midpoints`, or single `GET /midpoint` responses. */
export function parseMidpoints(body: unknown): ReadonlyMap<string, PriceE4> {
  const mids = new Map<string, PriceE4>()
  for (const [asset, value] of Object.entries(wireOf(body) ?? {})) {
    const mid = priceInRange(scaledOf(wireOf(value)?.['mid'] ?? value, 4))
    if (mid !== null) mids.set(asset, mid)
  }
  return mids
}

/** Whether a book is far from the venue's stated midpoint; false without one. */
export function isFarFrom({ bids, asks }: OrderBook, mid: PriceE4 | undefined): boolean {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price]
  if (mid === undefined || bid === undefined || ask === undefined) return false
  return Math.abs((bid + ask) / 2 - mid) > OUTLIER_DISTANCE
}
