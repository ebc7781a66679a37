import { randomBytes } from 'node:crypto'
import { DAY, type Millis } from '../../../domain/units.ts'
import { isoOf, type Clock } from '../../../lib/clock.ts'
import { InvalidInput, NotFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { KeyRow, NewKey } from '../../../contract/accounts.ts'
import type { CredentialRevocations } from '../credential-revocations.ts'
import { PREFIX_LENGTH, type KeyCheck } from './key-check.ts'
import type { KeyHash } from './key-hash.ts'
import type { KeySpace } from './key-space.ts'
import type { KeyRecord, KeysStore } from './keys.store.ts'

/** Most active keys of a user in one space. */
export const MAX_ACTIVE = 20
const REVOKED_LISTING_SPAN = 90 * DAY
const MAX_NAME_LENGTH = 100

/** A new key that is not stored yet; `secret` is what its holder receives. */
export interface CreatedKey {
  readonly secret: string
  readonly record: KeyRecord & { readonly keyHash: string }
}

export interface KeysService {
  /** Keys of a user, newest first; revoked keys for 90 days. */
  list(userId: string): Promise<{ keys: KeyRow[] }>
  /**
   * Creates a key; its secret is in this response only.
   * @throws InvalidInput, Conflict KEY_LIMIT, NotReady when too many keys are being hashed,
   * AuthInvalid when the user was deleted in the meantime
   */
  create(userId: string, body: unknown): Promise<NewKey>
  /** Creates a key to be stored in the caller's transaction. @throws NotReady */
  make(userId: string, name: string): Promise<CreatedKey>
  /** Takes effect before it returns, for open sockets too. @throws NotFound */
  revoke(userId: string, id: string): Promise<{ success: true }>
  /** Ends connections of keys that are already stored as revoked. */
  dropRevoked(ids: readonly string[]): void
}

/** Keys of one space. */
export function createKeysService(deps: {
  readonly space: KeySpace
  readonly store: KeysStore
  readonly keyHash: KeyHash
  readonly check: KeyCheck
  readonly revocations: CredentialRevocations
  readonly clock: Clock
}): KeysService {
  const { space, store, keyHash, check, revocations, clock } = deps
  const make = async (userId: string, name: string): Promise<CreatedKey> => {
    const secret = `${space.prefix}${randomBytes(32).toString('base64url')}`
    const keyHashed = await keyHash.hash(secret)
    const createdAt = clock.now()
    const id = newId(space.idPrefix, createdAt)
    const times = { createdAt, lastUsedAt: null, revokedAt: null }
    const keyPrefix = secret.slice(0, PREFIX_LENGTH)
    return { secret, record: { id, userId, name, keyPrefix, ...times, keyHash: keyHashed } }
  }
  const dropRevoked = (ids: readonly string[]): void => {
    for (const id of ids) {
      check.invalidate(id)
      revocations.report(id, id)
    }
  }
  return {
    async list(userId) {
      const since = (clock.now() - REVOKED_LISTING_SPAN) as Millis
      return { keys: (await store.ownedBy(userId, since)).map(rowOf) }
    },
    async create(userId, body) {
      const newKey = await make(userId, nameOf(body, space.unnamed))
      await store.add(newKey.record, MAX_ACTIVE)
      return newKeyOf(newKey)
    },
    make,
    async revoke(userId, id) {
      if (!(await store.revoke(id, userId, clock.now()))) {
        throw new NotFound('Key not found or already revoked')
      }
      dropRevoked([id])
      return { success: true }
    },
    dropRevoked,
  }
}

/** The only response that contains the secret. */
export const newKeyOf = ({ secret, record }: CreatedKey): NewKey => ({
  id: record.id,
  key: secret,
  keyPrefix: record.keyPrefix,
  name: record.name,
  message: 'Store this key now. It will not be shown again.',
})

const rowOf = ({ id, name, keyPrefix, ...times }: KeyRecord): KeyRow => ({
  id,
  name,
  keyPrefix,
  lastUsedAt: times.lastUsedAt === null ? null : isoOf(times.lastUsedAt),
  revokedAt: times.revokedAt === null ? null : isoOf(times.revokedAt),
  createdAt: isoOf(times.createdAt),
})

/** The name given in a body, or the default. */
function nameOf(body: unknown, defaultName: string): string {
  const invalidName = new InvalidInput(
    `name must be a string of at most ${MAX_NAME_LENGTH} characters`,
  )
  if (body === undefined || body === null) return defaultName
  if (typeof body !== 'object' || Array.isArray(body))
    throw new InvalidInput('body must be an object')
  const { name } = body as Readonly<Record<string, unknown>>
  if (name === undefined || name === null) return defaultName
  if (typeof name !== 'string') throw invalidName
  const trimmedName = name.trim()
  if (Array.from(trimmedName).length > MAX_NAME_LENGTH || /\p{Cc}/u.test(trimmedName))
    throw invalidName
  return trimmedName === '' ? defaultName : trimmedName
}
