import { randomBytes } from 'node:crypto'
import { DAY, type Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { InvalidInput, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { KeyRow, NewKey } from './data-keys.schema.ts'
import type { Endings } from './endings.ts'
import { PREFIX_LENGTH, type KeyCheck } from './key-check.ts'
import type { KeyHash } from './key-hash.ts'
import type { KeyRecord, KeysStore } from './keys.store.ts'

const MOST_ACTIVE = 20
const REVOKED_LISTED_FOR = 90 * DAY
const LONGEST_NAME = 100

export interface DataKeysService {
  /** Keys of a user, newest first; revoked ones for 90 days. */
  list(userId: string): Promise<{ keys: KeyRow[] }>
  /**
   * A new key; its secret is in this answer and nowhere else.
   * @throws InvalidInput, Conflict KEY_LIMIT, NotReady when too many keys are being hashed
   */
  create(userId: string, body: unknown): Promise<NewKey>
  /** Effective when it returns, open sockets included. @throws NotFound */
  revoke(userId: string, id: string): Promise<{ success: true }>
}

export function createDataKeysService(deps: {
  readonly store: KeysStore
  readonly keyHash: KeyHash
  readonly check: KeyCheck
  readonly endings: Endings
  readonly clock: Clock
}): DataKeysService {
  const { store, keyHash, check, endings, clock } = deps
  return {
    async list(userId) {
      const since = (clock.now() - REVOKED_LISTED_FOR) as Millis
      return { keys: (await store.ownedBy(userId, since)).map(rowOf) }
    },
    async create(userId, body) {
      const name = nameOf(body)
      const key = `svct_live_${randomBytes(32).toString('base64url')}`
      const createdAt = clock.now()
      const id = newId('dkey', createdAt)
      const keyPrefix = key.slice(0, PREFIX_LENGTH)
      const record = { id, userId, name, keyPrefix, createdAt, lastUsedAt: null, revokedAt: null }
      await store.add({ ...record, keyHash: await keyHash.of(key) }, MOST_ACTIVE)
      const message = 'Store this key now. It will not be shown again.'
      return { id, key, keyPrefix, name, message }
    },
    async revoke(userId, id) {
      if (!(await store.revoke(id, userId, clock.now()))) {
        throw new NotFound('Key not found or already revoked')
      }
      check.forget(id)
      endings.tell(id, id)
      return { success: true }
    },
  }
}

const rowOf = ({ id, name, keyPrefix, ...times }: KeyRecord): KeyRow => ({
  ...{ id, name, keyPrefix },
  lastUsedAt: times.lastUsedAt === null ? null : isoOf(times.lastUsedAt),
  revokedAt: times.revokedAt === null ? null : isoOf(times.revokedAt),
  createdAt: isoOf(times.createdAt),
})

/** The name that a body asks for; a body that says nothing leaves it to us. */
function nameOf(body: unknown): string {
  const refused = new InvalidInput(`name must be a string of at most ${LONGEST_NAME} characters`)
  if (body === undefined || body === null) return 'Unnamed Data Key'
  if (typeof body !== 'object' || Array.isArray(body))
    throw new InvalidInput('body must be an object')
  const { name } = body as Readonly<Record<string, unknown>>
  if (name === undefined || name === null) return 'Unnamed Data Key'
  if (typeof name !== 'string') throw refused
  const trimmed = name.trim()
  if (trimmed.length > LONGEST_NAME || /\p{Cc}/u.test(trimmed)) throw refused
  return trimmed === '' ? 'Unnamed Data Key' : trimmed
}
