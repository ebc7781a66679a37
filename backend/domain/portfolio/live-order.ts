import { moneyOf, otherSide } from '../backtest/broker/fill-model.ts'
import type { Side, Ticker } from '../market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import type { Venue } from '../venue.ts'
import type { PortfolioConfig } from './config.ts'
import type { LedgerEntry } from './ledger.ts'

/**
 * State of a live order. `written`: stored, and no answer yet; the venue may have it. `unknown`:
 * the venue did not say whether it has it. `resting`: it may still trade. `traded`: it is over, and
 * the ledger lacks some of its fills. `done`: it is over and booked. `rejected`: it was refused.
 * `none`: it is not at the venue.
 */
export const LIVE_ORDER_STATUSES = [
  'written',
  'unknown',
  'resting',
  'traded',
  'done',
  'rejected',
  'none',
] as const
export type LiveOrderStatus = (typeof LIVE_ORDER_STATUSES)[number]
/** States in which an order costs, or may cost, more than the ledger has. */
export const OPEN_STATUSES: readonly LiveOrderStatus[] = ['written', 'unknown', 'resting', 'traded']
/** States in which it is not known whether the venue has the order. */
export const UNANSWERED_STATUSES: readonly LiveOrderStatus[] = ['written', 'unknown']

/** An order to a venue; prices are of the direction's side. */
export interface LiveOrder {
  /** `svc-<tickId>-<n>`. */
  readonly clientOrderId: string
  readonly userId: string
  readonly tickId: string
  /** Number of its decision in the tick. */
  readonly decision: number
  readonly venue: Venue
  readonly ticker: Ticker
  readonly marketTitle: string
  readonly category: string
  readonly action: 'buy' | 'sell'
  readonly direction: Side
  readonly size: SizeE6
  readonly limit: PriceE4
  readonly timeInForce: 'ioc' | 'gtc'
  /** It is not sent at or after this instant; absent for one that does not expire. */
  readonly expireAt?: Millis
  /** Why this service cancels it; absent for one that it does not cancel. */
  readonly cancelReason?: string
  readonly source: 'autopilot' | 'intent'
  readonly intentId: string | null
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly viewId: string | null
  /** Fields of the payload of its fills. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Reference that finds it at the venue after a lost answer, and the exact body. */
  readonly reference: string
  readonly body: string
  readonly writtenAt: Millis
  readonly status: LiveOrderStatus
  readonly venueOrderId: string | null
  readonly filled: SizeE6
  /** Its fills in the ledger. */
  readonly booked: SizeE6
  /** Look-ups that the venue did not answer. */
  readonly lookups: number
  readonly reason: string | null
}

/** Whether an order that rested is over with a rest that was not traded. */
export const isCancelled = ({ timeInForce, status, filled, size }: LiveOrder): boolean =>
  timeInForce === 'gtc' && (status === 'traded' || status === 'done') && filled < size

/** Why the untraded rest of an order is over. */
export const cancelText = ({ cancelReason }: LiveOrder): string =>
  cancelReason ?? 'cancelled at the exchange'

/** Money that an order can cost at most: its price if it buys, nothing if it sells. */
export const costOf = ({ action, size, limit }: Pick<LiveOrder, 'action' | 'size' | 'limit'>) =>
  (action === 'buy' ? Math.ceil((size * limit) / 10_000) : 0) as MoneyE6

/** Whether a fill that the venue reported is of an order: an import may have booked it first. */
export const isFillOf = (
  { clientOrderId, venueOrderId, reference }: LiveOrder,
  fill: Pick<LedgerEntry, 'orderId' | 'clientOrderId'>,
): boolean =>
  fill.clientOrderId === clientOrderId ||
  (fill.orderId !== null && (fill.orderId === venueOrderId || fill.orderId === reference))

/**
 * A fill in the terms of its order, with its cash: a sale of YES that the venue reports as a
 * purchase of NO is a sale of YES.
 */
