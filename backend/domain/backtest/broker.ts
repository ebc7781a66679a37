import { feeOfFill, type FeeTerms } from '../fees.ts'
import type { MarketFacts, MarketStatus } from '../market.ts'
import { priceOfCents, sizeOfContracts } from '../units.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { ABSENT, type BookRows, type MarketIndex } from './event-columns.ts'
import { moneyOf, otherSide, type FillModel } from './fill-model.ts'
import { HELD, LISTED, MarketBooks, ORDERED, TRADABLE, type BookSide } from './market-books.ts'
import { isOnGrid, reserveOf } from './order-checks.ts'
import type { Fill, Order, OrderEnd, OrderRequest } from './orders.ts'
import { Positions } from './positions.ts'

/** Orders that may be open at once, so that a strategy that runs away is told so. */
const MOST_OPEN = 10_000
const HIGHEST = 9_999 as PriceE4
const LOWEST = 1 as PriceE4

export interface BrokerSetup {
  readonly markets: number
  readonly model: FillModel
  readonly startCash: MoneyE6
  /** Terms in force of a market. */
  readonly termsOf: (facts: MarketFacts) => FeeTerms
  readonly onFill: (fill: Fill) => void
  /** Hears of orders that end unfilled, in whole or in part. */
  readonly onEnd: (order: Order, at: Millis) => void
}

/** What a settlement did to a held position. */
export interface Settled {
  readonly market: MarketIndex
  readonly at: Millis
  /** What YES paid; null for a void. */
  readonly price: PriceE4 | null
  /** YES above zero, NO below, 1e-6 contracts. */
  readonly net: number
  readonly paid: MoneyE6
}

/**
 * Books, orders, money and positions: what orders meet and what they come to. It is told events and
 * instants and keeps no clock, so that a backtest and the paper broker are the same.
 */
export class Broker {
  readonly books: MarketBooks
  readonly positions = new Positions()
  readonly model: FillModel
  readonly #setup: BrokerSetup
  readonly #facts: (MarketFacts | undefined)[] = []
  readonly #status: MarketStatus[] = []
  readonly #open = new Map<MarketIndex, Order[]>()
  /** Orders on their way and open ones. */
  #alive = 0
  #net: Float64Array
  /** Contracts that sells hold back, those on their way too. */
  readonly #sold = new Map<MarketIndex, number>()
  readonly #settled = new Map<MarketIndex, { net: number; price: PriceE4 }>()
  #orders = 0
  #cash: number
  #reserved = 0
  #value = 0
  #peak: number
  #deepest = 0
  #fees = 0
  readonly #tags = new Map<string, number>([['', 0]])

  constructor(setup: BrokerSetup) {
    this.#setup = setup
    this.model = setup.model
    this.books = new MarketBooks(setup.markets, sizeOfContracts(setup.model.assumedLevelContracts))
    this.#net = new Float64Array(setup.markets)
    this.#cash = setup.startCash
    this.#peak = setup.startCash
  }

