import type { Tier } from '../../domain/tiers.ts'
import { TIERS } from '../../domain/tiers.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import { fieldOf } from '../../lib/field-of.ts'
import { bodyOf } from './account-bodies.ts'
import type { OneUser, UserPage } from '../../contract/accounts.ts'
import type { UsersStore } from './users.store.ts'
import {
  byCreation,
  listPage,
  type Paging,
  type RowPosition,
} from '../../http/request/list-page.ts'

/** Administration of users. */
export interface Users {
  /** Oldest first. @throws InvalidInput for an invalid cursor */
  page(paging: Paging): Promise<UserPage>
  /**
   * Takes effect with the user's next request. @throws InvalidInput, NotFound, Conflict for the
   * owner
   */
  change(id: string, body: unknown): Promise<OneUser>
}

export function createUsers(deps: {
  readonly store: UsersStore
  /** Called when a user changed, so that cached copies are stale. */
  readonly onChanged: (userId: string) => void
}): Users {
  const { store, onChanged } = deps
  return {
    async page(paging) {
      const read = (after: RowPosition | null, max: number) => store.page(after, max)
      const { rows, pageInfo } = await listPage(paging, { users: true }, read, byCreation)
      return { data: rows.map(bodyOf), pageInfo }
    },
    async change(id, body) {
      const access = accessIn(body)
      const previous = await store.byId(id)
      if (previous === null) throw new NotFound('User not found')
      if (previous.isOwner) throw new Conflict('The owner account cannot be changed')
      const user = await store.setAccess(id, access)
      if (user === null) throw new NotFound('User not found')
      onChanged(id)
      return { user: bodyOf(user) }
    },
  }
}

const isTier = (value: unknown): value is Tier =>
  typeof value === 'string' && Object.hasOwn(TIERS, value)

function accessIn(body: unknown): { tier?: Tier; isAdmin?: boolean } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidInput('body must be an object')
  }
  const [tier, isAdmin] = [fieldOf(body, 'tier'), fieldOf(body, 'isAdmin')]
  if (tier !== undefined && !isTier(tier)) {
    throw new InvalidInput('tier must be free, hobby, pro or institutional')
  }
  if (isAdmin !== undefined && typeof isAdmin !== 'boolean') {
    throw new InvalidInput('isAdmin must be a boolean')
  }
  return { ...(tier === undefined ? {} : { tier }), ...(isAdmin === undefined ? {} : { isAdmin }) }
}
