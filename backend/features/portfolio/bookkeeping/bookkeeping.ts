import { Elysia } from 'elysia'
import type { MarketBoard } from '../../../computed/board/market-board.ts'
import { adapter } from '../../../http/adapter.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { attributionRoutes } from './attribution.routes.ts'
import { createAttributionReads, type ReadTitles } from './attribution.service.ts'

/** Attribution of a user's profit. */
export function createBookkeeping(deps: {
  readonly portfolios: PortfolioStore
  readonly ledger: LedgerStore
  readonly board: MarketBoard
  /** Titles of the theses of a user, by id. */
  readonly thesisTitles: ReadTitles
  readonly clock: Clock
}) {
  const { portfolios, ledger, board, thesisTitles, clock } = deps
  const attribution = createAttributionReads({
    portfolios,
    ledger,
    board,
    titles: thesisTitles,
    clock,
  })
  return { routes: new Elysia({ adapter }).use(attributionRoutes(attribution)) }
}
