import type { Millis } from '../units.ts'
import { ABSENT, type MarketIndex } from './event-columns.ts'
import type { MarketBooks } from './market-books.ts'
import type { RunState } from './run-state.ts'
import { MarketEvent, type EventKind, type Run, type Strategy } from './strategy.ts'

/** All bits of it are set, so that a count meets it every 64 events. */
const EVENTS_A_BEAT = 63

/** Tells a strategy what became known, with one event that the next overwrites. */
export class Teller {
  readonly #state: RunState
  readonly #books: MarketBooks
  readonly #strategy: Strategy
  readonly #hears: boolean
  readonly #run: Run
  readonly #beat: ((events: number, now: Millis) => void) | undefined
  readonly #event = new MarketEvent()

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

  trade(market: MarketIndex, ts: number, price: number, size: number, taker: number): void {
    this.#count()
    if (!this.#hears) return
    const event = this.#event
    event.kind = 'trade'
    event.market = market
    event.at = this.#state.now
    event.ts = ts as Millis
    event.priceE4 = price
    event.sizeE6 = size
    event.takerCode = taker
    event.bidE4 = event.askE4 = ABSENT
    event.bidSizeE6 = event.askSizeE6 = NaN
    this.#strategy.onEvent?.(event, this.#run)
  }

  /** An event that shows the top of a book. @param price of a bar's close */
  book(kind: EventKind, market: MarketIndex, ts: number, price = ABSENT, size = NaN): void {
    this.#count()
    if (!this.#hears) return
    const event = this.#event
    const books = this.#books
    event.kind = kind
    event.market = market
    event.at = this.#state.now
    event.ts = ts as Millis
    event.priceE4 = price
    event.sizeE6 = size
    event.takerCode = 0
    event.bidE4 = books.bid(market)
    event.askE4 = books.ask(market)
    event.bidSizeE6 = books.bidSize(market)
    event.askSizeE6 = books.askSize(market)
    this.#strategy.onEvent?.(event, this.#run)
  }

  #count(): void {
    const events = ++this.#state.events
    if ((events & EVENTS_A_BEAT) === 0) this.#beat?.(events, this.#state.now)
  }
}
