import { hash, verify } from '@node-rs/argon2'
import type { Clock } from '../../lib/clock.ts'
import { createSlots } from '../../lib/slots.ts'

/** Slow hashes of keys, so that a stolen state file yields no key. */
export interface KeyHash {
  of(key: string): Promise<string>
  matches(hash: string, key: string): Promise<boolean>
}

/** Argon2id (the library's own choice of variant) with 19 MiB, two passes, one lane. */
export const argon2: KeyHash = {
  of: (key) => hash(key, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  matches: (hashed, key) => verify(hashed, key),
}

const IN_FLIGHT = 2
const PATIENCE = 5_000
const MOST_WAITING = 1_000

/**
 * The same, two at a time: hashing takes memory and whole cores, and anybody may ask for it. Each
 * call makes a queue of its own.
 * @param refusal said to who waited in vain
 */
export function inTurns(keyHash: KeyHash, refusal: string, clock: Clock): KeyHash {
  const slots = createSlots(
    { slots: IN_FLIGHT, patience: PATIENCE, waiting: MOST_WAITING, refusal },
    clock,
  )
  return {
    of: (key) => slots.run(() => keyHash.of(key)),
    matches: (hashed, key) => slots.run(() => keyHash.matches(hashed, key)),
  }
}
