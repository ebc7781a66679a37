import type { FeeTerms } from '../../fees.ts'
import type { MarketFacts, MarketStatus } from '../../market.ts'
import { sizeOfContracts } from '../../units.ts'
import type { Millis, MoneyE6, PriceE4 } from '../../units.ts'
import { descriptorOf } from '../../venue.ts'
import { Account, type AccountSettlement } from './account.ts'
import type { BookRows, MarketIndex } from '../event-columns.ts'
import type { FillModel } from './fill-model.ts'
import {
  BOOK_MATTERS,
  HELD,
  LISTED,
  MarketBooks,
  ORDERED,
  TRADABLE,
  TRADE_MATTERS,
  VALUED,
} from './market-books.ts'
import { newOrder } from './new-order.ts'
import { OpenOrders } from './open-orders.ts'
import { problemOfTerms } from './order-checks.ts'
import { OrderLifecycle } from './order-lifecycle.ts'
import { isAlive, type Fill, type Order, type OrderEnd, type OrderRequest } from './orders.ts'
import type { Positions } from './positions.ts'
import { MakerQueue } from './maker-queue.ts'
import { TakerMatching } from './taker-matching.ts'

/** Limit of open orders. It catches a strategy that submits orders without end. */
const MAX_OPEN = 10_000

export interface BrokerSetup {
  readonly markets: number
  readonly model: FillModel
  readonly startCash: MoneyE6
  /** Fee terms of a market; called on every description of the market. */
  readonly termsOf: (facts: MarketFacts) => FeeTerms
  readonly onFill: (fill: Fill) => void
  /** Called for orders that end unfilled, in whole or in part. */
  readonly onEnd: (order: Order, at: Millis) => void
}

/**
 * Books, orders, money and positions. The broker receives events and instants and has no clock, so
 * backtests and paper trading use the same code.
 */
export class Broker {
  readonly books: MarketBooks
  readonly model: FillModel
  readonly account: Account
  readonly #open: OpenOrders
  readonly #lifecycle: OrderLifecycle
  readonly #takerMatching: TakerMatching
  readonly #makerQueue: MakerQueue
  readonly #facts: (MarketFacts | undefined)[] = []
  readonly #status: MarketStatus[] = []
  readonly #terms: FeeTerms[] = []
  readonly #termsOf: (facts: MarketFacts) => FeeTerms
  #orders = 0

  constructor({ markets, model, startCash, termsOf, onFill, onEnd }: BrokerSetup) {
    this.model = model
    this.#termsOf = termsOf
    const books = new MarketBooks(markets, sizeOfContracts(model.assumedLevelContracts))
    const account = new Account(books, startCash)
    const orders = new OpenOrders(books)
    const lifecycle = new OrderLifecycle({
      model,
      books,
      account,
      orders,
      onFill,
      onEnd,
      termsOf: (market) => this.#terms[market] ?? null,
    })
    this.books = books
    this.account = account
    this.#open = orders
    this.#lifecycle = lifecycle
    this.#takerMatching = new TakerMatching(model, books, orders, lifecycle)
    this.#makerQueue = new MakerQueue(model, books, orders, lifecycle)
  }

