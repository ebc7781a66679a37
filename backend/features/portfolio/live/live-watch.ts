import {
  isCancelled,
  OPEN_STATUSES,
  UNANSWERED_STATUSES,
  type LiveOrder,
} from '../../../domain/portfolio/live-order.ts'
import { isOpen } from '../../../domain/portfolio/intent.ts'
import { startedTick, type Tick } from '../../../domain/portfolio/tick.ts'
import { mayTradeTooMuch } from '../../../domain/portfolio/live-intent.ts'
import { HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import type { Venue } from '../../../domain/venue.ts'
import { sleepUnless, type Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import type { TickLeases } from '../autopilot/tick-leases.ts'
import { insertTick } from '../autopilot/ticks.store.ts'
import type { IntentsStore } from '../intents.store.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import type { LiveDesk } from './live-desk.ts'
import { isLiveAt, type LiveExchange, type ReadLiveExchange } from './live-exchange.ts'
import { MAX_ARRIVAL_DELAY } from './live-orders.ts'
import type { LiveOrdersStore } from './live-orders.store.ts'
import type { LiveOutcomes } from './live-outcomes.ts'

/** The orders of a user whose live trading ended. */
export interface CancelledOrders {
  readonly cancelled: readonly LiveOrder[]
  /** Orders that may still trade, with the reason. */
  readonly failed: readonly { readonly order: LiveOrder; readonly reason: string }[]
}
const TRADING_ENDED = 'live trading ended'
const EXCEEDS_INTENT = 'more could be traded than the intent has left'
const NO_ORDERS: CancelledOrders = { cancelled: [], failed: [] }

/**
 * Follows the open orders of users between ticks: those without an answer are looked up each
 * minute, resting ones are read, and those of users who no longer trade live or of intents that
 * ended are cancelled.
 */
export function createLiveWatch(deps: {
  readonly portfolios: PortfolioStore
  readonly store: LiveOrdersStore
  readonly intents: Pick<IntentsStore, 'byId'>
  readonly desk: LiveDesk
  readonly outcomes: LiveOutcomes
  readonly exchange: ReadLiveExchange
  readonly leases: TickLeases
  /** Called in the user's queue after the account may have changed. */
  readonly onChanged: (userId: string) => Promise<void>
  readonly userQueue: PerUserQueue
  readonly clock: Clock
  readonly log: Logger
}) {
  const { portfolios, store, intents, desk, outcomes, exchange, leases, userQueue, clock, log } =
    deps
  let wakeUp = new AbortController()
  let checking: Promise<void> = Promise.resolve()
  let isChecking = false

  /** Records the work as a tick, in which nothing is decided. */
  const record = async (
    userId: string,
    tick: Pick<Tick, 'id' | 'tickAt' | 'status' | 'handoffNote' | 'error'>,
  ): Promise<void> => {
    const { config } = await portfolios.read(userId)
    const { id, tickAt } = tick
    const { executionMode } = config
    const now = clock.now()
    const startedTickRow = startedTick({
      id,
      userId,
      tickAt,
      trigger: 'reconcile',
      executionMode,
      mode: 'live',
    })
    const row: Tick = {
      ...startedTickRow,
      ...tick,
      phase: 'done',
      tickDurationMs: now - tickAt,
      finishedAt: now,
    }
    await portfolios.change(userId, {}, now, (transaction) => insertTick(transaction, row))
  }

  /** Why orders are cancelled that their intents do not need any more, by intent. */
  const cancelReasons = async (
    userId: string,
    orders: readonly LiveOrder[],
  ): Promise<ReadonlyMap<string, string>> => {
    const reasons = new Map<string, string>()
    for (const id of new Set(orders.flatMap(({ intentId }) => intentId ?? []))) {
      const intent = await intents.byId(userId, id)
      if (intent === null || !isOpen(intent)) {
        reasons.set(id, `the intent is ${intent?.status ?? 'gone'}`)
      } else if (mayTradeTooMuch(intent, await store.ordersOfIntent(userId, id))) {
        reasons.set(id, EXCEEDS_INTENT)
      }
    }
    return reasons
  }

  /** The stored states of orders now. */
  const latestOf = async (userId: string, orders: readonly LiveOrder[]): Promise<LiveOrder[]> => {
    const latest: LiveOrder[] = []
    for (const { tickId, decision } of orders) {
      const tickOrders = await store.ordersOfTick(userId, tickId)
      latest.push(...tickOrders.filter((order) => order.decision === decision))
    }
    return latest
  }

  /** Orders that stay although their cancellation failed: their end is not of this service. */
  const clearCancelReasons = async (
    userId: string,
    reasonOf: (order: LiveOrder) => string | null,
  ): Promise<void> => {
    for (const order of await store.open(userId)) {
      const { cancelReason, ...withoutReason } = order
      const staysOpen = order.status === 'resting' && reasonOf(order) === null
      if (staysOpen && cancelReason !== undefined) await store.put(withoutReason, order.status)
    }
  }

  /**
   * Reconciles a user, and cancels resting orders that no intent needs, or all unless the user
   * trades live. The caller holds the user's queue; a tick that runs keeps its lease.
   */
  const follow = async (userId: string, liveExchange: LiveExchange): Promise<CancelledOrders> => {
    const previous = await store.open(userId)
    const tickAt = clock.now()
    const id = newId('pt', tickAt)
    const release = leases.take(userId, id)
    try {
      const isLive = isLiveAt(await portfolios.read(userId), liveExchange)
      const { account, failed } = await desk.open(userId, liveExchange, async (session) => {
        const unneededReasons = isLive ? await cancelReasons(userId, previous) : null
        const reasonOf = ({ intentId }: LiveOrder): string | null =>
          unneededReasons === null ? TRADING_ENDED : (unneededReasons.get(intentId ?? '') ?? null)
        const failedCancels = unneededReasons?.size === 0 ? [] : await session.cancel(reasonOf)
        const reconciledAccount = await session.reconcile()
        if (reconciledAccount.status !== 'failed') await clearCancelReasons(userId, reasonOf)
        return { account: reconciledAccount, failed: failedCancels }
      })
      await outcomes.update(
        userId,
        previous.map(({ tickId }) => tickId),
      )
      await deps.onChanged(userId)
      const open = await store.open(userId)
      const latest = await latestOf(userId, previous)
      const endedOrders = latest.filter(({ status }) => !OPEN_STATUSES.includes(status))
      const openOrders = open.map((order) => {
        const failure = failed.find(
          (failedOrder) => failedOrder.order.clientOrderId === order.clientOrderId,
        )
        const reason = failure?.reason ?? account.failures[order.venue] ?? reasonOf(order)
        return { order, reason }
      })
      const endedText = isLive ? '' : `, ${endedOrders.length} ended`
      const handoffNote = `Orders: ${previous.length} looked up${endedText}, ${open.length} open`
      await record(userId, { id, tickAt, status: 'completed', handoffNote, error: null })
      // One that was filled before its cancellation is not listed.
      return isLive ? NO_ORDERS : { cancelled: endedOrders.filter(isCancelled), failed: openOrders }
    } finally {
      release?.()
    }
  }

  /** A failure for one user does not affect the others. */
  const failureOf =
    (userId: string) =>
    (error: unknown): void => {
      log.error({ err: error, user: userId }, 'live orders of a user could not be followed')
    }

  const reconcileDue = async (): Promise<number> => {
    const liveExchange = exchange()
    const users = await store.users((clock.now() - MAX_ARRIVAL_DELAY) as Millis)
    if (liveExchange === null) return users.length === 0 ? HOUR : MINUTE
    for (const userId of users) {
      // A tick reconciles itself; one may have started while this waited for the queue.
      const work = async (): Promise<void> => {
        if (leases.holder(userId) === null) await follow(userId, liveExchange)
      }
      await userQueue.run(userId, work).catch(failureOf(userId))
    }
    // Equity moves with prices: the drawdown of live accounts is checked each minute.
    const trading = (await portfolios.live()).filter((userId) => !users.includes(userId))
    for (const userId of trading) {
      await userQueue.run(userId, () => deps.onChanged(userId)).catch(failureOf(userId))
    }
    return users.length + trading.length === 0 ? HOUR : MINUTE
  }

  return {
    /** Follows open orders until the signal aborts. */
    async run(signal: AbortSignal): Promise<void> {
      const isStopped = (): boolean => signal.aborted
      while (!isStopped()) {
        wakeUp = new AbortController()
        let wait: number = MINUTE
        isChecking = true
        checking = reconcileDue().then(
          (next) => {
            wait = next
          },
          (error: unknown) => {
            log.error({ err: error }, 'live orders could not be followed')
          },
        )
        await checking
        isChecking = false
        await sleepUnless(AbortSignal.any([signal, wakeUp.signal]), clock, wait)
      }
    },
    /** Orders or modes changed: the next pass is now. */
    wake(): void {
      wakeUp.abort()
    },
    /** Cancels the orders of a user whose live trading ended. Call it outside the user's queue. */
    async cancel(userId: string): Promise<CancelledOrders> {
      const liveExchange = exchange()
      if (liveExchange === null) return NO_ORDERS
      return userQueue.run(userId, async () =>
        (await store.open(userId)).length === 0 ? NO_ORDERS : follow(userId, liveExchange),
      )
    },
    /**
     * Cancels the orders at venues whose credentials, or whose user, are about to be deleted: nothing
     * can cancel them later. The caller holds the user's queue.
     * @param reason stored with each order
     * @returns orders that may still trade
     */
    async cancelAt(
      userId: string,
      venues: readonly Venue[],
      reason: string,
    ): Promise<readonly LiveOrder[]> {
      const openOrders = async (): Promise<LiveOrder[]> =>
        (await store.open(userId)).filter(
          ({ venue, status }) => venues.includes(venue) && status !== 'traded',
        )
      const liveExchange = exchange()
      if (liveExchange === null || (await openOrders()).length === 0) return openOrders()
      const work = desk.open(userId, liveExchange, async (session) => {
        await session.cancel(({ venue }) => (venues.includes(venue) ? reason : null))
        await session.reconcile()
      })
      await work.catch(failureOf(userId))
      return openOrders()
    },
    get isIdle(): boolean {
      return !isChecking
    },
    async idle(): Promise<void> {
      await checking
    },
  }
}
export type LiveWatch = ReturnType<typeof createLiveWatch>

const reasonOf = ({ status, reason }: LiveOrder): string =>
  UNANSWERED_STATUSES.includes(status)
    ? 'the venue has not confirmed whether it has the order'
    : (reason ?? 'its fills are not booked yet')
