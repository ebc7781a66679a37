import type { Side } from '../market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import type { MarketIndex } from './event-columns.ts'
import { ColumnLog } from './growable.ts'
import { moneyOf } from './fill-model.ts'

/** Contracts bought together, as far as they are still held (methodology J1). */
export interface Lot {
  readonly side: Side
  /** As bought. */
  readonly bought: SizeE6
  readonly price: PriceE4
  readonly openedAt: Millis
  /** Number of the order's tag. */
  readonly tag: number
  size: SizeE6
  /** Entry fee of what is still held. */
  fee: MoneyE6
}

/** How lots end. */
export const CLOSINGS = ['traded', 'settled', 'voided', 'amended'] as const
export type Closing = (typeof CLOSINGS)[number]

/** Columns of closed lots; prices of the held side, `closing` a place in `CLOSINGS`. */
export const CLOSED_LOT_COLUMNS = [
  ...(['market', 'isYes', 'size', 'entryPrice', 'exitPrice', 'openedAt', 'closedAt'] as const),
  ...(['fees', 'realised', 'closing', 'tag'] as const),
] as const
export type ClosedLots = Record<(typeof CLOSED_LOT_COLUMNS)[number], Float64Array>

/** One net position a market, first in, first out. */
export class Positions {
  readonly #lots = new Map<MarketIndex, Lot[]>()
  readonly #log = new ColumnLog(CLOSED_LOT_COLUMNS)
  #cost = 0
  #realised = 0

  /** What open lots cost, fees apart. */
  get cost(): MoneyE6 {
    return this.#cost as MoneyE6
  }
  /** Of closed lots, after fees of both legs. */
  get realised(): MoneyE6 {
    return this.#realised as MoneyE6
  }
  /** Markets with a position. */
  held(): MarketIndex[] {
    return [...this.#lots.keys()].sort((a, b) => a - b)
  }
  lots(market: MarketIndex): readonly Lot[] {
    return this.#lots.get(market) ?? []
  }
  closed(): ClosedLots {
    return this.#log.columns()
  }

  /** Contracts held: YES above zero, NO below. */
  net(market: MarketIndex): number {
    const lots = this.#lots.get(market)
    if (lots === undefined) return 0
    let sum = 0
    for (const lot of lots) sum += lot.size
    return lots[0]?.side === 'yes' ? sum : -sum
  }

  /** Adds a lot to a position that is flat or of the same side. */
  open(market: MarketIndex, lot: Lot): void {
    const lots = this.#lots.get(market)
    if (lots === undefined) this.#lots.set(market, [lot])
    else lots.push(lot)
    this.#cost += moneyOf(lot.price, lot.size)
  }

  /**
   * Closes the oldest contracts of a position at a price of the held side; `fee` is of this leg and
   * shared by size. Answers what was realised. @param size at most what is held
   */
  close(
    market: MarketIndex,
    size: SizeE6,
    price: PriceE4,
    fee: MoneyE6,
    end: { at: Millis; how: Closing },
  ): MoneyE6 {
    const lots = this.#lots.get(market) ?? []
    let [left, feeLeft, realised] = [size as number, fee as number, 0]
    while (left > 0) {
      const lot = lots[0]
      if (lot === undefined) break
      const part = Math.min(left, lot.size) as SizeE6
      const rest = (lot.size - part) as SizeE6
      const cost = moneyOf(lot.price, lot.size) - moneyOf(lot.price, rest)
      const entryFee = rest === 0 ? lot.fee : lot.fee - Math.round(lot.fee * (rest / lot.size))
      const exitFee = part === left ? feeLeft : Math.round(feeLeft * (part / left))
      const gained = moneyOf(price, part) - cost - entryFee - exitFee
      this.#cost -= cost
      realised += gained
      this.#log.add({
        market,
        isYes: lot.side === 'yes' ? 1 : 0,
        size: part,
        entryPrice: lot.price,
        exitPrice: price,
        openedAt: lot.openedAt,
        closedAt: end.at,
        fees: entryFee + exitFee,
        realised: gained,
        closing: CLOSINGS.indexOf(end.how),
        tag: lot.tag,
      })
      lot.size = rest
      lot.fee = (lot.fee - entryFee) as MoneyE6
      left -= part
      feeLeft -= exitFee
      if (rest === 0) lots.shift()
    }
    if (lots.length === 0) this.#lots.delete(market)
    this.#realised += realised
    return realised as MoneyE6
  }

  /**
   * Ends a position with its cost given back, as a void does; whether the venue returned its fees is
   * not on file, so they stay lost. Answers what is returned.
   */
  void(market: MarketIndex, at: Millis): MoneyE6 {
    let returned = 0
    for (const lot of this.#lots.get(market) ?? []) {
      returned += moneyOf(lot.price, lot.size)
      this.#cost -= moneyOf(lot.price, lot.size)
      this.#realised -= lot.fee
      this.#log.add({
        ...{ market, isYes: lot.side === 'yes' ? 1 : 0, size: lot.size, entryPrice: lot.price },
        ...{ exitPrice: lot.price, openedAt: lot.openedAt, closedAt: at, tag: lot.tag },
        ...{ fees: lot.fee, realised: 0 - lot.fee, closing: CLOSINGS.indexOf('voided') },
      })
    }
    this.#lots.delete(market)
    return returned as MoneyE6
  }

  /** A settled result that was changed: what it is worth more or less counts as realised. */
  amend(
    market: MarketIndex,
    lot: { isYes: boolean; size: SizeE6; from: PriceE4; to: PriceE4; at: Millis },
  ): MoneyE6 {
    const change = (moneyOf(lot.to, lot.size) - moneyOf(lot.from, lot.size)) as MoneyE6
    this.#realised += change
    this.#log.add({
      ...{ market, isYes: lot.isYes ? 1 : 0, size: lot.size, entryPrice: lot.from },
      ...{ exitPrice: lot.to, openedAt: lot.at, closedAt: lot.at, tag: 0 },
      ...{ fees: 0, realised: change, closing: CLOSINGS.indexOf('amended') },
    })
    return change
  }
}
