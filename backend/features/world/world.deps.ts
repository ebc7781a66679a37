import type { ContextEngine, WorldBucket } from '../../computed/context-engine.ts'
import type { MarketBoard } from '../../computed/market-board.ts'
import type { ReferencePrices } from '../../computed/reference-prices.ts'
import type { Millis } from '../../domain/units.ts'
import type { ContextStore } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { notInFuture } from '../../http/as-of.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'

/** What the reads of the world are made of. */
export interface WorldDeps {
  readonly context: ContextEngine
  readonly board: MarketBoard
  readonly history: HistoryStore & ContextStore
  readonly reference: Pick<ReferencePrices, 'headlinesOf'>
  readonly clock: Clock
  readonly urls: Urls
}

/** The world that stood at an instant, and the instant as a time. */
export interface WorldThen {
  readonly bucket: WorldBucket
  readonly at: Millis
}

/**
 * The world of a request.
 * @throws InvalidInput for an instant in the future, NotReady before the first world stands
 */
export async function worldThen(deps: WorldDeps, asOf: Millis | null): Promise<WorldThen> {
  const now = deps.clock.now()
  const asked = notInFuture(asOf, now)
  return { bucket: await deps.context.world(asked), at: asked ?? now }
}
