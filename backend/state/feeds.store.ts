import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { State } from './open.ts'

/** How far a venue's feed has been read; null where it has not. */
export interface FeedProgress {
  readonly backfilledAt: Millis | null
  readonly endedUntil: Millis | null
  readonly tradesUntil: Millis | null
}

const NOTHING_READ: FeedProgress = { backfilledAt: null, endedUntil: null, tradesUntil: null }

/** Where the collector notes its progress, so that a restart resumes. */
export interface FeedsStore {
  progressOf(venue: Venue): Promise<FeedProgress>
  save(venue: Venue, progress: Partial<FeedProgress>): Promise<void>
}

export function createFeedsStore(state: State): FeedsStore {
  const progressOf = async (venue: Venue): Promise<FeedProgress> => {
    const row = await state
      .selectFrom('feed')
      .selectAll()
      .where('venue', '=', venue)
      .executeTakeFirst()
    if (row === undefined) return NOTHING_READ
    return {
      backfilledAt: row.backfilled_at as Millis | null,
      endedUntil: row.ended_until as Millis | null,
      tradesUntil: row.trades_until as Millis | null,
    }
  }
  return {
    progressOf,
    async save(venue, progress) {
      const next = { ...(await progressOf(venue)), ...progress }
      const row = {
        backfilled_at: next.backfilledAt,
        ended_until: next.endedUntil,
        trades_until: next.tradesUntil,
      }
      await state
        .insertInto('feed')
        .values({ venue, ...row })
        .onConflict((conflict) => conflict.column('venue').doUpdateSet(row))
        .execute()
    },
  }
}
