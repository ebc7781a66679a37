import { feeOfFill, type FeeTerms } from '../fees.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import type { Account } from './account.ts'
import type { MarketIndex } from './event-columns.ts'
import type { FillModel } from './fill-model.ts'
import type { MarketBooks } from './market-books.ts'
import type { OpenOrders } from './open-orders.ts'
import { protectedPrice, reserveOf } from './order-checks.ts'
import type { Fill, Order, OrderEnd } from './orders.ts'

/** Part of an order that meets somebody; its price on the YES scale. */
export interface FilledPart {
  readonly at: Millis
  readonly price: number
  readonly size: number
  readonly role: Fill['role']
  readonly isEstimated: boolean
}

export interface OrderLifeDeps {
  readonly model: FillModel
  readonly books: MarketBooks
  readonly account: Account
  readonly orders: OpenOrders
  /** Terms in force of a market. */
  readonly termsOf: (market: MarketIndex) => FeeTerms
  readonly onFill: (fill: Fill) => void
  /** Hears of orders that end unfilled, in whole or in part. */
  readonly onEnd: (order: Order, at: Millis) => void
}

/** What becomes of orders: fills with their fees, and ends. */
export class OrderLife {
  readonly #deps: OrderLifeDeps
  readonly #tags = new Map<string, number>([['', 0]])

  constructor(deps: OrderLifeDeps) {
    this.#deps = deps
  }

  /** Texts of orders, by their number. */
  get tags(): readonly string[] {
    return [...this.#tags.keys()]
  }

  /** Number of an order's text. */
  tagNumber(tag: string): number {
    const known = this.#tags.get(tag)
    if (known !== undefined) return known
    this.#tags.set(tag, this.#tags.size)
    return this.#tags.size - 1
  }

  /** What of an order may still be filled: a sell never more than is held. */
  fillable(order: Order): number {
    const open = order.size - order.filled
    if (order.action === 'buy') return open
    const net = this.#deps.account.net(order.market)
    return Math.min(open, order.side === 'yes' ? net : -net)
  }

  fill(order: Order, part: FilledPart): void {
    const { account, orders, model, termsOf, onFill } = this.#deps
    const { market, action, side } = order
    const { at, role, isEstimated } = part
    const size = part.size as SizeE6
    const price = (side === 'yes' ? part.price : 10_000 - part.price) as PriceE4
    const { fee, accumulator } = feeOfFill(
      termsOf(market),
      { at, side: action, role, price, size },
      order.accumulator,
      model.feeGrid,
    )
    order.accumulator = accumulator
    order.filled = (order.filled + size) as SizeE6
    order.fills++
    const booking = { market, side, price, size, fee, at }
    if (action === 'sell') {
      account.sell(booking)
      orders.holdContracts(order, (order.size - order.filled) as SizeE6)
    } else {
      account.buy(booking, this.tagNumber(order.tag))
      const rest = (order.size - order.filled) as SizeE6
      orders.holdMoney(order, this.reserveFor(order, rest, at))
    }
    account.revalue(market)
    onFill({ order, at, market, action, side, role, price, size, fee, isEstimated })
  }

  /** Money that the rest of a buy holds back. */
  reserveFor(order: Order, size: SizeE6, at: Millis): MoneyE6 {
    const { model, books, termsOf } = this.#deps
    const price = order.limit ?? protectedPrice(order, books, model)
    return reserveOf(termsOf(order.market), { at, price, size }, model.feeGrid)
  }

  /** Every contract of it was filled. */
  done(order: Order): void {
    order.state = 'filled'
    this.#deps.orders.release(order)
  }

  end(order: Order, state: 'cancelled' | 'rejected', why: OrderEnd, at: Millis): void {
    order.state = state
    order.end = why
    this.#deps.orders.release(order)
    this.#deps.onEnd(order, at)
  }
}
