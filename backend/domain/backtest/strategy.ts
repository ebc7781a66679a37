import type { Timeframe } from '../candle.ts'
import type { MarketFacts, MarketStatus, Side, Ticker } from '../market.ts'
import type { Cents, Millis, PriceE4, SizeE6 } from '../units.ts'
import { ABSENT, type Feed, type MarketIndex, type TradeRows } from './event-columns.ts'
import type { Fill, Order, OrderRequest } from './orders.ts'

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
 * What just became known. One object for the whole run, overwritten by the next event: take from it
 * what is needed, never keep it.
 */
export class MarketEvent {
  kind: EventKind = 'trade'
  market: MarketIndex = 0
  /** 1e-4 dollars on the YES scale, `ABSENT` for none: of a trade, or the close of a bar. */
  priceE4 = ABSENT
  bidE4 = ABSENT
  askE4 = ABSENT
  bidSizeE6 = NaN
  askSizeE6 = NaN
  /** Place of a trade among the rows it is told of. */
  row = 0
  // What few strategies ask of a trade stays in its row until one does: that is a third of what telling costs.
  #trades: TradeRows | null = null
  #at = NaN as Millis
  #ts = NaN as Millis
  #sizeE6 = NaN

  /** Tells of trades from now on: `market`, `priceE4` and `row` are set with each. */
  toTrades(rows: TradeRows): void {
    this.#trades = rows
    this.kind = 'trade'
    this.bidE4 = this.askE4 = ABSENT
    this.bidSizeE6 = this.askSizeE6 = NaN
  }

  /** Tells of something else. */
  toOther(kind: EventKind, at: Millis, ts: Millis, priceE4: number, sizeE6: number): void {
    this.#trades = null
    this.kind = kind
    this.#at = at
    this.#ts = ts
    this.priceE4 = priceE4
    this.#sizeE6 = sizeE6
  }

  /** Whether trades of these rows are told. */
  isOf(rows: TradeRows): boolean {
    return this.#trades === rows
  }

  /** When it was known, which is now. */
  get at(): Millis {
    return this.#trades === null ? this.#at : (this.#trades.known[this.row] as Millis)
  }
  /** The venue's own time of it. */
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
  /** Contracts; null where unknown. */
  get contracts(): number | null {
    return Number.isNaN(this.sizeE6) ? null : this.sizeE6 / 1e6
  }
  get taker(): Side | null {
    return this.takerCode === 1 ? 'yes' : this.takerCode === 2 ? 'no' : null
  }
}

export const centsOrNull = (price: number): Cents | null =>
  price === ABSENT ? null : ((price / 100) as Cents)

/** A bar that has ended. */
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
  /** Null where the size is not on file. */
  readonly contracts: number | null
}

export interface KnownPosition {
  readonly side: Side
  readonly contracts: number
  /** Mean entry price of what is held, cents of that side. */
  readonly entry: Cents
}

/** What is computed of a market from what is known now; null where something is missing. */
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
  /** What YES paid, cents; null for a void. */
  readonly price: Cents | null
  readonly side: Side
  readonly contracts: number
  /** Dollars. */
  readonly paid: number
}

/**
 * A run as its strategy sees it. All of it is as of `now`: nothing here can answer about later, and
 * what is asked of later throws.
 */
export interface Run {
  readonly now: Millis
  readonly from: Millis
  readonly to: Millis
  /** Dollars that no open order holds back. */
  readonly cash: number
  /** Dollars: cash and what positions would bring at the other side of their books. */
  readonly equity: number
  /** Markets listed by now, ascending. */
  markets(): readonly MarketIndex[]
  /** Number of a listed market; null where none has this ticker by now. */
  find(ticker: Ticker): MarketIndex | null
  /** What the venue says of a market, as known now. Throws for one that is not listed by now. */
  facts(market: MarketIndex): MarketFacts
  status(market: MarketIndex): MarketStatus
  isTradable(market: MarketIndex): boolean
  bid(market: MarketIndex): Cents | null
  ask(market: MarketIndex): Cents | null
  last(market: MarketIndex): Cents | null
  /** Levels of a side of the YES book, best first. */
  levels(market: MarketIndex, side: 'bids' | 'asks'): KnownLevel[]
  indicators(market: MarketIndex): KnownIndicators
  /** The newest bars that have ended, oldest first; of timeframes that the strategy declared. */
  candles(market: MarketIndex, timeframe: Timeframe, count: number): readonly KnownCandle[]
  position(market: MarketIndex): KnownPosition | null
  positions(): readonly MarketIndex[]
  openOrders(market: MarketIndex): readonly Order[]
  order(request: OrderRequest): Order
  buy(market: MarketIndex, side: Side, contracts: number, limit?: Cents | number): Order
  sell(market: MarketIndex, side: Side, contracts: number, limit?: Cents | number): Order
  cancel(order: Order): void
  /** Calls `onTimer` at an instant after now; throws for one that is not. */
  timer(at: Millis | number, name?: string): void
  /** Calls `onTimer` at each multiple of `span` since the epoch. */
  every(span: Millis | number, name?: string): void
  /** From 0 to below 1; the same row of numbers in each run of one seed. */
  random(): number
  /** A line of the report. */
  note(text: string): void
}

export interface TimerNote {
  readonly name: string
  readonly at: Millis
}

/** What decides. Every part is optional. */
export interface Strategy {
  onStart?(run: Run): void
  onEvent?(event: MarketEvent, run: Run): void
  onTimer?(timer: TimerNote, run: Run): void
  onFill?(fill: Fill, run: Run): void
  /** An order ended unfilled, in whole or in part. */
  onOrderEnd?(order: Order, run: Run): void
  onSettle?(note: SettlementNote, run: Run): void
  onEnd?(run: Run): void
}

export type ParamValue = number | string | boolean
export type Params = Readonly<Record<string, ParamValue>>

/** What a strategy's module exports by default. */
export interface StrategyModule {
  readonly name: string
  /** What it does, in a sentence or two. */
  readonly about: string
  /** What it reads; by default all of it. */
  readonly feeds?: readonly Feed[]
  /** Bars it asks for. */
  readonly candles?: readonly Timeframe[]
  /** Names of its parameters and what they are unless told. */
  readonly params?: Params
  create(params: Params): Strategy
}

export type { Fill, Order, OrderRequest, PriceE4, SizeE6 }
