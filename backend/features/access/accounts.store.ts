import { DAY, type Millis } from '../../domain/units.ts'
import { Conflict } from '../../lib/errors.ts'
import type { State } from '../../state/open.ts'
import { insertKey } from './keys/keys.store.ts'
import type { KeySpaceName } from './keys/key-space.ts'
import { MAX_ACTIVE, type CreatedKey } from './keys/keys.service.ts'
import {
  endSessions,
  insertSession,
  liveSessions,
  type SessionRecord,
} from './sessions/sessions.store.ts'
import type { User } from './user.ts'
import { accountRow, userOf } from './users.store.ts'

/** Changes of a user's own account; absent fields stay. */
export interface AccountChange {
  readonly name?: string
  readonly email?: string
  readonly passwordHash?: string
}

/** Sessions and keys that were active on a deleted account. */
export interface RemovedAccount {
  readonly sessions: readonly string[]
  readonly keys: readonly { readonly id: string; readonly space: KeySpaceName }[]
}

/** Changes an account with its sessions and keys in one transaction. */
export interface AccountsStore {
  isTaken(email: string): Promise<boolean>
  /** @throws Conflict EMAIL_TAKEN */
  add(account: {
    readonly user: User
    readonly passwordHash: string
    readonly key: CreatedKey['record']
    readonly session: SessionRecord
  }): Promise<void>
  /**
   * A new password ends every session except `sessionId`.
   * @param currentPasswordHash hash of the current password; null if the account has none
   * @returns null if the account was removed or its password changed in the meantime
   * @throws Conflict EMAIL_TAKEN
   */
  change(
    userId: string,
    change: AccountChange,
    currentPasswordHash: string | null,
    sessionId: string | null,
    at: Millis,
  ): Promise<{ readonly user: User; readonly ended: readonly string[] } | null>
  /** Deletes an account and everything that belongs to it. */
  remove(userId: string, at: Millis): Promise<RemovedAccount>
}

export const emailTakenConflict = (): Conflict =>
  new Conflict('An account with this email exists', 'EMAIL_TAKEN')

export function createAccountsStore(state: State): AccountsStore {
  const holderOf = (from: State, email: string) =>
    from.selectFrom('account').select('id').where('email', '=', email).executeTakeFirst()
  return {
    isTaken: async (email) => (await holderOf(state, email)) !== undefined,
    add: ({ user, passwordHash, key, session }) =>
      state.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows: addedCount } = await transaction
          .insertInto('account')
          .values({ ...accountRow(user), password_hash: passwordHash })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .executeTakeFirst()
        if (addedCount !== 1n) throw emailTakenConflict()
        await insertKey(transaction, 'service', key, MAX_ACTIVE)
        await insertSession(transaction, session)
      }),
    change: (userId, { name, email, passwordHash }, currentPasswordHash, sessionId, at) =>
      state.transaction().execute(async (transaction) => {
        const previous = await transaction
          .selectFrom('account')
          .select('password_hash')
          .where('id', '=', userId)
          .executeTakeFirst()
        if (previous === undefined) return null
        const touchesSignIn = email !== undefined || passwordHash !== undefined
        if (touchesSignIn && previous.password_hash !== currentPasswordHash) return null
        const holder = email === undefined ? undefined : await holderOf(transaction, email)
        if (holder !== undefined && holder.id !== userId) throw emailTakenConflict()
        const row = await transaction
          .updateTable('account')
          .set((eb) => ({
            name: name ?? eb.ref('name'),
            email: email ?? eb.ref('email'),
            password_hash: passwordHash ?? eb.ref('password_hash'),
          }))
          .where('id', '=', userId)
          .returningAll()
          .executeTakeFirstOrThrow()
        const liveRows =
          passwordHash === undefined ? [] : await liveSessions(transaction, userId, at)
        const endedSessionIds = liveRows.map(({ id }) => id).filter((id) => id !== sessionId)
        await endSessions(transaction, endedSessionIds, at)
        return { user: userOf(row), ended: endedSessionIds }
      }),
    remove: (userId, at) =>
      state.transaction().execute(async (transaction) => {
        const sessions = await liveSessions(transaction, userId, at)
        const keys = await transaction
          .selectFrom('access_key')
          .select(['id', 'space'])
          .where('user_id', '=', userId)
          .where('revoked_at', 'is', null)
          .execute()
        // A command-line login refers to its key only by id; its token cannot be used for another
        // one.
        await transaction
          .updateTable('cli_login')
          .set({ state: 'consumed', key_id: null, key_cipher: null, expires_at: at + DAY })
          .where((eb) =>
            eb(
              'key_id',
              'in',
              eb.selectFrom('access_key').select('id').where('user_id', '=', userId),
            ),
          )
          .execute()
        await transaction.deleteFrom('account').where('id', '=', userId).execute()
        return {
          sessions: sessions.map(({ id }) => id),
          keys: keys.map(({ id, space }) => ({ id, space: space as KeySpaceName })),
        }
      }),
  }
}
