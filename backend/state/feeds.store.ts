import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { State } from './open.ts'

/** Progress of reading a venue's feed; null where it has not been read. */
export interface FeedProgress {
  readonly backfilledAt: Millis | null
  readonly endedUntil: Millis | null
  readonly tradesUntil: Millis | null
  /** The feeds are known to have delivered until this time. */
  readonly aliveUntil: Millis | null
}

const NOTHING_READ: FeedProgress = {
  backfilledAt: null,
  endedUntil: null,
  tradesUntil: null,
  aliveUntil: null,
}

/** Progress of the collector, so that a restart resumes. */
export interface FeedsStore {
  progressOf(venue: Venue): Promise<FeedProgress>
  /** Saves the given fields and leaves the others unchanged. */
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
      aliveUntil: row.alive_until as Millis | null,
    }
  }
  return {
    progressOf,
    async save(venue, progress) {
      const { backfilledAt, endedUntil, tradesUntil, aliveUntil } = progress
      const row = {
        ...(backfilledAt !== undefined && { backfilled_at: backfilledAt }),
        ...(endedUntil !== undefined && { ended_until: endedUntil }),
        ...(tradesUntil !== undefined && { trades_until: tradesUntil }),
        ...(aliveUntil !== undefined && { alive_until: aliveUntil }),
      }
      await state
        .insertInto('feed')
        .values({ venue, ...row })
        .onConflict((conflict) => conflict.column('venue').doUpdateSet(row))
        .execute()
    },
  }
}
