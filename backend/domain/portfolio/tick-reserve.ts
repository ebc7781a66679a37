import type { Ticker } from '../market.ts'
import type { MoneyE6 } from '../units.ts'
import type { GatedAccount } from './risk-gates.ts'

/** An accepted order as it changes the account before it is sent. */
export interface ReservedOrder {
  readonly ticker: Ticker
  readonly action: 'buy' | 'sell'
  readonly cost: MoneyE6
  readonly fee: MoneyE6
  /** Nothing was held in its market. */
  readonly opensMarket: boolean
}

/**
 * Amounts that the accepted orders of a tick reserve in the account, so that their gates hold for
 * their sum. A sale reserves nothing: its proceeds may not come.
 */
export class TickReserve {
  #cash = 0
  #exposure = 0
  #orders: number
  readonly #byMarket = new Map<Ticker, number>()
  /** Markets in which they open a position. */
  readonly #openedTickers = new Set<Ticker>()

  /** @param orders sent before */
  constructor(orders = 0) {
    this.#orders = orders
  }

  get orders(): number {
    return this.#orders
  }
  /** Whether an earlier order of the tick opens a position in a market. */
  opensPosition(ticker: Ticker): boolean {
    return this.#openedTickers.has(ticker)
  }

  take({ ticker, action, cost, fee, opensMarket }: ReservedOrder): void {
    this.#orders += 1
    if (action === 'sell') return
    this.#cash += cost + fee
    this.#exposure += cost
    this.#byMarket.set(ticker, (this.#byMarket.get(ticker) ?? 0) + cost)
    if (opensMarket) this.#openedTickers.add(ticker)
  }

  /** A copy, for orders that are taken together or not at all. */
  copy(): TickReserve {
    const copy = new TickReserve(this.#orders)
    copy.#cash = this.#cash
    copy.#exposure = this.#exposure
    for (const [ticker, cost] of this.#byMarket) copy.#byMarket.set(ticker, cost)
    for (const ticker of this.#openedTickers) copy.#openedTickers.add(ticker)
    return copy
  }

  /** The account of an order in a market after the orders that were taken. */
  accountAfter(account: GatedAccount, ticker: Ticker): GatedAccount {
    const { balance, exposure, marketExposure, openPositions } = account
    return {
      ...account,
      balance: (balance - this.#cash) as MoneyE6,
      exposure: (exposure + this.#exposure) as MoneyE6,
      marketExposure: (marketExposure + (this.#byMarket.get(ticker) ?? 0)) as MoneyE6,
      openPositions: openPositions + this.#openedTickers.size,
    }
  }
}
