import { priceOfCents, sizeOfContracts } from '../../units.ts'
import type { Millis, SizeE6 } from '../../units.ts'
import { ABSENT } from '../event-columns.ts'
import type { FillModel } from './fill-model.ts'
import type { MarketBooks } from './market-books.ts'
import type { OpenOrders } from './open-orders.ts'
import { HIGHEST, LOWEST, protectedLimit } from './order-checks.ts'
import type { OrderLifecycle } from './order-lifecycle.ts'
import type { Order } from './orders.ts'
import type { BookSide } from './taken-levels.ts'

/** Matches orders against the current book: visible levels within their limit (methodology K). */
export class TakerMatching {
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

  /** Takes what an order's limit allows, then rests or ends the remainder. @param ts of the book */
  matchBook(order: Order, at: Millis, ts: number): void {
    const { market, takesAsks } = order
    const side: BookSide = takesAsks ? 'asks' : 'bids'
    if (order.limit === null && order.decidedPrice === null) {
      order.yesLimit = protectedLimit(order, this.#books, this.#model)
    }
    const sign = takesAsks ? 1 : -1
    const bestPrice = this.#books.levelPrice(market, side, 0)
    const takes = bestPrice !== ABSENT && sign * (order.yesLimit - bestPrice) >= 0
    if (this.#isRefused(order, takes, at)) return
    if (takes && this.#mayTake(order, side, sign)) {
      for (let level = 0; level < this.#model.levels && order.filled < order.size; level++) {
        const price = this.#books.levelPrice(market, side, level)
        if (price === ABSENT || sign * (order.yesLimit - price) < 0) break
        const max = this.#lifecycle.fillable(order)
        const size = Math.min(this.#books.available(market, side, level), max)
        if (size <= 0) continue
        const isEstimated = Number.isNaN(this.#books.levelSize(market, side, level))
        this.#books.consume(market, side, level, size as SizeE6)
        this.#lifecycle.fill(order, at, price, size, 'taker', isEstimated)
      }
    }
    this.#settleRemainder(order, at, ts)
  }

  /** Without a recorded book, fills at the last price plus the assumed cost. */
  matchLastPrice(order: Order, at: Millis, ts: number, last: number): void {
    const { takesAsks } = order
    const sign = takesAsks ? 1 : -1
    const cost = priceOfCents(this.#model.noBookCents)
    const price = Math.min(HIGHEST, Math.max(LOWEST, last + sign * cost))
    const takes = order.limit === null || sign * (order.yesLimit - price) >= 0
    if (this.#isRefused(order, takes, at)) return
    const assumedSize = sizeOfContracts(this.#model.assumedLevelContracts)
    const size = Math.min(assumedSize, this.#lifecycle.fillable(order))
    const isEnough = order.timeInForce !== 'fok' || size >= order.size
    if (takes && isEnough && size > 0) {
      this.#lifecycle.fill(order, at, price, size, 'taker', true)
    }
    this.#settleRemainder(order, at, ts)
  }

  /** Ends an order that may not meet the market; returns whether it did. */
  #isRefused(order: Order, takes: boolean, at: Millis): boolean {
    if (order.postOnly && takes)
      this.#lifecycle.end(order, 'rejected', 'post-only would cross the spread', at)
    else if (this.#crossesOwnOrder(order)) {
      this.#lifecycle.end(order, 'cancelled', 'would trade with an own order', at)
    } else return false
    return true
  }

  /** Whether the order can be filled completely, for fill-or-kill orders. */
  #mayTake(order: Order, side: BookSide, sign: number): boolean {
    if (order.timeInForce !== 'fok') return true
    let matchedSize = 0
    for (let level = 0; level < this.#model.levels; level++) {
      const price = this.#books.levelPrice(order.market, side, level)
      if (price === ABSENT || sign * (order.yesLimit - price) < 0) break
      matchedSize += this.#books.available(order.market, side, level)
    }
    return matchedSize >= order.size && this.#lifecycle.fillable(order) >= order.size
  }

  #settleRemainder(order: Order, at: Millis, ts: number): void {
    if (order.filled >= order.size) return this.#lifecycle.endFilled(order)
    if (order.action === 'sell' && this.#lifecycle.fillable(order) <= 0) {
      return this.#lifecycle.end(order, 'cancelled', 'insufficient position', at)
    }
    if (!this.#model.rests || order.timeInForce !== 'gtc') {
      const reason = order.filled > 0 ? 'remainder not filled' : 'no matching offers'
      return this.#lifecycle.end(order, 'cancelled', reason, at)
    }
    order.state = 'resting'
    const side: BookSide = order.takesAsks ? 'bids' : 'asks'
    const hasBook = this.#books.bookTs(order.market) !== -Infinity
    const quantityAhead = hasBook
      ? this.#books.sizeAt(order.market, side, order.yesLimit)
      : Infinity
    order.queue = { ahead: quantityAhead, since: ts }
  }

  #crossesOwnOrder({ market, takesAsks, yesLimit }: Order): boolean {
    for (let other = this.#orders.oldest(market); other !== null; other = other.next) {
      if (other.state !== 'resting' || other.takesAsks === takesAsks) continue
      if (takesAsks ? yesLimit >= other.yesLimit : yesLimit <= other.yesLimit) return true
    }
    return false
  }
}
