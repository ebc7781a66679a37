import type { Side } from '../../market.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import type { MarketIndex } from '../event-columns.ts'

/**
 * `gtc` rests until cancelled or closed; `ioc` fills at once and cancels the rest; `fok` fills
 * completely at once or not at all.
 */
export const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok'] as const
export type TimeInForce = (typeof TIMES_IN_FORCE)[number]

/** An order as a strategy submits it. Prices are of the traded side. */
export interface OrderRequest {
  readonly market: MarketIndex
  readonly action: 'buy' | 'sell'
  readonly side: Side
  readonly contracts: number
  /** Null for a market order, which never rests. */
  readonly limit: Cents | null
  readonly timeInForce?: TimeInForce
  /** Rejected if it would take liquidity. */
  readonly postOnly?: boolean
  /** Cancelled at this instant of run time. */
  readonly goodUntil?: Millis
  /** Returned with its fills. */
  readonly tag?: string
}

/**
 * `sent` is in transit, `waiting` waits for the first book it can meet, `resting` is in the queue.
 */
export type OrderState = 'sent' | 'waiting' | 'resting' | 'filled' | 'cancelled' | 'rejected'

/** Why an order was rejected or ended unfilled. */
export type OrderEnd =
  | 'price is not between 0 and 100 cents'
  | 'price is not a multiple of the price step'
  | 'size is below the minimum'
  | 'market is not open'
  | 'insufficient balance'
  | 'insufficient position'
  | 'post-only would cross the spread'
  | 'would trade with an own order'
  | 'too many open orders'
  | 'cancelled by the strategy'
  | 'expired'
  | 'no matching offers'
  | 'remainder not filled'
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
  /** Price of the traded side; null for a market order. */
  readonly limit: PriceE4 | null
  readonly timeInForce: TimeInForce
  readonly postOnly: boolean
  readonly tag: string
  readonly decidedAt: Millis
  readonly arrivesAt: Millis
  /** Best price of its side at the decision, for slippage; null without a book. */
  readonly decidedPrice: PriceE4 | null
  state: OrderState
  end: OrderEnd | null
  filled: SizeE6
  /** Whether it takes asks: it buys YES or sells NO. */
  readonly takesAsks: boolean
  /** Limit on the YES scale; of a market order the protective limit from the touch at its decision. */
  yesLimit: PriceE4
  /** Position in the queue of its price; null until it rests. */
  queue: QueuePosition | null
  /** See `feeOfFill`. */
  accumulator: MoneyE6
  /** Reserved for the unfilled rest: money by a buy, contracts by a sell. */
  reserved: number
  /** The next newer order of its market at the venue. */
  next: Order | null
}

/** Queue position of a resting order. */
export interface QueuePosition {
  /** Size ahead of it; Infinity when unknown. */
  ahead: number
  /** Venue time from which trades can fill it. */
  readonly since: number
}

/** An execution of an order. */
export interface Fill {
  readonly order: Order
  readonly at: Millis
  readonly market: MarketIndex
  readonly action: 'buy' | 'sell'
  readonly side: Side
  readonly role: 'taker' | 'maker'
  /** Price of the traded side. */
  readonly price: PriceE4
  readonly size: SizeE6
  readonly fee: MoneyE6
  /** True when no book or no size is recorded. */
  readonly isEstimated: boolean
}

/** Whether an order can still be filled. */
export const isAlive = ({ state }: Order): boolean =>
  state === 'sent' || state === 'waiting' || state === 'resting'
