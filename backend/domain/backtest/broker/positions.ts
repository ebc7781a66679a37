import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import type { MarketIndex } from '../event-columns.ts'
import { moneyOf } from './fill-model.ts'
import { ColumnLog } from '../column-log.ts'
import { Lots, type Lot } from './lots.ts'

/** How lots are closed. */
export const CLOSINGS = ['traded', 'settled', 'voided', 'amended'] as const
export type ClosingReason = (typeof CLOSINGS)[number]

/** Columns of closed lots. Prices are of the held side; `closing` is an index of `CLOSINGS`. */
export const CLOSED_LOT_COLUMNS = [
  ...(['market', 'isYes', 'size', 'entryPrice', 'exitPrice', 'openedAt', 'closedAt'] as const),
  ...(['fees', 'realised', 'closing', 'tag'] as const),
] as const
export type ClosedLots = Record<(typeof CLOSED_LOT_COLUMNS)[number], Float64Array>

/** One net position per market, first in, first out. */
export class Positions {
  readonly #lots = new Lots()
  readonly #log = new ColumnLog(CLOSED_LOT_COLUMNS)
  #cost = 0
  #realisedProfit = 0

  /** Cost of open lots, without fees. */
  get cost(): MoneyE6 {
    return this.#cost as MoneyE6
  }
  /** Realised profit of closed lots, after the fees of both legs. */
  get realised(): MoneyE6 {
    return this.#realisedProfit as MoneyE6
  }
  /** Markets with a position, ascending. */
  openMarkets(): MarketIndex[] {
    return this.#lots.markets()
  }
  /** Open lots of a market, oldest first. */
  lots(market: MarketIndex): readonly Lot[] {
    return this.#lots.get(market)
  }
  closedLots(): ClosedLots {
    return this.#log.columns()
  }
  /** Number of rows of `closedLots`. */
  get closedCount(): number {
    return this.#log.length
  }

  /** Contracts held: positive for YES, negative for NO. */
  net(market: MarketIndex): number {
    const lots = this.#lots
    let sum = 0
    for (let lot = lots.oldest(market); lot !== null; lot = lots.nextOf(lot)) {
      sum += lots.isYes(lot) ? lots.size(lot) : 0 - lots.size(lot)
    }
    return sum
  }

  /** Adds a lot to a position that is flat or of the same side. */
  open(market: MarketIndex, lot: Lot): void {
    this.#lots.add(market, lot)
    this.#cost += moneyOf(lot.price, lot.size)
  }

  /**
   * Closes the oldest contracts of a position at a price of the held side and returns the realised
   * profit. `fee` belongs to this leg and is split by size. @param size at most the size held
   */
  close(
    market: MarketIndex,
    size: SizeE6,
    price: PriceE4,
    fee: MoneyE6,
    at: Millis,
    closing: ClosingReason,
  ): MoneyE6 {
    const lots = this.#lots
    let [left, feeLeft, realised] = [size as number, fee as number, 0]
    while (left > 0) {
      const lot = lots.oldest(market)
      if (lot === null) break
      const [lotSize, entry, paidFee] = [lots.size(lot), lots.price(lot), lots.fee(lot)]
      const part = Math.min(left, lotSize) as SizeE6
      const rest = (lotSize - part) as SizeE6
      const cost = moneyOf(entry, lotSize) - moneyOf(entry, rest)
      const entryFee = rest === 0 ? paidFee : paidFee - Math.round(paidFee * (rest / lotSize))
      const exitFee = part === left ? feeLeft : Math.round(feeLeft * (part / left))
      const profit = moneyOf(price, part) - cost - entryFee - exitFee
      this.#cost -= cost
      realised += profit
      this.#record(market, lot, part, price, at, entryFee + exitFee, profit, closing)
      left -= part
      feeLeft -= exitFee
      lots.reduceOldest(market, rest, (paidFee - entryFee) as MoneyE6)
    }
    this.#realisedProfit += realised
    return realised as MoneyE6
  }

  /**
   * Closes a position of a voided market at cost and returns that cost. Fees stay lost, because it
   * is not recorded whether the venue refunds them.
   */
  void(market: MarketIndex, at: Millis): MoneyE6 {
    const lots = this.#lots
    let returnedCash = 0
    for (;;) {
      const lot = lots.oldest(market)
      if (lot === null) break
      const [size, price, fee] = [lots.size(lot), lots.price(lot), lots.fee(lot)]
      const cost = moneyOf(price, size)
      returnedCash += cost
      this.#cost -= cost
      this.#realisedProfit -= fee
      this.#record(market, lot, size, price, at, fee, 0 - fee, 'voided')
      lots.reduceOldest(market, 0 as SizeE6, 0 as MoneyE6)
    }
    return returnedCash as MoneyE6
  }

  /** Applies a changed settlement result. @param change in what is paid; it counts as realised */
  amend(
    market: MarketIndex,
    lot: { isYes: boolean; size: SizeE6; from: PriceE4; to: PriceE4; at: Millis },
    change: MoneyE6,
  ): void {
    this.#realisedProfit += change
    this.#log.add({
      market,
      isYes: lot.isYes ? 1 : 0,
      size: lot.size,
      entryPrice: lot.from,
      exitPrice: lot.to,
      openedAt: lot.at,
      closedAt: lot.at,
      tag: 0,
      fees: 0,
      realised: change,
      closing: CLOSINGS.indexOf('amended'),
    })
  }

  /**
   * Writes a row of closed lots number by number in column order; runs that trade a lot write
   * millions of rows.
   */
  #record(
    market: MarketIndex,
    lot: number,
    size: SizeE6,
    exitPrice: PriceE4,
    at: Millis,
    fees: number,
    realised: number,
    closing: ClosingReason,
  ): void {
    const [log, lots] = [this.#log, this.#lots]
    log.begin()
    log.push(market)
    log.push(lots.isYes(lot) ? 1 : 0)
    log.push(size)
    log.push(lots.price(lot))
    log.push(exitPrice)
    log.push(lots.openedAt(lot))
    log.push(at)
    log.push(fees)
    log.push(realised)
    log.push(CLOSINGS.indexOf(closing))
    log.push(lots.tag(lot))
  }
}
