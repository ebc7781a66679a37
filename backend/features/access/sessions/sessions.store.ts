import type { Selectable } from 'kysely'
import type { Millis } from '../../../domain/units.ts'
import type { State } from '../../../state/open.ts'
import type { SessionTable } from '../../../state/schema.ts'
import type { User } from '../user.ts'
import { userOf } from '../users.store.ts'

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
  /** Whether any session is stored, live or not. */
  any(): Promise<boolean>
  /**
   * Adds a session. If the user has more than `max` live ones, those seen longest ago end.
   * Sessions that expired before `expiredBefore` are deleted as well.
   * @param passwordHash hash of the typed password; absent if none was typed
   * @returns ids of the sessions that ended; null if the user was removed or the password changed
   * in the meantime
   */
  begin(
    session: SessionRecord,
    max: number,
    expiredBefore: Millis,
    passwordHash?: string,
  ): Promise<string[] | null>
  /** Live sessions of a user, last seen first. */
  ownedBy(userId: string, now: Millis): Promise<SessionRecord[]>
  /** The session and its user, unless it ended or expired. */
  live(id: string, now: Millis): Promise<{ session: SessionRecord; user: User } | null>
  /** @returns whether it was live */
  end(id: string, userId: string, at: Millis): Promise<boolean>
  /** @returns the ids of the user's sessions that were live */
  endAll(userId: string, at: Millis): Promise<string[]>
  recordSeen(id: string, at: Millis): Promise<void>
  extend(id: string, expiresAt: Millis): Promise<void>
}

export function createSessionsStore(state: State): SessionsStore {
  return {
    async any() {
      const row = await state.selectFrom('session').select('id').limit(1).executeTakeFirst()
      return row !== undefined
    },
    begin: (session, max, expiredBefore, passwordHash) =>
      state.transaction().execute(async (transaction) => {
        const account = await transaction
          .selectFrom('account')
          .select('password_hash')
          .where('id', '=', session.userId)
          .executeTakeFirst()
        const isCurrent = passwordHash === undefined || account?.password_hash === passwordHash
        if (account === undefined || !isCurrent) return null
        await transaction.deleteFrom('session').where('expires_at', '<', expiredBefore).execute()
        const earlierSessions = await liveSessions(transaction, session.userId, session.createdAt)
        const endedSessionIds = earlierSessions.slice(max - 1).map(({ id }) => id)
        await endSessions(transaction, endedSessionIds, session.createdAt)
        await insertSession(transaction, session)
        return endedSessionIds
      }),
    ownedBy: (userId, now) => liveSessions(state, userId, now),
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
      const times = { created_at: row.begun_at, user_id: row.id }
      return { session: recordOf({ ...row, ...times, id: row.session_id }), user: userOf(row) }
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
        const ids = (await liveSessions(transaction, userId, at)).map(({ id }) => id)
        await endSessions(transaction, ids, at)
        return ids
      }),
    async recordSeen(id, at) {
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

/** Live sessions of a user, last seen first. */
export async function liveSessions(
  from: State,
  userId: string,
  now: Millis,
): Promise<SessionRecord[]> {
  const rows = await from
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(recordOf)
}

export async function endSessions(state: State, ids: readonly string[], at: Millis): Promise<void> {
  if (ids.length === 0) return
  await state.updateTable('session').set({ ended_at: at }).where('id', 'in', ids).execute()
}

/** Stores a session in the caller's transaction. */
export async function insertSession(state: State, session: SessionRecord): Promise<void> {
  await state
    .insertInto('session')
    .values({
      id: session.id,
      user_id: session.userId,
      method: session.method,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      ended_at: null,
    })
    .execute()
}

const recordOf = (row: Omit<Selectable<SessionTable>, 'ended_at'>): SessionRecord => ({
  id: row.id,
  userId: row.user_id,
  userAgent: row.user_agent,
  method: row.method as SignInMethod,
  createdAt: row.created_at as Millis,
  lastSeenAt: row.last_seen_at as Millis,
  expiresAt: row.expires_at as Millis,
})
