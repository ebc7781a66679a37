import type { Tier } from '../../domain/tiers.ts'
import type { Millis } from '../../domain/units.ts'
import type { Caller } from '../../http/auth/auth.ts'
import type { KeySpaceName } from './keys/key-space.ts'

export interface User {
  readonly id: string
  readonly email: string | null
  readonly name: string
  readonly tier: Tier
  readonly isOwner: boolean
  readonly isAdmin: boolean
  readonly provider: 'local' | 'password' | 'external'
  readonly hasPassword: boolean
  readonly createdAt: Millis
}

/** The account of the machine's own user: created with the state file, exactly one. */
export const localOwner = (id: string, createdAt: Millis): User => ({
  id,
  email: null,
  name: 'Owner',
  tier: 'institutional',
  isOwner: true,
  isAdmin: true,
  provider: 'local',
  hasPassword: false,
  createdAt,
})

/** The caller of a user's session. */
export const sessionCaller = (user: User, sessionId: string): Caller => ({
  id: user.id,
  userId: user.id,
  isAdmin: user.isAdmin,
  tier: user.tier,
  credential: { kind: 'session', id: sessionId },
})

/** The caller of a user's token of the identity provider. */
export const externalCaller = (user: User, expiresAt: Millis): Caller => ({
  id: user.id,
  userId: user.id,
  isAdmin: user.isAdmin,
  tier: user.tier,
  credential: { kind: 'external', id: null, expiresAt },
})

/** The caller of a user's key in one of the two spaces. */
export const keyCaller = (user: User, keyId: string, space: KeySpaceName): Caller => ({
  id: keyId,
  userId: user.id,
  isAdmin: user.isAdmin,
  tier: user.tier,
  credential: { kind: space === 'data' ? 'data-key' : 'service-key', id: keyId },
})
