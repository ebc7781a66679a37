import type { MoneyE6, SizeE6 } from '../../units.ts'
import type { MarketIndex } from '../event-columns.ts'
import { ORDERED, type MarketBooks } from './market-books.ts'
import type { Order } from './orders.ts'

/** Orders that can still be filled, and the money and contracts that they reserve. */
export class OpenOrders {
  readonly #books: MarketBooks
  /**
   * The oldest order of each market at the venue; it links to the next one. Most markets have none
   * or one.
   */
  readonly #oldest: (Order | null)[]
  #alive = 0
  #reservedCash = 0

  constructor(books: MarketBooks) {
    this.#books = books
    this.#oldest = new Array<Order | null>(books.count).fill(null)
  }

  /** Number of orders in transit or open. */
  get alive(): number {
    return this.#alive
  }
  /** Money reserved by buys. */
  get reserved(): MoneyE6 {
    return this.#reservedCash as MoneyE6
  }
  /**
   * The oldest order of a market at the venue. Processing it may end it, so read its `next` first.
   */
  oldest(market: MarketIndex): Order | null {
    return this.#oldest[market] ?? null
  }
  /** Orders of a market at the venue, oldest first. */
  get(market: MarketIndex): Order[] {
    const orders: Order[] = []
    for (let order = this.oldest(market); order !== null; order = order.next) orders.push(order)
    return orders
  }

  /** Counts an order as sent. */
  send(): void {
    this.#alive++
  }

  /** Adds an order that reached the venue. */
  add(order: Order): void {
    const { market } = order
    let last = this.oldest(market)
    if (last === null) this.#oldest[market] = order
    else {
      while (last.next !== null) last = last.next
      last.next = order
    }
    this.#books.raise(market, ORDERED)
  }

  holdMoney(order: Order, reserve: MoneyE6): void {
    this.#reservedCash += reserve - order.reserved
    order.reserved = reserve
  }

  holdContracts(order: Order, size: SizeE6): void {
    this.#books.addSelling(order.market, size - order.reserved)
    order.reserved = size
  }

  /** Removes an ended order and releases what it reserved. */
  release(order: Order): void {
    this.#alive--
    if (order.reserved > 0) {
      if (order.action === 'buy') this.holdMoney(order, 0 as MoneyE6)
      else this.holdContracts(order, 0 as SizeE6)
    }
    this.#unlink(order)
  }

  #unlink(order: Order): void {
    const { market, next } = order
    order.next = null
    let previous = this.oldest(market)
    if (previous === order) {
      this.#oldest[market] = next
      if (next === null) this.#books.lower(market, ORDERED)
      return
    }
    while (previous !== null && previous.next !== order) previous = previous.next
    if (previous !== null) previous.next = next
  }
}
