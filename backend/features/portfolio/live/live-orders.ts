import type { MarketView } from '../../../computed/board/market-board.ts'
import {
  EXPIRED_REASON,
  liveRefusal,
  UNANSWERED_STATUSES,
  type LiveOrder,
  type LiveOrderStatus,
} from '../../../domain/portfolio/live-order.ts'
import type { LedgerPosition } from '../../../domain/portfolio/position-fold.ts'
import {
  MINUTE,
  type Millis,
  type MoneyE6,
  type PriceE4,
  type SizeE6,
} from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import type {
  NewOrder,
  OrderAnswer,
  PreparedOrder,
  TradingClient,
  VenueOrder,
} from '../../../venues/trading.ts'
import type { PaperOrderPlan } from '../paper-order.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import type { LiveOrdersStore } from './live-orders.store.ts'

/** An order that a decision makes. */
export type LiveOrderPlan = Omit<
  LiveOrder,
  | 'clientOrderId'
  | 'userId'
  | 'reference'
  | 'body'
  | 'writtenAt'
  | 'status'
  | 'venueOrderId'
  | 'filled'
  | 'booked'
  | 'lookups'
  | 'reason'
  | 'cancelReason'
>

/** The order of a decision: immediate or cancel unless it is to rest at the venue. */
export const livePlanOf = (
  plan: PaperOrderPlan & { readonly limit: PriceE4 },
  { facts }: MarketView,
  decision: number,
  terms: Pick<LiveOrderPlan, 'timeInForce' | 'expireAt'> = { timeInForce: 'ioc' },
): LiveOrderPlan => ({
  ...plan,
  ...terms,
  decision,
  venue: facts.venue,
  ticker: facts.ticker,
  marketTitle: facts.title,
  category: facts.category,
})

/**
 * Result of a decision's order: its row, or why none was written. `refused`: a limit or the venue's
 * rules. `failed`: it could not be prepared this time.
 */
export type SentOrder = { readonly kind: 'written'; readonly order: LiveOrder } | UnsentOrder
export interface UnsentOrder {
  readonly kind: 'refused' | 'failed'
  readonly reason: string
}

/** Look-ups of a lost answer within a tick; later ones are a minute apart. */
const LOOKUPS = 3
const FIRST_PAUSE = 1_000
const PAUSE_FACTOR = 4
/** How long an order to rest that the venue did not have may still arrive there. */
export const MAX_ARRIVAL_DELAY = 10 * MINUTE

/**
 * Sends live orders. A decision has at most one order, ever: its row is stored before the request,
 * the request is sent once, and a lost answer is looked up and never repeated.
 */
