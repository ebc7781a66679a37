import type { Millis } from '../units.ts'
import type { MarketIndex } from './event-columns.ts'
import type { FillModel } from './fill-model.ts'
import type { MarketBooks } from './market-books.ts'
import type { OpenOrders } from './open-orders.ts'
import type { OrderLife } from './order-life.ts'
import type { Order } from './orders.ts'
import type { BookSide } from './taken-levels.ts'

/** A trade of others, as resting orders meet it. */
interface PassingTrade {
  readonly price: number
  readonly size: number
  /** 0 unknown, 1 YES, 2 NO. */
  readonly taker: number
  readonly hasBook: boolean
}

/** How trades of others reach orders in the queue of their price (methodology K). */
export class Resting {
  readonly #model: FillModel
  readonly #books: MarketBooks
  readonly #orders: OpenOrders
  readonly #life: OrderLife

  constructor(model: FillModel, books: MarketBooks, orders: OpenOrders, life: OrderLife) {
    this.#model = model
    this.#books = books
    this.#orders = orders
    this.#life = life
  }

  /** A smaller size at its price than was thought to stand before an order: somebody left. */
  meetBook(order: Order): void {
    const side: BookSide = order.takesAsks ? 'bids' : 'asks'
    const shown = this.#books.sizeAt(order.market, side, order.yesLimit)
    if (order.queue !== null && shown < order.queue.ahead) order.queue.ahead = shown
  }

  /** Best price first, then the older. */
  meetTrade(market: MarketIndex, at: Millis, ts: number, trade: PassingTrade): void {
    const resting = this.#orders
      .of(market)
      .filter(({ queue }) => queue !== null && queue.since <= ts)
    for (const takesAsks of [true, false]) {
      const sign = takesAsks ? 1 : -1
      const queue = resting
        .filter((order) => order.state === 'resting' && order.takesAsks === takesAsks)
        .filter((order) => sign * (order.yesLimit - trade.price) >= 0)
        .sort((a, b) => sign * (b.yesLimit - a.yesLimit) || a.id - b.id)
      let used = 0
      for (const order of queue) used += this.#meet(order, at, trade, used)
    }
  }

  /** What an order got of a trade that others had `used` of before it. */
  #meet(order: Order, at: Millis, trade: PassingTrade, used: number): number {
    const isThrough = order.yesLimit !== trade.price
    const reach = this.#reachOf(trade, order.takesAsks, isThrough)
    const { queue } = order
    const ahead = isThrough || queue === null ? 0 : queue.ahead
    const size = Math.min(this.#life.fillable(order), Math.max(0, reach - ahead - used))
    if (!isThrough && queue !== null) queue.ahead = Math.max(0, queue.ahead - reach)
    if (size <= 0) return 0
    const isEstimated = !trade.hasBook || trade.taker === 0
    this.#life.fill(order, at, order.yesLimit, size, 'maker', isEstimated)
    if (order.filled >= order.size) this.#life.done(order)
    return size
  }

  /** How much of a trade can meet resting orders of a side, whole 1e-6 contracts. */
  #reachOf({ size, taker, hasBook }: PassingTrade, takesAsks: boolean, isThrough: boolean): number {
    if (!hasBook) return isThrough ? Math.floor(size * this.#model.noBookShare) : 0
    if (isThrough) return size
    if (taker === 0) return Math.floor(size * this.#model.unknownTakerShare)
    // Bids are met by takers of NO, who sell YES.
    return (taker === 2) === takesAsks ? size : 0
  }
}
