import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import { limitConcurrency, type KeyHash } from '../keys/key-hash.ts'

/** Slow hashes of passwords, in a queue separate from that of keys. */
export interface PasswordHash {
  /** @throws NotReady when too many are queued */
  hash(password: string): Promise<string>
  /** A null hash (no account) takes as long to check and never matches. @throws NotReady */
  matches(hash: string | null, password: string): Promise<boolean>
}

const randomBase64 = (bytes: number): string =>
  randomBytes(bytes).toString('base64').replaceAll('=', '')

export function createPasswordHash(hash: KeyHash, clock: Clock): PasswordHash {
  const limitedHash = limitConcurrency(hash, 'Too many passwords are being checked', clock)
  // Dummy hash of the same form and cost as a real one; no known password matches it.
  const dummyHash = `$argon2id$v=19$m=19456,t=2,p=1$${randomBase64(16)}$${randomBase64(32)}`
  return {
    hash: (password) => limitedHash.hash(password),
    matches: async (storedHash, password) =>
      (await limitedHash.matches(storedHash ?? dummyHash, password)) && storedHash !== null,
  }
}