export function orderInContracts(
  order: LiveOrder | null,
  fill: {
    readonly action: 'buy' | 'sell'
    readonly direction: Side
    readonly price: PriceE4
    readonly size: SizeE6
    readonly fee: MoneyE6
  },
) {
  const isMirrored =
    order !== null && order.direction !== fill.direction && order.action !== fill.action
  const { action, direction } = isMirrored ? order : fill
  const price = isMirrored ? otherSide(fill.price) : fill.price
  const cost = moneyOf(price, fill.size)
  const cashDelta = ((action === 'buy' ? 0 - cost : cost) - fill.fee) as MoneyE6
  return { action, direction, price, cashDelta }
}

/** Exposure of an account before an order. */
export interface LiveExposure {
  /** Cost of open positions. */
  readonly held: MoneyE6
  readonly heldInMarket: MoneyE6
  /** Contracts of the order's side that are held. */
  readonly heldContracts: SizeE6
  /** Orders that may still cost something. */
  readonly open: readonly LiveOrder[]
  /** Orders of the tick so far. */
  readonly ordersOfTick: number
}

/** `statusReason` of an intent whose order is in the book of its venue. */
export const RESTING_TEXT = 'resting at the exchange'
export const EXPIRED_REASON = 'it expired before it was sent'
export const HALTED_REASON = 'execution is halted'
const DISABLED_REASON = 'the portfolio was disabled'
const NOT_LIVE = 'live trading was switched off'
/** Refusals of the last check that end with a change of the configuration. */
export const STOP_REASONS: readonly string[] = [HALTED_REASON, DISABLED_REASON, NOT_LIVE]

/**
 * The last check before an order is written and sent, on the configuration as it is then. It
 * repeats the gates that bound the loss, and trusts nothing that was computed earlier in the tick.
 * @returns why the order is refused; null when it may be sent
 */
export function liveRefusal(
  order: Pick<LiveOrder, 'ticker' | 'action' | 'direction' | 'size' | 'limit' | 'intentId'>,
  exposure: LiveExposure,
  config: PortfolioConfig,
): string | null {
  if (config.executionMode === 'halted') return HALTED_REASON
  if (!config.enabled) return DISABLED_REASON
  if (config.executionMode !== 'live') return NOT_LIVE
  const { intentId } = order
  if (intentId !== null && exposure.open.some((other) => other.intentId === intentId)) {
    return 'the last order of this intent is not finished'
  }
  const amount = (order.size * order.limit) / 10_000
  if (amount > money(config.maxSingleOrderCents)) return 'RISK_GATE_FAIL:single_order'
  if (exposure.ordersOfTick >= config.maxOrdersPerTick) return 'RISK_GATE_FAIL:orders_per_tick'
  if (order.action === 'sell') {
    // Selling what is not held would open the opposite position.
    const isSameSale = ({ ticker, action, direction }: LiveOrder): boolean =>
      action === 'sell' && ticker === order.ticker && direction === order.direction
    const openExposure = exposure.open
      .filter(isSameSale)
      .reduce((sum, sale) => sum + unbookedSize(sale), 0)
    return order.size > exposure.heldContracts - openExposure
      ? 'it would sell more than is held beside the sales that are not booked yet'
      : null
  }
  if (exposure.open.some(({ status }) => UNANSWERED_STATUSES.includes(status))) {
    return 'RISK_GATE_FAIL:reconcile'
  }
  const cost = costOf(order)
  const restingValue = sumOf(exposure.open)
  const marketValue = sumOf(exposure.open.filter(({ ticker }) => ticker === order.ticker))
  if (exposure.held + restingValue + cost > money(config.maxTotalExposureCents)) {
    return 'RISK_GATE_FAIL:total_exposure'
  }
  if (exposure.heldInMarket + marketValue + cost > money(config.maxPerMarketCents)) {
    return 'RISK_GATE_FAIL:per_market'
  }
  return null
}

const money = (cents: number): number => cents * 10_000
const sumOf = (orders: readonly LiveOrder[]): number =>
  orders.reduce((sum, order) => sum + unbookedCost(order), 0)

/** Contracts that an open order may trade beside those that are booked. */
const unbookedSize = ({ status, filled, size, booked }: LiveOrder): SizeE6 =>
  Math.max(0, (status === 'traded' ? filled : size) - booked) as SizeE6

/** Maximum cost of an open order beyond its booked fills. */
export const unbookedCost = (order: LiveOrder): MoneyE6 =>
  costOf({ ...order, size: unbookedSize(order) })
