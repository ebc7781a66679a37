import type { Millis } from '../units.ts'
import type { Broker } from './broker.ts'
import { ColumnHead } from './column-head.ts'
import { ABSENT } from './event-columns.ts'
import type { BarRows, BookRows, EventWindow, QuoteRows, TradeRows } from './event-columns.ts'
import type { KeptCandles } from './kept-candles.ts'
import { LISTED, ORDERED, TOUCHED, type MarketBooks } from './market-books.ts'
import type { RunState } from './run-state.ts'
import { EVENTS_A_BEAT, type Teller } from './teller.ts'
// Of this module, which is what lets the compiler take them for constants: an import is looked up at each use.
const IS_LISTED = LISTED
const IS_TOUCHED = TOUCHED
const A_BEAT = EVENTS_A_BEAT

const NO_TRADES: TradeRows = {
  ...{ known: new Float64Array(), ts: new Float64Array(), market: new Int32Array() },
  ...{ price: new Int32Array(), size: new Float64Array(), taker: new Uint8Array() },
}
const NO_QUOTES: QuoteRows = {
  ...{ known: new Float64Array(), ts: new Float64Array(), market: new Int32Array() },
  ...{ bid: new Int32Array(), ask: new Int32Array() },
  ...{ bidSize: new Float64Array(), askSize: new Float64Array() },
}

/**
 * Plays columns row by row, all kinds in one order of time: to the broker first, so that a strategy
 * hears of a fill before the event that brought it.
 */
export class Tape {
  readonly #state: RunState
  readonly #broker: Broker
  readonly #books: MarketBooks
  readonly #teller: Teller
  readonly #candles: readonly KeptCandles[]
  readonly #keepsCandles: boolean
  readonly #catchUp: (known: number) => void

  /** @param deps.catchUp does what is due before a row known at an instant */
  constructor(deps: {
    readonly state: RunState
    readonly broker: Broker
    readonly teller: Teller
    readonly candles: readonly KeptCandles[]
    readonly catchUp: (known: number) => void
  }) {
    this.#state = deps.state
    this.#broker = deps.broker
    this.#books = deps.broker.books
    this.#teller = deps.teller
    this.#candles = deps.candles
    this.#keepsCandles = deps.candles.length > 0
    this.#catchUp = deps.catchUp
  }

  play({ trades, quotes, books, bars }: EventWindow): void {
    if (books === null && bars === null) this.#ticks(trades ?? NO_TRADES, quotes ?? NO_QUOTES)
    else this.#all(trades ?? NO_TRADES, quotes ?? NO_QUOTES, books, bars)
  }

