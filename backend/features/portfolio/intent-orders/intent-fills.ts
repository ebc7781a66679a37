import type { MarketBoard } from '../../../computed/board/market-board.ts'
import { withEndedOrder, withLiveFills } from '../../../domain/portfolio/live-intent.ts'
import type { Intent } from '../../../domain/portfolio/intent.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { IntentsStore } from '../intents.store.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { LiveOrdersStore } from '../live/live-orders.store.ts'

/**
 * Brings intents up to date with the ledger entries of their live orders. The caller holds the
 * user's queue.
 */
export function createIntentFills(deps: {
  readonly store: Pick<IntentsStore, 'byId'>
  readonly liveOrders: Pick<LiveOrdersStore, 'open' | 'ordersOfIntent'>
  readonly ledger: Pick<LedgerStore, 'trades' | 'book'>
  readonly board: Pick<MarketBoard, 'market'>
  readonly epochOf: () => number
  /** Called with the next state of an intent. */
  readonly onChanged: (intent: Intent, market: MarketId | null) => void
  readonly clock: Clock
}) {
  const { store, liveOrders, ledger, board, epochOf, onChanged, clock } = deps

  /** The stored intent with the fills of all its orders, and the end of the last. */
  const syncIntent = async (userId: string, id: string): Promise<Intent | null> => {
    const intent = await store.byId(userId, id)
    if (intent === null) return null
    const live = { mode: 'live' as const, epoch: epochOf() }
    const entries = await ledger.trades(userId, live, intent.ticker)
    const orders = await liveOrders.ordersOfIntent(userId, id)
    const now = clock.now()
    const filledIntent = withLiveFills(intent, orders, entries, now)
    const next = withEndedOrder(filledIntent, orders, now)
    if (next === intent) return intent
    await ledger.book(userId, { intent: { next, from: intent.status } }, clock.now())
    const view = await board.market(intent.ticker, null)
    onChanged(next, view?.market ?? null)
    return next
  }

  return {
    syncIntent,
    /**
     * Every reconciliation calls it after it booked fills and before it ends the orders, so that a
     * stop in between loses none.
     */
    async syncOpenOrders(userId: string): Promise<void> {
      const open = await liveOrders.open(userId)
      for (const id of new Set(open.flatMap(({ intentId }) => intentId ?? []))) {
        await syncIntent(userId, id)
      }
    },
  }
}
export type IntentFills = ReturnType<typeof createIntentFills>
