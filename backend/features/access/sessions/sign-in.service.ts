import type { Caller } from '../../../http/auth/auth.ts'
import { isoOf } from '../../../lib/clock.ts'
import { Gone, InvalidInput, NotFound } from '../../../lib/errors.ts'
import { fieldOf } from '../../../lib/field-of.ts'
import { bodyOf, sessionRowOf } from '../account-bodies.ts'
import type { SessionList, SignedIn, SignedOut, Ticket } from '../../../contract/accounts.ts'
import type { SessionCookie, WithCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.service.ts'
import type { Tickets } from './tickets.ts'
import type { User } from '../user.ts'

/** Sessions of the local owner without a password, and sign-out of every user. */
export interface SignIn {
  ticket(): Ticket
  /** @throws InvalidInput, Gone EXPIRED for a ticket that is unknown, used or expired */
  exchange(body: unknown, userAgent: string | null): Promise<WithCookie<SignedIn>>
  /** Succeeds without a session too. @throws InvalidInput */
  signOut(caller: Caller | null, body: unknown): Promise<WithCookie<SignedOut>>
  /** The caller's live sessions, last seen first. */
  sessions(caller: Caller): Promise<SessionList>
  /** Ends a session of the caller. @throws NotFound, also for sessions of others */
  endSession(caller: Caller, id: string): Promise<{ success: true }>
}

export function createSignIn(deps: {
  readonly owner: () => Promise<User>
  readonly sessions: () => Promise<Sessions>
  readonly tickets: Tickets
  readonly cookie: SessionCookie
  readonly appUrl: string
}): SignIn {
  const { owner, sessions, tickets, cookie, appUrl } = deps
  return {
    ticket() {
      const { ticket, expiresAt } = tickets.issue()
      return { ticket, url: `${appUrl}/#ticket=${ticket}`, expiresAt: isoOf(expiresAt) }
    },
    async exchange(body, userAgent) {
      const ticket = fieldOf(body, 'ticket')
      if (typeof ticket !== 'string' || ticket === '') throw new InvalidInput('ticket required')
      if (!tickets.redeem(ticket)) throw new Gone('Ticket expired or already used', 'EXPIRED')
      const user = await owner()
      const newSession = await (await sessions()).begin(user.id, 'local', userAgent)
      // The owner has no password and cannot be removed.
      if (newSession === null) throw new Gone('Ticket expired or already used', 'EXPIRED')
      const { id, expiresAt } = newSession.record
      const session = { id, expiresAt: isoOf(expiresAt) }
      return { body: { user: bodyOf(user), session }, setCookie: cookie.set(newSession.token) }
    },
    async signOut(caller, body) {
      const id = sessionIdOf(caller)
      const isSignedIn = id !== null || caller?.credential.kind === 'external'
      if (caller === null || !isSignedIn) {
        return { body: { ok: true, ended: 0 }, setCookie: cookie.cleared }
      }
      const hasBody = body !== undefined && body !== null
      if (hasBody && (typeof body !== 'object' || Array.isArray(body))) {
        throw new InvalidInput('body must be an object')
      }
      const all = fieldOf(body, 'all') ?? false
      if (typeof all !== 'boolean') throw new InvalidInput('all must be a boolean')
      const endedCount = all
        ? await (await sessions()).endAll(caller.userId)
        : Number(id !== null && (await (await sessions()).end(id, caller.userId)))
      return { body: { ok: true, ended: endedCount }, setCookie: cookie.cleared }
    },
    async sessions(caller) {
      const userSessions = await (await sessions()).ownedBy(caller.userId)
      const current = sessionIdOf(caller)
      return { sessions: userSessions.map((session) => sessionRowOf(session, current)) }
    },
    async endSession(caller, id) {
      if (!(await (await sessions()).end(id, caller.userId))) {
        throw new NotFound('Session not found')
      }
      return { success: true }
    },
  }
}

/** The session id of a caller; null for keys and for tokens of the identity provider. */
const sessionIdOf = (caller: Caller | null): string | null =>
  caller?.credential.kind === 'session' ? caller.credential.id : null
