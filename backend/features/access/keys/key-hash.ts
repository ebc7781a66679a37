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
  matches: (hashed, key) => verify(hashed, key),
}

const IN_FLIGHT = 2
const QUEUE_TIMEOUT = 5_000
const MAX_WAITING = 1_000

/**
 * Limits hashing to two at a time: it takes memory and whole cores, and anyone can trigger it.
 * Each call creates a queue of its own.
 * @param refusal message when a request waited too long
 */
export function inTurns(keyHash: KeyHash, refusal: string, clock: Clock): KeyHash {
  const slots = createSemaphore(
    { slots: IN_FLIGHT, maxWait: QUEUE_TIMEOUT, waiting: MAX_WAITING, refusal },
    clock,
  )
  return {
    hash: (key) => slots.run(() => keyHash.hash(key)),
    matches: (hashed, key) => slots.run(() => keyHash.matches(hashed, key)),
  }
}
