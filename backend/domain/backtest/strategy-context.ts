import type { Timeframe } from '../prices/candle.ts'
import {
  cliffRatio,
  impliedYieldNo,
  impliedYieldYes,
  liquidityAdjustedSpread,
  tauAt,
} from '../prices/indicators.ts'
import type { MarketFacts, MarketStatus, Side, Ticker } from '../market.ts'
import { headlinePrice, markOf, spreadOf, usableBook } from '../prices/price.ts'
import { dollarsOf } from '../units.ts'
import type { Cents, Millis } from '../units.ts'
import type { Broker } from './broker/broker.ts'
import { ABSENT, type MarketIndex } from './event-columns.ts'
import { moneyOf } from './broker/fill-model.ts'
import type { CandleCache } from './candle-cache.ts'
import { TRADABLE } from './broker/market-books.ts'
import { knownOrder, internalOrder, type KnownOrder } from './broker/known-order.ts'
import type { Order, OrderRequest } from './broker/orders.ts'
import {
  centsOrNull,
  type KnownCandle,
  type KnownIndicators,
  type KnownLevel,
  type KnownPosition,
  type Run,
} from './strategy.ts'

/** The parts of a run that the context reads. */
export interface RunInternals {
  readonly now: Millis
  readonly from: Millis
  readonly to: Millis
  readonly broker: Broker
  readonly candles: ReadonlyMap<Timeframe, CandleCache>
  readonly listed: () => readonly MarketIndex[]
  readonly find: (ticker: Ticker) => MarketIndex | null
  readonly submit: (request: OrderRequest) => Order
  readonly cancel: (order: Order) => void
  readonly timer: (at: Millis, name: string) => void
  readonly every: (span: Millis, name: string) => void
  readonly random: () => number
  readonly note: (text: string) => void
}

const MAX_LEVELS = 5

/** The view that a strategy has of its run; see `Run`. */
export class StrategyContext implements Run {
  readonly #internals: RunInternals

  constructor(internals: RunInternals) {
    this.#internals = internals
  }

  get now(): Millis {
    return this.#internals.now
  }
  get from(): Millis {
    return this.#internals.from
  }
  get to(): Millis {
    return this.#internals.to
  }
  get cash(): number {
    return dollarsOf(this.#internals.broker.freeCash)
  }
  get equity(): number {
    return dollarsOf(this.#internals.broker.equity)
  }
  markets(): readonly MarketIndex[] {
    return this.#internals.listed()
  }
  find(ticker: Ticker): MarketIndex | null {
    return this.#internals.find(ticker)
  }
  facts(market: MarketIndex): MarketFacts {
    const facts = this.#internals.broker.facts(market)
    if (facts === null) throw new RangeError(`market ${market} is not listed by now`)
    return facts
  }
  status(market: MarketIndex): MarketStatus {
    this.facts(market)
    return this.#internals.broker.status(market) ?? 'upcoming'
  }
  isTradable(market: MarketIndex): boolean {
    return (this.#internals.broker.books.flags(market) & TRADABLE) !== 0
  }
  bid(market: MarketIndex): Cents | null {
    return centsOrNull(this.#internals.broker.books.bid(market))
  }
  ask(market: MarketIndex): Cents | null {
    return centsOrNull(this.#internals.broker.books.ask(market))
  }
  last(market: MarketIndex): Cents | null {
    return centsOrNull(this.#internals.broker.books.last(market))
  }

  levels(market: MarketIndex, side: 'bids' | 'asks'): KnownLevel[] {
    const { books } = this.#internals.broker
    const levels: KnownLevel[] = []
    for (let level = 0; level < MAX_LEVELS; level++) {
      const price = books.levelPrice(market, side, level)
      if (price === ABSENT) break
      const size = books.levelSize(market, side, level)
      levels.push({
        price: (price / 100) as Cents,
        contracts: Number.isNaN(size) ? null : size / 1e6,
      })
    }
    return levels
  }

  indicators(market: MarketIndex): KnownIndicators {
    const { closeTime } = this.facts(market)
    const bookTs = this.#internals.broker.books.bookTs(market)
    const last = this.last(market)
    const book = usableBook({
      bid: this.bid(market),
      ask: this.ask(market),
      ageMs: bookTs === -Infinity ? null : this.now - bookTs,
      paused: this.#internals.broker.status(market) === 'paused',
    })
    const { price } = headlinePrice({ last, ...book })
    const spread = book.bookValid ? spreadOf(book.bid, book.ask) : null
    const tau = tauAt(closeTime, this.now)
    return {
      price,
      spread,
      tau,
      mark: markOf({ price, ...book }),
      impliedYieldYes: impliedYieldYes(price, tau),
      impliedYieldNo: impliedYieldNo(price, tau),
      cliffRatio: cliffRatio(price),
      liquidityAdjustedSpread: liquidityAdjustedSpread(price, spread),
    }
  }

  candles(market: MarketIndex, timeframe: Timeframe, count: number): readonly KnownCandle[] {
    const candles = this.#internals.candles.get(timeframe)
    if (candles === undefined) {
      throw new RangeError(
        `bars of ${timeframe} are not available: declare candles: ['${timeframe}']`,
      )
    }
    return candles.endedBars(market, this.now, count)
  }

  position(market: MarketIndex): KnownPosition | null {
    const { positions } = this.#internals.broker
    const lots = positions.lots(market)
    const [first] = lots
    if (first === undefined) return null
    let [size, cost] = [0, 0]
    for (const lot of lots) {
      size += lot.size
      cost += moneyOf(lot.price, lot.size)
    }
    return { side: first.side, contracts: size / 1e6, entry: ((cost / size) * 100) as Cents }
  }
  positions(): readonly MarketIndex[] {
    return this.#internals.broker.positions.openMarkets()
  }
  openOrders(market: MarketIndex): readonly KnownOrder[] {
    return this.#internals.broker.openOrders(market).map(knownOrder)
  }

  order(request: OrderRequest): KnownOrder {
    return knownOrder(this.#internals.submit(request))
  }
  buy(market: MarketIndex, side: Side, contracts: number, limit?: number): KnownOrder {
    return this.order({ market, action: 'buy', side, contracts, limit: toCents(limit) })
  }
  sell(market: MarketIndex, side: Side, contracts: number, limit?: number): KnownOrder {
    return this.order({ market, action: 'sell', side, contracts, limit: toCents(limit) })
  }
  cancel(order: KnownOrder): void {
    this.#internals.cancel(internalOrder(order))
  }
  timer(at: number, name = ''): void {
    if (!(at > this.now)) throw new RangeError('a timer must be after now')
    this.#internals.timer(at as Millis, name)
  }
  every(span: number, name = ''): void {
    if (!(span >= 1_000)) throw new RangeError('a timer interval must be at least one second')
    this.#internals.every(span as Millis, name)
  }
  random(): number {
    return this.#internals.random()
  }
  note(text: string): void {
    this.#internals.note(text)
  }
}

const toCents = (limit: number | undefined): Cents | null =>
  limit === undefined ? null : (limit as Cents)
