import type { Insertable, Selectable } from 'kysely'
import type { Tier } from '../../domain/tiers.ts'
import type { Millis } from '../../domain/units.ts'
import type { AccountTable } from '../../state/schema.ts'
import type { State } from '../../state/open.ts'
import type { User } from './user.ts'
import { rowsAfter } from '../../state/rows-after.ts'
import type { RowPosition } from '../../http/request/list-page.ts'

/** Issuer and subject of an external account. */
export interface ExternalName {
  readonly issuer: string
  readonly subject: string
}

export interface UsersStore {
  /** The local owner; `candidate` is stored if there is none yet. */
  owner(candidate: User): Promise<User>
  byId(id: string): Promise<User | null>
  byEmail(email: string): Promise<{ user: User; passwordHash: string | null } | null>
  /** Null also for an account without a password. */
  passwordHashOf(id: string): Promise<string | null>
  /**
   * The account of an external name, with its current email; `candidate` is stored if there is
   * none yet.
   */
  external(name: ExternalName, candidate: User): Promise<User>
  /** Sets what an administrator decides; null for an unknown user and for the owner. */
  setAccess(id: string, access: { tier?: Tier; isAdmin?: boolean }): Promise<User | null>
  /** Users by age, oldest first, after a position. */
  page(after: RowPosition | null, limit: number): Promise<User[]>
}

export function createUsersStore(state: State): UsersStore {
  return {
    async owner(candidate) {
      // One statement either way, and the index allows one owner, so a second one cannot be
      // created.
      await state
        .insertInto('account')
        .values(accountRow(candidate))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const row = await state
        .selectFrom('account')
        .selectAll()
        .where('is_owner', '=', 1)
        .executeTakeFirstOrThrow()
      return userOf(row)
    },
    async byId(id) {
      const row = await state
        .selectFrom('account')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined ? null : userOf(row)
    },
    async byEmail(email) {
      const row = await state
        .selectFrom('account')
        .selectAll()
        .where('email', '=', email)
        .executeTakeFirst()
      return row === undefined ? null : { user: userOf(row), passwordHash: row.password_hash }
    },
    async passwordHashOf(id) {
      const row = await state
        .selectFrom('account')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.password_hash ?? null
    },
    external: (name, candidate) =>
      state.transaction().execute(async (transaction) => {
        const find = () =>
          transaction
            .selectFrom('account')
            .selectAll()
            .where('issuer', '=', name.issuer)
            .where('subject', '=', name.subject)
            .executeTakeFirst()
        const userRow = await find()
        if (userRow === undefined) {
          const issuer_email = candidate.email
          await transaction
            .insertInto('account')
            .values({ ...accountRow({ ...candidate, email: null }), ...name, issuer_email })
            .execute()
          return candidate
        }
        if (userRow.issuer_email === candidate.email) return userOf(userRow)
        await transaction
          .updateTable('account')
          .set({ issuer_email: candidate.email })
          .where('id', '=', userRow.id)
          .execute()
        return userOf({ ...userRow, issuer_email: candidate.email })
      }),
    async setAccess(id, { tier, isAdmin }) {
      const row = await state
        .updateTable('account')
        .set((eb) => ({
          tier: tier ?? eb.ref('tier'),
          is_admin: isAdmin === undefined ? eb.ref('is_admin') : Number(isAdmin),
        }))
        .where('id', '=', id)
        .where('is_owner', '=', 0)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : userOf(row)
    },
    async page(after, limit) {
      const query = state.selectFrom('account').selectAll()
      const rows = await rowsAfter(query, ['created_at', 'id'], after, 'asc').limit(limit).execute()
      return rows.map(userOf)
    },
  }
}

export const userOf = (row: Selectable<AccountTable>): User => ({
  id: row.id,
  email: row.email ?? row.issuer_email,
  name: row.name,
  tier: row.tier as Tier,
  isOwner: row.is_owner === 1,
  isAdmin: row.is_admin === 1,
  provider: row.provider as User['provider'],
  hasPassword: row.password_hash !== null,
  createdAt: row.created_at as Millis,
})

/** The row of a new account, without password and external issuer. */
export const accountRow = (user: User): Insertable<AccountTable> => ({
  id: user.id,
  email: user.email,
  name: user.name,
  tier: user.tier,
  is_owner: user.isOwner ? 1 : 0,
  is_admin: user.isAdmin ? 1 : 0,
  provider: user.provider,
  password_hash: null,
  created_at: user.createdAt,
  issuer: null,
  subject: null,
  issuer_email: null,
})
