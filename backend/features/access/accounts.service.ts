import { TIERS } from '../../domain/tiers.ts'
import type { Caller } from '../../http/auth/auth.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { AuthInvalid, AuthRequired, Forbidden, InvalidInput } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { fieldOf } from '../../lib/field-of.ts'
import { bodyOf, sessionResponse } from './account-bodies.ts'
import type { AccountRemoved, OneUser, SignedInAs, SignedUp, Me } from '../../contract/accounts.ts'
import { emailOf, nameFromEmail, nameOf, newPassword, typedPassword } from './account-fields.ts'
import { emailTakenConflict, type AccountsStore } from './accounts.store.ts'
import { newKeyOf, type KeysService } from './keys/keys.service.ts'
import type { KeySpaceName } from './keys/key-space.ts'
import type { PasswordHash } from './sessions/password-hash.ts'
import type { SessionCookie, WithCookie } from './sessions/session-cookie.ts'
import type { Sessions } from './sessions/sessions.service.ts'
import type { SignInAttempts } from './sessions/sign-in-attempts.ts'
import type { User } from './user.ts'
import type { UsersStore } from './users.store.ts'

/** Accounts with email and password, and the account operations of every user. */
export interface Accounts {
  /**
   * Creates an account with a session and a first key.
   * @throws InvalidInput, Forbidden SIGNUP_CLOSED, Conflict EMAIL_TAKEN, NotReady
   */
  signUp(body: unknown, userAgent: string | null): Promise<WithCookie<SignedUp>>
  /** @throws InvalidInput, AuthInvalid, RateLimited after ten failures, NotReady */
  signIn(body: unknown, userAgent: string | null): Promise<WithCookie<SignedInAs>>
  /** @throws AuthRequired when the session or the account has ended in the meantime */
  me(caller: Caller): Promise<Me>
  /** @throws InvalidInput, AuthInvalid, Conflict EMAIL_TAKEN, RateLimited, NotReady */
  change(caller: Caller, body: unknown): Promise<OneUser>
  /**
   * Deletes the account and everything that belongs to it.
   * @throws InvalidInput, Forbidden for the owner, Conflict while something outside depends on it
   */
  remove(caller: Caller, body: unknown): Promise<WithCookie<AccountRemoved>>
}

const FIRST_KEY = 'Starter Key'
const CONFIRMATION = 'delete my account'

