import type { Timeframe } from '../prices/candle.ts'
import type { FeeTerms } from '../fees.ts'
import type { MarketFacts, Ticker, Venue } from '../market.ts'
import { HOUR } from '../units.ts'
import type { Millis, MoneyE6 } from '../units.ts'
import { EventSchedule, type ScheduledEvent } from './event-schedule.ts'
import { Broker } from './broker/broker.ts'
import type { EventWindow, FactsVersion } from './event-columns.ts'
import type { FillModel } from './broker/fill-model.ts'
import { CandleCache } from './candle-cache.ts'
import { MarketLifecycleFeed } from './market-lifecycle-feed.ts'
import { knownFill, knownOrder } from './broker/known-order.ts'
import { isAlive, type Fill, type Order, type OrderRequest } from './broker/orders.ts'
import { RunLog } from './run-log.ts'
import { resultOf, type RunResult } from './report/run-result.ts'
import { BacktestState } from './backtest-state.ts'
import { StrategyContext } from './strategy-context.ts'
import { seededRandom } from './seeded.ts'
import type { Strategy } from './strategy.ts'
import { Tape } from './tape.ts'
import { StrategyDispatcher } from './strategy-dispatcher.ts'
import { EVENT_PRIORITIES } from './timer-heap.ts'

/** Inputs of a run besides its events. */
export interface RunSetup {
  /** Exclusive: everything known by this instant is the state at the start. */
  readonly from: Millis
  /** Inclusive. */
  readonly to: Millis
  /** Ordered by market number: by venue, then ticker. */
  readonly markets: readonly { readonly venue: Venue; readonly ticker: Ticker }[]
  /**
   * Versions of market facts, ascending by the instant at which they became known; includes those
   * from before `from`.
   */
  readonly versions: readonly FactsVersion[]
  readonly model: FillModel
  readonly startCash: MoneyE6
  readonly termsOf: (facts: MarketFacts) => FeeTerms
  readonly candles: readonly Timeframe[]
  readonly seed: number
  /** Called every 64 events as a heartbeat. */
  readonly onHeartbeat?: (events: number, now: Millis) => void
}

/**
 * Runs a strategy over events in the order in which they became known. Events of one instant are
 * ordered by kind (market facts, settlements, quotes and books, trades and bars, timers, arriving
 * orders; methodology L1), then by venue time, market and arrival. The strategy receives a fill
 * before the event that caused it.
 */
export class Backtest {
  readonly broker: Broker
  readonly log = new RunLog()
  readonly #setup: RunSetup
  readonly #strategy: Strategy
  readonly #state: BacktestState
  readonly #schedule: EventSchedule
  readonly #lifecycle: MarketLifecycleFeed
  readonly #tape: Tape
  readonly #view: StrategyContext
  #isOver = false

