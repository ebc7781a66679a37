import { Account } from '../backtest/broker/account.ts'
import { ColumnHead } from '../backtest/column-head.ts'
import {
  ABSENT,
  rowsIn,
  type EventWindow,
  type FactsVersion,
  type MarketIndex,
} from '../backtest/event-columns.ts'
import { otherSide, type FillModel } from '../backtest/broker/fill-model.ts'
import { HELD, MarketBooks, VALUED } from '../backtest/broker/market-books.ts'
import { RunLog } from '../backtest/run-log.ts'
import { resultOf, type RunResult } from '../backtest/report/run-result.ts'
import { statusAt } from '../market-status.ts'
import type { MarketFacts, MarketStatus, Ticker } from '../market.ts'
import { HOUR, sizeOfContracts, type Millis, type MoneyE6 } from '../units.ts'
import { withoutReversed } from './correction.ts'
import type { Intent } from './intent.ts'
import type { LedgerEntry } from './ledger.ts'

/** Paper trading of one account in a period. */
export interface PaperRunSetup {
  readonly from: Millis
  readonly to: Millis
  readonly startCash: MoneyE6
  readonly model: FillModel
  /** The markets that were traded, in the order of their numbers. */
  readonly tickers: readonly Ticker[]
  /** Facts known by `to`, ascending by the instant at which they became known. */
  readonly versions: readonly FactsVersion[]
  /** Entries of one paper account until `to`, oldest first. */
  readonly entries: readonly LedgerEntry[]
  readonly intents: readonly Intent[]
}

/**
 * Presents the trading of a paper account as a backtest run: fills and settlements come from the
 * ledger, and positions are valued from the events of their markets with the arithmetic of
 * backtests.
 */
export class PaperRun {
  readonly #setup: PaperRunSetup
  readonly #books: MarketBooks
  readonly #account: Account
  readonly #log = new RunLog()
  readonly #settlementTimes = new Map<string, number>()
  readonly #tags: string[] = []
  readonly #orders = new Map<string, number>()
  readonly #facts: MarketFacts[] = []
  readonly #intents: ReadonlyMap<string, Intent>
  #nextVersion = 0
  #nextEntry = 0
  #nextSample: number
  #events = 0
  #orderCount = 0

  constructor(setup: PaperRunSetup) {
    const { tickers, model, startCash, from } = setup
    // A changed result counts when it was booked; until then the position keeps its value.
    this.#setup = { ...setup, entries: withoutReversed(setup.entries) }
    this.#books = new MarketBooks(tickers.length, sizeOfContracts(model.assumedLevelContracts))
    this.#account = new Account(this.#books, startCash)
    this.#intents = new Map(setup.intents.map((intent) => [intent.id, intent]))
    this.#nextSample = Math.floor(from / HOUR) * HOUR + HOUR
    this.#moveTo(from)
    this.#sample(from)
  }

