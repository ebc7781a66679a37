import type { MarketFacts, Ticker } from '../market.ts'
import { statusAt } from '../market-status.ts'
import { settledPrice } from '../price.ts'
import { priceOfCents } from '../units.ts'
import type { Millis } from '../units.ts'
import type { Agenda } from './agenda.ts'
import type { Broker } from './broker.ts'
import type { FactsVersion, MarketIndex } from './event-columns.ts'
import type { RunLog } from './run-log.ts'
import type { RunState } from './run-state.ts'
import type { Run, Strategy } from './strategy.ts'
import type { Teller } from './teller.ts'
import { PLACES } from './wakes.ts'

export interface MarketNewsDeps {
  readonly state: RunState
  readonly agenda: Agenda
  readonly broker: Broker
  readonly log: RunLog
  readonly teller: Teller
  readonly strategy: Strategy
  readonly run: Run
  /** End of the run. */
  readonly to: Millis
}

/** What venues say of markets as it becomes known: listings, timetables, results. */
export class MarketNews {
  readonly #deps: MarketNewsDeps
  readonly #byTicker = new Map<Ticker, MarketIndex>()
  #listed: MarketIndex[] = []
  #isSorted = true
  #unpaid = 0

  constructor(deps: MarketNewsDeps) {
    this.#deps = deps
  }

  /** Positions whose settlement has no value on file. */
  get unpaid(): number {
    return this.#unpaid
  }
  /** Markets listed by now, ascending. */
  get listed(): readonly MarketIndex[] {
    if (!this.#isSorted) {
      this.#listed = [...this.#listed].sort((a, b) => a - b)
      this.#isSorted = true
    }
    return this.#listed
  }
  /** Null where no market has this ticker by now. */
  find(ticker: Ticker): MarketIndex | null {
    return this.#byTicker.get(ticker) ?? null
  }

  /** Takes what was said before the run, which nobody is told of, or in it. */
  describe({ market, facts }: FactsVersion, isBefore: boolean): void {
    const { broker, state, agenda, to } = this.#deps
    const before = broker.status(market)
    const isNew = before === null
    if (isNew) {
      this.#listed.push(market)
      this.#isSorted = false
      this.#byTicker.set(facts.ticker, market)
    }
    const { now } = state
    const status = statusAt(facts, now)
    broker.describe(market, facts, status, now)
    for (const time of [facts.openTime, facts.closeTime]) {
      if (time !== null && time > now && time <= to) {
        agenda.put(time, PLACES.timetable, { kind: 'timetable', market }, market)
      }
    }
    if (status === 'settled') this.#settle(market, facts)
    if (isBefore) return
    if (isNew) this.#deps.teller.news('listing', market)
    else if (status !== before) {
      this.#deps.teller.news(status === 'settled' ? 'settlement' : 'status', market)
    }
  }

  /** An instant of a market's timetable has come. */
  lookAtTimetable(market: MarketIndex): void {
    const { broker, state, teller } = this.#deps
    const facts = broker.facts(market)
    if (facts === null) return
    const status = statusAt(facts, state.now)
    if (status === broker.status(market)) return
    broker.setStatus(market, status, state.now)
    teller.news('status', market)
  }

  #settle(market: MarketIndex, facts: MarketFacts): void {
    const { broker, state, log, strategy, run } = this.#deps
    const price = settledPrice(facts)
    if (price === null && facts.result !== 'void') {
      if (broker.net(market) !== 0) this.#unpaid++
      return
    }
    const paid = price === null ? null : priceOfCents(price)
    const settled = broker.settle(market, paid, state.now)
    if (settled === null) return
    log.settled({ ...settled, price: paid ?? -1 })
    strategy.onSettle?.(
      {
        ...{ market, at: state.now, price, side: settled.net > 0 ? 'yes' : 'no' },
        ...{ contracts: Math.abs(settled.net) / 1e6, paid: settled.paid / 1e6 },
      },
      run,
    )
  }
}
