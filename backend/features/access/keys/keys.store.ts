import type { Selectable, Transaction } from 'kysely'
import type { Millis } from '../../../domain/units.ts'
import { AuthInvalid, Conflict } from '../../../lib/errors.ts'
import type { State } from '../../../state/open.ts'
import type { AccessKeyTable, AccountTable, StateSchema } from '../../../state/schema.ts'
import type { KeySpaceName } from './key-space.ts'
import type { User } from '../user.ts'
import { userOf } from '../users.store.ts'

export interface KeyRecord {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly keyPrefix: string
  readonly createdAt: Millis
  readonly lastUsedAt: Millis | null
  readonly revokedAt: Millis | null
}

/** A key as it is needed for a check. */
export interface CheckableKey {
  readonly id: string
  readonly keyHash: string
  readonly lastUsedAt: Millis | null
  readonly user: User
}

export interface KeysStore {
  /**
   * @throws Conflict KEY_LIMIT when the user has `max` active keys, AuthInvalid when the user was
   * removed
   */
  add(key: KeyRecord & { readonly keyHash: string }, max: number): Promise<void>
  /** Keys of a user, newest first; revoked keys only if revoked after `since`. */
  ownedBy(userId: string, since: Millis): Promise<KeyRecord[]>
  /** Active keys that begin with these characters. */
  withPrefix(prefix: string): Promise<CheckableKey[]>
  /** An active key with its current user; null for any other. */
  active(id: string): Promise<CheckableKey | null>
  /** Whether the user had such an active key. */
  revoke(id: string, userId: string, at: Millis): Promise<boolean>
  recordUse(id: string, at: Millis): Promise<void>
}

/**
 * Stores a key in the caller's transaction.
 * @throws Conflict KEY_LIMIT when the user has `max` active keys of this space; AuthInvalid when
 * the user was removed
 */
export async function insertKey(
  transaction: Transaction<StateSchema>,
  space: KeySpaceName,
  key: KeyRecord & { readonly keyHash: string },
  max: number,
): Promise<void> {
  const { active } = await transaction
    .selectFrom('access_key')
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('user_id', '=', key.userId)
    .where('space', '=', space)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (active >= max) throw new Conflict(`At most ${max} active keys`, 'KEY_LIMIT')
  const user = await transaction
    .selectFrom('account')
    .select('id')
    .where('id', '=', key.userId)
    .executeTakeFirst()
  // The user was removed while the key was being hashed.
  if (user === undefined) throw new AuthInvalid()
  await transaction
    .insertInto('access_key')
    .values({
      id: key.id,
      space,
      user_id: key.userId,
      name: key.name,
      key_prefix: key.keyPrefix,
      key_hash: key.keyHash,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
      revoked_at: key.revokedAt,
    })
    .execute()
}

export function createKeysStore(state: State, space: KeySpaceName): KeysStore {
  const activeKeys = () =>
    state
      .selectFrom('access_key')
      .innerJoin('account', 'account.id', 'access_key.user_id')
      .selectAll('account')
      .select(['access_key.id as key_id', 'key_hash', 'last_used_at'])
      .where('space', '=', space)
      .where('revoked_at', 'is', null)
  return {
    add: (key, max) =>
      state.transaction().execute((transaction) => insertKey(transaction, space, key, max)),
    async ownedBy(userId, since) {
      const rows = await state
        .selectFrom('access_key')
        .selectAll()
        .where('user_id', '=', userId)
        .where('space', '=', space)
        .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', since)]))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(recordOf)
    },
    async withPrefix(prefix) {
      const rows = await activeKeys().where('key_prefix', '=', prefix).execute()
      return rows.map(checkable)
    },
    async active(id) {
      const row = await activeKeys().where('access_key.id', '=', id).executeTakeFirst()
      return row === undefined ? null : checkable(row)
    },
    async revoke(id, userId, at) {
      const { numUpdatedRows } = await state
        .updateTable('access_key')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('space', '=', space)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async recordUse(id, at) {
      await state.updateTable('access_key').set({ last_used_at: at }).where('id', '=', id).execute()
    },
  }
}

const checkable = (
  row: Selectable<AccountTable> &
    Pick<Selectable<AccessKeyTable>, 'key_hash' | 'last_used_at'> & { readonly key_id: string },
): CheckableKey => ({
  id: row.key_id,
  keyHash: row.key_hash,
  user: userOf(row),
  lastUsedAt: row.last_used_at as Millis | null,
})

const recordOf = (row: Selectable<AccessKeyTable>): KeyRecord => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  keyPrefix: row.key_prefix,
  createdAt: row.created_at as Millis,
  lastUsedAt: row.last_used_at as Millis | null,
  revokedAt: row.revoked_at as Millis | null,
})