export function createLiveOrders(deps: {
  readonly store: LiveOrdersStore
  readonly portfolios: Pick<PortfolioStore, 'read'>
  /** The open live positions of a user. */
  readonly openPositions: (userId: string) => Promise<readonly LedgerPosition[]>
  readonly clock: Clock
}) {
  const { store, portfolios, openPositions, clock } = deps

  const saveOrder = async (order: LiveOrder, change: Partial<LiveOrder>): Promise<LiveOrder> => {
    const next = { ...order, ...change }
    await store.put(next, order.status)
    return next
  }

  /** One look-up at the venue; an error counts as no answer. */
  const lookUpOnce = async (
    order: LiveOrder,
    client: TradingClient,
    signal: AbortSignal,
  ): Promise<VenueOrder | 'absent' | 'no answer'> => {
    try {
      return (await client.orderByReference(toPreparedOrder(order), signal)) ?? 'absent'
    } catch {
      return 'no answer'
    }
  }

  /**
   * Finds out whether the venue has an order without an answer. Absence counts only at the last of
   * three look-ups, because a request can arrive late.
   */
  const lookUp = async (
    order: LiveOrder,
    client: TradingClient,
    signal: AbortSignal,
  ): Promise<LiveOrder> => {
    let pause = FIRST_PAUSE
    let lookupResult: VenueOrder | 'absent' | 'no answer' = 'no answer'
    for (let n = 1; n <= LOOKUPS; n++) {
      lookupResult = await lookUpOnce(order, client, signal)
      if (typeof lookupResult === 'object') return saveOrder(order, stateOf(lookupResult, order))
      if (n === LOOKUPS) break
      await clock.sleep(pause, signal)
      pause *= PAUSE_FACTOR
    }
    if (lookupResult === 'absent')
      return saveOrder(order, { status: 'none', reason: 'the venue has no such order' })
    const lookups = order.lookups + LOOKUPS
    return saveOrder(order, { status: 'unknown', lookups, reason: 'the venue does not answer' })
  }

  const applyAnswer = async (
    order: LiveOrder,
    answer: OrderAnswer,
    client: TradingClient,
    signal: AbortSignal,
  ): Promise<LiveOrder> => {
    switch (answer.kind) {
      case 'accepted':
        return saveOrder(order, stateOf(answer.order, order))
      case 'rejected':
        return saveOrder(order, { status: 'rejected', reason: `EXCHANGE_REJECT: ${answer.reason}` })
      case 'not_sent':
        return saveOrder(order, { status: 'none', reason: answer.reason })
      case 'duplicate':
      case 'lost':
        return lookUp(order, client, signal)
    }
  }

  return {
    /**
     * Checks the limits, writes the order, and sends it. The caller holds the user's queue.
     * @throws an error when the decision has an order already
     */
    async send(
      userId: string,
      plan: LiveOrderPlan,
      client: TradingClient,
      signal: AbortSignal,
    ): Promise<SentOrder> {
      const clientOrderId = `svc-${plan.tickId}-${plan.decision}`
      const preparation = await prepare(client, { ...plan, clientOrderId }, signal)
      if ('kind' in preparation) return preparation
      const positions = await openPositions(userId)
      const marketPositions = positions.filter(({ ticker }) => ticker === plan.ticker)
      const sameSide = marketPositions.filter(({ direction }) => direction === plan.direction)
      const refusal = liveRefusal(
        plan,
        {
          held: costOfAll(positions),
          heldInMarket: costOfAll(marketPositions),
          heldContracts: sameSide.reduce((sum, { size }) => sum + size, 0) as SizeE6,
          open: await store.open(userId),
          ordersOfTick: (await store.ordersOfTick(userId, plan.tickId)).length,
        },
        (await portfolios.read(userId)).config,
      )
      if (refusal !== null) return { kind: 'refused', reason: refusal }
      // Its preparation may have taken long.
      if (plan.expireAt !== undefined && clock.now() >= plan.expireAt) {
        return { kind: 'failed', reason: EXPIRED_REASON }
      }
      const order: LiveOrder = {
        ...plan,
        clientOrderId,
        userId,
        reference: preparation.reference,
        body: preparation.body,
        writtenAt: clock.now(),
        status: 'written',
        venueOrderId: null,
        filled: 0 as SizeE6,
        booked: 0 as SizeE6,
        lookups: 0,
        reason: null,
      }
      await store.write(order)
      const answer = await client.placeOrder(preparation, signal)
      return { kind: 'written', order: await applyAnswer(order, answer, client, signal) }
    },

    /** Looks up the orders of a venue that have no answer. The caller holds the user's queue. */
    async resolve(
      userId: string,
      client: TradingClient,
      signal: AbortSignal,
    ): Promise<LiveOrder[]> {
      const resolvedOrders: LiveOrder[] = []
      for (const order of await store.open(userId)) {
        if (order.venue !== client.venue || !UNANSWERED_STATUSES.includes(order.status)) continue
        resolvedOrders.push(await lookUp(order, client, signal))
      }
      return resolvedOrders
    },

    /**
     * Reads how resting orders of a venue are, and whether late ones arrived: these would rest there
     * unseen. The caller holds the user's queue.
     */
    async refresh(userId: string, client: TradingClient, signal: AbortSignal): Promise<void> {
      const restingOrders = (await store.open(userId)).filter(({ status }) => status === 'resting')
      const missing = await store.missing(userId, (clock.now() - MAX_ARRIVAL_DELAY) as Millis)
      for (const order of [...restingOrders, ...missing]) {
        if (order.venue !== client.venue) continue
        const lookupResult = await lookUpOnce(order, client, signal)
        if (typeof lookupResult === 'object') await saveOrder(order, stateOf(lookupResult, order))
      }
    },

    /**
     * Cancels resting orders of a venue; an order without an answer is looked up first.
     * @param reasonOf why an order is cancelled; null for one that stays
     * @returns orders that could not be cancelled, with the reason
     */
    async cancel(
      userId: string,
      client: TradingClient,
      reasonOf: (order: LiveOrder) => string | null,
      signal: AbortSignal,
    ): Promise<{ readonly order: LiveOrder; readonly reason: string }[]> {
      const ordersToCancel = async (): Promise<LiveOrder[]> =>
        (await store.open(userId)).filter(
          (order) => order.venue === client.venue && reasonOf(order) !== null,
        )
      for (const order of await ordersToCancel()) {
        if (UNANSWERED_STATUSES.includes(order.status)) await lookUp(order, client, signal)
      }
      const failures: { order: LiveOrder; reason: string }[] = []
      for (const order of await ordersToCancel()) {
        if (order.status !== 'resting') continue
        const { ticker, venueOrderId, cancelReason = reasonOf(order) ?? '' } = order
        // Stored first, so that an end that the venue reports is attributed to this cancellation.
        const cancelledOrder = await saveOrder(order, { cancelReason })
        try {
          await client.cancelOrder({ orderId: venueOrderId ?? order.reference, ticker }, signal)
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'the cancellation failed'
          failures.push({ order: cancelledOrder, reason })
        }
      }
      await this.refresh(userId, client, signal)
      for (const order of await ordersToCancel()) {
        if (!UNANSWERED_STATUSES.includes(order.status)) continue
        failures.push({ order, reason: 'the venue has not confirmed whether it has the order' })
      }
      return failures
    },
  }
}
export type LiveOrders = ReturnType<typeof createLiveOrders>

