import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { inTurns, type KeyHash } from './key-hash.ts'

/** Slow hashes of passwords, in a queue of their own: keys do not wait for them. */
export interface PasswordHash {
  /** @throws NotReady when too many wait */
  of(password: string): Promise<string>
  /** No account's hash (null) takes as long, and matches nothing. @throws NotReady */
  matches(hash: string | null, password: string): Promise<boolean>
}

const unpadded = (bytes: number): string =>
  randomBytes(bytes).toString('base64').replaceAll('=', '')

export function createPasswordHash(hash: KeyHash, clock: Clock): PasswordHash {
  const queued = inTurns(hash, 'Too many passwords are being checked', clock)
  // Of the same form and cost as a real one; no password is known to have it.
  const nobodys = `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`
  return {
    of: (password) => queued.of(password),
    matches: async (hashed, password) =>
      (await queued.matches(hashed ?? nobodys, password)) && hashed !== null,
  }
}
