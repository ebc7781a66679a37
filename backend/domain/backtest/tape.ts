import type { Millis } from '../units.ts'
import type { Broker } from './broker.ts'
import { ColumnHead } from './column-head.ts'
import { ABSENT } from './event-columns.ts'
import type { BarRows, BookRows, EventWindow, QuoteRows, TradeRows } from './event-columns.ts'
import type { KeptCandles } from './kept-candles.ts'
import type { RunState } from './run-state.ts'
import type { Teller } from './teller.ts'

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
    const { known, market, ts, bid, bidSize, ask, askSize } = rows
    for (; row < known.length && (known[row] as number) <= end; row++) {
      const [at, m] = [known[row] as Millis, market[row] as number]
      // prettier-ignore
      this.#quote(at, m, ts[row] as number, bid[row] as number, bidSize[row] as number, ask[row] as number, askSize[row] as number)
    }
    return row
  }

  /** Plays trades known before `end`; answers the row after them. */
  #tradesBefore(rows: TradeRows, row: number, end: number): number {
    const { known, market, ts, price, size, taker } = rows
    for (; row < known.length && (known[row] as number) < end; row++) {
      const [at, m] = [known[row] as Millis, market[row] as number]
      // prettier-ignore
      this.#trade(at, m, ts[row] as number, price[row] as number, size[row] as number, taker[row] as number)
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
      const at = first.takenAt
      if (first === q) this.#quoteRow(at, quotes, row)
      else if (first === t) this.#tradeRow(at, trades, row)
      else if (first === b && books !== null) this.#book(at, books, row)
      else if (bars !== null) this.#bar(at, bars, row)
    }
  }

  #quoteRow(at: Millis, { market, ts, bid, bidSize, ask, askSize }: QuoteRows, row: number): void {
    const m = market[row] as number
    // prettier-ignore
    this.#quote(at, m, ts[row] as number, bid[row] as number, bidSize[row] as number, ask[row] as number, askSize[row] as number)
  }

  #tradeRow(at: Millis, { market, ts, price, size, taker }: TradeRows, row: number): void {
    const m = market[row] as number
    // prettier-ignore
    this.#trade(at, m, ts[row] as number, price[row] as number, size[row] as number, taker[row] as number)
  }

  #reach(at: Millis): void {
    if (at >= this.#state.horizon) this.#catchUp(at)
    this.#state.now = at
  }

  #trade(at: Millis, market: number, ts: number, price: number, size: number, taker: number): void {
    this.#reach(at)
    if (!this.#broker.trade(at, market, ts, price, size, taker)) return this.#passOver()
    if (this.#keepsCandles) for (const kept of this.#candles) kept.print(market, ts, price, size)
    this.#teller.trade(market, ts, price, size, taker)
  }

  // prettier-ignore
  #quote(at: Millis, market: number, ts: number, bid: number, bidSize: number, ask: number, askSize: number): void {
    this.#reach(at)
    if (!this.#broker.quote(at, market, ts, bid, bidSize, ask, askSize)) return this.#passOver()
    this.#teller.book('quote', market, ts)
  }

  #book(at: Millis, rows: BookRows, row: number): void {
    this.#reach(at)
    const market = rows.market[row] as number
    const ts = rows.ts[row] as number
    if (!this.#broker.book(at, market, ts, rows, row)) return this.#passOver()
    this.#teller.book('book', market, ts)
  }

  #bar(at: Millis, rows: BarRows, row: number): void {
    this.#reach(at)
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
    this.#teller.book('bar', market, ts, close, volume)
  }

  /** An event of a market that is not listed by now. */
  #passOver(): void {
    this.#state.unlisted++
  }
}
