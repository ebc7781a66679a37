import { hash, verify } from '@node-rs/argon2'
import type { Clock } from '../../../lib/clock.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'

/** Slow hashes of keys, so that a stolen state file reveals no key. */
export interface KeyHash {
  hash(key: string): Promise<string>
  matches(hash: string, key: string): Promise<boolean>
}

/** Argon2id (the library's default variant) with 19 MiB, two passes, one lane. */
export const argon2: KeyHash = {
  hash: (key) => hash(key, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  matches: (storedHash, key) => verify(storedHash, key),
}

const MAX_CONCURRENT_HASHES = 2
const QUEUE_TIMEOUT = 5_000
const MAX_WAITING = 1_000

/**
 * Limits hashing to two at a time: it takes memory and whole cores, and anyone can trigger it.
 * Each call creates a queue of its own.
 * @param refusal message when a request waited too long
 */
export function limitConcurrency(keyHash: KeyHash, refusal: string, clock: Clock): KeyHash {
  const semaphore = createSemaphore(
    { permits: MAX_CONCURRENT_HASHES, maxWait: QUEUE_TIMEOUT, maxQueued: MAX_WAITING, refusal },
    clock,
  )
  return {
    hash: (key) => semaphore.run(() => keyHash.hash(key)),
    matches: (storedHash, key) => semaphore.run(() => keyHash.matches(storedHash, key)),
  }
}
