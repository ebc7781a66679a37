import type { MarketFacts, Ticker } from '../market.ts'
import { statusAt } from '../market-status.ts'
import { settledPrice } from '../prices/price.ts'
import { priceOfCents } from '../units.ts'
import type { Millis } from '../units.ts'
import type { EventSchedule } from './event-schedule.ts'
import type { Broker } from './broker/broker.ts'
import type { FactsVersion, MarketIndex } from './event-columns.ts'
import type { RunLog } from './run-log.ts'
import type { BacktestState } from './backtest-state.ts'
import type { Run, Strategy } from './strategy.ts'
import type { StrategyDispatcher } from './strategy-dispatcher.ts'
import { EVENT_PRIORITIES } from './timer-heap.ts'

export interface LifecycleFeedDeps {
  readonly state: BacktestState
  readonly schedule: EventSchedule
  readonly broker: Broker
  readonly log: RunLog
  readonly dispatcher: StrategyDispatcher
  readonly strategy: Strategy
  readonly run: Run
  /** End of the run. */
  readonly to: Millis
}

/** Venue updates of markets as they become known: listings, timetables, results. */
export class MarketLifecycleFeed {
  readonly #deps: LifecycleFeedDeps
  readonly #byTicker = new Map<Ticker, MarketIndex>()
  #listedMarkets: readonly MarketIndex[] = []
  /** Listed since the list was last read. */
  readonly #addedMarkets: MarketIndex[] = []
  /** Markets with a position whose settlement has no recorded value. */
  readonly #unpaid = new Set<MarketIndex>()

  constructor(deps: LifecycleFeedDeps) {
    this.#deps = deps
  }

  /** Positions whose settlement has no recorded value. */
  get unpaid(): number {
    return this.#unpaid.size
  }
  /** Markets listed by now, ascending. */
  get listed(): readonly MarketIndex[] {
    if (this.#addedMarkets.length > 0) {
      const listedMarkets = [...this.#listedMarkets, ...this.#addedMarkets].sort((a, b) => a - b)
      // Strategies receive the list itself.
      this.#listedMarkets = Object.freeze(listedMarkets)
      this.#addedMarkets.length = 0
    }
    return this.#listedMarkets
  }
  /** Null when no market has this ticker by now. */
  find(ticker: Ticker): MarketIndex | null {
    return this.#byTicker.get(ticker) ?? null
  }

  /** Applies a version of a market's facts. Versions from before the run emit no events. */
  describe({ market, facts }: FactsVersion, isBefore: boolean): void {
    const { broker, state, schedule, to } = this.#deps
    const previous = broker.status(market)
    const isNew = previous === null
    if (isNew) {
      this.#addedMarkets.push(market)
      this.#byTicker.set(facts.ticker, market)
    }
    const { now } = state
    const status = statusAt(facts, now)
    broker.describe(market, facts, status, now)
    for (const time of [facts.openTime, facts.closeTime]) {
      if (time !== null && time > now && time <= to) {
        schedule.put(time, EVENT_PRIORITIES.timetable, { kind: 'timetable', market }, market)
      }
    }
    if (status === 'settled') this.#settle(market, facts)
    if (isBefore) return
    if (isNew) this.#deps.dispatcher.lifecycle('listing', market)
    else if (status !== previous) {
      this.#deps.dispatcher.lifecycle(status === 'settled' ? 'settlement' : 'status', market)
    }
  }

  /** Updates a market's status when an instant of its timetable is reached. */
  checkTimetable(market: MarketIndex): void {
    const { broker, state, dispatcher } = this.#deps
    const facts = broker.facts(market)
    if (facts === null) return
    const status = statusAt(facts, state.now)
    if (status === broker.status(market)) return
    broker.setStatus(market, status, state.now)
    dispatcher.lifecycle('status', market)
  }

  #settle(market: MarketIndex, facts: MarketFacts): void {
    const { broker, state, log, strategy, run } = this.#deps
    const price = settledPrice(facts)
    if (price === null && facts.result !== 'void') {
      if (broker.net(market) !== 0) this.#unpaid.add(market)
      return
    }
    this.#unpaid.delete(market)
    const payout = price === null ? null : priceOfCents(price)
    const settlement = broker.settle(market, payout, state.now)
    if (settlement === null) return
    log.logSettlement({ ...settlement, price: payout ?? -1 })
    strategy.onSettle?.(
      {
        market,
        at: state.now,
        price,
        side: settlement.net > 0 ? 'yes' : 'no',
        contracts: Math.abs(settlement.net) / 1e6,
        paid: settlement.paid / 1e6,
      },
      run,
    )
  }
}
