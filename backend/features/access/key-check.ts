import { hash } from 'node:crypto'
import type { Millis } from '../../domain/units.ts'
import type { Caller } from '../../http/auth.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { KeyHash } from './key-hash.ts'
import type { CheckableKey, KeysStore } from './keys.store.ts'
import { dataKeyCaller } from './user.ts'

/** How much of a key is kept in clear: enough to find it, far from enough to use it. */
export const PREFIX_LENGTH = 12

const NOTE_EVERY = 60_000
const MOST_REJECTED = 4_096

/** Tells whose a key is. */
export interface KeyCheck {
  /** At once for a key that was checked before; null when it is no active key. */
  callerOf(key: string): Caller | null | Promise<Caller | null>
  /** From now on the key with this id is nobody's, checks under way included. */
  forget(id: string): void
  /** Writes uses that were not written yet. */
  close(): Promise<void>
}

interface KnownKey {
  readonly caller: Caller
  readonly id: string
  usedAt: Millis | null
  notedAt: Millis | null
}

/**
 * Checks keys by their prefix, then by hash. A prefix that no active key has is refused without
 * hashing; a key that was checked is known by its SHA-256, right or wrong; checks of the same key
 * at the same time are one.
 */
export function createKeyCheck(deps: {
  readonly store: KeysStore
  readonly keyHash: KeyHash
  readonly clock: Clock
  readonly logger: Logger
}): KeyCheck {
  const { store, keyHash, clock, logger } = deps
  const known = new Map<string, KnownKey>()
  const rejected = new Set<string>()
  const checking = new Map<string, Promise<Caller | null>>()
  const forgotten = new Set<string>()

  const note = (key: KnownKey, at: Millis): Promise<void> => {
    key.notedAt = at
    return store.noteUse(key.id, at).catch((error: unknown) => {
      logger.warn({ err: error, key: key.id }, 'the use of a key was not noted')
    })
  }
  const use = (key: KnownKey): Caller => {
    const now = clock.now()
    key.usedAt = now
    if (key.notedAt === null || now - key.notedAt >= NOTE_EVERY) void note(key, now)
    return key.caller
  }
  const matching = async (key: string): Promise<CheckableKey | null> => {
    const candidates = await store.withPrefix(key.slice(0, PREFIX_LENGTH))
    for (const candidate of candidates) {
      if (await keyHash.matches(candidate.keyHash, key)) return candidate
    }
    return null
  }
  const check = async (key: string, digest: string): Promise<Caller | null> => {
    const found = await matching(key)
    if (found === null) {
      const oldest = rejected.size >= MOST_REJECTED ? rejected.values().next().value : undefined
      if (oldest !== undefined) rejected.delete(oldest)
      rejected.add(digest)
      return null
    }
    if (forgotten.has(found.id)) return null
    const { id, user, lastUsedAt } = found
    const entry = { caller: dataKeyCaller(user, id), id, usedAt: null, notedAt: lastUsedAt }
    known.set(digest, entry)
    return use(entry)
  }

  return {
    callerOf(key) {
      const digest = hash('sha256', key, 'base64url')
      const entry = known.get(digest)
      if (entry !== undefined) return use(entry)
      if (rejected.has(digest)) return null
      const current = checking.get(digest)
      if (current !== undefined) return current
      const checked = check(key, digest).finally(() => checking.delete(digest))
      checking.set(digest, checked)
      return checked
    },
    forget(id) {
      forgotten.add(id)
      for (const [digest, entry] of known) if (entry.id === id) known.delete(digest)
    },
    async close() {
      const pending = [...known.values()].filter(({ usedAt, notedAt }) => usedAt !== notedAt)
      for (const key of pending) if (key.usedAt !== null) await note(key, key.usedAt)
    },
  }
}
