import type { Millis } from '../units.ts'
import type { Broker } from './broker/broker.ts'
import { ColumnHead } from './column-head.ts'
import { ABSENT } from './event-columns.ts'
import type { BarRows, BookRows, EventWindow, QuoteRows, TradeRows } from './event-columns.ts'
import type { CandleCache } from './candle-cache.ts'
import { BOOK_MATTERS, LISTED, TRADE_MATTERS, type MarketBooks } from './broker/market-books.ts'
import type { BacktestState } from './backtest-state.ts'
import { EVENTS_PER_HEARTBEAT, type StrategyDispatcher } from './strategy-dispatcher.ts'

const NO_TRADES: TradeRows = {
  known: new Float64Array(),
  ts: new Float64Array(),
  market: new Int32Array(),
  price: new Int32Array(),
  size: new Float64Array(),
  taker: new Uint8Array(),
}
const NO_QUOTES: QuoteRows = {
  known: new Float64Array(),
  ts: new Float64Array(),
  market: new Int32Array(),
  bid: new Int32Array(),
  ask: new Int32Array(),
  bidSize: new Float64Array(),
  askSize: new Float64Array(),
}

/**
 * Processes all kinds of columns row by row in time order. The broker is updated first, so that a
 * strategy receives a fill before the event that caused it.
 */
export class Tape {
  readonly #state: BacktestState
  readonly #broker: Broker
  readonly #books: MarketBooks
  readonly #dispatcher: StrategyDispatcher
  readonly #candles: readonly CandleCache[]
  readonly #keepsCandles: boolean
  readonly #catchUp: (knownAt: number) => void
  /** Trades of the current batch, whose effects are applied later; null outside a batch. */
  #pendingRows: TradeRows | null = null
  /** First row of the batch whose effects are not applied yet. */
  #flushedRow = 0

  /** @param deps.catchUp processes everything due before a row known at an instant */
  constructor(deps: {
    readonly state: BacktestState
    readonly broker: Broker
    readonly dispatcher: StrategyDispatcher
    readonly candles: readonly CandleCache[]
    readonly catchUp: (knownAt: number) => void
  }) {
    this.#state = deps.state
    this.#broker = deps.broker
    this.#books = deps.broker.books
    this.#dispatcher = deps.dispatcher
    this.#candles = deps.candles
    this.#keepsCandles = deps.candles.length > 0
    this.#catchUp = deps.catchUp
  }

  play({ trades, quotes, books, bars }: EventWindow): void {
    if (books === null && bars === null) this.#ticks(trades ?? NO_TRADES, quotes ?? NO_QUOTES)
    else this.#all(trades ?? NO_TRADES, quotes ?? NO_QUOTES, books, bars)
  }

