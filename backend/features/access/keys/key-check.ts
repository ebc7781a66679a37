import { hash } from 'node:crypto'
import type { Millis } from '../../../domain/units.ts'
import type { Caller, Connection, Sender } from '../../../http/auth/auth.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { KeyHash } from './key-hash.ts'
import type { CheckableKey, KeysStore } from './keys.store.ts'
import type { KeySpaceName } from './key-space.ts'
import { keyCaller } from '../user.ts'

/** Characters of a key stored in clear: enough to look it up, not enough to use it. */
export const PREFIX_LENGTH = 12

const LAST_USE_INTERVAL = 60_000
const MAX_REJECTED = 4_096

/** Finds the user of a key. */
export interface KeyCheck {
  /**
   * Returns synchronously for a key checked before; null if it is no active key.
   * @param sender of the key, who may send it again or try others
   */
  callerOf(key: string, sender: Sender | null): Caller | null | Promise<Caller | null>
  /** Invalidates a revoked key, including checks in progress. */
  invalidate(id: string): void
  /** Invalidates cached copies of a changed user. */
  invalidateUser(userId: string): void
  /** Writes the last uses that are not stored yet. */
  close(): Promise<void>
}

interface CachedKey {
  readonly caller: Caller
  readonly id: string
  usedAt: Millis | null
  notedAt: Millis | null
}

/** The last key of a connection, valid while `changes` is unchanged. */
interface LastKey {
  readonly key: string
  readonly entry: CachedKey
  readonly changes: number
}

/**
 * Checks keys by prefix, then by hash. A prefix without an active key is refused without hashing.
 * Results are cached by the key's SHA-256, valid or not; concurrent checks of the same key are
 * one. On a keep-alive connection the last key is recognized by its text until the connection
 * closes or any key is invalidated.
 */
export function createKeyCheck(deps: {
  readonly space: KeySpaceName
  readonly store: KeysStore
  readonly keyHash: KeyHash
  readonly clock: Clock
  readonly logger: Logger
}): KeyCheck {
  const { space, store, keyHash, clock, logger } = deps
  const cache = new Map<string, CachedKey>()
  const rejectedDigests = new Set<string>()
  const checking = new Map<string, Promise<Caller | null>>()
  const lastKeyByConnection = new WeakMap<Connection, LastKey>()
  /** Counts invalidations, so that a cached or running check can detect that it is stale. */
  let changes = 0

  const recordUseOf = (key: CachedKey, at: Millis): Promise<void> => {
    key.notedAt = at
    return store.recordUse(key.id, at).catch((error: unknown) => {
      logger.warn({ err: error, key: key.id }, 'the use of a key could not be recorded')
    })
  }
  /** Stores the last use of a key before it leaves the cache. */
  const recordLastUse = async (key: CachedKey): Promise<void> => {
    if (key.usedAt !== null && key.usedAt !== key.notedAt) await recordUseOf(key, key.usedAt)
  }
  const use = (key: CachedKey): Caller => {
    const now = clock.now()
    key.usedAt = now
    if (key.notedAt === null || now - key.notedAt >= LAST_USE_INTERVAL) void recordUseOf(key, now)
    return key.caller
  }
  const matchingKey = async (key: string, sender: Sender | null): Promise<CheckableKey | null> => {
    const candidates = await store.withPrefix(key.slice(0, PREFIX_LENGTH))
    for (const candidate of candidates) {
      const match = () => keyHash.matches(candidate.keyHash, key)
      if (await (sender === null ? match() : sender.runSlowCheck(match))) return candidate
    }
    return null
  }
  /**
   * Reads a key's current state: while it was hashed it may have been revoked, or its user
   * changed.
   */
  const current = async (id: string): Promise<CheckableKey | null> => {
    for (;;) {
      const previous = changes
      const checkableKey = await store.active(id)
      if (previous === changes) return checkableKey
    }
  }
  const check = async (
    key: string,
    digest: string,
    sender: Sender | null,
  ): Promise<Caller | null> => {
    const matchedKey = await matchingKey(key, sender)
    if (matchedKey === null) {
      const oldest =
        rejectedDigests.size >= MAX_REJECTED ? rejectedDigests.values().next().value : undefined
      if (oldest !== undefined) rejectedDigests.delete(oldest)
      rejectedDigests.add(digest)
      return null
    }
    const checkableKey = await current(matchedKey.id)
    if (checkableKey === null) return null
    const { id, user, lastUsedAt } = checkableKey
    const entry = { caller: keyCaller(user, id, space), id, usedAt: null, notedAt: lastUsedAt }
    cache.set(digest, entry)
    return use(entry)
  }

  const remember = (connection: Connection, key: string, entry: CachedKey): void => {
    if (connection.destroyed) return
    if (!lastKeyByConnection.has(connection))
      connection.once('close', () => lastKeyByConnection.delete(connection))
    lastKeyByConnection.set(connection, { key, entry, changes })
  }

  const invalidateWhere = (matches: (entry: CachedKey) => boolean): void => {
    changes += 1
    for (const [digest, entry] of cache) {
      if (!matches(entry)) continue
      cache.delete(digest)
      void recordLastUse(entry)
    }
  }

  return {
    callerOf(key, sender) {
      const last = sender === null ? undefined : lastKeyByConnection.get(sender.connection)
      if (last !== undefined && last.changes === changes && last.key === key) return use(last.entry)
      const digest = hash('sha256', key, 'hex')
      const entry = cache.get(digest)
      if (entry !== undefined) {
        if (sender !== null) remember(sender.connection, key, entry)
        return use(entry)
      }
      if (rejectedDigests.has(digest)) return null
      const pendingCheck = checking.get(digest)
      if (pendingCheck !== undefined) return pendingCheck
      const keyCheck = check(key, digest, sender).finally(() => checking.delete(digest))
      checking.set(digest, keyCheck)
      return keyCheck
    },
    invalidate: (id) => invalidateWhere((entry) => entry.id === id),
    invalidateUser: (userId) => invalidateWhere((entry) => entry.caller.userId === userId),
    async close() {
      for (const key of cache.values()) await recordLastUse(key)
    },
  }
}
