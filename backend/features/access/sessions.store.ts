import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'
import type { User } from './user.ts'
import { userOf } from './users.store.ts'

export type SignInMethod = 'local' | 'password' | 'external'

export interface SessionRecord {
  readonly id: string
  readonly userId: string
  readonly method: SignInMethod
  readonly userAgent: string | null
  readonly createdAt: Millis
  readonly lastSeenAt: Millis
  readonly expiresAt: Millis
}

export interface SessionsStore {
  /**
   * Adds a session; of more than `most` live ones of the user those seen longest ago end. Sessions
   * whose time passed before `swept` are dropped on the way.
   * @returns the ids of sessions that ended
   */
  begin(session: SessionRecord, most: number, swept: Millis): Promise<string[]>
  /** The session and its user, unless it ended or passed its time. */
  live(id: string, now: Millis): Promise<{ session: SessionRecord; user: User } | null>
  /** @returns whether it was live */
  end(id: string, userId: string, at: Millis): Promise<boolean>
  /** @returns the ids of the user's sessions that were live */
  endAll(userId: string, at: Millis): Promise<string[]>
  noteSeen(id: string, at: Millis): Promise<void>
  extend(id: string, expiresAt: Millis): Promise<void>
}

export function createSessionsStore(state: State): SessionsStore {
  const liveIds = async (from: State, userId: string, now: Millis): Promise<string[]> => {
    const rows = await from
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return rows.map(({ id }) => id)
  }
  const endThese = async (from: State, ids: readonly string[], at: Millis): Promise<void> => {
    if (ids.length === 0) return
    await from.updateTable('session').set({ ended_at: at }).where('id', 'in', ids).execute()
  }
  return {
    begin: (session, most, swept) =>
      state.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('session').where('expires_at', '<', swept).execute()
        const earlier = await liveIds(transaction, session.userId, session.createdAt)
        const ended = earlier.slice(most - 1)
        await endThese(transaction, ended, session.createdAt)
        await transaction
          .insertInto('session')
          .values({
            ...{ id: session.id, user_id: session.userId, method: session.method },
            ...{ user_agent: session.userAgent, created_at: session.createdAt },
            ...{ last_seen_at: session.lastSeenAt, expires_at: session.expiresAt, ended_at: null },
          })
          .execute()
        return ended
      }),
    async live(id, now) {
      const row = await state
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.user_id')
        .selectAll('account')
        .select(['session.id as session_id', 'method', 'user_agent', 'last_seen_at', 'expires_at'])
        .select('session.created_at as begun_at')
        .where('session.id', '=', id)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (row === undefined) return null
      const session: SessionRecord = {
        ...{ id: row.session_id, userId: row.id, userAgent: row.user_agent },
        method: row.method as SignInMethod,
        createdAt: row.begun_at as Millis,
        lastSeenAt: row.last_seen_at as Millis,
        expiresAt: row.expires_at as Millis,
      }
      return { session, user: userOf(row) }
    },
    async end(id, userId, at) {
      const { numUpdatedRows } = await state
        .updateTable('session')
        .set({ ended_at: at })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', at)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    endAll: (userId, at) =>
      state.transaction().execute(async (transaction) => {
        const ids = await liveIds(transaction, userId, at)
        await endThese(transaction, ids, at)
        return ids
      }),
    async noteSeen(id, at) {
      await state.updateTable('session').set({ last_seen_at: at }).where('id', '=', id).execute()
    },
    async extend(id, expiresAt) {
      await state
        .updateTable('session')
        .set({ expires_at: expiresAt })
        .where('id', '=', id)
        .execute()
    },
  }
}
