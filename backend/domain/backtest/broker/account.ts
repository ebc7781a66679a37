import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import { ABSENT, type MarketIndex, type TradeRows } from '../event-columns.ts'
import { moneyOf, otherSide } from './fill-model.ts'
import { LAST, MARKS, VALUED, PRICE_SLOPE, type MarketBooks } from './market-books.ts'
import type { Fill } from './orders.ts'
import { Positions } from './positions.ts'

/** The effect of a settlement on a held position. */
export interface AccountSettlement {
  readonly market: MarketIndex
  readonly at: Millis
  /** Payout of YES; null for a void. */
  readonly price: PriceE4 | null
  /** Positive for YES, negative for NO; 1e-6 contracts. */
  readonly net: number
  readonly paid: MoneyE6
}

/** A position that was paid out. `price` is the payout of YES, null for a void. */
interface SettledPosition {
  readonly net: number
  readonly cost: MoneyE6
  readonly price: PriceE4 | null
}

/** The part of a fill that is booked: prices and sizes are of the traded side. */
export type Booking = Pick<Fill, 'market' | 'side' | 'price' | 'size' | 'fee' | 'at'>

/** Cash, positions and their value: everything that fills and settlements change. */
export class Account {
  readonly positions = new Positions()
  readonly #books: MarketBooks
  readonly #settledPositions = new Map<MarketIndex, SettledPosition>()
  // NaN makes these fields floats from the start, so that the engine updates them in place.
  #cash = NaN
  #value = NaN
  #peak = NaN
  #deepest = NaN
  /** Equity at or above this value cannot set a new drawdown record. */
  #floor = NaN
  #fees = 0

  constructor(books: MarketBooks, startCash: MoneyE6) {
    this.#books = books
    this.#cash = startCash
    this.#value = 0
    this.#peak = startCash
    this.#deepest = 0
    this.#floor = Infinity
  }

