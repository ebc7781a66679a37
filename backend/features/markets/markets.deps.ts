import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import type { MarketBoard } from '../../computed/market-board.ts'
import { gridThen } from '../../computed/past-grid.ts'
import type { Millis } from '../../domain/units.ts'
import type { ContextStore } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { notInFuture } from '../../http/as-of.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { FindTexts } from '../../http/site-texts.ts'
import type { Clock } from '../../lib/clock.ts'
import { NotReady } from '../../lib/errors.ts'

/** What the market reads are made of. */
export interface MarketsDeps {
  readonly board: MarketBoard
  readonly history: HistoryStore & Pick<ContextStore, 'regimesOf'>
  readonly context: Pick<ContextEngine, 'grid' | 'gridOf'>
  /** Texts that the search of the site finds besides markets; none unless given. */
  readonly texts?: FindTexts
  readonly clock: Clock
  readonly urls: Urls
}

/** The instant an answer is for: `asOf` as asked (null: now), `at` as a time. */
export interface Instant {
  readonly asOf: Millis | null
  readonly at: Millis
}

/**
 * The instant of a request.
 * @throws InvalidInput for an instant in the future, NotReady before the first load
 */
export function instantFor({ board, clock }: MarketsDeps, asOf: Millis | null): Instant {
  const now = clock.now()
  const asked = notInFuture(asOf, now)
  if (asked === null && !board.ready) throw new NotReady('The first load is unfinished')
  return { asOf: asked, at: asked ?? now }
}

/**
 * The newest grid at or before the instant; null when the past knows none.
 * @throws NotReady now, before the first one stands
 */
export const gridFor = ({ context }: MarketsDeps, asOf: Millis | null): Promise<Grid | null> =>
  gridThen(context, asOf)

/** The same where prices can be served without it: null before the first one stands. */
export async function gridIfAny(deps: MarketsDeps, asOf: Millis | null): Promise<Grid | null> {
  try {
    return await gridThen(deps.context, asOf)
  } catch (error) {
    if (error instanceof NotReady) return null
    throw error
  }
}
