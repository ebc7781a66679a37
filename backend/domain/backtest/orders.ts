import type { Side } from '../market.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import type { MarketIndex } from './event-columns.ts'

/** `gtc` until cancelled or closed, `ioc` at once or not, `fok` whole and at once or not. */
export const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok'] as const
export type TimeInForce = (typeof TIMES_IN_FORCE)[number]

/** What a strategy asks for. Prices are of the side that is traded. */
export interface OrderRequest {
  readonly market: MarketIndex
  readonly action: 'buy' | 'sell'
  readonly side: Side
  readonly contracts: number
  /** Null for a market order, which never rests. */
  readonly limit: Cents | null
  readonly timeInForce?: TimeInForce
  /** Refused when it would take. */
  readonly postOnly?: boolean
  /** Cancelled at this instant of the run. */
  readonly goodUntil?: Millis
  /** Text that comes back with its fills. */
  readonly tag?: string
}

/** `sent` on its way, `waiting` for the first book it can meet, `resting` in the queue. */
export type OrderState = 'sent' | 'waiting' | 'resting' | 'filled' | 'cancelled' | 'rejected'

/** Why an order was refused or ended unfilled. */
export type OrderEnd =
  | 'price is not between 0 and 100 cents'
  | 'price is off the grid'
  | 'size is below the least'
  | 'market is not open'
  | 'balance is too small'
  | 'position is too small'
  | 'post-only would take'
  | 'crosses an own order'
  | 'too many open orders'
  | 'cancelled by the strategy'
  | 'time ran out'
  | 'nothing to take'
  | 'rest of a take'
  | 'quote is too old'
  | 'market paused'
  | 'market closed'
  | 'market settled'
  | 'run ended'

/** One order. Only the broker changes it. */
export interface Order {
  readonly id: number
  readonly market: MarketIndex
  readonly action: 'buy' | 'sell'
  readonly side: Side
  readonly size: SizeE6
  /** On the side that is traded; null for a market order. */
  readonly limit: PriceE4 | null
  readonly timeInForce: TimeInForce
  readonly postOnly: boolean
  readonly tag: string
  readonly decidedAt: Millis
  readonly arrivesAt: Millis
  /** Best price of its side when it was decided, for slippage; null without a book. */
  readonly decidedPrice: PriceE4 | null
  state: OrderState
  end: OrderEnd | null
  filled: SizeE6
  /** Takes asks: buys YES, or sells NO. */
  readonly takesAsks: boolean
  /** Limit on the YES scale; for market orders set when they meet a book. */
  yesLimit: PriceE4
  /** Where it stands in the queue of its price; null until it rests. */
  queue: QueuePlace | null
  /** See `feeOfFill`. */
  accumulator: MoneyE6
  /** Held back for what is not filled: money by a buy, contracts by a sell. */
  held: number
  /** The next younger order of its market at the venue. */
  next: Order | null
}

/** Where a resting order stands. */
export interface QueuePlace {
  /** Size before it; Infinity where that is not known. */
  ahead: number
  /** Venue time from which trades can meet it. */
  readonly since: number
}

/** Something an order traded. */
export interface Fill {
  readonly order: Order
  readonly at: Millis
  readonly market: MarketIndex
  readonly action: 'buy' | 'sell'
  readonly side: Side
  readonly role: 'taker' | 'maker'
  /** Of the side that was traded. */
  readonly price: PriceE4
  readonly size: SizeE6
  readonly fee: MoneyE6
  /** Without a book or a size on file. */
  readonly isEstimated: boolean
}

/** Whether an order can still be filled. */
export const isAlive = ({ state }: Order): boolean =>
  state === 'sent' || state === 'waiting' || state === 'resting'
