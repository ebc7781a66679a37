import type { Selectable } from 'kysely'
import type { Tier } from '../../domain/tiers.ts'
import type { Millis } from '../../domain/units.ts'
import type { AccountTable } from '../../state/schema.ts'
import type { State } from '../../state/open.ts'
import type { User } from './user.ts'

export interface UsersStore {
  /** The local owner; `candidate` becomes it where there is none yet. */
  owner(candidate: User): Promise<User>
}

export function createUsersStore(state: State): UsersStore {
  return {
    async owner(candidate) {
      // One statement either way, and the index allows one owner: no second one can come to be.
      await state
        .insertInto('account')
        .values({
          ...{ id: candidate.id, email: candidate.email, name: candidate.name },
          ...{ tier: candidate.tier, is_owner: 1, is_admin: 1, provider: candidate.provider },
          ...{ password_hash: null, created_at: candidate.createdAt },
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const row = await state
        .selectFrom('account')
        .selectAll()
        .where('is_owner', '=', 1)
        .executeTakeFirstOrThrow()
      return userOf(row)
    },
  }
}

export const userOf = (row: Selectable<AccountTable>): User => ({
  ...{ id: row.id, email: row.email, name: row.name, tier: row.tier as Tier },
  ...{ isOwner: row.is_owner === 1, isAdmin: row.is_admin === 1 },
  provider: row.provider as User['provider'],
  hasPassword: row.password_hash !== null,
  createdAt: row.created_at as Millis,
})