  get cash(): MoneyE6 {
    return this.#cash as MoneyE6
  }
  /** Cash plus the liquidation value of all positions. */
  get equity(): MoneyE6 {
    return (this.#cash + this.#value) as MoneyE6
  }
  /** Deepest drawdown as a share of the peak equity, measured at every event. */
  get deepestDrawdown(): number {
    return this.#deepest
  }
  get fees(): MoneyE6 {
    return this.#fees as MoneyE6
  }
  /** Positive for YES, negative for NO; 1e-6 contracts. */
  net(market: MarketIndex): number {
    return this.#books.net(market)
  }

  /** Books sold contracts. The position must hold them. */
  sell({ market, side, price, size, fee, at }: Booking): void {
    this.#fees += fee
    this.#cash += moneyOf(price, size) - fee
    this.positions.close(market, size, price, fee, at, 'traded')
    const net = this.net(market)
    this.#books.setNet(market, side === 'yes' ? net - size : net + size)
  }

  /** Books bought contracts. They close the opposite side first. @param tag of a new lot */
  buy({ market, side, price, size, fee, at }: Booking, tag: number): void {
    this.#fees += fee
    const net = this.net(market)
    const sign = side === 'yes' ? 1 : -1
    const closing = Math.min(size, Math.max(0, -sign * net)) as SizeE6
    const opening = (size - closing) as SizeE6
    const closingFee = (opening === 0 ? fee : Math.round(fee * (closing / size))) as MoneyE6
    const openingFee = (fee - closingFee) as MoneyE6
    if (closing > 0) {
      this.#cash += moneyOf(otherSide(price), closing) - closingFee
      this.positions.close(market, closing, otherSide(price), closingFee, at, 'traded')
    }
    if (opening > 0) {
      this.#cash -= moneyOf(price, opening) + openingFee
      const lot = { side, size: opening, price, fee: openingFee, openedAt: at, tag }
      this.positions.open(market, lot)
    }
    this.#books.setNet(market, net + sign * size)
  }

  /**
   * Pays out a position, or without one the difference to an earlier result; returns null when
   * nothing is paid.
   * @param price of YES; null returns the cost
   */
  settle(market: MarketIndex, price: PriceE4 | null, at: Millis): AccountSettlement | null {
    const net = this.net(market)
    if (net === 0) {
      const settledPosition = this.#settledPositions.get(market)
      return settledPosition === undefined ? null : this.#amend(market, settledPosition, price, at)
    }
    const cost = this.#costOf(market)
    if (price === null) this.positions.void(market, at)
    else {
      const sidePrice = net > 0 ? price : otherSide(price)
      this.positions.close(market, Math.abs(net) as SizeE6, sidePrice, 0 as MoneyE6, at, 'settled')
    }
    const paid = payoutOf({ net, cost, price })
    this.#settledPositions.set(market, { net, cost, price })
    this.#cash += paid
    this.#books.setNet(market, 0)
    this.#value -= this.#books.value(market)
    this.#books.follow(market, 0, 0)
    this.#recordEquity()
    return { market, at, price, net, paid }
  }

  /**
   * Revalues a position at the opposite side of the book. A position in a closed market keeps its
   * value.
   */
  revalue(market: MarketIndex): void {
    const net = this.net(market)
    const books = this.#books
    if (net !== 0 && (books.flags(market) & VALUED) === 0) return
    const value = net === 0 ? 0 : this.#valueOf(market, net)
    this.#value += value - books.value(market)
    this.#follow(market, net, value)
    this.#recordEquity()
  }

  /**
   * Applies a traded price of a market that is not `UNEVEN`. The result equals that of `revalue`,
   * but no branch checks whether a position exists: the processor would mispredict it, since the
   * answer changes from event to event.
   */
  applyPrice(market: MarketIndex, price: number): void {
    const { marks } = this.#books
    const at = market * MARKS
    this.#value += (marks[at + PRICE_SLOPE] as number) * (price - (marks[at + LAST] as number))
    marks[at + LAST] = price
    this.#recordEquity()
  }

  /** Applies `traded` to each row in [from, to). */
  tradedRows({ market, price }: TradeRows, from: number, to: number): void {
    const { marks } = this.#books
    const [stride, slope] = [MARKS, PRICE_SLOPE]
    const cash = this.#cash
    let [value, peak, floor] = [this.#value, this.#peak, this.#floor]
    for (let row = from; row < to; row++) {
      const at = (market[row] as number) * stride
      const tradedPrice = price[row] as number
      value += (marks[at + slope] as number) * (tradedPrice - (marks[at] as number))
      marks[at] = tradedPrice
      const equity = cash + value
      if (equity > peak || equity < floor) {
        this.#value = value
        this.#recordEquity()
        peak = this.#peak
        floor = this.#floor
      }
    }
    this.#value = value
  }

  /** Sets how the value of a position depends on the next traded prices. */
  #follow(market: MarketIndex, net: number, value: number): void {
    const books = this.#books
    const quotePrice = net > 0 ? books.bid(market) : books.ask(market)
    if (net === 0 || quotePrice !== ABSENT) return books.follow(market, value, 0)
    // The value is exact without rounding only when the size is a whole number of hundredths of a
    // contract.
    const slope = net / 10_000
    if (Number.isInteger(slope) && books.last(market) !== ABSENT) books.follow(market, value, slope)
    else {
      books.follow(market, value, 0)
      books.markUneven(market)
    }
  }

  #amend(
    market: MarketIndex,
    previous: SettledPosition,
    price: PriceE4 | null,
    at: Millis,
  ): AccountSettlement | null {
    if (previous.price === price) return null
    const amended = { ...previous, price }
    const paid = (payoutOf(amended) - payoutOf(previous)) as MoneyE6
    const size = Math.abs(previous.net) as SizeE6
    const [from, to] = [payoutPrice(previous), payoutPrice(amended)]
    this.positions.amend(market, { isYes: previous.net > 0, size, from, to, at }, paid)
    this.#cash += paid
    this.#settledPositions.set(market, amended)
    this.#recordEquity()
    return { market, at, price, net: previous.net, paid }
  }

  #costOf(market: MarketIndex): MoneyE6 {
    let cost = 0
    for (const lot of this.positions.lots(market)) cost += moneyOf(lot.price, lot.size)
    return cost as MoneyE6
  }

  #valueOf(market: MarketIndex, net: number): number {
    const size = Math.abs(net) as SizeE6
    const quotePrice = net > 0 ? this.#books.bid(market) : this.#books.ask(market)
    const yes = quotePrice === ABSENT ? this.#books.last(market) : quotePrice
    if (yes !== ABSENT) return moneyOf(net > 0 ? yes : 10_000 - yes, size)
    return this.#costOf(market)
  }

  #recordEquity(): void {
    const equity = this.#cash + this.#value
    if (equity > this.#peak) this.#peak = equity
    else if (this.#peak > 0) {
      const drawdownShare = 1 - equity / this.#peak
      if (drawdownShare > this.#deepest) this.#deepest = drawdownShare
    }
    // The floor is slightly high so that rounding hides no drawdown; equity below it is checked
    // exactly.
    this.#floor = this.#peak > 0 ? this.#peak * (1 - this.#deepest + 1e-12) : -Infinity
  }
}

/** Payout of the held side per contract; the average cost, rounded, for a void. */
function payoutPrice({ net, cost, price }: SettledPosition): PriceE4 {
  if (price === null) return Math.round((cost * 10_000) / Math.abs(net)) as PriceE4
  return net > 0 ? price : otherSide(price)
}

const payoutOf = (position: SettledPosition): MoneyE6 =>
  position.price === null
    ? position.cost
    : moneyOf(payoutPrice(position), Math.abs(position.net) as SizeE6)
