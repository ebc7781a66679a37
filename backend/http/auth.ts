import { createHash, timingSafeEqual } from 'node:crypto'
import { AuthInvalid, AuthRequired } from '../lib/errors.ts'
import type { AuthWord } from './words.ts'

/** Someone who proved who they are. */
export interface Caller {
  readonly id: string
  readonly isOwner: boolean
}

/** Who sends a request, as far as the route's word asks. Throws `AuthRequired` or `AuthInvalid`. */
export type Authenticate = (word: AuthWord, authorizations: readonly string[]) => Caller | null

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const OWNER: Caller = { id: 'owner', isOwner: true }

/**
 * The words as far as credentials exist: the launch secret proves the owner on owner routes; no
 * other credential is known, so any other Authorization header is invalid. An Authorization
 * header decides alone, and two of them decide nothing.
 * @param launchSecret the secret of `launch.json`; null where none was written
 */
export function authenticateByLaunchSecret(launchSecret: string | null): Authenticate {
  const expected = launchSecret === null ? null : sha256(launchSecret)
  return (word, authorizations) => {
    if (word === 'none') return null
    const [header, second] = authorizations
    if (header === undefined) {
      if (word === 'owner') throw new AuthRequired()
      return null
    }
    const secret = /^launch ([\w-]+)$/i.exec(header)?.[1]
    const proven =
      word === 'owner' &&
      second === undefined &&
      secret !== undefined &&
      expected !== null &&
      timingSafeEqual(sha256(secret), expected)
    if (!proven) throw new AuthInvalid()
    return OWNER
  }
}

const callers = new WeakMap<Request, Caller>()

/** Notes who sent a request; done by the front of the server before the route runs. */
export const attachCaller = (request: Request, caller: Caller | null): void => {
  if (caller !== null) callers.set(request, caller)
}

/** Who sent the request, or null for an anonymous one. */
export const callerOf = (request: Request): Caller | null => callers.get(request) ?? null