  get cash(): MoneyE6 {
    return this.#cash as MoneyE6
  }
  /** Cash that no open order holds back. */
  get freeCash(): MoneyE6 {
    return (this.#cash - this.#reserved) as MoneyE6
  }
  /** Cash and what positions would bring now. */
  get equity(): MoneyE6 {
    return (this.#cash + this.#value) as MoneyE6
  }
  /** Largest share of the highest equity that was ever lost, event by event. */
  get deepestDrawdown(): number {
    return this.#deepest
  }
  get fees(): MoneyE6 {
    return this.#fees as MoneyE6
  }
  get orderCount(): number {
    return this.#orders
  }
  /** Texts of orders, by their number. */
  get tags(): readonly string[] {
    return [...this.#tags.keys()]
  }

  facts(market: MarketIndex): MarketFacts | null {
    return this.#facts[market] ?? null
  }
  status(market: MarketIndex): MarketStatus | null {
    return this.#status[market] ?? null
  }
  /** YES above zero, NO below, 1e-6 contracts. */
  net(market: MarketIndex): number {
    return this.#net[market] ?? 0
  }
  openOrders(market: MarketIndex): readonly Order[] {
    return this.#open.get(market) ?? []
  }

  /** Makes room for `markets` in all. */
  grow(markets: number): void {
    this.books.grow(markets)
    const net = new Float64Array(Math.max(markets, this.#net.length))
    net.set(this.#net)
    this.#net = net
  }

  /** Takes what the venue says of a market and how it stands by its timetable. */
  describe(market: MarketIndex, facts: MarketFacts, status: MarketStatus, at: Millis): void {
    this.#facts[market] = facts
    this.books.raise(market, LISTED)
    this.setStatus(market, status, at)
  }

  setStatus(market: MarketIndex, status: MarketStatus, at: Millis): void {
    this.#status[market] = status
    if (status === 'active') return this.books.raise(market, TRADABLE)
    this.books.lower(market, TRADABLE)
    if (status === 'paused') {
      if (this.#facts[market]?.venue === 'venue_a') this.#endAll(market, 'market paused', at)
    } else if (status !== 'upcoming') {
      this.#endAll(market, status === 'settled' ? 'market settled' : 'market closed', at)
    }
  }

  /** A quote; false for a market that is not listed yet. */
  quote(
    at: Millis,
    market: MarketIndex,
    ts: number,
    bid: number,
    bidSize: number,
    ask: number,
    askSize: number,
  ): boolean {
    const flags = this.books.flags(market)
    if ((flags & LISTED) === 0) return false
    this.books.quote(market, ts, bid, bidSize, ask, askSize)
    if ((flags & (ORDERED | HELD)) !== 0) this.#bookMoved(market, at, ts, flags)
    return true
  }

  /** A book of five levels; false for a market that is not listed yet. */
  book(at: Millis, market: MarketIndex, ts: number, rows: BookRows, row: number): boolean {
    const flags = this.books.flags(market)
    if ((flags & LISTED) === 0) return false
    this.books.book(market, ts, rows, row)
    if ((flags & (ORDERED | HELD)) !== 0) this.#bookMoved(market, at, ts, flags)
    return true
  }

  /** A trade of others. @param taker 0 unknown, 1 YES, 2 NO; @param size NaN for a bar's close */
  trade(at: Millis, market: MarketIndex, ts: number, price: number, size: number, taker: number) {
    const flags = this.books.flags(market)
    if ((flags & LISTED) === 0) return false
    this.books.trade(market, price)
    if ((flags & ORDERED) !== 0 && (flags & TRADABLE) !== 0) {
      this.#meetTrade(market, at, ts, price, size, taker)
    }
    if ((flags & HELD) !== 0) this.#revalue(market)
    return true
  }

  /** Takes an order; its state says whether it was refused at once. Throws for what is no order. */
  submit(request: OrderRequest, at: Millis): Order {
    const { market, action, side } = request
    if (this.#facts[market] === undefined) {
      throw new RangeError(`no market ${market} is listed at this instant`)
    }
    if (!(request.contracts > 0) || !Number.isFinite(request.contracts)) {
      throw new RangeError(`contracts must be above 0, was ${request.contracts}`)
    }
    const limit = request.limit === null ? null : priceOfCents(request.limit)
    if (limit !== null && Number.isNaN(limit)) throw new RangeError('limit is no number of cents')
    const takesAsks = (action === 'buy') === (side === 'yes')
    const decided = takesAsks ? this.books.ask(market) : this.books.bid(market)
    const onSide = (price: PriceE4): PriceE4 => (side === 'yes' ? price : otherSide(price))
    const order: Order = {
      ...{ id: ++this.#orders, market, action, side, limit, takesAsks },
      size: sizeOfContracts(request.contracts),
      timeInForce:
        limit === null && request.timeInForce !== 'fok' ? 'ioc' : (request.timeInForce ?? 'gtc'),
      ...{ postOnly: request.postOnly ?? false, tag: request.tag ?? '', decidedAt: at },
      arrivesAt: (at + this.model.latencyMs + this.model.takerDelayMs) as Millis,
      decidedPrice: decided === ABSENT ? null : onSide(decided as PriceE4),
      ...{ state: 'sent', end: null, filled: 0 as SizeE6, queueAhead: Infinity, fills: 0 },
      yesLimit: limit === null ? (takesAsks ? HIGHEST : LOWEST) : onSide(limit),
      ...{ accumulator: 0 as MoneyE6, reserved: 0 as MoneyE6, held: 0 as SizeE6 },
      restsSince: Infinity,
    }
    this.#alive++
    const refusal = this.#refusalOf(order, at)
    if (refusal !== null) this.#end(order, 'rejected', refusal, at)
    return order
  }

  /** An order reaches the venue. */
  arrive(order: Order, at: Millis): void {
    if (order.state !== 'sent') return
    const { market } = order
    if ((this.books.flags(market) & TRADABLE) === 0) {
      return this.#end(order, 'rejected', 'market is not open', at)
    }
    order.state = 'waiting'
    this.#add(order)
    if (!this.model.waitsForNextBook) {
      const age = at - this.books.bookTs(market)
      const longest = this.model.longestQuoteAgeMs
      if (longest !== null && age > longest) {
        return this.#end(order, 'cancelled', 'quote is too old', at)
      }
      this.#execute(order, at, at)
    } else if (this.books.bookTs(market) >= order.arrivesAt) {
      this.#execute(order, at, this.books.bookTs(market))
    }
  }

  /** A cancel reaches the venue. */
  cancel(order: Order, why: OrderEnd, at: Millis): void {
    if (isAlive(order)) this.#end(order, 'cancelled', why, at)
  }

  /** Pays a position out; null where nothing was held. @param price of YES, null returns cost */
  settle(market: MarketIndex, price: PriceE4 | null, at: Millis): Settled | null {
    const before = this.#settled.get(market)
    if (before !== undefined && price !== null) return this.#amend(market, before, price, at)
    const net = this.net(market)
    if (net === 0) return null
    let paid: MoneyE6
    if (price === null) paid = this.positions.void(market, at)
    else {
      const own = net > 0 ? price : otherSide(price)
      paid = moneyOf(own, Math.abs(net) as SizeE6)
      const end = { at, how: 'settled' as const }
      this.positions.close(market, Math.abs(net) as SizeE6, own, 0 as MoneyE6, end)
      this.#settled.set(market, { net, price })
    }
    this.#cash += paid
    this.#setNet(market, 0)
    this.#value -= this.books.value(market)
    this.books.setValue(market, 0)
    this.#noteEquity()
    return { market, at, price, net, paid }
  }

  /** Ends all that is open. */
  finish(at: Millis): void {
    for (const market of [...this.#open.keys()]) this.#endAll(market, 'run ended', at)
  }

  #amend(
    market: MarketIndex,
    before: { net: number; price: PriceE4 },
    price: PriceE4,
    at: Millis,
  ): Settled | null {
    if (before.price === price) return null
    const isYes = before.net > 0
    const own = (p: PriceE4): PriceE4 => (isYes ? p : otherSide(p))
    const size = Math.abs(before.net) as SizeE6
    const lot = { isYes, size, from: own(before.price), to: own(price), at }
    const paid = this.positions.amend(market, lot)
    this.#cash += paid
    this.#settled.set(market, { net: before.net, price })
    this.#noteEquity()
    return { market, at, price, net: before.net, paid }
  }

  #refusalOf(order: Order, at: Millis): OrderEnd | null {
    const { market, limit, size, action } = order
    const facts = this.#facts[market] as MarketFacts
    if (limit !== null && (limit <= 0 || limit >= 10_000)) {
      return 'price is not between 0 and 100 cents'
    }
    if (limit !== null && !isOnGrid(order.yesLimit, facts.priceRanges))
      return 'price is off the grid'
    if (size < sizeOfContracts(this.model.leastContracts)) return 'size is below the least'
    if ((this.books.flags(market) & TRADABLE) === 0) return 'market is not open'
    if (this.#alive > MOST_OPEN) return 'too many open orders'
    if (action === 'sell') {
      const held = order.side === 'yes' ? this.net(market) : -this.net(market)
      if (held - this.#selling(market) < size) return 'position is too small'
      this.#holdContracts(order, size)
      return null
    }
    const reserve = this.#reserveFor(order, size, at)
    if (reserve > this.freeCash) return 'balance is too small'
    order.reserved = reserve
    this.#reserved += reserve
    return null
  }

  #selling(market: MarketIndex): number {
    return this.#sold.get(market) ?? 0
  }

  #reserveFor(order: Order, size: SizeE6, at: Millis): MoneyE6 {
    const terms = this.#setup.termsOf(this.#facts[order.market] as MarketFacts)
    const price = order.limit ?? this.#protectedPrice(order)
    return reserveOf(terms, { at, price, size }, this.model.feeGrid)
  }

  /** Dearest price of its own side that a market order may pay, as its touch stands. */
  #protectedPrice(order: Order): PriceE4 {
    const yes = this.#protectedLimit(order)
    return order.side === 'yes' ? yes : otherSide(yes)
  }

  #protectedLimit({ market, takesAsks }: Order): PriceE4 {
    const touch = takesAsks ? this.books.ask(market) : this.books.bid(market)
    if (touch === ABSENT) return takesAsks ? HIGHEST : LOWEST
    const moved = touch + (takesAsks ? 1 : -1) * priceOfCents(this.model.protectionCents)
    return Math.min(HIGHEST, Math.max(LOWEST, moved)) as PriceE4
  }

  #bookMoved(market: MarketIndex, at: Millis, ts: number, flags: number): void {
    if ((flags & ORDERED) !== 0 && (flags & TRADABLE) !== 0) {
      for (const order of [...this.openOrders(market)]) {
        if (order.state === 'waiting') {
          if (ts >= order.arrivesAt) this.#execute(order, at, ts)
        } else if (order.state === 'resting') {
          const side: BookSide = order.takesAsks ? 'bids' : 'asks'
          const shown = this.books.sizeAt(market, side, order.yesLimit)
          if (shown < order.queueAhead) order.queueAhead = shown
        }
      }
    }
    if ((flags & HELD) !== 0) this.#revalue(market)
  }

  /** Meets the book as it stands: takes what its limit allows, and rests or ends with the rest. */
  #execute(order: Order, at: Millis, ts: number): void {
    const { market, takesAsks } = order
    const side: BookSide = takesAsks ? 'asks' : 'bids'
    if (order.limit === null) order.yesLimit = this.#protectedLimit(order)
    const sign = takesAsks ? 1 : -1
    const touch = this.books.levelPrice(market, side, 0)
    const takes = touch !== ABSENT && sign * (order.yesLimit - touch) >= 0
    if (order.postOnly && takes) return this.#end(order, 'rejected', 'post-only would take', at)
    if (this.#crossesOwn(order)) return this.#end(order, 'cancelled', 'crosses an own order', at)
    if (takes && this.#mayTake(order, side, sign)) {
      for (let level = 0; level < this.model.levels && order.filled < order.size; level++) {
        const price = this.books.levelPrice(market, side, level)
        if (price === ABSENT || sign * (order.yesLimit - price) < 0) break
        const size = Math.min(this.books.available(market, side, level), this.#fillable(order))
        if (size <= 0) continue
        const isEstimated = Number.isNaN(this.books.levelSize(market, side, level))
        this.books.take(market, side, level, size as SizeE6)
        this.#fill(order, { at, price, size, role: 'taker', isEstimated })
      }
    }
    this.#afterTaking(order, at, ts)
  }

  /** Whole or not at all, where that was asked. */
  #mayTake(order: Order, side: BookSide, sign: number): boolean {
    if (order.timeInForce !== 'fok') return true
    let found = 0
    for (let level = 0; level < this.model.levels; level++) {
      const price = this.books.levelPrice(order.market, side, level)
      if (price === ABSENT || sign * (order.yesLimit - price) < 0) break
      found += this.books.available(order.market, side, level)
    }
    return found >= order.size && this.#fillable(order) >= order.size
  }

  /** Where no book is on file: the last price, worse by what that is assumed to cost. */
  #executeWithoutBook(order: Order, at: Millis, ts: number, last: number): void {
    const { takesAsks } = order
    const sign = takesAsks ? 1 : -1
    const cost = priceOfCents(this.model.noBookCents)
    const price = Math.min(HIGHEST, Math.max(LOWEST, last + sign * cost))
    const takes = order.limit === null || sign * (order.yesLimit - price) >= 0
    if (order.postOnly && takes) return this.#end(order, 'rejected', 'post-only would take', at)
    if (this.#crossesOwn(order)) return this.#end(order, 'cancelled', 'crosses an own order', at)
    const most = Math.min(sizeOfContracts(this.model.assumedLevelContracts), this.#fillable(order))
    const isEnough = order.timeInForce !== 'fok' || most >= order.size
    if (takes && isEnough && most > 0) {
      this.#fill(order, { at, price, size: most, role: 'taker', isEstimated: true })
    }
    this.#afterTaking(order, at, ts)
  }

  #afterTaking(order: Order, at: Millis, ts: number): void {
    if (order.filled >= order.size) return this.#done(order)
    if (order.action === 'sell' && this.#fillable(order) <= 0) {
      return this.#end(order, 'cancelled', 'position is too small', at)
    }
    if (!this.model.rests || order.timeInForce !== 'gtc') {
      const why = order.filled > 0 ? 'rest of a take' : 'nothing to take'
      return this.#end(order, 'cancelled', why, at)
    }
    order.state = 'resting'
    order.restsSince = ts
    const side: BookSide = order.takesAsks ? 'bids' : 'asks'
    const hasBook = this.books.bookTs(order.market) !== -Infinity
    order.queueAhead = hasBook ? this.books.sizeAt(order.market, side, order.yesLimit) : Infinity
  }

  /** What of an order may still be filled: a sell never more than is held. */
  #fillable(order: Order): number {
    const open = order.size - order.filled
    if (order.action === 'buy') return open
    const net = this.net(order.market)
    return Math.min(open, order.side === 'yes' ? net : -net)
  }

  #crossesOwn(order: Order): boolean {
    return this.openOrders(order.market).some(
      (other) =>
        other.state === 'resting' &&
        other.takesAsks !== order.takesAsks &&
        (order.takesAsks ? order.yesLimit >= other.yesLimit : order.yesLimit <= other.yesLimit),
    )
  }

  /** Resting orders that a trade of others reaches, best price first, then the older. */
  #meetTrade(
    market: MarketIndex,
    at: Millis,
    ts: number,
    price: number,
    size: number,
    taker: number,
  ): void {
    const hasBook = this.books.bookTs(market) !== -Infinity
    const open = this.openOrders(market)
    if (!hasBook) {
      for (const order of [...open]) {
        if (order.state === 'waiting' && ts >= order.arrivesAt) {
          this.#executeWithoutBook(order, at, ts, price)
        }
      }
    }
    if (!(size > 0)) return
    for (const takesAsks of [true, false]) {
      const sign = takesAsks ? 1 : -1
      const queue = this.openOrders(market)
        .filter((order) => order.state === 'resting' && order.takesAsks === takesAsks)
        .filter((order) => order.restsSince <= ts && sign * (order.yesLimit - price) >= 0)
        .sort((a, b) => sign * (b.yesLimit - a.yesLimit) || a.id - b.id)
      let used = 0
      for (const order of queue) {
        const isThrough = order.yesLimit !== price
        const reach = this.#reachOf({ hasBook, isThrough, takesAsks }, size, taker)
        const ahead = isThrough ? 0 : order.queueAhead
        const part = Math.min(this.#fillable(order), Math.max(0, reach - ahead - used))
        if (!isThrough) order.queueAhead = Math.max(0, order.queueAhead - reach)
        if (part <= 0) continue
        used += part
        const estimated = !hasBook || taker === 0
        this.#fill(order, { at, price: order.yesLimit, size: part, role: 'maker', isEstimated: estimated }) // prettier-ignore
        if (order.filled >= order.size) this.#done(order)
      }
    }
  }

  /** How much of a trade can meet resting orders of a side, whole 1e-6 contracts. */
  #reachOf(
    order: { hasBook: boolean; isThrough: boolean; takesAsks: boolean },
    size: number,
    taker: number,
  ): number {
    if (!order.hasBook) {
      return order.isThrough ? Math.floor(size * this.model.noBookShare) : 0
    }
    if (order.isThrough) return size
    if (taker === 0) return Math.floor(size * this.model.unknownTakerShare)
    // Bids are met by takers of NO, who sell YES.
    return (taker === 2) === order.takesAsks ? size : 0
  }

  #fill(
    order: Order,
    part: {
      at: Millis
      price: number
      size: number
      role: 'taker' | 'maker'
      isEstimated: boolean
    },
  ): void {
    const { market, action, side } = order
    const { at, role, isEstimated } = part
    const size = part.size as SizeE6
    const price = (side === 'yes' ? part.price : 10_000 - part.price) as PriceE4
    const terms = this.#setup.termsOf(this.#facts[market] as MarketFacts)
    const { fee, accumulator } = feeOfFill(
      terms,
      { at, side: action, role, price, size },
      order.accumulator,
      this.model.feeGrid,
    )
    order.accumulator = accumulator
    order.filled = (order.filled + size) as SizeE6
    order.fills++
    this.#fees += fee
    const net = this.net(market)
    const sign = side === 'yes' ? 1 : -1
    const end = { at, how: 'traded' as const }
    if (action === 'sell') {
      this.#cash += moneyOf(price, size) - fee
      this.positions.close(market, size, price, fee, end)
      this.#holdContracts(order, (order.size - order.filled) as SizeE6)
      this.#setNet(market, net - sign * size)
    } else {
      const closing = Math.min(size, Math.max(0, -sign * net)) as SizeE6
      const opening = (size - closing) as SizeE6
      const closingFee = (opening === 0 ? fee : Math.round(fee * (closing / size))) as MoneyE6
      const openingFee = (fee - closingFee) as MoneyE6
      if (closing > 0) {
        this.#cash += moneyOf(otherSide(price), closing) - closingFee
        this.positions.close(market, closing, otherSide(price), closingFee, end)
      }
      if (opening > 0) {
        this.#cash -= moneyOf(price, opening) + openingFee
        const tag = this.tagNumber(order.tag)
        const lot = { side, bought: opening, size: opening, price, fee: openingFee, tag }
        this.positions.open(market, { ...lot, openedAt: at })
      }
      this.#setNet(market, net + sign * size)
      this.#holdBack(order, at)
    }
    this.#revalue(market)
    this.#setup.onFill({ order, at, market, action, side, role, price, size, fee, isEstimated })
  }

  /** Number of an order's text. */
  tagNumber(tag: string): number {
    const known = this.#tags.get(tag)
    if (known !== undefined) return known
    this.#tags.set(tag, this.#tags.size)
    return this.#tags.size - 1
  }

  /** Money that the rest of a buy holds back. */
  #holdBack(order: Order, at: Millis): void {
    const rest = (order.size - order.filled) as SizeE6
    const reserve = rest === 0 ? (0 as MoneyE6) : this.#reserveFor(order, rest, at)
    this.#reserved += reserve - order.reserved
    order.reserved = reserve
  }