  get positions(): Positions {
    return this.account.positions
  }
  get cash(): MoneyE6 {
    return this.account.cash
  }
  /** Cash that is not reserved by open orders. */
  get freeCash(): MoneyE6 {
    return (this.account.cash - this.#open.reserved) as MoneyE6
  }
  /** Cash plus the liquidation value of all positions. */
  get equity(): MoneyE6 {
    return this.account.equity
  }
  /** Deepest drawdown as a share of the peak equity, measured at every event. */
  get deepestDrawdown(): number {
    return this.account.deepestDrawdown
  }
  get fees(): MoneyE6 {
    return this.account.fees
  }
  get orderCount(): number {
    return this.#orders
  }
  /** Tags of orders, by their number. */
  get tags(): readonly string[] {
    return this.#lifecycle.tags
  }
  /** Number of an order's tag. */
  tagNumber(tag: string): number {
    return this.#lifecycle.tagNumber(tag)
  }

  facts(market: MarketIndex): MarketFacts | null {
    return this.#facts[market] ?? null
  }
  status(market: MarketIndex): MarketStatus | null {
    return this.#status[market] ?? null
  }
  /** Positive for YES, negative for NO; 1e-6 contracts. */
  net(market: MarketIndex): number {
    return this.account.net(market)
  }
  openOrders(market: MarketIndex): readonly Order[] {
    return this.#open.get(market)
  }

  /** Makes room for `markets` markets in total. */
  grow(markets: number): void {
    this.books.grow(markets)
  }

  /** Stores a venue's description of a market and its status by the timetable. */
  describe(market: MarketIndex, facts: MarketFacts, status: MarketStatus, at: Millis): void {
    this.#facts[market] = facts
    this.#terms[market] = this.#termsOf(facts)
    this.books.raise(market, LISTED)
    this.setStatus(market, status, at)
  }

  setStatus(market: MarketIndex, status: MarketStatus, at: Millis): void {
    this.#status[market] = status
    this.books.markUneven(market)
    if (status === 'active') return this.books.raise(market, TRADABLE | VALUED)
    this.books.lower(market, TRADABLE | VALUED)
    if (status === 'paused') {
      this.books.raise(market, VALUED)
      const venue = this.#facts[market]?.venue
      if (venue !== undefined && descriptorOf(venue).pauseCancelsOrders) {
        this.#endAll(market, 'market paused', at)
      }
    } else if (status !== 'upcoming') {
      this.#endAll(market, status === 'settled' ? 'market settled' : 'market closed', at)
    }
  }

  /** Applies a quote; returns false for a market that is not listed yet. */
  quote(
    at: Millis,
    market: MarketIndex,
    ts: number,
    bid: number,
    bidSize: number,
    ask: number,
    askSize: number,
  ): boolean {
    if ((this.books.flags(market) & LISTED) === 0) return false
    this.books.quote(market, ts, bid, bidSize, ask, askSize)
    if ((this.books.flags(market) & BOOK_MATTERS) !== 0) this.matchBook(at, market, ts)
    return true
  }

  /** Applies a book of five levels; returns false for a market that is not listed yet. */
  book(at: Millis, market: MarketIndex, ts: number, rows: BookRows, row: number): boolean {
    if ((this.books.flags(market) & LISTED) === 0) return false
    this.books.book(market, ts, rows, row)
    if ((this.books.flags(market) & BOOK_MATTERS) !== 0) this.matchBook(at, market, ts)
    return true
  }

  /** Matches orders and revalues the position after a book has changed. */
  matchBook(at: Millis, market: MarketIndex, ts: number): void {
    const flags = this.books.flags(market)
    if ((flags & ORDERED) !== 0 && (flags & TRADABLE) !== 0) {
      for (const order of this.#open.get(market)) {
        if (order.state === 'waiting') {
          if (ts >= order.arrivesAt) this.#takerMatching.matchBook(order, at, ts)
        } else if (order.state === 'resting') this.#makerQueue.matchBook(order)
      }
    }
    if ((flags & HELD) !== 0) this.account.revalue(market)
  }

  /**
   * Applies a public trade. @param taker 0 unknown, 1 YES, 2 NO; @param size NaN for a bar's close
   */
  trade(at: Millis, market: MarketIndex, ts: number, price: number, size: number, taker: number) {
    const flags = this.books.flags(market)
    if ((flags & LISTED) === 0) return false
    if ((flags & TRADE_MATTERS) !== 0) this.matchTrade(at, market, ts, price, size, taker)
    else this.account.applyPrice(market, price)
    return true
  }

  /** Applies a trade to a market that has orders or an uneven position (`TRADE_MATTERS`). */
  matchTrade(
    at: Millis,
    market: MarketIndex,
    ts: number,
    price: number,
    size: number,
    taker: number,
  ): void {
    this.books.trade(market, price)
    const flags = this.books.flags(market)
    if ((flags & ORDERED) !== 0 && (flags & TRADABLE) !== 0) {
      const hasBook = this.books.bookTs(market) !== -Infinity
      if (!hasBook) this.#matchLastPrice(market, at, ts, price)
      if (size > 0 && this.#open.oldest(market) !== null) {
        this.#makerQueue.matchTrade(market, at, ts, { price, size, taker, hasBook })
      }
    }
    this.account.revalue(market)
  }

  /**
   * Accepts an order; its state shows whether it was refused at once. Throws for an invalid
   * request.
   */
  submit(request: OrderRequest, at: Millis): Order {
    if (this.#facts[request.market] === undefined) {
      throw new RangeError(`no market ${request.market} is listed at this instant`)
    }
    const order = newOrder(request, this.#orders + 1, at, this.books, this.model)
    this.#orders++
    this.#open.send()
    const refusal = this.#refusalOf(order, at)
    if (refusal !== null) this.#lifecycle.end(order, 'rejected', refusal, at)
    return order
  }

  /** An order reaches the venue. */
  arrive(order: Order, at: Millis): void {
    if (order.state !== 'sent') return
    const { market } = order
    if ((this.books.flags(market) & TRADABLE) === 0) {
      return this.#lifecycle.end(order, 'rejected', 'market is not open', at)
    }
    order.state = 'waiting'
    this.#open.add(order)
    if (!this.model.waitsForNextBook) {
      const age = at - this.books.bookTs(market)
      const maxQuoteAge = this.model.longestQuoteAgeMs
      if (maxQuoteAge !== null && age > maxQuoteAge) {
        return this.#lifecycle.end(order, 'cancelled', 'quote is too old', at)
      }
      this.#takerMatching.matchBook(order, at, at)
    } else if (this.books.bookTs(market) >= order.arrivesAt) {
      this.#takerMatching.matchBook(order, at, this.books.bookTs(market))
    }
  }

  /** Applies a cancel that reaches the venue. */
  cancel(order: Order, orderEnd: OrderEnd, at: Millis): void {
    if (isAlive(order)) this.#lifecycle.end(order, 'cancelled', orderEnd, at)
  }

  /**
   * Pays out a position; returns null when nothing was held. @param price of YES; null returns the
   * cost
   */
  settle(market: MarketIndex, price: PriceE4 | null, at: Millis): AccountSettlement | null {
    return this.account.settle(market, price, at)
  }

  /** Ends all open orders. */
  finish(at: Millis): void {
    for (let m = 0; m < this.books.count; m++) this.#endAll(m, 'run ended', at)
  }

  #refusalOf(order: Order, at: Millis): OrderEnd | null {
    const { market, size, side, action } = order
    const problem = problemOfTerms(order, this.#facts[market] as MarketFacts, this.model)
    if (problem !== null) return problem
    if ((this.books.flags(market) & TRADABLE) === 0) return 'market is not open'
    if (this.#open.alive > MAX_OPEN) return 'too many open orders'
    if (action === 'sell') {
      const position = side === 'yes' ? this.net(market) : -this.net(market)
      if (position - this.books.selling(market) < size) return 'insufficient position'
      this.#open.holdContracts(order, size)
      return null
    }
    const reserve = this.#lifecycle.reserveFor(order, size, at)
    if (reserve > this.freeCash) return 'insufficient balance'
    this.#open.holdMoney(order, reserve)
    return null
  }

  #matchLastPrice(market: MarketIndex, at: Millis, ts: number, price: number): void {
    let order = this.#open.oldest(market)
    while (order !== null) {
      const { next } = order
      if (order.state === 'waiting' && ts >= order.arrivesAt) {
        this.#takerMatching.matchLastPrice(order, at, ts, price)
      }
      order = next
    }
  }

  #endAll(market: MarketIndex, orderEnd: OrderEnd, at: Millis): void {
    for (const order of this.#open.get(market))
      this.#lifecycle.end(order, 'cancelled', orderEnd, at)
  }
}
