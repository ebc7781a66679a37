import { randomBytes } from 'node:crypto'
import { DAY, type Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { InvalidInput, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { KeyRow, NewKey } from './keys.schema.ts'
import type { Endings } from './endings.ts'
import { PREFIX_LENGTH, type KeyCheck } from './key-check.ts'
import type { KeyHash } from './key-hash.ts'
import type { KeySpace } from './key-space.ts'
import type { KeyRecord, KeysStore } from './keys.store.ts'

/** Active keys of a user in one space. */
export const MOST_ACTIVE = 20
const REVOKED_LISTED_FOR = 90 * DAY
const LONGEST_NAME = 100

/** A key that was made and is stored nowhere yet: `secret` is what its holder gets. */
export interface MadeKey {
  readonly secret: string
  readonly record: KeyRecord & { readonly keyHash: string }
}

export interface KeysService {
  /** Keys of a user, newest first; revoked ones for 90 days. */
  list(userId: string): Promise<{ keys: KeyRow[] }>
  /**
   * A new key; its secret is in this answer and nowhere else.
   * @throws InvalidInput, Conflict KEY_LIMIT, NotReady when too many keys are being hashed,
   * AuthInvalid when the user was deleted meanwhile
   */
  create(userId: string, body: unknown): Promise<NewKey>
  /** A key for whoever stores it within a transaction of their own. @throws NotReady */
  make(userId: string, name: string): Promise<MadeKey>
  /** Effective when it returns, open sockets included. @throws NotFound */
  revoke(userId: string, id: string): Promise<{ success: true }>
  /** Ends what is open with these keys, which their rows say are revoked. */
  ended(ids: readonly string[]): void
}

/** Keys of one space. */
export function createKeysService(deps: {
  readonly space: KeySpace
  readonly store: KeysStore
  readonly keyHash: KeyHash
  readonly check: KeyCheck
  readonly endings: Endings
  readonly clock: Clock
}): KeysService {
  const { space, store, keyHash, check, endings, clock } = deps
  const make = async (userId: string, name: string): Promise<MadeKey> => {
    const secret = `${space.prefix}${randomBytes(32).toString('base64url')}`
    const keyHashed = await keyHash.of(secret)
    const createdAt = clock.now()
    const id = newId(space.idPrefix, createdAt)
    const times = { createdAt, lastUsedAt: null, revokedAt: null }
    const keyPrefix = secret.slice(0, PREFIX_LENGTH)
    return { secret, record: { id, userId, name, keyPrefix, ...times, keyHash: keyHashed } }
  }
  const ended = (ids: readonly string[]): void => {
    for (const id of ids) {
      check.forget(id)
      endings.tell(id, id)
    }
  }
  return {
    async list(userId) {
      const since = (clock.now() - REVOKED_LISTED_FOR) as Millis
      return { keys: (await store.ownedBy(userId, since)).map(rowOf) }
    },
    async create(userId, body) {
      const made = await make(userId, nameOf(body, space.unnamed))
      await store.add(made.record, MOST_ACTIVE)
      return newKeyOf(made)
    },
    make,
    async revoke(userId, id) {
      if (!(await store.revoke(id, userId, clock.now()))) {
        throw new NotFound('Key not found or already revoked')
      }
      ended([id])
      return { success: true }
    },
    ended,
  }
}

/** The one answer that holds the secret. */
export const newKeyOf = ({ secret, record }: MadeKey): NewKey => ({
  ...{ id: record.id, key: secret, keyPrefix: record.keyPrefix, name: record.name },
  message: 'Store this key now. It will not be shown again.',
})

const rowOf = ({ id, name, keyPrefix, ...times }: KeyRecord): KeyRow => ({
  ...{ id, name, keyPrefix },
  lastUsedAt: times.lastUsedAt === null ? null : isoOf(times.lastUsedAt),
  revokedAt: times.revokedAt === null ? null : isoOf(times.revokedAt),
  createdAt: isoOf(times.createdAt),
})

/** The name that a body asks for; a body that says nothing leaves it to us. */
function nameOf(body: unknown, unnamed: string): string {
  const refused = new InvalidInput(`name must be a string of at most ${LONGEST_NAME} characters`)
  if (body === undefined || body === null) return unnamed
  if (typeof body !== 'object' || Array.isArray(body))
    throw new InvalidInput('body must be an object')
  const { name } = body as Readonly<Record<string, unknown>>
  if (name === undefined || name === null) return unnamed
  if (typeof name !== 'string') throw refused
  const trimmed = name.trim()
  if (Array.from(trimmed).length > LONGEST_NAME || /\p{Cc}/u.test(trimmed)) throw refused
  return trimmed === '' ? unnamed : trimmed
}
