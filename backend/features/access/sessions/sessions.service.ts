import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DAY, MINUTE, type Millis } from '../../../domain/units.ts'
import type { Caller, AuthResult } from '../../../http/auth/auth.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { CredentialRevocations } from '../credential-revocations.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SessionTokens } from './session-token.ts'
import type { SessionRecord, SessionsStore, SignInMethod } from './sessions.store.ts'
import { sessionCaller, type User } from '../user.ts'

const LIFETIME = 7 * DAY
const MAX_LIFETIME = 30 * DAY
const RENEWAL_INTERVAL = DAY
const MAX_LIVE = 20
const MAX_AGENT_LENGTH = 256
const MAX_CACHED = 1_000

/** A verified token with its session. */
export interface LiveSession {
  readonly user: User
  readonly sessionId: string
  readonly method: SignInMethod
  readonly expiresAt: Millis
  /** Authentication result of the session when sent by cookie. */
  readonly proof: AuthResult & { readonly caller: Caller }
}

interface CachedToken extends LiveSession {
  readonly issuedAt: Millis
  readonly startedAt: Millis
  seenAt: Millis
  /**
   * The token that replaces this one, created once for all requests that still carry the old one.
   */
  successor: Promise<string | null> | null
}

/** A new session that is not stored yet, and its token. */
export interface CreatedSession {
  readonly record: SessionRecord
  readonly token: string
}

export interface Sessions {
  /** Creates a session to be stored in the caller's transaction. */
  make(userId: string, method: SignInMethod, userAgent: string | null): Promise<CreatedSession>
  /**
   * Begins a session of a user.
   * @param passwordHash hash of the typed password; absent if none was typed
   * @returns null if the user was removed or the password changed in the meantime
   */
  begin(
    userId: string,
    method: SignInMethod,
    userAgent: string | null,
    passwordHash?: string,
  ): Promise<CreatedSession | null>
  /** The live session of a token, synchronously if cached; null if there is none. */
  find(token: string): LiveSession | null | Promise<LiveSession | null>
  /** Authenticates a session cookie; a token older than a day is renewed. */
  proveByCookie(token: string): AuthResult | Promise<AuthResult>
  live(sessionId: string): Promise<{ user: User; expiresAt: Millis } | null>
  /** Live sessions of a user, last seen first. */
  ownedBy(userId: string): Promise<SessionRecord[]>
  /**
   * Ends a session of a user and notifies holders of open connections. @returns whether it was
   * live
   */
  end(sessionId: string, userId: string): Promise<boolean>
  /** Ends every session of a user. @returns how many were live */
  endAll(userId: string): Promise<number>
  /** Closes connections of sessions that are already stored as ended. */
  dropRevoked(userId: string, ids: readonly string[]): void
  /** Invalidates cached copies of a changed user. */
  invalidateUser(userId: string): void
}

