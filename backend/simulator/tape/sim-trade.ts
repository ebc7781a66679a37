import type { SimMarket } from '../catalogue/market.ts'

/** One match on the tape. */
export interface SimTrade {
  readonly market: SimMarket
  readonly hour: number
  /** Place within the hour, ascending in time. */
  readonly index: number
  readonly at: number
  /** YES price in 1e-4 dollars. */
  readonly price: number
  /** Hundredths of contracts. */
  readonly size: number
  readonly takerYes: boolean
  readonly isBlock: boolean
}
