import { isoOf } from '../../lib/clock.ts'
import type { SessionRow, SignedInAs } from './account.schema.ts'
import type { UserBody } from './session.schema.ts'
import type { MadeSession } from './sessions.service.ts'
import type { SessionRecord } from './sessions.store.ts'
import type { User } from './user.ts'

/** A user as answers show them. */
export const bodyOf = ({ createdAt, ...user }: User): UserBody => ({
  ...user,
  createdAt: isoOf(createdAt),
})

/** A session that has just begun, with the token for programs; pages carry it as a cookie. */
export const openedWith = ({ record, token }: MadeSession): SignedInAs['session'] => ({
  ...{ id: record.id, expiresAt: isoOf(record.expiresAt), accessToken: token },
})

/** A session in the list of its user's. */
export const sessionRowOf = (session: SessionRecord, currentId: string | null): SessionRow => ({
  id: session.id,
  createdAt: isoOf(session.createdAt),
  lastSeenAt: isoOf(session.lastSeenAt),
  expiresAt: isoOf(session.expiresAt),
  ...{ method: session.method, userAgent: session.userAgent, current: session.id === currentId },
})