  /** Processes trades and quotes only, as in most runs: it merges just two columns of instants. */
  #ticks(trades: TradeRows, quotes: QuoteRows): void {
    const tradeKnownAt = trades.known
    const quoteKnownAt = quotes.known
    const tradeCount = tradeKnownAt.length
    const quoteCount = quoteKnownAt.length
    let t = 0
    let q = 0
    while (t < tradeCount || q < quoteCount) {
      const tradeAt = t < tradeCount ? (tradeKnownAt[t] as number) : Infinity
      // Quotes come before trades of the same instant.
      q = this.#quotesUntil(quotes, q, tradeAt)
      const quoteAt = q < quoteCount ? (quoteKnownAt[q] as number) : Infinity
      t = this.#tradesBefore(trades, t, quoteAt)
    }
  }

  /** Processes quotes known by `end`; returns the row after them. */
  #quotesUntil(rows: QuoteRows, row: number, end: number): number {
    const { known } = rows
    for (; row < known.length && (known[row] as number) <= end; row++) this.#quote(rows, row)
    return row
  }

  /** Processes trades known before `end`; returns the row after them. */
  #tradesBefore(rows: TradeRows, row: number, end: number): number {
    if (this.#dispatcher.receives && !this.#keepsCandles)
      return this.#dispatchTrades(rows, row, end)
    const { known } = rows
    for (; row < known.length && (known[row] as number) < end; row++) this.#trade(rows, row)
    return row
  }

  /**
   * The fast path of `#trade`. Effects of trades on books and money are applied in batches, only
   * when something reads them: less work between two events lets the processor prefetch the next
   * rows while it waits for the current one.
   */
  #dispatchTrades(rows: TradeRows, row: number, end: number): number {
    const last = end === Infinity ? rows.known.length : firstFrom(rows.known, row, end)
    while (row < last) {
      const stop = this.#plainUntil(rows, row, Math.min(last, row + EVENTS_PER_HEARTBEAT))
      if (stop === row) this.#trade(rows, row++)
      else row = this.#dispatchPlain(rows, row, stop)
    }
    return row
  }

  /** The first row before `stop` that needs more than dispatch and counting; `stop` without one. */
  #plainUntil({ known, market }: TradeRows, row: number, stop: number): number {
    const [listedFlag, mask] = [LISTED, LISTED | TRADE_MATTERS]
    const { horizon } = this.#state
    const flags = this.#books.allFlags
    if ((known[stop - 1] as number) >= horizon) stop = firstFrom(known, row, horizon)
    for (; row < stop; row++) {
      if (((flags[market[row] as number] as number) & mask) !== listedFlag) return row
    }
    return row
  }

  /** Dispatches plain rows until something is due; returns the row after them. */
  #dispatchPlain(rows: TradeRows, row: number, stop: number): number {
    const { market, price } = rows
    const state = this.#state
    const { event, strategy, run } = this.#dispatcher
    const previous = state.events
    event.toTrades(rows)
    event.row = row - 1
    this.#pendingRows = rows
    this.#flushedRow = row
    state.stop = stop
    for (; row < state.stop; row++) {
      event.market = market[row] as number
      event.priceE4 = price[row] as number
      event.row = row
      strategy.onEvent?.(event, run)
    }
    this.flush()
    this.#pendingRows = null
    if ((previous ^ state.events) >= EVENTS_PER_HEARTBEAT) this.#dispatcher.emitHeartbeat()
    return row
  }

  /** Instant at which the current event became known. */
  get now(): Millis {
    return this.#pendingRows === null ? this.#state.now : this.#dispatcher.event.at
  }

  /** Applies the effects of the dispatched trades. Call it before books or money are read. */
  flush(): void {
    const rows = this.#pendingRows
    if (rows === null) return
    const [from, to] = [this.#flushedRow, this.#dispatcher.event.row + 1]
    if (from >= to) return
    this.#flushedRow = to
    this.#broker.account.tradedRows(rows, from, to)
    this.#state.now = this.now
    this.#state.events += to - from
  }

  #all(trades: TradeRows, quotes: QuoteRows, books: BookRows | null, bars: BarRows | null): void {
    const t = new ColumnHead(trades)
    const q = new ColumnHead(quotes)
    const b = new ColumnHead(books)
    const r = new ColumnHead(bars)
    for (;;) {
      const nextQuote = b.isBefore(q) ? b : q
      const nextPrint = r.isBefore(t) ? r : t
      const first = nextQuote.known <= nextPrint.known ? nextQuote : nextPrint
      if (first.known === Infinity) return
      const row = first.next()
      if (first === q) this.#quote(quotes, row)
      else if (first === t) this.#trade(trades, row)
      else if (first === b && books !== null) this.#book(books, row)
      else if (bars !== null) this.#bar(bars, row)
    }
  }

  // Row numbers are passed on only where they are needed, because most of them would be boxed as
  // arguments.

  #trade(rows: TradeRows, row: number): void {
    const state = this.#state
    const at = rows.known[row] as Millis
    if (at >= state.horizon) this.#catchUp(at)
    state.now = at
    const books = this.#books
    const market = rows.market[row] as number
    const flags = books.flags(market)
    if ((flags & LISTED) === 0) return this.#countUnlisted()
    if ((flags & TRADE_MATTERS) !== 0) this.#matchTrade(rows, row)
    else this.#broker.account.applyPrice(market, rows.price[row] as number)
    if (this.#keepsCandles) this.#print(rows, row)
    this.#dispatcher.trade(rows, row)
  }

  #quote(rows: QuoteRows, row: number): void {
    const state = this.#state
    const at = rows.known[row] as Millis
    if (at >= state.horizon) this.#catchUp(at)
    state.now = at
    const books = this.#books
    const market = rows.market[row] as number
    const flags = books.flags(market)
    if ((flags & LISTED) === 0) return this.#countUnlisted()
    books.quoteRow(rows, row)
    if ((flags & BOOK_MATTERS) !== 0) this.#broker.matchBook(at, market, rows.ts[row] as number)
    this.#dispatcher.book('quote', market, rows.ts, row)
  }

  #matchTrade({ known, market, ts, price, size, taker }: TradeRows, row: number): void {
    this.#broker.matchTrade(
      known[row] as Millis,
      market[row] as number,
      ts[row] as number,
      price[row] as number,
      size[row] as number,
      taker[row] as number,
    )
  }

  #print({ market, ts, price, size }: TradeRows, row: number): void {
    const m = market[row] as number
    for (const candles of this.#candles) {
      candles.print(m, ts[row] as number, price[row] as number, size[row] as number)
    }
  }

  #book(rows: BookRows, row: number): void {
    this.#advanceTo(rows.known[row] as Millis)
    const market = rows.market[row] as number
    const ts = rows.ts[row] as number
    if (!this.#broker.book(this.#state.now, market, ts, rows, row)) return this.#countUnlisted()
    this.#dispatcher.book('book', market, rows.ts, row)
  }

  #bar(rows: BarRows, row: number): void {
    this.#advanceTo(rows.known[row] as Millis)
    const at = this.#state.now
    const market = rows.market[row] as number
    const ts = rows.ts[row] as number
    const bid = rows.bid[row] as number
    const ask = rows.ask[row] as number
    const close = rows.close[row] as number
    const volume = rows.volume[row] as number
    // A bar without quotes carries no information on the book.
    if (bid !== ABSENT || ask !== ABSENT) {
      if (!this.#broker.quote(at, market, ts, bid, NaN, ask, NaN)) return this.#countUnlisted()
    }
    if (close !== ABSENT) {
      if (!this.#broker.trade(at, market, ts, close, NaN, 0)) return this.#countUnlisted()
      const start = ts - (rows.width[row] as number)
      for (const candles of this.#candles) candles.print(market, start, close, volume)
    }
    this.#dispatcher.bar(rows, row)
  }

  #advanceTo(at: Millis): void {
    if (at >= this.#state.horizon) this.#catchUp(at)
    this.#state.now = at
  }

  /** Counts an event of a market that is not listed by now. */
  #countUnlisted(): void {
    this.#state.unlisted++
  }
}

/**
 * The first row from `row` on that was known at `end` or later. It is usually close, so the search
 * gallops.
 */
function firstFrom(knownAt: Float64Array, row: number, end: number): number {
  let [low, high, step] = [row, row, 1]
  while (high < knownAt.length && (knownAt[high] as number) < end) {
    low = high + 1
    high += step
    step *= 2
  }
  high = Math.min(high, knownAt.length)
  while (low < high) {
    const middle = (low + high) >> 1
    if ((knownAt[middle] as number) < end) low = middle + 1
    else high = middle
  }
  return low
}
