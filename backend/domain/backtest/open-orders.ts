import type { MoneyE6, SizeE6 } from '../units.ts'
import type { MarketIndex } from './event-columns.ts'
import { ORDERED, type MarketBooks } from './market-books.ts'
import type { Order } from './orders.ts'

const NONE: readonly Order[] = []

/** Orders that can still be filled, and the money and contracts that they hold back. */
export class OpenOrders {
  readonly #books: MarketBooks
  /** Those that have reached the venue. */
  readonly #open = new Map<MarketIndex, Order[]>()
  /** Contracts that sells hold back, those on their way too. */
  readonly #sold = new Map<MarketIndex, number>()
  #alive = 0
  #reserved = 0

  constructor(books: MarketBooks) {
    this.#books = books
  }

  /** Orders on their way and open ones. */
  get alive(): number {
    return this.#alive
  }
  /** Money that buys hold back. */
  get reserved(): MoneyE6 {
    return this.#reserved as MoneyE6
  }
  /** Markets with orders at the venue. */
  markets(): MarketIndex[] {
    return [...this.#open].flatMap(([market, open]) => (open.length === 0 ? [] : [market]))
  }
  /** Orders at the venue, the older first. */
  of(market: MarketIndex): readonly Order[] {
    return this.#open.get(market) ?? NONE
  }
  selling(market: MarketIndex): number {
    return this.#sold.get(market) ?? 0
  }

  /** Counts an order that is sent. */
  send(): void {
    this.#alive++
  }

  /** Takes an order that reached the venue. */
  add(order: Order): void {
    const open = this.#open.get(order.market)
    if (open === undefined) this.#open.set(order.market, [order])
    else open.push(order)
    this.#books.raise(order.market, ORDERED)
  }

  holdMoney(order: Order, reserve: MoneyE6): void {
    this.#reserved += reserve - order.reserved
    order.reserved = reserve
  }

  holdContracts(order: Order, size: SizeE6): void {
    const held = this.selling(order.market) + size - order.held
    order.held = size
    if (held === 0) this.#sold.delete(order.market)
    else this.#sold.set(order.market, held)
  }

  /** Lets go of an order that is over, and of what it held back. */
  release(order: Order): void {
    this.#alive--
    this.holdMoney(order, 0 as MoneyE6)
    if (order.held > 0) this.holdContracts(order, 0 as SizeE6)
    const open = this.#open.get(order.market)
    const at = open?.indexOf(order) ?? -1
    if (open === undefined || at < 0) return
    open.splice(at, 1)
    if (open.length > 0) return
    this.#books.lower(order.market, ORDERED)
  }
}
