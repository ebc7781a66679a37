import type { Ticker, Venue } from '../domain/market.ts'

/** Id of a market inside the history; never shown, never leaves the process. */
export type MarketId = number

export interface MarketKey {
  readonly venue: Venue
  readonly ticker: Ticker
}
