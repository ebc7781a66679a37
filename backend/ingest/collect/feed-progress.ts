import type { Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FeedProgress, FeedsStore } from '../../state/feeds.store.ts'

/**
 * How far a venue's feeds were read. Progress in the future was recorded by a wrong clock; the
 * time of the newest stored trade replaces it.
 */
export async function progressSoFar(
  venue: Venue,
  deps: {
    readonly progress: Pick<FeedsStore, 'progressOf'>
    readonly history: Pick<HistoryStore, 'newestTradeAt'>
    readonly clock: Clock
  },
): Promise<FeedProgress> {
  const progress = await deps.progress.progressOf(venue)
  const now = deps.clock.now()
  const { aliveUntil, tradesUntil } = progress
  if ((aliveUntil ?? now) <= now && (tradesUntil ?? now) <= now) return progress
  const newest = Math.min((await deps.history.newestTradeAt(venue)) ?? now, now) as Millis
  const pastTime = (at: Millis | null): Millis | null => (at !== null && at > now ? newest : at)
  return { ...progress, aliveUntil: pastTime(aliveUntil), tradesUntil: pastTime(tradesUntil) }
}
