import type { MarketBoard } from '../../../computed/board/market-board.ts'
import { openPositionsOf } from '../../../domain/portfolio/position-fold.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { State } from '../../../state/open.ts'
import type { AccountFiguresReader } from '../account-figures.ts'
import type { TicksStore } from '../autopilot/ticks.store.ts'
import { createImportStore } from '../bookkeeping/import.store.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { createLiveDesk } from './live-desk.ts'
import type { ReadLiveExchange } from './live-exchange.ts'
import { createLiveMode } from './live-mode.ts'
import { createLiveOrders } from './live-orders.ts'
import type { LiveOrdersStore } from './live-orders.store.ts'
import { createLiveOutcomes } from './live-outcomes.ts'
import { createLiveReconcile } from './live-reconcile.ts'

/** Trading at the exchange of this run: orders, reconciliation, and the steps into it. */
export function createLiveTrading(deps: {
  readonly state: State
  readonly portfolios: PortfolioStore
  readonly ledger: LedgerStore
  readonly ticks: TicksStore
  readonly figures: AccountFiguresReader
  readonly board: MarketBoard
  readonly store: LiveOrdersStore
  readonly exchange: ReadLiveExchange
  readonly epochOf: () => number
  readonly credentials: Pick<Credentials, 'open' | 'presence'>
  /** Called after fills were booked and before their orders end. */
  readonly onBooked: (userId: string) => Promise<void>
  readonly clock: Clock
}) {
  const { portfolios, ledger, ticks, figures, board, store, exchange, epochOf, clock } = deps
  const orders = createLiveOrders({
    store,
    portfolios,
    clock,
    openPositions: async (userId) =>
      openPositionsOf(await ledger.trades(userId, { mode: 'live', epoch: epochOf() })),
  })
  const outcomes = createLiveOutcomes({ store, ledger, ticks, epochOf })
  const reconcile = createLiveReconcile({
    ledger,
    orders,
    store,
    imports: createImportStore(deps.state),
    viewOf: (ticker) => board.market(ticker, null),
    epochOf,
    onBooked: deps.onBooked,
    onLookedUp: (userId, tickIds) => outcomes.update(userId, tickIds),
    clock,
  })
  const desk = createLiveDesk({
    portfolios,
    ledger,
    store,
    orders,
    reconcile,
    openCredentials: deps.credentials.open,
    clock,
  })
  const credentials = deps.credentials.presence
  return {
    desk,
    outcomes,
    mode: createLiveMode({ portfolios, figures, ticks, desk, credentials, exchange, clock }),
  }
}
