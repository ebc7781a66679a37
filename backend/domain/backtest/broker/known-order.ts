import type { Side } from '../../market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../units.ts'
import type { MarketIndex } from '../event-columns.ts'
import type { Fill, Order, OrderEnd, OrderState, TimeInForce } from './orders.ts'

let read: (orderHandle: KnownOrder) => Order

/**
 * An order as its strategy sees it: always the current state, and nothing that can be written. The
 * broker's own object stays out of reach, since its reserve and size decide about money.
 */
export class KnownOrder {
  readonly #order: Order
  static {
    read = (orderHandle) => orderHandle.#order
  }

  constructor(order: Order) {
    this.#order = order
    Object.freeze(this)
  }

  get id(): number {
    return this.#order.id
  }
  get market(): MarketIndex {
    return this.#order.market
  }
  get action(): 'buy' | 'sell' {
    return this.#order.action
  }
  get side(): Side {
    return this.#order.side
  }
  get size(): SizeE6 {
    return this.#order.size
  }
  /** Price of the traded side; null for a market order. */
  get limit(): PriceE4 | null {
    return this.#order.limit
  }
  get timeInForce(): TimeInForce {
    return this.#order.timeInForce
  }
  get postOnly(): boolean {
    return this.#order.postOnly
  }
  get tag(): string {
    return this.#order.tag
  }
  get decidedAt(): Millis {
    return this.#order.decidedAt
  }
  get arrivesAt(): Millis {
    return this.#order.arrivesAt
  }
  /** Best price of its side at the decision, for slippage; null without a book. */
  get decidedPrice(): PriceE4 | null {
    return this.#order.decidedPrice
  }
  get state(): OrderState {
    return this.#order.state
  }
  get end(): OrderEnd | null {
    return this.#order.end
  }
  get filled(): SizeE6 {
    return this.#order.filled
  }
}

/** An execution as its strategy sees it. */
export type KnownFill = Readonly<Omit<Fill, 'order'>> & { readonly order: KnownOrder }

const knownByOrder = new WeakMap<Order, KnownOrder>()

/** Returns the same object for each read of one order. */
export function knownOrder(order: Order): KnownOrder {
  const previous = knownByOrder.get(order)
  if (previous !== undefined) return previous
  const orderHandle = new KnownOrder(order)
  knownByOrder.set(order, orderHandle)
  return orderHandle
}

export const knownFill = (fill: Fill): KnownFill => ({ ...fill, order: knownOrder(fill.order) })

/** The broker's order. Throws TypeError for an object that no run has returned. */
export const internalOrder = (orderHandle: KnownOrder): Order => read(orderHandle)
