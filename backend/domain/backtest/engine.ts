import type { Timeframe } from '../candle.ts'
import type { FeeTerms } from '../fees.ts'
import type { MarketFacts, Ticker, Venue } from '../market.ts'
import { HOUR } from '../units.ts'
import type { Millis, MoneyE6 } from '../units.ts'
import { Agenda, type Due } from './agenda.ts'
import { Broker } from './broker.ts'
import type { EventWindow, FactsVersion } from './event-columns.ts'
import type { FillModel } from './fill-model.ts'
import { KeptCandles } from './kept-candles.ts'
import { MarketNews } from './market-news.ts'
import { isAlive, type Fill, type Order, type OrderRequest } from './orders.ts'
import { RunLog } from './run-log.ts'
import { resultOf, type RunResult } from './run-result.ts'
import { RunState } from './run-state.ts'
import { RunView } from './run-view.ts'
import { seededRandom } from './seeded.ts'
import type { Strategy } from './strategy.ts'
import { Tape } from './tape.ts'
import { Teller } from './teller.ts'
import { PLACES } from './wakes.ts'

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

/**
 * One run of a strategy over events in the order in which they became known. At one instant: what
 * venues say of markets, settlements, quotes and books, trades and bars, timers, orders that arrive
 * (methodology L1); inside a kind by the venue's time, then market, then arrival. The strategy hears
 * of a fill before the event that brought it.
 */
export class Backtest {
  readonly broker: Broker
  readonly log = new RunLog()
  readonly #setup: RunSetup
  readonly #strategy: Strategy
  readonly #state: RunState
  readonly #agenda: Agenda
  readonly #news: MarketNews
  readonly #tape: Tape
  readonly #view: RunView
  #isOver = false

  constructor(setup: RunSetup, strategy: Strategy) {
    this.#setup = setup
    this.#strategy = strategy
    const state = new RunState(setup.from)
    this.#state = state
    this.#agenda = new Agenda(state)
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
    const { broker, log } = this
    const run = new RunView(this.#inside(candles))
    this.#view = run
    const teller = new Teller({ state, books: broker.books, strategy, run, beat: setup.beat })
    this.#news = new MarketNews({
      ...{ state, agenda: this.#agenda, broker, log, teller, strategy, run, to: setup.to },
    })
    this.#tape = new Tape({
      ...{ state, broker, teller, candles: [...candles.values()] },
      catchUp: (known) => this.#catchUp(known),
    })
  }

  get now(): Millis {
    return this.#tape.now
  }
  /** Events that were heard so far. */
  get events(): number {
    return this.#state.events
  }

  /** Lists what is known by now and begins. */
  start(): void {
    const { from, to, versions } = this.#setup
    for (const version of versions) {
      if (version.knownAt > to) continue
      if (version.knownAt <= from) this.#news.describe(version, true)
      else {
        const { version: plain, settlement } = PLACES
        const place = version.facts.status === 'settled' ? settlement : plain
        this.#agenda.put(version.knownAt, place, { kind: 'version', version }, version.market)
      }
    }
    this.#sample()
    const firstHour = (Math.floor(from / HOUR) * HOUR + HOUR) as Millis
    this.#agenda.put(firstHour, PLACES.sample, { kind: 'sample' })
    this.#strategy.onStart?.(this.#view)
  }

  /** Plays a window of events. */
  take(window: EventWindow): void {
    this.#tape.play(window)
  }

  /** Lets the time run out and answers what came of it. */
  finish(): RunResult {
    const { from, to, markets, seed, startCash } = this.#setup
    for (;;) {
      const wake = this.#agenda.takeBy(to)
      if (wake === null) break
      this.#perform(wake.at, wake.thing)
    }
    this.#state.now = to
    this.#isOver = true
    this.broker.finish(to)
    this.#strategy.onEnd?.(this.#view)
    this.#sample()
    return resultOf({
      ...{ broker: this.broker, log: this.log, from, to, markets, seed, startCash },
      ...{ events: this.#state.events, unlisted: this.#state.unlisted, unpaid: this.#news.unpaid },
    })
  }

  /** Everything that is due before a row known at `known` is played. */
  #catchUp(known: number): void {
    for (;;) {
      const wake = this.#agenda.takeBefore(known)
      if (wake === null) return
      this.#perform(wake.at, wake.thing)
    }
  }

  #perform(at: Millis, thing: Due): void {
    this.#state.now = at
    switch (thing.kind) {
      case 'version':
        return this.#news.describe(thing.version, false)
      case 'timetable':
        return this.#news.lookAtTimetable(thing.market)
      case 'timer':
        if (thing.every !== null) {
          this.#agenda.put((at + thing.every) as Millis, PLACES.timer, thing)
        }
        return this.#strategy.onTimer?.({ name: thing.name, at }, this.#view)
      case 'arrival':
        return this.broker.arrive(thing.order, at)
      case 'cancel':
        return this.broker.cancel(thing.order, thing.why, at)
      case 'sample':
        this.#sample()
        this.#agenda.put((at + HOUR) as Millis, PLACES.sample, thing)
    }
  }

  #filled(fill: Fill): void {
    this.log.fill(fill, this.broker.tagNumber(fill.order.tag))
    this.#strategy.onFill?.(fill, this.#view)
  }

  #sample(): void {
    const { cash, equity, positions } = this.broker
    this.log.sample({ at: this.now, cash, equity, cost: positions.cost, held: equity - cash })
  }

  #submit(request: OrderRequest): Order {
    this.#tape.settle()
    if (this.#isOver) throw new Error('The run is over: nothing can be ordered in onEnd')
    const order = this.broker.submit(request, this.now)
    this.log.ordered(order)
    if (!isAlive(order)) return order
    this.#agenda.put(order.arrivesAt, PLACES.order, { kind: 'arrival', order })
    const { goodUntil } = request
    if (goodUntil !== undefined && goodUntil <= this.#setup.to) {
      const at = Math.max(goodUntil, this.now) as Millis
      this.#agenda.put(at, PLACES.order, { kind: 'cancel', order, why: 'time ran out' })
    }
    return order
  }

  #cancel(order: Order): void {
    if (this.#isOver || !isAlive(order)) return
    this.log.cancelled(order, this.now)
    const at = (this.now + this.#setup.model.latencyMs) as Millis
    this.#agenda.put(at, PLACES.order, { kind: 'cancel', order, why: 'cancelled by the strategy' })
  }

  #timer(at: Millis, name: string, every: Millis | null): void {
    this.#agenda.put(at, PLACES.timer, { kind: 'timer', name, every })
  }

  #inside(candles: ReadonlyMap<Timeframe, KeptCandles>) {
    const now = (): Millis => this.now
    const { from, to, seed } = this.#setup
    const settled = (): Broker => {
      this.#tape.settle()
      return this.broker
    }
    return {
      ...{ from, to, candles, random: seededRandom(seed) },
      get now() {
        return now()
      },
      get broker() {
        return settled()
      },
      listed: () => this.#news.listed,
      find: (ticker: Ticker) => this.#news.find(ticker),
      submit: (request: OrderRequest) => this.#submit(request),
      cancel: (order: Order) => this.#cancel(order),
      timer: (at: Millis, name: string) => this.#timer(at, name, null),
      every: (span: Millis, name: string) =>
        this.#timer((Math.floor(this.now / span) * span + span) as Millis, name, span),
      note: (text: string) => this.log.note(this.now, text),
    }
  }
}
