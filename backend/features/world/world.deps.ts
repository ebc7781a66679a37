import type { PortfolioOverlay } from '../../contract/portfolio.ts'
import type { ContextEngine, WorldSnapshot } from '../../computed/context-engine.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { ReferencePrices } from '../../computed/board/reference-prices.ts'
import type { Millis } from '../../domain/units.ts'
import type { ContextStore } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'

/** Dependencies of the world reads. */
export interface WorldDeps {
  readonly context: ContextEngine
  readonly board: MarketBoard
  readonly history: HistoryStore & ContextStore
  readonly reference: Pick<ReferencePrices, 'headlinesOf'>
  /** Open positions of a user at an instant; null for now. */
  readonly holdings: (userId: string, asOf: Millis | null) => Promise<PortfolioOverlay>
  readonly clock: Clock
  readonly urls: Urls
}

/** The world at an instant, and the instant as a time. */
export interface WorldThen {
  readonly worldSnapshot: WorldSnapshot
  readonly at: Millis
}

/**
 * The world of a request.
 * @throws InvalidInput for an instant in the future, NotReady before the first world
 */
export async function worldAsOf(deps: WorldDeps, asOf: Millis | null): Promise<WorldThen> {
  const now = deps.clock.now()
  const instant = notInFuture(asOf, now)
  return { worldSnapshot: await deps.context.world(instant), at: instant ?? now }
}
