import { DAY, type Millis } from '../../domain/units.ts'
import { Gone } from '../../lib/errors.ts'
import type { State } from '../../state/open.ts'
import { insertKey } from './keys/keys.store.ts'
import { MAX_ACTIVE, type CreatedKey } from './keys/keys.service.ts'

/** How long the token of an ended login is refused. */
const LOGIN_RETENTION = DAY

export interface CliLoginsStore {
  /** Begins a login unless its token was used before or `max` logins are open. */
  begin(login: {
    readonly tokenHash: string
    readonly expiresAt: Millis
    readonly max: number
  }): Promise<'begun' | 'seen' | 'full'>
  /** State of the login of a token; null if there is none or it has ended. */
  stateOf(tokenHash: string, now: Millis): Promise<'pending' | 'ready' | null>
  /**
   * Moves a login from pending to ready and stores its key in one transaction.
   * @throws Gone when it is not pending, Conflict KEY_LIMIT
   */
  complete(tokenHash: string, newKey: CreatedKey, keyCipher: string, now: Millis): Promise<void>
  /** Returns the sealed key of a ready login and ends the login; null if another poll was first. */
  consume(tokenHash: string, now: Millis): Promise<string | null>
  /** Ends expired logins and deletes old ones. @returns ids of the keys revoked with them */
  expire(now: Millis): Promise<string[]>
}

export function createCliLoginsStore(state: State): CliLoginsStore {
  return {
    begin: ({ tokenHash, expiresAt, max }) =>
      state.transaction().execute(async (transaction) => {
        const seenLogin = await transaction
          .selectFrom('cli_login')
          .select('state')
          .where('token_hash', '=', tokenHash)
          .executeTakeFirst()
        if (seenLogin !== undefined) return 'seen'
        const { open } = await transaction
          .selectFrom('cli_login')
          .select(({ fn }) => fn.countAll<number>().as('open'))
          .where('state', 'in', ['pending', 'ready'])
          .executeTakeFirstOrThrow()
        if (open >= max) return 'full'
        await transaction
          .insertInto('cli_login')
          .values({
            token_hash: tokenHash,
            state: 'pending',
            expires_at: expiresAt,
            key_id: null,
            key_cipher: null,
          })
          .execute()
        return 'begun'
      }),
    async stateOf(tokenHash, now) {
      const row = await state
        .selectFrom('cli_login')
        .select('state')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row?.state === 'pending' || row?.state === 'ready' ? row.state : null
    },
    complete: (tokenHash, newKey, keyCipher, now) =>
      state.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('cli_login')
          .set({ state: 'ready', key_id: newKey.record.id, key_cipher: keyCipher })
          .where('token_hash', '=', tokenHash)
          .where('state', '=', 'pending')
          .where('expires_at', '>', now)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new Gone('Session expired or already used', 'EXPIRED')
        await insertKey(transaction, 'service', newKey.record, MAX_ACTIVE)
      }),
    consume: (tokenHash, now) =>
      state.transaction().execute(async (transaction) => {
        const consumedLogin = await transaction
          .deleteFrom('cli_login')
          .where('token_hash', '=', tokenHash)
          .where('state', '=', 'ready')
          .where('expires_at', '>', now)
          .returning(['key_id', 'key_cipher'])
          .executeTakeFirst()
        if (consumedLogin === undefined) return null
        await transaction
          .insertInto('cli_login')
          .values({
            token_hash: tokenHash,
            state: 'consumed',
            expires_at: now + LOGIN_RETENTION,
            key_id: null,
            key_cipher: null,
          })
          .execute()
        // The key was revoked in the meantime, or deleted with its user.
        const key = await transaction
          .selectFrom('access_key')
          .select('id')
          .where('id', '=', consumedLogin.key_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        return key === undefined ? null : consumedLogin.key_cipher
      }),
    async expire(now) {
      const dueLogin = await state
        .selectFrom('cli_login')
        .select('token_hash')
        .where('expires_at', '<=', now)
        .limit(1)
        .executeTakeFirst()
      if (dueLogin === undefined) return []
      return state.transaction().execute(async (transaction) => {
        const waitingLogin = await transaction
          .selectFrom('cli_login')
          .select('key_id')
          .where('state', '=', 'ready')
          .where('expires_at', '<=', now)
          .execute()
        const revokedKeys = await transaction
          .updateTable('access_key')
          .set({ revoked_at: now })
          .where(
            'id',
            'in',
            waitingLogin.flatMap(({ key_id: id }) => id ?? []),
          )
          .where('revoked_at', 'is', null)
          .returning('id')
          .execute()
        await transaction
          .updateTable('cli_login')
          .set(({ eb }) => ({
            state: 'consumed',
            key_id: null,
            key_cipher: null,
            expires_at: eb('expires_at', '+', LOGIN_RETENTION),
          }))
          .where('state', 'in', ['pending', 'ready'])
          .where('expires_at', '<=', now)
          .execute()
        await transaction
          .deleteFrom('cli_login')
          .where('state', '=', 'consumed')
          .where('expires_at', '<=', now)
          .execute()
        return revokedKeys.map(({ id }) => id)
      })
    },
  }
}
