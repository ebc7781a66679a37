import type { SimMarket } from '../catalogue/market.ts'

/** One executed trade. */
export interface SimTrade {
  readonly market: SimMarket
  readonly hour: number
  /** Index within the hour, ascending in time. */
  readonly index: number
  readonly at: number
  /** YES price in 1e-4 dollars. */
  readonly price: number
  /** Hundredths of contracts. */
  readonly size: number
  readonly takerYes: boolean
  readonly isBlock: boolean
}
