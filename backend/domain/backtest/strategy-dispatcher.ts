import type { Millis } from '../units.ts'
import { ABSENT, type BarRows, type MarketIndex, type TradeRows } from './event-columns.ts'
import type { MarketBooks } from './broker/market-books.ts'
import type { BacktestState } from './backtest-state.ts'
import { MarketEvent, type Run, type Strategy } from './strategy.ts'

export const EVENTS_PER_HEARTBEAT = 64

/** Dispatches events to a strategy. One event object is reused for all of them. */
export class StrategyDispatcher {
  readonly #state: BacktestState
  readonly #books: MarketBooks
  readonly strategy: Strategy
  readonly receives: boolean
  readonly run: Run
  readonly #onHeartbeat: ((events: number, now: Millis) => void) | undefined
  readonly event = new MarketEvent()

  constructor(deps: {
    readonly state: BacktestState
    readonly books: MarketBooks
    readonly strategy: Strategy
    readonly run: Run
    readonly onHeartbeat: ((events: number, now: Millis) => void) | undefined
  }) {
    this.#state = deps.state
    this.#books = deps.books
    this.strategy = deps.strategy
    this.receives = deps.strategy.onEvent !== undefined
    this.run = deps.run
    this.#onHeartbeat = deps.onHeartbeat
  }

  trade(rows: TradeRows, row: number): void {
    this.#count()
    if (!this.receives) return
    const { event } = this
    if (!event.isOf(rows)) event.toTrades(rows)
    event.market = rows.market[row] as number
    event.priceE4 = rows.price[row] as number
    event.row = row
    this.strategy.onEvent?.(event, this.run)
  }

  /** Dispatches a row that shows the top of a book. */
  book(kind: 'quote' | 'book', market: MarketIndex, ts: Float64Array, row: number): void {
    this.#count()
    if (!this.receives) return
    this.event.toOther(kind, this.#state.now, ts[row] as Millis, ABSENT, NaN)
    this.#emitWithBook(market)
  }

  bar(rows: BarRows, row: number): void {
    this.#count()
    if (!this.receives) return
    const { ts, close, volume, market } = rows

    this.event.toOther(
      'bar',
      this.#state.now,
      ts[row] as Millis,
      close[row] as number,
      volume[row] as number,
    )
    this.#emitWithBook(market[row] as number)
  }

  /** Dispatches a lifecycle change of a market at the current instant. */
  lifecycle(kind: 'listing' | 'status' | 'settlement', market: MarketIndex): void {
    this.#count()
    if (!this.receives) return
    this.event.toOther(kind, this.#state.now, this.#state.now, ABSENT, NaN)
    this.#emitWithBook(market)
  }

  #emitWithBook(market: MarketIndex): void {
    const event = this.event
    const books = this.#books
    event.market = market
    event.bidE4 = books.bid(market)
    event.askE4 = books.ask(market)
    event.bidSizeE6 = books.bidSize(market)
    event.askSizeE6 = books.askSize(market)
    this.strategy.onEvent?.(event, this.run)
  }

  #count(): void {
    if (++this.#state.events % EVENTS_PER_HEARTBEAT === 0) this.emitHeartbeat()
  }

  emitHeartbeat(): void {
    this.#onHeartbeat?.(this.#state.events, this.#state.now)
  }
}