  /** Processes a window of events of the traded markets. */
  process(window: EventWindow): void {
    const heads = {
      books: new ColumnHead(window.books),
      quotes: new ColumnHead(window.quotes),
      bars: new ColumnHead(window.bars),
      trades: new ColumnHead(window.trades),
    }
    const order = [heads.books, heads.quotes, heads.bars, heads.trades]
    for (let left = rowsIn(window); left > 0; left--) {
      let first = heads.books
      for (const head of order) if (head.known < first.known) first = head
      const at = first.known as Millis
      const row = first.next()
      this.#moveTo(at)
      if (at > this.#setup.from) this.#events++
      if (first === heads.quotes) this.#quote(window, row)
      else if (first === heads.books) this.#book(window, row)
      else if (first === heads.trades) this.#trade(window, row)
      else this.#bar(window, row)
    }
  }

  /** Runs to the end of the period and returns the result. */
  finish(): RunResult {
    const { from, to, tickers, model, startCash, intents } = this.#setup
    this.#moveTo(to)
    this.#sample(to)
    for (const { at, text } of notesOf(intents)) this.#log.append(at, text)
    for (const { status } of intents) {
      if (status === 'expired' || status === 'cancelled') this.#endRun(`intent ${status}`)
    }
    const account = this.#account
    const openMarkets = account.positions.openMarkets()
    return resultOf({
      broker: {
        model,
        cash: account.cash,
        equity: account.equity,
        fees: account.fees,
        deepestDrawdown: account.deepestDrawdown,
        orderCount: this.#orderCount,
        tags: this.#tags,
        positions: account.positions,
        books: this.#books,
        facts: (market) => this.#facts[market] ?? null,
        status: (market) => this.#statusOf(market, to),
        net: (market) => account.net(market),
      },
      log: { ...this.#columns(), ends: this.#settlementTimes },
      from,
      to,
      markets: tickers,
      events: this.#events,
      unlisted: 0,
      unpaid: openMarkets.filter((market) => this.#statusOf(market, to) === 'settled').length,
      seed: 0,
      startCash,
    })
  }

  #columns() {
    const { fills, decisions, samples, settlements, notes } = this.#log
    return { fills, decisions, samples, settlements, notes }
  }

  /** Applies everything up to an instant, in order: facts, bookings, then hourly samples. */
  #moveTo(at: Millis): void {
    const { versions, entries } = this.#setup
    for (;;) {
      const version = versions[this.#nextVersion]
      const entry = entries[this.#nextEntry]
      const knownAt = version?.knownAt ?? Infinity
      const bookedAt = entry?.occurredAt ?? Infinity
      const first = Math.min(knownAt, bookedAt, this.#nextSample)
      if (first > at) return
      if (version !== undefined && knownAt === first) {
        this.#nextVersion++
        this.#facts[version.market] = version.facts
      } else if (entry !== undefined && bookedAt === first) {
        this.#nextEntry++
        this.#record(entry)
      } else {
        this.#sample(first as Millis)
        this.#nextSample = first + HOUR
      }
    }
  }

  #sample(at: Millis): void {
    const { cash, equity, positions } = this.#account
    this.#log.sample({ at, cash, equity, cost: positions.cost, held: equity - cash })
  }

  #record(entry: LedgerEntry): void {
    if (entry.eventType === 'agent_decision') this.#recordDecision(entry)
    const market = entry.ticker === null ? -1 : this.#setup.tickers.indexOf(entry.ticker)
    if (market === -1) return
    if (entry.eventType === 'fill') this.#bookFill(market, entry)
    if (entry.eventType === 'settlement') this.#recordSettlement(market, entry)
  }

  #recordDecision({ note, tickId }: LedgerEntry): void {
    this.#orderCount++
    if (tickId !== null) this.#orders.set(tickId, this.#orderCount)
    if (note !== null) this.#endRun(note)
  }

  #bookFill(market: MarketIndex, entry: LedgerEntry): void {
    const { action, direction: side, size, price, fee, occurredAt: at, slippage } = entry
    if (action === null || side === null || size === null || price === null) return
    const tag = this.#tagOf(entry)
    const booking = { market, side, price, size, fee, at }
    if (action === 'buy') this.#account.buy(booking, tag)
    else this.#account.sell(booking)
    const worseByE4 = slippage === null ? null : Math.round((slippage * 10_000) / size)
    const decidedPrice =
      worseByE4 === null ? null : price - (action === 'buy' ? worseByE4 : -worseByE4)
    this.#log.fills.add({
      at,
      market,
      price,
      size,
      fee,
      tag,
      decidedAt: at,
      decidedPrice: decidedPrice ?? -1,
      order: this.#orders.get(entry.tickId ?? '') ?? 0,
      isBuy: Number(action === 'buy'),
      isYes: Number(side === 'yes'),
      isMaker: Number(entry.liquidity === 'maker'),
      isEstimated: Number(entry.payload['isEstimated'] === true),
    })
    this.#revalue(market, at)
  }

  #recordSettlement(
    market: MarketIndex,
    { direction, price, result, occurredAt: at }: LedgerEntry,
  ): void {
    const payout = result === 'void' ? null : price
    const yes = payout === null || direction === 'yes' ? payout : otherSide(payout)
    const settlement = this.#account.settle(market, yes, at)
    if (settlement === null) return
    const { net, paid } = settlement
    this.#log.logSettlement({ at, market, price: yes ?? -1, net, paid })
  }

  #tagOf({ intentId }: LedgerEntry): number {
    const intent = intentId === null ? undefined : this.#intents.get(intentId)
    const { source = 'agent', sourceId = null } = intent ?? {}
    const tag = sourceId === null ? source : `${source} ${sourceId}`
    const tagIndex = this.#tags.indexOf(tag)
    return tagIndex === -1 ? this.#tags.push(tag) - 1 : tagIndex
  }

  #endRun(reason: string): void {
    this.#settlementTimes.set(reason, (this.#settlementTimes.get(reason) ?? 0) + 1)
  }

  #quote({ quotes }: EventWindow, row: number): void {
    if (quotes === null) return
    this.#books.quoteRow(quotes, row)
    this.#revalue(quotes.market[row] as number, quotes.known[row] as Millis)
  }

  #book({ books }: EventWindow, row: number): void {
    if (books === null) return
    const market = books.market[row] as number
    this.#books.book(market, books.ts[row] as number, books, row)
    this.#revalue(market, books.known[row] as Millis)
  }

  #trade({ trades }: EventWindow, row: number): void {
    if (trades === null) return
    const market = trades.market[row] as number
    this.#books.trade(market, trades.price[row] as number)
    this.#revalue(market, trades.known[row] as Millis)
  }

  #bar({ bars }: EventWindow, row: number): void {
    if (bars === null) return
    const [market, at] = [bars.market[row] as number, bars.known[row] as Millis]
    const [bid, ask, close] = [
      bars.bid[row] as number,
      bars.ask[row] as number,
      bars.close[row] as number,
    ]
    if (bid !== ABSENT || ask !== ABSENT) {
      this.#books.quote(market, bars.ts[row] as number, bid, NaN, ask, NaN)
    }
    if (close !== ABSENT) this.#books.trade(market, close)
    this.#revalue(market, at)
  }

  /** Marks a position to its book while it is tradable; afterwards it keeps its value. */
  #revalue(market: MarketIndex, at: Millis): void {
    if ((this.#books.flags(market) & HELD) === 0) return
    const status = this.#statusOf(market, at)
    if (status === 'active' || status === 'paused') this.#books.raise(market, VALUED)
    else this.#books.lower(market, VALUED)
    this.#account.revalue(market)
  }

  #statusOf(market: MarketIndex, at: Millis): MarketStatus | null {
    const facts = this.#facts[market]
    return facts === undefined ? null : statusAt(facts, at)
  }
}

/** Notes of the intents in time order; ids are partly random, so they are not used for ordering. */
function notesOf(intents: readonly Intent[]): { readonly at: Millis; readonly text: string }[] {
  return intents
    .map(({ createdAt: at, action, targetSize, direction, ticker, status, rationale }) => {
      const intentText = `${action} ${targetSize / 1e6} ${direction} ${ticker}: ${status}`
      return { at, text: rationale === null ? intentText : `${intentText}. ${rationale}` }
    })
    .sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1))
}
