import type { Timeframe } from '../candle.ts'
import type { FeeTerms } from '../fees.ts'
import type { MarketFacts, Ticker, Venue } from '../market.ts'
import { statusAt } from '../market-status.ts'
import { settledPrice } from '../price.ts'
import { HOUR, priceOfCents } from '../units.ts'
import type { Millis, MoneyE6 } from '../units.ts'
import { Broker, isAlive } from './broker.ts'
import type { BarRows, BookRows, EventWindow, FactsVersion, MarketIndex, QuoteRows, TradeRows } from './event-columns.ts' // prettier-ignore
import { ABSENT } from './event-columns.ts'
import type { FillModel } from './fill-model.ts'
import { KeptCandles } from './kept-candles.ts'
import type { Fill, Order, OrderEnd, OrderRequest } from './orders.ts'
import { RunLog } from './run-log.ts'
import { resultOf, type RunResult } from './run-result.ts'
import { RunView } from './run-view.ts'
import { seededRandom } from './seeded.ts'
import { MarketEvent, type EventKind, type Strategy } from './strategy.ts'
import { PLACES, Wakes } from './wakes.ts'

/** What a run is given besides its events. */
export interface RunSetup {
  /** Exclusive: what was known by then stands when the run begins. */
  readonly from: Millis
  /** Inclusive. */
  readonly to: Millis
  /** In the order of their numbers: by venue, then ticker. */
  readonly markets: readonly { readonly venue: Venue; readonly ticker: Ticker }[]
  /** What is known of them, ascending by when it was known; also what was known before `from`. */
  readonly versions: readonly FactsVersion[]
  readonly model: FillModel
  readonly startCash: MoneyE6
  readonly termsOf: (facts: MarketFacts) => FeeTerms
  readonly candles: readonly Timeframe[]
  readonly seed: number
  /** Called every 64 events, so that others see that the run goes on. */
  readonly beat?: (events: number, now: Millis) => void
}

/** All bits of it are set, so that a count meets it every 64 events. */
const EVENTS_A_BEAT = 63

/** What is due at an instant. */
type Due =
  | { readonly kind: 'version'; readonly version: FactsVersion }
  | { readonly kind: 'timetable'; readonly market: MarketIndex }
  | { readonly kind: 'timer'; readonly name: string; readonly every: number | null }
  | { readonly kind: 'arrival'; readonly order: Order }
  | { readonly kind: 'cancel'; readonly order: Order; readonly why: OrderEnd }
  | { readonly kind: 'sample' }

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
 * One run of a strategy over events in the order in which they became known. At one instant: what
 * venues say of markets, settlements, quotes and books, trades and bars, timers, orders that arrive
 * (methodology L1); inside a kind by the venue's time, then market, then arrival. The strategy hears
 * of a fill before the event that brought it.
 */
export class Backtest {
  readonly broker: Broker
  readonly log = new RunLog()
  now: Millis
  readonly #setup: RunSetup
  readonly #strategy: Strategy
  readonly #wakes = new Wakes<Due>()
  readonly #event = new MarketEvent()
  readonly #view: RunView
  readonly #hears: boolean
  readonly #keepsCandles: boolean
  readonly #candles: readonly KeptCandles[]
  readonly #byTicker = new Map<Ticker, MarketIndex>()
  #listed: MarketIndex[] = []
  #listedSorted = true
  #horizon = Infinity
  #events = 0
  #unlisted = 0
  #unpaid = 0
  #isOver = false

