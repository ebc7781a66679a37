import { isoOf } from '../../lib/clock.ts'
import type { SessionRow, SignedInAs, UserBody } from '../../contract/accounts.ts'
import type { CreatedSession } from './sessions/sessions.service.ts'
import type { SessionRecord } from './sessions/sessions.store.ts'
import type { User } from './user.ts'

/** Presents a user. */
export const bodyOf = ({ createdAt, ...user }: User): UserBody => ({
  ...user,
  createdAt: isoOf(createdAt),
})

/** Presents a new session with its token for programs; pages get the token as a cookie. */
export const sessionResponse = ({ record, token }: CreatedSession): SignedInAs['session'] => ({
  id: record.id,
  expiresAt: isoOf(record.expiresAt),
  accessToken: token,
})

/** Presents a session in the list of its user. */
export const sessionRowOf = (session: SessionRecord, currentId: string | null): SessionRow => ({
  id: session.id,
  createdAt: isoOf(session.createdAt),
  lastSeenAt: isoOf(session.lastSeenAt),
  expiresAt: isoOf(session.expiresAt),
  method: session.method,
  userAgent: session.userAgent,
  current: session.id === currentId,
})
