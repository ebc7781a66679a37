import type { Millis } from '../../units.ts'
import type { MarketIndex } from '../event-columns.ts'
import type { FillModel } from './fill-model.ts'
import type { MarketBooks } from './market-books.ts'
import type { OpenOrders } from './open-orders.ts'
import type { OrderLifecycle } from './order-lifecycle.ts'
import type { Order } from './orders.ts'
import type { BookSide } from './taken-levels.ts'

/** A public trade that may fill resting orders. */
interface PassingTrade {
  readonly price: number
  readonly size: number
  /** 0 unknown, 1 YES, 2 NO. */
  readonly taker: number
  readonly hasBook: boolean
}

/** Fills resting orders from public trades by their queue position (methodology K). */
export class MakerQueue {
  readonly #model: FillModel
  readonly #books: MarketBooks
  readonly #orders: OpenOrders
  readonly #lifecycle: OrderLifecycle

  constructor(model: FillModel, books: MarketBooks, orders: OpenOrders, lifecycle: OrderLifecycle) {
    this.#model = model
    this.#books = books
    this.#orders = orders
    this.#lifecycle = lifecycle
  }

  /**
   * A smaller size at the order's price than was assumed ahead of it means that others cancelled.
   */
  matchBook(order: Order): void {
    const side: BookSide = order.takesAsks ? 'bids' : 'asks'
    const displayedSize = this.#books.sizeAt(order.market, side, order.yesLimit)
    if (order.queue !== null && displayedSize < order.queue.ahead) order.queue.ahead = displayedSize
  }

  /** Fills the best price first, then the older order. */
  matchTrade(market: MarketIndex, at: Millis, ts: number, trade: PassingTrade): void {
    const restingOrders = this.#orders
      .get(market)
      .filter(({ queue }) => queue !== null && queue.since <= ts)
    for (const takesAsks of [true, false]) {
      const sign = takesAsks ? 1 : -1
      const queue = restingOrders
        .filter((order) => order.state === 'resting' && order.takesAsks === takesAsks)
        .filter((order) => sign * (order.yesLimit - trade.price) >= 0)
        .sort((a, b) => sign * (b.yesLimit - a.yesLimit) || a.id - b.id)
      let usedSize = 0
      for (const order of queue) usedSize += this.#match(order, at, trade, usedSize)
    }
  }

  /** Size that an order receives from a trade of which others already took `used`. */
  #match(order: Order, at: Millis, trade: PassingTrade, usedSize: number): number {
    const isThrough = order.yesLimit !== trade.price
    const matchableSize = this.#reachOf(trade, order.takesAsks, isThrough)
    const { queue } = order
    const quantityAhead = isThrough || queue === null ? 0 : queue.ahead
    const size = Math.min(
      this.#lifecycle.fillable(order),
      Math.max(0, matchableSize - quantityAhead - usedSize),
    )
    if (!isThrough && queue !== null) queue.ahead = Math.max(0, queue.ahead - matchableSize)
    if (size <= 0) return 0
    const isEstimated = !trade.hasBook || trade.taker === 0
    this.#lifecycle.fill(order, at, order.yesLimit, size, 'maker', isEstimated)
    if (order.filled >= order.size) this.#lifecycle.endFilled(order)
    return size
  }

  /** Size of a trade that can fill resting orders of a side, in whole 1e-6 contracts. */
  #reachOf({ size, taker, hasBook }: PassingTrade, takesAsks: boolean, isThrough: boolean): number {
    if (!hasBook) return isThrough ? Math.floor(size * this.#model.noBookShare) : 0
    if (isThrough) return size
    if (taker === 0) return Math.floor(size * this.#model.unknownTakerShare)
    // Bids are hit by takers of NO, who sell YES.
    return (taker === 2) === takesAsks ? size : 0
  }
}