  constructor(setup: RunSetup, strategy: Strategy) {
    this.#setup = setup
    this.#strategy = strategy
    const state = new BacktestState(setup.from)
    this.#state = state
    this.#schedule = new EventSchedule(state)
    this.broker = new Broker({
      markets: setup.markets.length,
      model: setup.model,
      startCash: setup.startCash,
      termsOf: setup.termsOf,
      onFill: (fill) => this.#applyFill(fill),
      onEnd: (order) => {
        if (order.end !== null) this.log.countEnd(order.end)
        if (!this.#isOver) this.#strategy.onOrderEnd?.(knownOrder(order), this.#view)
      },
    })
    const candles = new Map(setup.candles.map((name) => [name, new CandleCache(name)]))
    const { broker, log } = this
    const run = new StrategyContext(this.#internals(candles))
    this.#view = run
    const dispatcher = new StrategyDispatcher({
      state,
      books: broker.books,
      strategy,
      run,
      onHeartbeat: setup.onHeartbeat,
    })
    this.#lifecycle = new MarketLifecycleFeed({
      state,
      schedule: this.#schedule,
      broker,
      log,
      dispatcher,
      strategy,
      run,
      to: setup.to,
    })
    this.#tape = new Tape({
      state,
      broker,
      dispatcher,
      candles: [...candles.values()],
      catchUp: (knownAt) => this.#catchUp(knownAt),
    })
  }

  get now(): Millis {
    return this.#tape.now
  }
  /** Events that were processed so far. */
  get events(): number {
    return this.#state.events
  }

  /** Lists the markets that are known by now and starts the strategy. */
  start(): void {
    const { from, to, versions } = this.#setup
    for (const version of versions) {
      if (version.knownAt > to) continue
      if (version.knownAt <= from) this.#lifecycle.describe(version, true)
      else {
        const { version: plainPriority, settlement } = EVENT_PRIORITIES
        const priority = version.facts.status === 'settled' ? settlement : plainPriority
        this.#schedule.put(version.knownAt, priority, { kind: 'version', version }, version.market)
      }
    }
    this.#sample()
    const firstHour = (Math.floor(from / HOUR) * HOUR + HOUR) as Millis
    this.#schedule.put(firstHour, EVENT_PRIORITIES.sample, { kind: 'sample' })
    this.#strategy.onStart?.(this.#view)
  }

  /** Processes a window of events. */
  process(window: EventWindow): void {
    this.#tape.play(window)
  }

  /** Runs to the end of the range and returns the result. */
  finish(): RunResult {
    const { from, to, markets, seed, startCash } = this.#setup
    for (;;) {
      const timer = this.#schedule.popUntil(to)
      if (timer === null) break
      this.#perform(timer.at, timer.value)
    }
    this.#state.now = to
    this.#isOver = true
    this.broker.finish(to)
    this.#strategy.onEnd?.(this.#view)
    this.#sample()
    return resultOf({
      broker: this.broker,
      log: this.log,
      from,
      to,
      markets,
      seed,
      startCash,
      events: this.#state.events,
      unlisted: this.#state.unlisted,
      unpaid: this.#lifecycle.unpaid,
    })
  }

  /** Processes everything that is due before a row known at `knownAt`. */
  #catchUp(knownAt: number): void {
    for (;;) {
      const timer = this.#schedule.popBefore(knownAt)
      if (timer === null) return
      this.#perform(timer.at, timer.value)
    }
  }

  #perform(at: Millis, event: ScheduledEvent): void {
    this.#state.now = at
    switch (event.kind) {
      case 'version':
        return this.#lifecycle.describe(event.version, false)
      case 'timetable':
        return this.#lifecycle.checkTimetable(event.market)
      case 'timer':
        if (event.every !== null) {
          this.#schedule.put((at + event.every) as Millis, EVENT_PRIORITIES.timer, event)
        }
        return this.#strategy.onTimer?.({ name: event.name, at }, this.#view)
      case 'arrival':
        return this.broker.arrive(event.order, at)
      case 'cancel':
        return this.broker.cancel(event.order, event.why, at)
      case 'sample':
        this.#sample()
        this.#schedule.put((at + HOUR) as Millis, EVENT_PRIORITIES.sample, event)
    }
  }

  #applyFill(fill: Fill): void {
    this.log.fill(fill, this.broker.tagNumber(fill.order.tag))
    this.#strategy.onFill?.(knownFill(fill), this.#view)
  }

  #sample(): void {
    const { cash, equity, positions } = this.broker
    this.log.sample({ at: this.now, cash, equity, cost: positions.cost, held: equity - cash })
  }

  #submit(request: OrderRequest): Order {
    this.#tape.flush()
    if (this.#isOver) throw new Error('The run is over: onEnd cannot submit orders')
    const order = this.broker.submit(request, this.now)
    this.log.logOrder(order)
    if (!isAlive(order)) return order
    this.#schedule.put(order.arrivesAt, EVENT_PRIORITIES.order, { kind: 'arrival', order })
    const { goodUntil } = request
    if (goodUntil !== undefined && goodUntil <= this.#setup.to) {
      const at = Math.max(goodUntil, this.now) as Millis
      this.#schedule.put(at, EVENT_PRIORITIES.order, { kind: 'cancel', order, why: 'expired' })
    }
    return order
  }

  #cancel(order: Order): void {
    if (this.#isOver || !isAlive(order)) return
    this.log.logCancel(order, this.now)
    const at = (this.now + this.#setup.model.latencyMs) as Millis
    this.#schedule.put(at, EVENT_PRIORITIES.order, {
      kind: 'cancel',
      order,
      why: 'cancelled by the strategy',
    })
  }

  #timer(at: Millis, name: string, every: Millis | null): void {
    this.#schedule.put(at, EVENT_PRIORITIES.timer, { kind: 'timer', name, every })
  }

  #internals(candles: ReadonlyMap<Timeframe, CandleCache>) {
    const now = (): Millis => this.now
    const { from, to, seed } = this.#setup
    const flushTape = (): Broker => {
      this.#tape.flush()
      return this.broker
    }
    return {
      from,
      to,
      candles,
      random: seededRandom(seed),
      get now() {
        return now()
      },
      get broker() {
        return flushTape()
      },
      listed: () => this.#lifecycle.listed,
      find: (ticker: Ticker) => this.#lifecycle.find(ticker),
      submit: (request: OrderRequest) => this.#submit(request),
      cancel: (order: Order) => this.#cancel(order),
      timer: (at: Millis, name: string) => this.#timer(at, name, null),
      every: (span: Millis, name: string) =>
        this.#timer((Math.floor(this.now / span) * span + span) as Millis, name, span),
      note: (text: string) => this.log.append(this.now, text),
    }
  }
}
