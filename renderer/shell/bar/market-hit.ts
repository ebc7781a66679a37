import type { MarketRow } from '../../../backend/contract/market.ts'

/** A market that the command line offers. */
export interface MarketHit {
  readonly ticker: string
  readonly title: string
  /** As a list or a search last returned it; absent while only its name is known. */
  readonly row?: MarketRow
}