  constructor(setup: RunSetup, strategy: Strategy) {
    this.#setup = setup
    this.#strategy = strategy
    this.#hears = strategy.onEvent !== undefined
    this.now = setup.from
    this.broker = new Broker({
      ...{ markets: setup.markets.length, model: setup.model, startCash: setup.startCash },
      termsOf: setup.termsOf,
      onFill: (fill) => this.#filled(fill),
      onEnd: (order) => {
        if (order.end !== null) this.log.ended(order.end)
        if (!this.#isOver) this.#strategy.onOrderEnd?.(order, this.#view)
      },
    })
    const candles = new Map(setup.candles.map((name) => [name, new KeptCandles(name)]))
    this.#candles = [...candles.values()]
    this.#keepsCandles = candles.size > 0
    this.#view = new RunView(this.#inside(candles))
  }

  /** Events that were heard so far. */
  get events(): number {
    return this.#events
  }

  /** Lists what is known by now and begins. */
  start(): void {
    const { from, to, versions } = this.#setup
    for (const version of versions) {
      if (version.knownAt > to) continue
      if (version.knownAt <= from) this.#describe(version, true)
      else {
        const { version: plain, settlement } = PLACES
        const place = version.facts.status === 'settled' ? settlement : plain
        this.#put(version.knownAt, place, { kind: 'version', version }, version.market)
      }
    }
    this.#sample()
    this.#put((Math.floor(from / HOUR) * HOUR + HOUR) as Millis, PLACES.sample, { kind: 'sample' })
    this.#strategy.onStart?.(this.#view)
  }

  /** Plays a window of events. */
  take(window: EventWindow): void {
    const trades = window.trades ?? NO_TRADES
    const quotes = window.quotes ?? NO_QUOTES
    const { books, bars } = window
    if (books === null && bars === null) this.#playTicks(trades, quotes)
    else this.#playAll(trades, quotes, books, bars)
  }

  /** Lets the time run out and answers what came of it. */
  finish(): RunResult {
    const { to } = this.#setup
    for (let next = this.#wakes.next; next !== null && next.at <= to; next = this.#wakes.next) {
      this.#perform()
    }
    this.now = to
    this.#isOver = true
    this.broker.finish(to)
    this.#strategy.onEnd?.(this.#view)
    this.#sample()
    return resultOf({
      ...{ broker: this.broker, log: this.log, from: this.#setup.from, to },
      ...{ markets: this.#setup.markets, events: this.#events },
      ...{ unlisted: this.#unlisted, unpaid: this.#unpaid, seed: this.#setup.seed },
      startCash: this.#setup.startCash,
    })
  }

  #playTicks(trades: TradeRows, quotes: QuoteRows): void {
    let [t, q] = [0, 0]
    const [tEnd, qEnd] = [trades.known.length, quotes.known.length]
    while (t < tEnd || q < qEnd) {
      const tradeAt = t < tEnd ? (trades.known[t] as number) : Infinity
      // Quotes stand before trades of their instant.
      while (q < qEnd && (quotes.known[q] as number) <= tradeAt) this.#quote(quotes, q++)
      const quoteAt = q < qEnd ? (quotes.known[q] as number) : Infinity
      while (t < tEnd && (trades.known[t] as number) < quoteAt) this.#trade(trades, t++)
    }
  }

  #playAll(
    trades: TradeRows,
    quotes: QuoteRows,
    books: BookRows | null,
    bars: BarRows | null,
  ): void {
    const [t, q, b, r] = [new Head(trades), new Head(quotes), new Head(books), new Head(bars)]
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

  #trade(rows: TradeRows, row: number): void {
    const known = rows.known[row] as Millis
    if (known >= this.#horizon) this.#catchUp(known)
    this.now = known
    const market = rows.market[row] as number
    const ts = rows.ts[row] as Millis
    const price = rows.price[row] as number
    const size = rows.size[row] as number
    const taker = rows.taker[row] as number
    if (!this.broker.trade(known, market, ts, price, size, taker)) return this.#passOver()
    if (this.#keepsCandles) for (const kept of this.#candles) kept.print(market, ts, price, size)
    if ((++this.#events & EVENTS_A_BEAT) === 0) this.#setup.beat?.(this.#events, this.now)
    if (!this.#hears) return
    const event = this.#event
    event.kind = 'trade'
    event.market = market
    event.at = known
    event.ts = ts
    event.priceE4 = price
    event.sizeE6 = size
    event.takerCode = taker
    event.bidE4 = event.askE4 = ABSENT
    event.bidSizeE6 = event.askSizeE6 = NaN
    this.#strategy.onEvent?.(event, this.#view)
  }

  #quote(rows: QuoteRows, row: number): void {
    const known = rows.known[row] as Millis
    if (known >= this.#horizon) this.#catchUp(known)
    this.now = known
    const market = rows.market[row] as number
    const ts = rows.ts[row] as Millis
    const bid = rows.bid[row] as number
    const ask = rows.ask[row] as number
    const bidSize = rows.bidSize[row] as number
    const askSize = rows.askSize[row] as number
    if (!this.broker.quote(known, market, ts, bid, bidSize, ask, askSize)) {
      return this.#passOver()
    }
    if ((++this.#events & EVENTS_A_BEAT) === 0) this.#setup.beat?.(this.#events, this.now)
    if (!this.#hears) return
    this.#tellBook('quote', market, ts)
  }

  #book(rows: BookRows, row: number): void {
    const known = rows.known[row] as Millis
    if (known >= this.#horizon) this.#catchUp(known)
    this.now = known
    const market = rows.market[row] as number
    const ts = rows.ts[row] as Millis
    if (!this.broker.book(known, market, ts, rows, row)) return this.#passOver()
    if ((++this.#events & EVENTS_A_BEAT) === 0) this.#setup.beat?.(this.#events, this.now)
    if (this.#hears) this.#tellBook('book', market, ts)
  }

  #bar(rows: BarRows, row: number): void {
    const known = rows.known[row] as Millis
    if (known >= this.#horizon) this.#catchUp(known)
    this.now = known
    const market = rows.market[row] as number
    const ts = rows.ts[row] as Millis
    const [bid, ask] = [rows.bid[row] as number, rows.ask[row] as number]
    const close = rows.close[row] as number
    const { broker } = this
    // A bar that tells neither side tells nothing of the book.
    const isQuoted = bid !== ABSENT || ask !== ABSENT
    if (isQuoted) {
      if (!broker.quote(known, market, ts, bid, NaN, ask, NaN)) return this.#passOver()
    }
    if (close !== ABSENT) {
      if (!broker.trade(known, market, ts, close, NaN, 0)) return this.#passOver()
      const start = ts - (rows.width[row] as number)
      for (const kept of this.#candles) {
        kept.print(market, start, close, rows.volume[row] as number)
      }
    }
    if ((++this.#events & EVENTS_A_BEAT) === 0) this.#setup.beat?.(this.#events, this.now)
    if (!this.#hears) return
    this.#event.priceE4 = close
    this.#event.sizeE6 = rows.volume[row] as number
    this.#tellBook('bar', market, ts)
  }

  /** An event of a market that is not listed by now. */
  #passOver(): void {
    this.#unlisted++
  }

  #tellBook(kind: EventKind, market: MarketIndex, ts: Millis): void {
    const event = this.#event
    const { books } = this.broker
    event.kind = kind
    event.market = market
    event.at = this.now
    event.ts = ts
    if (kind !== 'bar') {
      event.priceE4 = ABSENT
      event.sizeE6 = NaN
    }
    event.takerCode = 0
    event.bidE4 = books.bid(market)
    event.askE4 = books.ask(market)
    event.bidSizeE6 = books.bidSize(market)
    event.askSizeE6 = books.askSize(market)
    this.#strategy.onEvent?.(event, this.#view)
  }

  /** Everything that is due before a row known at `known` is played. */
  #catchUp(known: Millis): void {
    for (let next = this.#wakes.next; next !== null; next = this.#wakes.next) {
      const isFirst = next.at < known || (next.at === known && next.place < PLACES.timer)
      if (!isFirst) break
      this.#perform()
    }
    this.#horizon = this.#wakes.next?.at ?? Infinity
  }

  #put(at: Millis, place: number, thing: Due, rank = 0): void {
    this.#wakes.put({ at, place, rank, thing })
    if (at < this.#horizon) this.#horizon = at
  }

  #perform(): void {
    const wake = this.#wakes.take()
    if (wake === null) return
    const { at, thing } = wake
    this.now = at
    switch (thing.kind) {
      case 'version':
        return this.#describe(thing.version, false)
      case 'timetable':
        return this.#lookAtTimetable(thing.market)
      case 'timer':
        if (thing.every !== null) this.#put((at + thing.every) as Millis, PLACES.timer, thing)
        return this.#strategy.onTimer?.({ name: thing.name, at }, this.#view)
      case 'arrival':
        return this.broker.arrive(thing.order, at)
      case 'cancel':
        return this.broker.cancel(thing.order, thing.why, at)
      case 'sample':
        this.#sample()
        this.#put((at + HOUR) as Millis, PLACES.sample, thing)
    }
  }

  #describe({ market, facts }: FactsVersion, isBefore: boolean): void {
    const before = this.broker.status(market)
    const isNew = before === null
    if (isNew) {
      this.#listed.push(market)
      this.#listedSorted = false
      this.#byTicker.set(facts.ticker, market)
    }
    const status = statusAt(facts, this.now)
    this.broker.describe(market, facts, status, this.now)
    for (const time of [facts.openTime, facts.closeTime]) {
      if (time !== null && time > this.now && time <= this.#setup.to) {
        this.#put(time, PLACES.timetable, { kind: 'timetable', market }, market)
      }
    }
    if (status === 'settled') this.#settle(market, facts)
    if (isBefore) return
    if (isNew) this.#tellMarket('listing', market)
    else if (status !== before) {
      this.#tellMarket(status === 'settled' ? 'settlement' : 'status', market)
    }
  }

  #lookAtTimetable(market: MarketIndex): void {
    const facts = this.broker.facts(market)
    if (facts === null) return
    const status = statusAt(facts, this.now)
    if (status === this.broker.status(market)) return
    this.broker.setStatus(market, status, this.now)
    this.#tellMarket('status', market)
  }

  #settle(market: MarketIndex, facts: MarketFacts): void {
    const price = settledPrice(facts)
    if (price === null && facts.result !== 'void') {
      if (this.broker.net(market) !== 0) this.#unpaid++
      return
    }
    const paid = price === null ? null : priceOfCents(price)
    const settled = this.broker.settle(market, paid, this.now)
    if (settled === null) return
    this.log.settled({ ...settled, price: paid ?? -1 })
    this.#strategy.onSettle?.(
      {
        ...{ market, at: this.now, price, side: settled.net > 0 ? 'yes' : 'no' },
        ...{ contracts: Math.abs(settled.net) / 1e6, paid: settled.paid / 1e6 },
      },
      this.#view,
    )
  }

  #tellMarket(kind: EventKind, market: MarketIndex): void {
    if ((++this.#events & EVENTS_A_BEAT) === 0) this.#setup.beat?.(this.#events, this.now)
    if (this.#hears) this.#tellBook(kind, market, this.now)
  }

  #filled(fill: Fill): void {
    this.log.fill(fill, this.broker.tagNumber(fill.order.tag))
    this.#strategy.onFill?.(fill, this.#view)
  }

  #sample(): void {
    const { broker } = this
    const { cash, equity, positions } = broker
    this.log.sample({ at: this.now, cash, equity, cost: positions.cost, held: equity - cash })
  }

  #submit(request: OrderRequest): Order {
    if (this.#isOver) throw new Error('The run is over: nothing can be ordered in onEnd')
    const order = this.broker.submit(request, this.now)
    this.log.ordered(order)
    if (!isAlive(order)) return order
    this.#put(order.arrivesAt, PLACES.order, { kind: 'arrival', order })
    const { goodUntil } = request
    if (goodUntil !== undefined && goodUntil <= this.#setup.to) {
      const at = Math.max(goodUntil, this.now) as Millis
      this.#put(at, PLACES.order, { kind: 'cancel', order, why: 'time ran out' })
    }
    return order
  }

  #cancel(order: Order): void {
    if (this.#isOver || !isAlive(order)) return
    this.log.cancelled(order, this.now)
    const at = (this.now + this.#setup.model.latencyMs) as Millis
    this.#put(at, PLACES.order, { kind: 'cancel', order, why: 'cancelled by the strategy' })
  }

  #every(span: Millis, name: string): void {
    const at = (Math.floor(this.now / span) * span + span) as Millis
    this.#put(at, PLACES.timer, { kind: 'timer', name, every: span })
  }

  #sortedListed(): readonly MarketIndex[] {
    if (!this.#listedSorted) {
      this.#listed = [...this.#listed].sort((a, b) => a - b)
      this.#listedSorted = true
    }
    return this.#listed
  }

  #inside(candles: ReadonlyMap<Timeframe, KeptCandles>) {
    const now = (): Millis => this.now
    const { from, to, seed } = this.#setup
    return {
      ...{ from, to, candles, broker: this.broker, random: seededRandom(seed) },
      get now() {
        return now()
      },
      listed: () => this.#sortedListed(),
      find: (ticker: Ticker) => this.#byTicker.get(ticker) ?? null,
      submit: (request: OrderRequest) => this.#submit(request),
      cancel: (order: Order) => this.#cancel(order),
      timer: (at: Millis, name: string) =>
        this.#put(at, PLACES.timer, { kind: 'timer', name, every: null }),
      every: (span: Millis, name: string) => this.#every(span, name),
      note: (text: string) => this.log.note(this.now, text),
    }
  }
}

/** Where a kind of rows stands. */
class Head {
  known: number
  readonly #rows: Pick<TradeRows, 'known' | 'ts' | 'market'> | null
  #row = 0

  constructor(rows: Pick<TradeRows, 'known' | 'ts' | 'market'> | null) {
    this.#rows = rows
    this.known = rows?.known[0] ?? Infinity
  }

  /** By when it was known, the venue's time, then market; false for equal ones. */
  isBefore(other: Head): boolean {
    if (this.known !== other.known) return this.known < other.known
    if (this.known === Infinity) return false
    const [ts, theirs] = [this.#of('ts'), other.#of('ts')]
    if (ts !== theirs) return ts < theirs
    return this.#of('market') < other.#of('market')
  }

  take(): number {
    const row = this.#row++
    this.known = this.#rows?.known[this.#row] ?? Infinity
    return row
  }

  #of(column: 'ts' | 'market'): number {
    return this.#rows?.[column][this.#row] ?? Infinity
  }
}
