import type { Tier } from '../../domain/tiers.ts'
import type { Millis } from '../../domain/units.ts'
import type { Caller } from '../../http/auth.ts'

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

/** Who may use the machine's own account: created with the state file, exactly one. */
export const localOwner = (id: string, createdAt: Millis): User => ({
  ...{ id, email: null, name: 'Owner', tier: 'institutional', isOwner: true, isAdmin: true },
  ...{ provider: 'local', hasPassword: false, createdAt },
})

/** A user as the caller of a request, by a session. */
export const sessionCaller = (user: User, sessionId: string): Caller => ({
  ...{ id: user.id, userId: user.id, isOwner: user.isOwner, tier: user.tier },
  credential: { kind: 'session', id: sessionId },
})

/** A user as the caller of a request, by a data key. */
export const dataKeyCaller = (user: User, keyId: string): Caller => ({
  ...{ id: keyId, userId: user.id, isOwner: user.isOwner, tier: user.tier },
  credential: { kind: 'data-key', id: keyId },
})
