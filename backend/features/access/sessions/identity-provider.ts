import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import type { Caller } from '../../../http/auth/auth.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Logger } from '../../../lib/logger.ts'
import { emailOf, nameFromEmail, nameOf } from '../account-fields.ts'
import { createProviderKeys } from './provider-keys.ts'
import { readProviderToken, type ProviderClaims } from './provider-token.ts'
import { externalCaller, type User } from '../user.ts'
import type { UsersStore } from '../users.store.ts'

/** External identity provider with the accounts of an organisation. */
export interface ProviderSettings {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: string
}

/** Identifies users of an identity provider by their tokens. */
export interface IdentityProvider {
  readonly issuer: string
  readonly audience: string
  /**
   * The user of a token, created at the first one; null if the token is invalid. @throws NotReady
   */
  userOf(token: string): Promise<{ user: User; expiresAt: Millis } | null>
  /** The caller of a request by token; synchronous for a token seen before. @throws NotReady */
  callerOf(token: string): Caller | null | Promise<Caller | null>
  /** Invalidates cached copies of a changed user. */
  invalidateUser(userId: string): void
}

/** A valid token is trusted for this long before its keys are checked again. */
const CACHE_LIFETIME = 10 * MINUTE
const MAX_CACHED = 1_000
const DEFAULT_NAME = 'External user'

interface CachedToken {
  readonly caller: Caller
  readonly until: Millis
}

export function createIdentityProvider(deps: {
  readonly settings: ProviderSettings
  readonly users: UsersStore
  readonly clock: Clock
  readonly logger: Logger
}): IdentityProvider {
  const { settings, users, clock, logger } = deps
  const { issuer, audience, jwksUrl } = settings
  const keys = createProviderKeys({ url: jwksUrl, clock, logger })
  const cache = new LRUCache<string, CachedToken>({ max: MAX_CACHED })
  /** Counts invalidations, so that a running lookup can detect that its data may be stale. */
  let changes = 0

  const userOf: IdentityProvider['userOf'] = async (token) => {
    const claims = await readProviderToken(token, settings, keys, clock)
    if (claims === null) return null
    const name = { issuer, subject: claims.subject }
    const user = await users.external(name, candidateOf(claims, clock.now()))
    return { user, expiresAt: claims.expiresAt }
  }
  const lookUp = async (token: string, digest: string): Promise<Caller | null> => {
    for (;;) {
      const previous = changes
      const externalUser = await userOf(token)
      if (externalUser === null) return null
      if (previous !== changes) continue
      const caller = externalCaller(externalUser.user, externalUser.expiresAt)
      const until = Math.min(externalUser.expiresAt, clock.now() + CACHE_LIFETIME) as Millis
      cache.set(digest, { caller, until })
      return caller
    }
  }

  return {
    issuer,
    audience,
    userOf,
    callerOf(token) {
      const digest = hash('sha256', token, 'base64url')
      const entry = cache.get(digest)
      if (entry !== undefined && clock.now() < entry.until) return entry.caller
      cache.delete(digest)
      return lookUp(token, digest)
    },
    invalidateUser(userId) {
      changes += 1
      for (const [digest, { caller }] of [...cache])
        if (caller.userId === userId) cache.delete(digest)
    },
  }
}

/** The account created at a user's first token; invalid claims are treated as absent. */
function candidateOf({ payload }: ProviderClaims, now: Millis): User {
  const email = valueOrNull(emailOf, payload['email'])
  const name = valueOrNull(nameOf, payload['name'])
  return {
    id: newId('usr', now),
    email,
    tier: 'free',
    isOwner: false,
    isAdmin: false,
    name: name ?? (email === null ? DEFAULT_NAME : nameFromEmail(email)),
    provider: 'external',
    hasPassword: false,
    createdAt: now,
  }
}

function valueOrNull(read: (value: unknown) => string, value: unknown): string | null {
  try {
    return read(value)
  } catch {
    return null
  }
}
