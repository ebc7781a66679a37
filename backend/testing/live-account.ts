import { DEFAULT_CONFIG, type PortfolioConfig } from '../domain/portfolio/config.ts'
import { openPositionsOf } from '../domain/portfolio/position-fold.ts'
import { createImportStore } from '../features/portfolio/bookkeeping/import.store.ts'
import { createLedgerStore } from '../features/portfolio/ledger.store.ts'
import { createLiveOrders } from '../features/portfolio/live/live-orders.ts'
import { createLiveOrdersStore } from '../features/portfolio/live/live-orders.store.ts'
import { createLiveReconcile } from '../features/portfolio/live/live-reconcile.ts'
import { createPortfolioStore } from '../features/portfolio/portfolio.store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Millis } from '../domain/units.ts'
import type { State } from '../state/open.ts'
import type { TradingClient } from '../venues/trading.ts'

const LIVE = { mode: 'live', epoch: 0 } as const

/** The live side of a portfolio over operational rows, and a user who may trade. */
export async function openLiveAccount(state: State, clock: Clock, userId: string) {
  const store = createLiveOrdersStore(state)
  const ledger = createLedgerStore(state)
  const portfolios = createPortfolioStore(state)
  const orders = createLiveOrders({
    store,
    portfolios,
    clock,
    openPositions: async (user) => openPositionsOf(await ledger.trades(user, LIVE)),
  })
  const reconcile = createLiveReconcile({
    ledger,
    orders,
    store,
    clock,
    imports: createImportStore(state),
    viewOf: () => Promise.resolve(null),
  })
  const configure = (change: Partial<PortfolioConfig>) =>
    portfolios.change(
      userId,
      { config: { ...DEFAULT_CONFIG, enabled: true, executionMode: 'live', ...change } },
      clock.now(),
    )
  await configure({})
  return {
    store,
    orders,
    configure,
    reconcile: (
      user: string,
      client: TradingClient,
      signal: AbortSignal,
      readUntil: Millis | null = null,
    ) => reconcile.reconcile(user, client, readUntil, signal),
    fills: async () =>
      (await ledger.trades(userId, LIVE)).filter((one) => one.eventType === 'fill'),
  }
}