  /** Trades and quotes alone, as most runs have them: two columns of instants, nothing else to look at. */
  #ticks(trades: TradeRows, quotes: QuoteRows): void {
    const tradeKnown = trades.known
    const quoteKnown = quotes.known
    const tradeCount = tradeKnown.length
    const quoteCount = quoteKnown.length
    let t = 0
    let q = 0
    while (t < tradeCount || q < quoteCount) {
      const tradeAt = t < tradeCount ? (tradeKnown[t] as number) : Infinity
      // Quotes stand before trades of their instant.
      q = this.#quotesUntil(quotes, q, tradeAt)
      const quoteAt = q < quoteCount ? (quoteKnown[q] as number) : Infinity
      t = this.#tradesBefore(trades, t, quoteAt)
    }
  }

  /** Plays quotes known by `end`; answers the row after them. */
  #quotesUntil(rows: QuoteRows, row: number, end: number): number {
    const { known } = rows
    for (; row < known.length && (known[row] as number) <= end; row++) this.#quote(rows, row)
    return row
  }

  /** Plays trades known before `end`; answers the row after them. */
  #tradesBefore(rows: TradeRows, row: number, end: number): number {
    if (this.#teller.hears && !this.#keepsCandles) return this.#tellTrades(rows, row, end)
    const { known } = rows
    for (; row < known.length && (known[row] as number) < end; row++) this.#trade(rows, row)
    return row
  }

  /**
   * `#trade` written out for most runs, with what does not change from row to row in locals: the less
   * is done between two events, the sooner the processor asks for the memory of the next ones while it
   * waits for that of this one.
   */
  #tellTrades(rows: TradeRows, row: number, end: number): number {
    const { known, market, price } = rows
    const count = known.length
    const state = this.#state
    const teller = this.#teller
    const { event, strategy, run } = teller
    const { marks } = this.#books
    event.toTrades(rows)
    for (; row < count; row++) {
      const at = known[row] as number
      if (at >= end) return row
      if (at >= state.horizon) {
        this.#catchUp(at)
        event.toTrades(rows)
      }
      state.now = at as Millis
      const m = market[row] as number
      const flags = marks[2 * m] as number
      if ((flags & IS_LISTED) === 0) {
        this.#passOver()
        continue
      }
      const p = price[row] as number
      marks[2 * m + 1] = p
      if ((flags & IS_TOUCHED) !== 0) this.#meetTrade(rows, row, flags)
      if (++state.events % A_BEAT === 0) teller.tellBeat()
      event.market = m
      event.at = at as Millis
      event.priceE4 = p
      event.row = row
      strategy.onEvent?.(event, run)
    }
    return row
  }

  #all(trades: TradeRows, quotes: QuoteRows, books: BookRows | null, bars: BarRows | null): void {
    const t = new ColumnHead(trades)
    const q = new ColumnHead(quotes)
    const b = new ColumnHead(books)
    const r = new ColumnHead(bars)
    for (;;) {
      const quoted = b.isBefore(q) ? b : q
      const printed = r.isBefore(t) ? r : t
      const first = quoted.known <= printed.known ? quoted : printed
      if (first.known === Infinity) return
      const row = first.take()
      if (first === q) this.#quote(quotes, row)
      else if (first === t) this.#trade(trades, row)
      else if (first === b && books !== null) this.#book(books, row)
      else if (bars !== null) this.#bar(bars, row)
    }
  }

  // Numbers of a row are handed on only where they are needed: as arguments most of them would be boxed.

  #trade(rows: TradeRows, row: number): void {
    const state = this.#state
    const at = rows.known[row] as Millis
    if (at >= state.horizon) this.#catchUp(at)
    state.now = at
    const books = this.#books
    const market = rows.market[row] as number
    const flags = books.flags(market)
    if ((flags & LISTED) === 0) return this.#passOver()
    books.trade(market, rows.price[row] as number)
    if ((flags & TOUCHED) !== 0) this.#meetTrade(rows, row, flags)
    if (this.#keepsCandles) this.#print(rows, row)
    this.#teller.trade(rows, row)
  }

  #quote(rows: QuoteRows, row: number): void {
    const state = this.#state
    const at = rows.known[row] as Millis
    if (at >= state.horizon) this.#catchUp(at)
    state.now = at
    const books = this.#books
    const market = rows.market[row] as number
    const flags = books.flags(market)
    if ((flags & LISTED) === 0) return this.#passOver()
    books.quoteRow(rows, row)
    if ((flags & TOUCHED) !== 0) this.#broker.meetBook(at, market, rows.ts[row] as number)
    this.#teller.book('quote', market, rows.ts, row)
  }

  #meetTrade(rows: TradeRows, row: number, flags: number): void {
    const { known, market, ts, price, size, taker } = rows
    const m = market[row] as number
    if ((flags & ORDERED) === 0) return this.#broker.revalue(m)
    // prettier-ignore
    this.#broker.meetTrade(known[row] as Millis, m, ts[row] as number, price[row] as number, size[row] as number, taker[row] as number)
  }

  #print({ market, ts, price, size }: TradeRows, row: number): void {
    const m = market[row] as number
    for (const kept of this.#candles) {
      kept.print(m, ts[row] as number, price[row] as number, size[row] as number)
    }
  }

  #book(rows: BookRows, row: number): void {
    this.#reach(rows.known[row] as Millis)
    const market = rows.market[row] as number
    const ts = rows.ts[row] as number
    if (!this.#broker.book(this.#state.now, market, ts, rows, row)) return this.#passOver()
    this.#teller.book('book', market, rows.ts, row)
  }

  #bar(rows: BarRows, row: number): void {
    this.#reach(rows.known[row] as Millis)
    const at = this.#state.now
    const market = rows.market[row] as number
    const ts = rows.ts[row] as number
    const bid = rows.bid[row] as number
    const ask = rows.ask[row] as number
    const close = rows.close[row] as number
    const volume = rows.volume[row] as number
    // A bar that tells neither side tells nothing of the book.
    if (bid !== ABSENT || ask !== ABSENT) {
      if (!this.#broker.quote(at, market, ts, bid, NaN, ask, NaN)) return this.#passOver()
    }
    if (close !== ABSENT) {
      if (!this.#broker.trade(at, market, ts, close, NaN, 0)) return this.#passOver()
      const start = ts - (rows.width[row] as number)
      for (const kept of this.#candles) kept.print(market, start, close, volume)
    }
    this.#teller.bar(rows, row)
  }

  #reach(at: Millis): void {
    if (at >= this.#state.horizon) this.#catchUp(at)
    this.#state.now = at
  }

  /** An event of a market that is not listed by now. */
  #passOver(): void {
    this.#state.unlisted++
  }
}
