import { hash } from 'node:crypto'
import { DAY, MINUTE, type Millis } from '../../domain/units.ts'
import type { Caller, Proof } from '../../http/auth.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Endings } from './endings.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SessionTokens } from './session-token.ts'
import type { SessionsStore, SignInMethod } from './sessions.store.ts'
import { sessionCaller, type User } from './user.ts'

const LIFE = 7 * DAY
const LONGEST = 30 * DAY
const RENEWED_AFTER = DAY
const MOST_LIVE = 20
const LONGEST_AGENT = 256
const MOST_KNOWN = 1_000

/** A token that was found good, with its session. */
export interface LiveSession {
  readonly user: User
  readonly sessionId: string
  readonly method: SignInMethod
  readonly expiresAt: Millis
  /** What the session proves when it comes by cookie. */
  readonly proof: Proof & { readonly caller: Caller }
}

interface KnownToken extends LiveSession {
  readonly issuedAt: Millis
  readonly begunAt: Millis
  seenAt: Millis
  /** The token made in place of this one, once for all requests that still carry it. */
  successor: Promise<string> | null
}

export interface Sessions {
  /** Begins a session of a user. */
  begin(
    user: User,
    method: SignInMethod,
    userAgent: string | null,
  ): Promise<{ id: string; token: string; expiresAt: Millis }>
  /** The live session of a token, at once when it was found before; null when there is none. */
  find(token: string): LiveSession | null | Promise<LiveSession | null>
  /** What a session cookie proves: a token more than a day old comes with its successor. */
  proveByCookie(token: string): Proof | Promise<Proof>
  live(sessionId: string): Promise<{ user: User; expiresAt: Millis } | null>
  /** Ends one session, or all of its user; tells whoever holds something open. @returns how many */
  end(sessionId: string, userId: string, all: boolean): Promise<number>
}

export function createSessions(deps: {
  readonly store: SessionsStore
  readonly tokens: SessionTokens
  readonly cookie: SessionCookie
  readonly endings: Endings
  readonly clock: Clock
  readonly logger: Logger
}): Sessions {
  const { store, tokens, cookie, endings, clock, logger } = deps
  const known = new Map<string, KnownToken>()
  const ended = new Set<string>()
  const stale: Proof = { caller: null, byCookie: false, setCookie: cookie.cleared }

  const forget = (userId: string, ids: readonly string[]): void => {
    for (const id of ids) ended.add(id)
    for (const [digest, { sessionId }] of known) if (ended.has(sessionId)) known.delete(digest)
    for (const id of ids) endings.tell(userId, id)
  }

  const look = async (token: string, digest: string): Promise<KnownToken | null> => {
    const claims = await tokens.read(token)
    if (claims === null) return null
    const found = await store.live(claims.sessionId, clock.now())
    const isTheirs = found !== null && found.user.id === claims.userId
    if (!isTheirs || ended.has(claims.sessionId)) return null
    const { user, session } = found
    const caller = sessionCaller(user, session.id)
    const entry: KnownToken = {
      ...{ user, sessionId: session.id, method: session.method, seenAt: session.lastSeenAt },
      ...{ issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, begunAt: session.createdAt },
      ...{ proof: { caller, byCookie: true, setCookie: null }, successor: null },
    }
    const oldest = known.size >= MOST_KNOWN ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
    known.set(digest, entry)
    return seen(entry)
  }

  const seen = (entry: KnownToken): KnownToken => {
    const now = clock.now()
    if (now - entry.seenAt >= MINUTE) {
      entry.seenAt = now
      store.noteSeen(entry.sessionId, now).catch((error: unknown) => {
        logger.warn({ err: error, session: entry.sessionId }, 'a session was not noted as seen')
      })
    }
    return entry
  }

  const find = (token: string): KnownToken | null | Promise<KnownToken | null> => {
    const digest = hash('sha256', token, 'base64url')
    const entry = known.get(digest)
    if (entry === undefined) return look(token, digest)
    if (clock.now() < entry.expiresAt) return seen(entry)
    known.delete(digest)
    return null
  }

  const renew = async (entry: KnownToken, expiresAt: Millis): Promise<string> => {
    const { user, sessionId, method } = entry
    await store.extend(sessionId, expiresAt)
    return tokens.sign({ userId: user.id, sessionId, issuedAt: clock.now(), expiresAt }, method)
  }

  const prove = (entry: KnownToken | null): Proof | Promise<Proof> => {
    if (entry === null) return stale
    const now = clock.now()
    if (now - entry.issuedAt <= RENEWED_AFTER) return entry.proof
    const expiresAt = Math.min(now + LIFE, entry.begunAt + LONGEST) as Millis
    if (expiresAt <= entry.expiresAt) return entry.proof
    entry.successor ??= renew(entry, expiresAt).catch((error: unknown) => {
      entry.successor = null
      throw error
    })
    return entry.successor.then((token) => ({ ...entry.proof, setCookie: cookie.set(token) }))
  }

  return {
    async begin(user, method, userAgent) {
      const now = clock.now()
      const id = newId('ses', now)
      const expiresAt = (now + LIFE) as Millis
      const record = {
        ...{ id, userId: user.id, method, createdAt: now, lastSeenAt: now, expiresAt },
        userAgent: userAgent?.slice(0, LONGEST_AGENT) ?? null,
      }
      forget(user.id, await store.begin(record, MOST_LIVE, (now - LONGEST) as Millis))
      const claims = { userId: user.id, sessionId: id, issuedAt: now, expiresAt }
      return { id, token: await tokens.sign(claims, method), expiresAt }
    },
    find,
    proveByCookie(token) {
      const entry = find(token)
      return entry instanceof Promise ? entry.then(prove) : prove(entry)
    },
    async live(sessionId) {
      const found = await store.live(sessionId, clock.now())
      return found === null ? null : { user: found.user, expiresAt: found.session.expiresAt }
    },
    async end(sessionId, userId, all) {
      const now = clock.now()
      const ids = all
        ? await store.endAll(userId, now)
        : (await store.end(sessionId, userId, now))
          ? [sessionId]
          : []
      forget(userId, ids)
      return ids.length
    },
  }
}
