import type { Selectable } from 'kysely'
import type { AccountTable } from '../state/schema.ts'
import type { State } from '../state/open.ts'

/** The row of a local user without a password. */
export const accountRow = (
  id: string,
  change: Partial<Selectable<AccountTable>> = {},
): Selectable<AccountTable> => ({
  id,
  email: null,
  name: id,
  tier: 'free',
  is_owner: 0,
  is_admin: 0,
  provider: 'local',
  password_hash: null,
  created_at: 0,
  issuer: null,
  subject: null,
  issuer_email: null,
  ...change,
})

/** Adds a local user, for rows that belong to one. */
export async function addUser(state: State, id: string): Promise<void> {
  await state.insertInto('account').values(accountRow(id)).execute()
}