  #holdContracts(order: Order, size: SizeE6): void {
    const held = this.#selling(order.market) + size - order.held
    order.held = size
    if (held === 0) this.#sold.delete(order.market)
    else this.#sold.set(order.market, held)
  }

  #setNet(market: MarketIndex, net: number): void {
    this.#net[market] = net
    if (net === 0) this.books.lower(market, HELD)
    else this.books.raise(market, HELD)
  }

  /** What a position would bring at the other side of the book; a market that is closed keeps its value. */
  #revalue(market: MarketIndex): void {
    const net = this.net(market)
    const books = this.books
    const isOpen = (books.flags(market) & TRADABLE) !== 0
    if (net !== 0 && !isOpen && this.#status[market] !== 'paused') return
    const value = net === 0 ? 0 : this.#valueOf(market, net)
    this.#value += value - books.value(market)
    books.setValue(market, value)
    this.#noteEquity()
  }

  #valueOf(market: MarketIndex, net: number): number {
    const size = Math.abs(net) as SizeE6
    const quoted = net > 0 ? this.books.bid(market) : this.books.ask(market)
    const yes = quoted === ABSENT ? this.books.last(market) : quoted
    if (yes !== ABSENT) return moneyOf(net > 0 ? yes : 10_000 - yes, size)
    let cost = 0
    for (const lot of this.positions.lots(market)) cost += moneyOf(lot.price, lot.size)
    return cost
  }

  #noteEquity(): void {
    const equity = this.#cash + this.#value
    if (equity > this.#peak) this.#peak = equity
    else if (this.#peak > 0) {
      const lost = 1 - equity / this.#peak
      if (lost > this.#deepest) this.#deepest = lost
    }
  }

  #add(order: Order): void {
    const open = this.#open.get(order.market)
    if (open === undefined) this.#open.set(order.market, [order])
    else open.push(order)
    this.books.raise(order.market, ORDERED)
  }

  #done(order: Order): void {
    order.state = 'filled'
    this.#release(order)
  }

  #end(order: Order, state: 'cancelled' | 'rejected', why: OrderEnd, at: Millis): void {
    order.state = state
    order.end = why
    this.#release(order)
    this.#setup.onEnd(order, at)
  }

  #release(order: Order): void {
    this.#alive--
    this.#reserved -= order.reserved
    order.reserved = 0 as MoneyE6
    if (order.held > 0) this.#holdContracts(order, 0 as SizeE6)
    const open = this.#open.get(order.market)
    const at = open?.indexOf(order) ?? -1
    if (open === undefined || at < 0) return
    open.splice(at, 1)
    if (open.length > 0) return
    this.#open.delete(order.market)
    this.books.lower(order.market, ORDERED)
  }

  #endAll(market: MarketIndex, why: OrderEnd, at: Millis): void {
    for (const order of [...this.openOrders(market)]) this.#end(order, 'cancelled', why, at)
  }
}

/** Whether an order can still be filled. */
export const isAlive = ({ state }: Order): boolean =>
  state === 'sent' || state === 'waiting' || state === 'resting'
