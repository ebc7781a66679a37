import type { MoneyE6, SizeE6 } from '../units.ts'
import type { MarketIndex } from './event-columns.ts'
import { ORDERED, type MarketBooks } from './market-books.ts'
import type { Order } from './orders.ts'

/** Orders that can still be filled, and the money and contracts that they hold back. */
export class OpenOrders {
  readonly #books: MarketBooks
  /** The oldest order at the venue of each market, which knows the next: most have none or one. */
  readonly #oldest: (Order | null)[]
  #alive = 0
  #reserved = 0

  constructor(books: MarketBooks) {
    this.#books = books
    this.#oldest = new Array<Order | null>(books.count).fill(null)
  }

  /** Orders on their way and open ones. */
  get alive(): number {
    return this.#alive
  }
  /** Money that buys hold back. */
  get reserved(): MoneyE6 {
    return this.#reserved as MoneyE6
  }
  /** The oldest order of a market at the venue. What is done to it may end it: ask for its `next` before. */
  oldest(market: MarketIndex): Order | null {
    return this.#oldest[market] ?? null
  }
  /** Orders of a market at the venue, the older first. */
  of(market: MarketIndex): Order[] {
    const orders: Order[] = []
    for (let order = this.oldest(market); order !== null; order = order.next) orders.push(order)
    return orders
  }

  /** Counts an order that is sent. */
  send(): void {
    this.#alive++
  }

  /** Takes an order that reached the venue. */
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
    this.#reserved += reserve - order.held
    order.held = reserve
  }

  holdContracts(order: Order, size: SizeE6): void {
    this.#books.addSelling(order.market, size - order.held)
    order.held = size
  }

  /** Lets go of an order that is over, and of what it held back. */
  release(order: Order): void {
    this.#alive--
    if (order.held > 0) {
      if (order.action === 'buy') this.holdMoney(order, 0 as MoneyE6)
      else this.holdContracts(order, 0 as SizeE6)
    }
    this.#unlink(order)
  }

  #unlink(order: Order): void {
    const { market, next } = order
    order.next = null
    let before = this.oldest(market)
    if (before === order) {
      this.#oldest[market] = next
      if (next === null) this.#books.lower(market, ORDERED)
      return
    }
    while (before !== null && before.next !== order) before = before.next
    if (before !== null) before.next = next
  }
}