export function createSessions(deps: {
  readonly store: SessionsStore
  readonly tokens: SessionTokens
  readonly cookie: SessionCookie
  readonly revocations: CredentialRevocations
  readonly clock: Clock
  readonly logger: Logger
}): Sessions {
  const { store, tokens, cookie, revocations, clock, logger } = deps
  const cache = new LRUCache<string, CachedToken>({ max: MAX_CACHED })
  /** Counts invalidations, so that a running lookup can detect that its data may be stale. */
  let changes = 0
  const staleSession: AuthResult = { caller: null, byCookie: false, setCookie: cookie.cleared }

  const invalidate = (matches: (entry: CachedToken) => boolean): void => {
    changes += 1
    for (const [digest, entry] of [...cache]) if (matches(entry)) cache.delete(digest)
  }
  const dropRevoked = (userId: string, ids: readonly string[]): void => {
    if (ids.length === 0) return
    invalidate(({ sessionId }) => ids.includes(sessionId))
    for (const id of ids) revocations.report(userId, id)
  }
  const current = async (sessionId: string): ReturnType<SessionsStore['live']> => {
    for (;;) {
      const previous = changes
      const liveSession = await store.live(sessionId, clock.now())
      if (previous === changes) return liveSession
    }
  }

  const lookUp = async (token: string, digest: string): Promise<CachedToken | null> => {
    const claims = await tokens.read(token)
    if (claims === null) return null
    const liveSession = await current(claims.sessionId)
    if (liveSession?.user.id !== claims.userId) return null
    const { user, session } = liveSession
    const caller = sessionCaller(user, session.id)
    const entry: CachedToken = {
      user,
      sessionId: session.id,
      method: session.method,
      seenAt: session.lastSeenAt,
      issuedAt: claims.issuedAt,
      expiresAt: claims.expiresAt,
      startedAt: session.createdAt,
      proof: { caller, byCookie: true, setCookie: null },
      successor: null,
    }
    cache.set(digest, entry)
    return recordUse(entry)
  }

  const recordUse = (entry: CachedToken): CachedToken => {
    const now = clock.now()
    if (now - entry.seenAt >= MINUTE) {
      entry.seenAt = now
      store.recordSeen(entry.sessionId, now).catch((error: unknown) => {
        logger.warn(
          { err: error, session: entry.sessionId },
          'the last use of a session could not be recorded',
        )
      })
    }
    return entry
  }

  const find = (token: string): CachedToken | null | Promise<CachedToken | null> => {
    const digest = hash('sha256', token, 'base64url')
    const entry = cache.get(digest)
    if (entry === undefined) return lookUp(token, digest)
    if (clock.now() < entry.expiresAt) return recordUse(entry)
    cache.delete(digest)
    return null
  }

  const renew = async (entry: CachedToken, expiresAt: Millis): Promise<string> => {
    const { user, sessionId, method } = entry
    await store.extend(sessionId, expiresAt)
    return tokens.sign({ userId: user.id, sessionId, issuedAt: clock.now(), expiresAt }, method)
  }

  const prove = (entry: CachedToken | null): AuthResult | Promise<AuthResult> => {
    if (entry === null) return staleSession
    const now = clock.now()
    if (now - entry.issuedAt <= RENEWAL_INTERVAL) return entry.proof
    const expiresAt = Math.min(now + LIFETIME, entry.startedAt + MAX_LIFETIME) as Millis
    if (expiresAt <= entry.expiresAt) return entry.proof
    entry.successor ??= renew(entry, expiresAt).catch((error: unknown) => {
      entry.successor = null
      logger.warn({ err: error, session: entry.sessionId }, 'a session could not be renewed')
      return null
    })
    // A token that could not be renewed is still valid until it expires.
    return entry.successor.then((token) =>
      token === null ? entry.proof : { ...entry.proof, setCookie: cookie.set(token) },
    )
  }

  const make: Sessions['make'] = async (userId, method, userAgent) => {
    const now = clock.now()
    const id = newId('ses', now)
    const expiresAt = (now + LIFETIME) as Millis
    const claims = { userId, sessionId: id, issuedAt: now, expiresAt }
    const record = {
      id,
      userId,
      method,
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
      userAgent: userAgent?.slice(0, MAX_AGENT_LENGTH) ?? null,
    }
    return { record, token: await tokens.sign(claims, method) }
  }

  return {
    make,
    async begin(userId, method, userAgent, passwordHash) {
      const newSession = await make(userId, method, userAgent)
      const expiredBefore = (newSession.record.createdAt - MAX_LIFETIME) as Millis
      const droppedIds = await store.begin(newSession.record, MAX_LIVE, expiredBefore, passwordHash)
      if (droppedIds === null) return null
      dropRevoked(userId, droppedIds)
      return newSession
    },
    find,
    proveByCookie(token) {
      const entry = find(token)
      return entry instanceof Promise ? entry.then(prove) : prove(entry)
    },
    async live(sessionId) {
      const liveSession = await store.live(sessionId, clock.now())
      return liveSession === null
        ? null
        : { user: liveSession.user, expiresAt: liveSession.session.expiresAt }
    },
    ownedBy: (userId) => store.ownedBy(userId, clock.now()),
    async end(sessionId, userId) {
      const wasLive = await store.end(sessionId, userId, clock.now())
      if (wasLive) dropRevoked(userId, [sessionId])
      return wasLive
    },
    async endAll(userId) {
      const ids = await store.endAll(userId, clock.now())
      dropRevoked(userId, ids)
      return ids.length
    },
    dropRevoked,
    invalidateUser: (userId) => invalidate(({ user }) => user.id === userId),
  }
}
