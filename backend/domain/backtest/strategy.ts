import type { Timeframe } from '../prices/candle.ts'
import type { MarketFacts, MarketStatus, Side, Ticker } from '../market.ts'
import type { Cents, Millis, PriceE4, SizeE6 } from '../units.ts'
import { ABSENT, type Feed, type MarketIndex, type TradeRows } from './event-columns.ts'
import type { KnownFill, KnownOrder } from './broker/known-order.ts'
import type { OrderRequest } from './broker/orders.ts'

export const EVENT_KINDS = [
  'trade',
  'quote',
  'book',
  'bar',
  'listing',
  'status',
  'settlement',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/**
 * The event that just became known. One object is reused for the whole run: copy what you need and
 * do not keep a reference.
 */
export class MarketEvent {
  kind: EventKind = 'trade'
  market: MarketIndex = 0
  /** Price of a trade, or close of a bar, in 1e-4 dollars on the YES scale; `ABSENT` for none. */
  priceE4 = ABSENT
  bidE4 = ABSENT
  askE4 = ABSENT
  bidSizeE6 = NaN
  askSizeE6 = NaN
  /** Row of the current trade. */
  row = 0
  // Fields of a trade that few strategies read are read from its row on access; this saves a third
  // of the dispatch cost.
  #trades: TradeRows | null = null
  #at = NaN as Millis
  #ts = NaN as Millis
  #sizeE6 = NaN

  /** Switches to trades: each of them sets `market`, `priceE4` and `row`. */
  toTrades(rows: TradeRows): void {
    this.#trades = rows
    this.kind = 'trade'
    this.bidE4 = this.askE4 = ABSENT
    this.bidSizeE6 = this.askSizeE6 = NaN
  }

  /** Switches to an event of another kind. */
  toOther(kind: EventKind, at: Millis, ts: Millis, priceE4: number, sizeE6: number): void {
    this.#trades = null
    this.kind = kind
    this.#at = at
    this.#ts = ts
    this.priceE4 = priceE4
    this.#sizeE6 = sizeE6
  }

  /** Whether the current trades come from these rows. */
  isOf(rows: TradeRows): boolean {
    return this.#trades === rows
  }

  /** Instant at which it became known, which is now. */
  get at(): Millis {
    return this.#trades === null ? this.#at : (this.#trades.known[this.row] as Millis)
  }
  /** The venue's own time of the event. */
  get ts(): Millis {
    return this.#trades === null ? this.#ts : (this.#trades.ts[this.row] as Millis)
  }
  /** 1e-6 contracts, NaN for unknown. */
  get sizeE6(): number {
    return this.#trades === null ? this.#sizeE6 : (this.#trades.size[this.row] as number)
  }
  /** 0 unknown, 1 YES, 2 NO. */
  get takerCode(): number {
    return this.#trades?.taker[this.row] ?? 0
  }
  get price(): Cents | null {
    return centsOrNull(this.priceE4)
  }
  get bid(): Cents | null {
    return centsOrNull(this.bidE4)
  }
  get ask(): Cents | null {
    return centsOrNull(this.askE4)
  }
  /** Contracts; null when unknown. */
  get contracts(): number | null {
    return Number.isNaN(this.sizeE6) ? null : this.sizeE6 / 1e6
  }
  get taker(): Side | null {
    return this.takerCode === 1 ? 'yes' : this.takerCode === 2 ? 'no' : null
  }
}

export const centsOrNull = (price: number): Cents | null =>
  price === ABSENT ? null : ((price / 100) as Cents)

/** A completed bar. */
export interface KnownCandle {
  readonly start: Millis
  readonly open: Cents
  readonly high: Cents
  readonly low: Cents
  readonly close: Cents
  /** Contracts; null for price-only history. */
  readonly volume: number | null
}

export interface KnownLevel {
  readonly price: Cents
  /** Null when the size is not recorded. */
  readonly contracts: number | null
}

export interface KnownPosition {
  readonly side: Side
  readonly contracts: number
  /** Mean entry price of the position, cents of that side. */
  readonly entry: Cents
}

/** Indicators of a market from what is known now; null when an input is missing. */
export interface KnownIndicators {
  readonly price: Cents | null
  readonly mark: Cents | null
  readonly spread: Cents | null
  /** Days to the close as known now. */
  readonly tau: number | null
  readonly impliedYieldYes: number | null
  readonly impliedYieldNo: number | null
  readonly cliffRatio: number | null
  readonly liquidityAdjustedSpread: number | null
}

export interface SettlementNote {
  readonly market: MarketIndex
  readonly at: Millis
  /** Payout of YES, cents; null for a void. */
  readonly price: Cents | null
  readonly side: Side
  readonly contracts: number
  /** Dollars. */
  readonly paid: number
}

/**
 * A run as seen by its strategy. Everything is as of `now`; a request for anything later throws.
 */
export interface Run {
  readonly now: Millis
  readonly from: Millis
  readonly to: Millis
  /** Dollars that are not reserved by open orders. */
  readonly cash: number
  /** Dollars: cash plus the positions' value at the opposite side of their books. */
  readonly equity: number
  /** Markets listed by now, ascending. */
  markets(): readonly MarketIndex[]
  /** Number of a listed market; null when no market has this ticker by now. */
  find(ticker: Ticker): MarketIndex | null
  /** The venue's facts of a market, as known now. Throws for a market that is not listed by now. */
  facts(market: MarketIndex): MarketFacts
  status(market: MarketIndex): MarketStatus
  isTradable(market: MarketIndex): boolean
  bid(market: MarketIndex): Cents | null
  ask(market: MarketIndex): Cents | null
  last(market: MarketIndex): Cents | null
  /** Levels of a side of the YES book, best first. */
  levels(market: MarketIndex, side: 'bids' | 'asks'): KnownLevel[]
  indicators(market: MarketIndex): KnownIndicators
  /** The newest completed bars, oldest first; only of timeframes that the strategy declared. */
  candles(market: MarketIndex, timeframe: Timeframe, count: number): readonly KnownCandle[]
  position(market: MarketIndex): KnownPosition | null
  positions(): readonly MarketIndex[]
  openOrders(market: MarketIndex): readonly KnownOrder[]
  order(request: OrderRequest): KnownOrder
  buy(market: MarketIndex, side: Side, contracts: number, limit?: Cents | number): KnownOrder
  sell(market: MarketIndex, side: Side, contracts: number, limit?: Cents | number): KnownOrder
  /** Throws TypeError for an object that this run has not returned. */
  cancel(order: KnownOrder): void
  /** Calls `onTimer` at an instant after now; throws for an earlier one. */
  timer(at: Millis | number, name?: string): void
  /** Calls `onTimer` at each multiple of `span` since the epoch. */
  every(span: Millis | number, name?: string): void
  /** From 0 to below 1; the same sequence in each run with the same seed. */
  random(): number
  /** Adds a line to the report. */
  note(text: string): void
}

export interface TimerNote {
  readonly name: string
  readonly at: Millis
}

/** A strategy. Every method is optional. */
export interface Strategy {
  onStart?(run: Run): void
  onEvent?(event: MarketEvent, run: Run): void
  onTimer?(timer: TimerNote, run: Run): void
  onFill?(fill: KnownFill, run: Run): void
  /** Called when an order ended unfilled, in whole or in part. */
  onOrderEnd?(order: KnownOrder, run: Run): void
  onSettle?(note: SettlementNote, run: Run): void
  onEnd?(run: Run): void
}

export type ParamValue = number | string | boolean
export type Params = Readonly<Record<string, ParamValue>>

/** The default export of a strategy's module. */
export interface StrategyModule {
  readonly name: string
  /** Description in a sentence or two. */
  readonly about: string
  /** Feeds that it reads; by default all. */
  readonly feeds?: readonly Feed[]
  /** Timeframes of the bars that it reads. */
  readonly candles?: readonly Timeframe[]
  /** Names of its parameters and their defaults. */
  readonly params?: Params
  create(params: Params): Strategy
}

export type { KnownFill, KnownOrder, OrderRequest, PriceE4, SizeE6 }
