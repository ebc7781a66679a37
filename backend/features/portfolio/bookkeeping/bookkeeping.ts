import { Elysia } from 'elysia'
import type { MarketBoard } from '../../../computed/board/market-board.ts'
import { adapter } from '../../../http/adapter.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createRepeatedWrites } from '../../../state/repeated-writes.ts'
import type { State } from '../../../state/open.ts'
import type { UserTheses } from '../intent-basis.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { attributionRoutes } from './attribution.routes.ts'
import { createAttributionService, type ReadTitles } from './attribution.service.ts'
import { importRoutes } from './import.routes.ts'
import { createLedgerImports } from './import.service.ts'
import { createImportStore } from './import.store.ts'
import { createLedgerPull } from './pull.service.ts'
import { textsRoutes } from './texts.routes.ts'
import { createPortfolioTexts } from './texts.service.ts'

/** Attribution of a user's profit, the texts that it is attributed to, and imports of trades. */
export function createBookkeeping(deps: {
  readonly state: State
  readonly portfolios: PortfolioStore
  readonly ledger: LedgerStore
  readonly board: MarketBoard
  readonly theses: UserTheses
  /** The live account: 0, or that of a simulated exchange. */
  readonly epochOf: () => number
  /** The orders that a user sent to a venue. */
  readonly ordersAt: Parameters<typeof createLedgerImports>[0]['ordersAt']
  /** Dependencies of a pull of an account. */
  readonly pulls: Pick<
    Parameters<typeof createLedgerPull>[0],
    'openCredentials' | 'openHistory' | 'leases' | 'userQueue' | 'onPaperBooked'
  >
  readonly clock: Clock
}) {
  const { state, portfolios, ledger, board, theses, clock } = deps
  const texts = createPortfolioTexts({ state, theses, clock })
  const titles: ReadTitles = async (userId) =>
    new Map([...(await theses.titles(userId)), ...(await texts.titles(userId))])
  const attribution = createAttributionService({
    portfolios,
    ledger,
    board,
    titles,
    epochOf: deps.epochOf,
    clock,
  })
  const imports = createLedgerImports({
    store: createImportStore(state),
    board,
    theses,
    ordersAt: deps.ordersAt,
    clock,
  })
  const pulls = createLedgerPull({ ...deps.pulls, portfolios, imports, clock })
  const repeats = createRepeatedWrites(state, clock)
  return {
    usableViews: (userId: string) => texts.usable(userId),
    rulesInUse: (userId: string) => texts.rulesInUse(userId),
    unknownPnl: (userId: string) => attribution.unknownPnl(userId),
    routes: new Elysia({ adapter })
      .use(attributionRoutes(attribution))
      .use(textsRoutes(texts, repeats))
      .use(importRoutes(imports, pulls, repeats)),
  }
}