export interface AccountsDeps {
  readonly store: AccountsStore
  readonly users: UsersStore
  readonly sessions: () => Promise<Sessions>
  readonly keys: Readonly<Record<KeySpaceName, KeysService>>
  readonly passwords: PasswordHash
  readonly attempts: SignInAttempts
  readonly cookie: SessionCookie
  readonly isOpen: boolean
  /** Called when a user changed, so that cached copies are stale. */
  readonly onChanged: (userId: string) => void
  /** Called before a user is removed, who is removed once it resolves and stays when it rejects. */
  readonly beforeRemoval: (userId: string) => Promise<void>
  readonly clock: Clock
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, users, sessions, keys, passwords, attempts, cookie, clock } = deps

  /**
   * Checks a password and counts the attempt by its result; an error of the check does not count.
   * @param check returns null for a wrong password
   */
  const countAttempt = async <T>(
    name: string,
    refusal: AuthInvalid,
    check: () => Promise<T | null>,
  ) => {
    const attempt = attempts.begin(name)
    const result = await check().catch((error: unknown) => {
      attempt.withdrawn()
      throw error
    })
    if (result === null) {
      attempt.recordFailure()
      throw refusal
    }
    attempt.recordSuccess()
    return result
  }
  /** Verifies the current password; returns its hash. */
  const verifyPassword = async (user: User, currentPassword: unknown): Promise<string> => {
    const wrongPassword = new AuthInvalid('Wrong password')
    const password = typedPassword(currentPassword)
    if (password === null) throw wrongPassword
    return countAttempt(user.id, wrongPassword, async () => {
      const hash = await users.passwordHashOf(user.id)
      return (await passwords.matches(hash, password)) ? hash : null
    })
  }
  const userOf = async ({ userId }: Caller): Promise<User> => {
    const user = await users.byId(userId)
    if (user === null) throw new AuthRequired()
    return user
  }

  return {
    async signUp(body, userAgent) {
      const email = emailOf(fieldOf(body, 'email'))
      const password = newPassword(fieldOf(body, 'password'))
      const sentName = fieldOf(body, 'name') ?? null
      const name = sentName === null ? nameFromEmail(email) : nameOf(sentName)
      if (!deps.isOpen) throw new Forbidden('Signup is closed', 'SIGNUP_CLOSED')
      // Checked before the slow hash; the store checks again when it adds the account.
      if (await store.isTaken(email)) throw emailTakenConflict()
      const passwordHash = await passwords.hash(password)
      const now = clock.now()
      const user: User = {
        id: newId('usr', now),
        email,
        name,
        tier: 'free',
        isOwner: false,
        isAdmin: false,
        provider: 'password',
        hasPassword: true,
        createdAt: now,
      }
      const key = await keys.service.make(user.id, FIRST_KEY)
      const session = await (await sessions()).make(user.id, 'password', userAgent)
      await store.add({ user, passwordHash, key: key.record, session: session.record })
      return {
        body: { user: bodyOf(user), session: sessionResponse(session), key: newKeyOf(key) },
        setCookie: cookie.set(session.token),
      }
    },
    async signIn(body, userAgent) {
      const email = emailOf(fieldOf(body, 'email'))
      const passwordField = fieldOf(body, 'password')
      const password =
        typeof passwordField === 'string'
          ? typedPassword(passwordField)
          : newPassword(passwordField)
      const wrongCredentials = new AuthInvalid('Wrong email or password')
      const { user, session } = await countAttempt(email, wrongCredentials, async () => {
        const account = await users.byEmail(email)
        // Always hashed, so that response time does not reveal which emails have an account.
        const hash = password === null ? null : (account?.passwordHash ?? null)
        const isRight = await passwords.matches(hash, password ?? '')
        if (!isRight || account === null || hash === null) return null
        const { user } = account
        const session = await (await sessions()).begin(user.id, 'password', userAgent, hash)
        return session === null ? null : { user, session }
      })
      return {
        body: { user: bodyOf(user), session: sessionResponse(session) },
        setCookie: cookie.set(session.token),
      }
    },
    async me(caller) {
      const { kind, id, expiresAt = null } = caller.credential
      if (kind === 'session' && id !== null) {
        const liveSession = await (await sessions()).live(id)
        if (liveSession === null) throw new AuthRequired()
        return meOf(liveSession.user, 'session', id, isoOf(liveSession.expiresAt))
      }
      const user = await userOf(caller)
      return kind === 'service-key'
        ? meOf(user, 'key', id, null)
        : meOf(user, 'session', null, expiresAt === null ? null : isoOf(expiresAt))
    },
    async change(caller, body) {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw new InvalidInput('body must be an object')
      }
      const has = (name: string): boolean => Object.hasOwn(body, name)
      const sentEmail = has('email') ? emailOf(fieldOf(body, 'email')) : undefined
      const password = has('password') ? newPassword(fieldOf(body, 'password')) : undefined
      const name = has('name') ? nameOf(fieldOf(body, 'name')) : undefined
      const user = await userOf(caller)
      // An external account may display an address that it does not sign in with.
      const isSame = sentEmail === user.email && user.provider !== 'external'
      const email = isSame ? undefined : sentEmail
      const needsProof = user.hasPassword && (email !== undefined || password !== undefined)
      const currentPasswordHash = needsProof
        ? await verifyPassword(user, fieldOf(body, 'currentPassword'))
        : null
      const passwordHash = password === undefined ? undefined : await passwords.hash(password)
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(email === undefined ? {} : { email }),
        ...(passwordHash === undefined ? {} : { passwordHash }),
      }
      const { kind, id } = caller.credential
      const sessionId = kind === 'session' ? id : null
      const changedAccount = await store.change(
        user.id,
        change,
        currentPasswordHash,
        sessionId,
        clock.now(),
      )
      if (changedAccount === null) throw new AuthInvalid('Wrong password')
      ;(await sessions()).dropRevoked(user.id, changedAccount.ended)
      deps.onChanged(user.id)
      return { user: bodyOf(changedAccount.user) }
    },
    async remove(caller, body) {
      if (fieldOf(body, 'confirm') !== CONFIRMATION) {
        throw new InvalidInput(`confirm must be "${CONFIRMATION}"`)
      }
      const user = await userOf(caller)
      if (user.isOwner) throw new Forbidden('The owner cannot be deleted')
      await deps.beforeRemoval(user.id)
      const removedAccount = await store.remove(user.id, clock.now())
      deps.onChanged(user.id)
      ;(await sessions()).dropRevoked(user.id, removedAccount.sessions)
      for (const { id, space } of removedAccount.keys) keys[space].dropRevoked([id])
      return { body: { ok: true }, setCookie: cookie.cleared }
    },
  }
}

const meOf = (
  user: User,
  kind: 'session' | 'key',
  id: string | null,
  expiresAt: string | null,
): Me => ({
  user: bodyOf(user),
  auth: {
    kind,
    expiresAt,
    sessionId: kind === 'session' ? id : null,
    keyId: kind === 'key' ? id : null,
  },
  tier: TIERS[user.tier],
})