/** The signed order, or why there is none. */
async function prepare(
  client: TradingClient,
  order: NewOrder,
  signal: AbortSignal,
): Promise<PreparedOrder | UnsentOrder> {
  try {
    return await client.prepareOrder(newOrderOf(order), signal)
  } catch (error) {
    if (error instanceof InvalidInput) {
      return { kind: 'refused', reason: `EXCHANGE_REJECT: ${error.message}` }
    }
    const reason = error instanceof Error ? error.message : 'the order could not be prepared'
    return { kind: 'failed', reason }
  }
}

const newOrderOf = (order: NewOrder): NewOrder => ({
  clientOrderId: order.clientOrderId,
  ticker: order.ticker,
  action: order.action,
  direction: order.direction,
  size: order.size,
  limit: order.limit,
  timeInForce: order.timeInForce,
})

const toPreparedOrder = (order: LiveOrder): PreparedOrder => ({
  order: newOrderOf(order),
  reference: order.reference,
  body: order.body,
  preparedAt: order.writtenAt,
})

/** The state of an order as the venue reports it. */
function stateOf(
  { orderId, status, filled, remaining }: VenueOrder,
  { timeInForce }: LiveOrder,
): Partial<LiveOrder> & { readonly status: LiveOrderStatus } {
  const isOver = status === 'filled' || status === 'cancelled' || remaining === 0
  // The end of one that rested is booked, also when nothing was traded.
  const isBooked = filled === 0 && timeInForce === 'ioc'
  // A venue that does not state the filled size has not answered yet.
  const endedStatus = filled === null ? 'unknown' : isBooked ? 'done' : 'traded'
  return {
    status: isOver ? endedStatus : 'resting',
    venueOrderId: orderId,
    reason: null,
    ...(filled !== null && { filled }),
  }
}

const costOfAll = (positions: readonly LedgerPosition[]): MoneyE6 =>
  positions.reduce((sum, { cost }) => sum + cost, 0) as MoneyE6
