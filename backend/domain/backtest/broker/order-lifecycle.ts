import { feeOfFill, type FeeTerms } from '../../fees.ts'
import { boundedText } from '../../text/bounded-text.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import type { Account } from './account.ts'
import type { MarketIndex } from '../event-columns.ts'
import { otherSide, type FillModel } from './fill-model.ts'
import type { MarketBooks } from './market-books.ts'
import type { OpenOrders } from './open-orders.ts'
import { reserveOf } from './order-checks.ts'
import type { Fill, Order, OrderEnd } from './orders.ts'

export interface OrderLifecycleDeps {
  readonly model: FillModel
  readonly books: MarketBooks
  readonly account: Account
  readonly orders: OpenOrders
  /** Fee terms in force for a market. */
  readonly termsOf: (market: MarketIndex) => FeeTerms
  readonly onFill: (fill: Fill) => void
  /** Called for orders that end unfilled, in whole or in part. */
  readonly onEnd: (order: Order, at: Millis) => void
}

const ZERO_MONEY = 0 as MoneyE6
/** Longest tag, in characters. */
const TAG_LIMIT = 100
/** Distinct tags per run; orders with further tags are counted together. */
const MAX_TAGS = 1_000
const OTHER_TAGS = '(other tags)'

/** Ends orders and books their fills with fees. */
export class OrderLifecycle {
  readonly #deps: OrderLifecycleDeps
  readonly #tags = new Map<string, number>([['', 0]])

  constructor(deps: OrderLifecycleDeps) {
    this.#deps = deps
  }

  /** Tags of orders, by their number. */
  get tags(): readonly string[] {
    return [...this.#tags.keys()]
  }

  /** Number of an order's tag. */
  tagNumber(tag: string): number {
    if (tag === '') return 0
    const existing = this.#tags.get(tag)
    return existing ?? this.#newTag(tag)
  }

  #newTag(tag: unknown): number {
    const text = this.#tags.size < MAX_TAGS ? boundedText(String(tag), TAG_LIMIT) : OTHER_TAGS
    const existing = this.#tags.get(text)
    if (existing !== undefined) return existing
    this.#tags.set(text, this.#tags.size)
    return this.#tags.size - 1
  }

  /** Size of an order that may still be filled; a sell never exceeds the position. */
  fillable(order: Order): number {
    const open = order.size - order.filled
    if (order.action === 'buy') return open
    const net = this.#deps.account.net(order.market)
    return Math.min(open, order.side === 'yes' ? net : -net)
  }

  /** Books a fill of part of an order. @param yesPrice on the YES scale */
  fill(
    order: Order,
    at: Millis,
    yesPrice: number,
    filledSize: number,
    role: Fill['role'],
    isEstimated: boolean,
  ): void {
    const { account, orders, model, termsOf, onFill } = this.#deps
    const { market, action, side } = order
    const size = filledSize as SizeE6
    const price = (side === 'yes' ? yesPrice : 10_000 - yesPrice) as PriceE4
    const { fee, accumulator } = feeOfFill(
      termsOf(market),
      { at, side: action, role, price, size },
      order.accumulator,
      model.feeGrid,
    )
    order.accumulator = accumulator
    order.filled = (order.filled + size) as SizeE6
    const rest = (order.size - order.filled) as SizeE6
    const fill = { order, at, market, action, side, role, price, size, fee, isEstimated }
    if (action === 'sell') {
      account.sell(fill)
      orders.holdContracts(order, rest)
    } else {
      account.buy(fill, this.tagNumber(order.tag))
      orders.holdMoney(order, rest === 0 ? ZERO_MONEY : this.reserveFor(order, rest, at))
    }
    account.revalue(market)
    onFill(fill)
  }

  /** Money that the open rest of a buy reserves. */
  reserveFor(order: Order, size: SizeE6, at: Millis): MoneyE6 {
    const { model, termsOf } = this.#deps
    const price = order.side === 'yes' ? order.yesLimit : otherSide(order.yesLimit)
    return reserveOf(termsOf(order.market), { at, price, size }, model.feeGrid)
  }

  /** Ends an order that is completely filled. */
  endFilled(order: Order): void {
    order.state = 'filled'
    this.#deps.orders.release(order)
  }

  end(order: Order, state: 'cancelled' | 'rejected', orderEnd: OrderEnd, at: Millis): void {
    order.state = state
    order.end = orderEnd
    this.#deps.orders.release(order)
    this.#deps.onEnd(order, at)
  }
}
