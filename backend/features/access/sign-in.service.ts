import { TIERS } from '../../domain/tiers.ts'
import type { Caller } from '../../http/auth.ts'
import { isoOf } from '../../lib/clock.ts'
import { AuthRequired, Gone, InvalidInput } from '../../lib/errors.ts'
import type { Me, SignedIn, SignedOut, Ticket, UserBody } from './session.schema.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.service.ts'
import type { Tickets } from './tickets.ts'
import type { User } from './user.ts'

/** An answer with the cookie that goes with it. */
export interface WithCookie<T> {
  readonly body: T
  readonly setCookie: string
}

/** How the local owner comes to a session without a password, and leaves it. */
export interface SignIn {
  ticket(): Ticket
  /** @throws InvalidInput, Gone EXPIRED for a ticket that is unknown, used or too old */
  exchange(body: unknown, userAgent: string | null): Promise<WithCookie<SignedIn>>
  /** @throws AuthRequired when the session has ended meanwhile */
  me(caller: Caller): Promise<Me>
  /** Never fails for want of a session. @throws InvalidInput */
  signOut(caller: Caller | null, body: unknown): Promise<WithCookie<SignedOut>>
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
      const { id, token, expiresAt } = await (await sessions()).begin(user, 'local', userAgent)
      const session = { id, expiresAt: isoOf(expiresAt) }
      return { body: { user: bodyOf(user), session }, setCookie: cookie.set(token) }
    },
    async me({ credential }) {
      const found = credential.id === null ? null : await (await sessions()).live(credential.id)
      if (found === null) throw new AuthRequired()
      const expiresAt = isoOf(found.expiresAt)
      return {
        user: bodyOf(found.user),
        auth: { kind: 'session', sessionId: credential.id, keyId: null, expiresAt },
        tier: TIERS[found.user.tier],
      }
    },
    async signOut(caller, body) {
      const id = caller?.credential.kind === 'session' ? caller.credential.id : null
      if (caller === null || id === null) {
        return { body: { ok: true, ended: 0 }, setCookie: cookie.cleared }
      }
      const all = fieldOf(body, 'all') ?? false
      if (typeof all !== 'boolean') throw new InvalidInput('all must be a boolean')
      const ended = await (await sessions()).end(id, caller.userId, all)
      return { body: { ok: true, ended }, setCookie: cookie.cleared }
    },
  }
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Readonly<Record<string, unknown>>)[name]
    : undefined

const bodyOf = ({ createdAt, ...user }: User): UserBody => ({
  ...user,
  createdAt: isoOf(createdAt),
})
