import type { Millis } from '../units.ts'
import { ABSENT, type BarRows, type MarketIndex, type TradeRows } from './event-columns.ts'
import type { MarketBooks } from './market-books.ts'
import type { RunState } from './run-state.ts'
import { MarketEvent, type Run, type Strategy } from './strategy.ts'

export const EVENTS_A_BEAT = 64

/** Tells a strategy what became known, with one event that the next overwrites. */
export class Teller {
  readonly #state: RunState
  readonly #books: MarketBooks
  readonly strategy: Strategy
  readonly hears: boolean
  readonly run: Run
  readonly #beat: ((events: number, now: Millis) => void) | undefined
  readonly event = new MarketEvent()

  constructor(deps: {
    readonly state: RunState
    readonly books: MarketBooks
    readonly strategy: Strategy
    readonly run: Run
    readonly beat: ((events: number, now: Millis) => void) | undefined
  }) {
    this.#state = deps.state
    this.#books = deps.books
    this.strategy = deps.strategy
    this.hears = deps.strategy.onEvent !== undefined
    this.run = deps.run
    this.#beat = deps.beat
  }

  trade(rows: TradeRows, row: number): void {
    this.#count()
    if (!this.hears) return
    const { event } = this
    if (!event.isOf(rows)) event.toTrades(rows)
    event.market = rows.market[row] as number
    event.priceE4 = rows.price[row] as number
    event.row = row
    this.strategy.onEvent?.(event, this.run)
  }

  /** A row that shows the top of a book. */
  book(kind: 'quote' | 'book', market: MarketIndex, ts: Float64Array, row: number): void {
    this.#count()
    if (!this.hears) return
    this.event.toOther(kind, this.#state.now, ts[row] as Millis, ABSENT, NaN)
    this.#tellBook(market)
  }

  bar(rows: BarRows, row: number): void {
    this.#count()
    if (!this.hears) return
    const { ts, close, volume, market } = rows
    // prettier-ignore
    this.event.toOther('bar', this.#state.now, ts[row] as Millis, close[row] as number, volume[row] as number)
    this.#tellBook(market[row] as number)
  }

  /** Something that was said of a market, now. */
  news(kind: 'listing' | 'status' | 'settlement', market: MarketIndex): void {
    this.#count()
    if (!this.hears) return
    this.event.toOther(kind, this.#state.now, this.#state.now, ABSENT, NaN)
    this.#tellBook(market)
  }

  #tellBook(market: MarketIndex): void {
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
    if (++this.#state.events % EVENTS_A_BEAT === 0) this.tellBeat()
  }

  tellBeat(): void {
    this.#beat?.(this.#state.events, this.#state.now)
  }
}
