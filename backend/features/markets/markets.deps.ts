import type { ContextEngine } from '../../computed/context-engine.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import type { Millis } from '../../domain/units.ts'
import type { ContextStore } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { FindTexts } from '../../http/site-texts.ts'
import type { Clock } from '../../lib/clock.ts'
import { NotReady } from '../../lib/errors.ts'

/** Dependencies of the market reads. */
export interface MarketsDeps {
  readonly board: MarketBoard
  readonly history: HistoryStore & Pick<ContextStore, 'regimesOf'>
  readonly context: Pick<ContextEngine, 'snapshot' | 'contextSnapshotOf'>
  /** Texts found by the site search besides markets; none by default. */
  readonly texts?: FindTexts
  readonly clock: Clock
  readonly urls: Urls
}

/** The instant of an answer: `asOf` as requested (null: now) and `at`, the resolved time. */
export interface Instant {
  readonly asOf: Millis | null
  readonly at: Millis
}

/**
 * Resolves the instant of a request.
 * @throws InvalidInput for an instant in the future, NotReady before the first load
 */
export function instantFor({ board, clock }: MarketsDeps, asOf: Millis | null): Instant {
  const now = clock.now()
  const instant = notInFuture(asOf, now)
  if (instant === null && !board.ready)
    throw new NotReady('The first data is not loaded yet; retry in a few seconds')
  return { asOf: instant, at: instant ?? now }
}

/**
 * The newest snapshot at or before the instant; null if there was none in the past.
 * @throws NotReady for now, before the first snapshot
 */
export const snapshotFor = (
  { context }: MarketsDeps,
  asOf: Millis | null,
): Promise<ContextSnapshot | null> => contextSnapshotAsOf(context, asOf)

/**
 * The snapshot that ranked the first page of a list, for its later pages; null if there was none.
 * @param rankedAt instant of that snapshot
 * @param newest the snapshot of this request
 */
export function rankingSnapshotFor(
  { context }: MarketsDeps,
  rankedAt: Millis,
  newest: ContextSnapshot | null,
  { at }: Pick<Instant, 'at'>,
): Promise<ContextSnapshot | null> {
  if (newest === null || newest.at === rankedAt) return Promise.resolve(newest)
  // A snapshot is served some seconds after its instant, so it is named by the instant. The first
  // one of a run is of no quarter hour.
  return context.contextSnapshotOf(Math.min(rankedAt, at) as Millis)
}
