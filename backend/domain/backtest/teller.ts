import type { Millis } from '../units.ts'
import { ABSENT, type BarRows, type MarketIndex, type TradeRows } from './event-columns.ts'
import type { MarketBooks } from './market-books.ts'
import type { RunState } from './run-state.ts'
import { MarketEvent, type EventKind, type Run, type Strategy } from './strategy.ts'

const EVENTS_A_BEAT = 64

/** Tells a strategy what became known, with one event that the next overwrites. */
export class Teller {
  readonly #state: RunState
  readonly #books: MarketBooks
  readonly #strategy: Strategy
  readonly #hears: boolean
  readonly #run: Run
  readonly #beat: ((events: number, now: Millis) => void) | undefined
  readonly #event = new MarketEvent()
  #untilBeat = EVENTS_A_BEAT

  constructor(deps: {
    readonly state: RunState
    readonly books: MarketBooks
    readonly strategy: Strategy
    readonly run: Run
    readonly beat: ((events: number, now: Millis) => void) | undefined
  }) {
    this.#state = deps.state
    this.#books = deps.books
    this.#strategy = deps.strategy
    this.#hears = deps.strategy.onEvent !== undefined
    this.#run = deps.run
    this.#beat = deps.beat
  }

  trade(rows: TradeRows, row: number): void {
    this.#count()
    if (!this.#hears) return
    const event = this.#event
    // After another trade nothing of a book is left in it.
    if (event.kind !== 'trade') this.#forgetBook(event)
    event.market = rows.market[row] as number
    event.at = this.#state.now
    event.ts = rows.ts[row] as Millis
    event.priceE4 = rows.price[row] as number
    event.sizeE6 = rows.size[row] as number
    event.takerCode = rows.taker[row] as number
    this.#strategy.onEvent?.(event, this.#run)
  }

  #forgetBook(event: MarketEvent): void {
    event.kind = 'trade'
    event.bidE4 = event.askE4 = ABSENT
    event.bidSizeE6 = event.askSizeE6 = NaN
  }

  /** A row that shows the top of a book. */
  book(kind: 'quote' | 'book', market: MarketIndex, ts: Float64Array, row: number): void {
    this.#count()
    if (!this.#hears) return
    this.#event.ts = ts[row] as Millis
    this.#event.priceE4 = ABSENT
    this.#event.sizeE6 = NaN
    this.#tellBook(kind, market)
  }

  bar(rows: BarRows, row: number): void {
    this.#count()
    if (!this.#hears) return
    this.#event.ts = rows.ts[row] as Millis
    this.#event.priceE4 = rows.close[row] as number
    this.#event.sizeE6 = rows.volume[row] as number
    this.#tellBook('bar', rows.market[row] as number)
  }

  /** Something that was said of a market, now. */
  news(kind: 'listing' | 'status' | 'settlement', market: MarketIndex): void {
    this.#count()
    if (!this.#hears) return
    this.#event.ts = this.#state.now
    this.#event.priceE4 = ABSENT
    this.#event.sizeE6 = NaN
    this.#tellBook(kind, market)
  }

  #tellBook(kind: EventKind, market: MarketIndex): void {
    const event = this.#event
    const books = this.#books
    event.kind = kind
    event.market = market
    event.at = this.#state.now
    event.takerCode = 0
    event.bidE4 = books.bid(market)
    event.askE4 = books.ask(market)
    event.bidSizeE6 = books.bidSize(market)
    event.askSizeE6 = books.askSize(market)
    this.#strategy.onEvent?.(event, this.#run)
  }

  #count(): void {
    this.#state.events++
    if (--this.#untilBeat === 0) this.#tellBeat()
  }

  #tellBeat(): void {
    this.#untilBeat = EVENTS_A_BEAT
    this.#beat?.(this.#state.events, this.#state.now)
  }
}
