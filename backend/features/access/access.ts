import { createAuthenticate } from '../../http/auth/auth.ts'
import type { Authenticate, Caller, Sender } from '../../http/auth/auth.ts'
import type { DataAccess } from '../../http/auth/data-access.ts'
import { launchCaller } from '../../http/auth/launch-secret.ts'
import type { Damage } from '../../domain/history-damage.ts'
import type { Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { recordDamage } from '../../lib/files/damage-journal.ts'
import { AuthInvalid, StoreFailed } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { sameSecret } from '../../lib/files/launch-file.ts'
import type { Logger } from '../../lib/logger.ts'
import type { State } from '../../state/open.ts'
import type { PublicKeys } from '../../contract/accounts.ts'
import { createAccounts, type Accounts } from './accounts.service.ts'
import { createAccountsStore } from './accounts.store.ts'
import { createCliLogins, type CliLogins } from './cli-logins.service.ts'
import { createCliLoginsStore } from './cli-logins.store.ts'
import { createCredentialRevocations } from './credential-revocations.ts'
import { createExternalSignIn, type ExternalSignIn } from './sessions/external-sign-in.ts'
import { createIdentityProvider, type ProviderSettings } from './sessions/identity-provider.ts'
import { createKeyCheck } from './keys/key-check.ts'
import { argon2, limitConcurrency, type KeyHash } from './keys/key-hash.ts'
import { DATA_KEYS, SERVICE_KEYS, type KeySpace } from './keys/key-space.ts'
import { createKeysService, type KeysService } from './keys/keys.service.ts'
import { createKeysStore } from './keys/keys.store.ts'
import { createPasswordHash } from './sessions/password-hash.ts'
import { sessionCookieOf } from './sessions/session-cookie.ts'
import { createSessionTokens } from './sessions/session-token.ts'
import { createSessions, type Sessions } from './sessions/sessions.service.ts'
import { createSessionsStore } from './sessions/sessions.store.ts'
import { createSignIn, type SignIn } from './sessions/sign-in.service.ts'
import { createSignInAttempts } from './sessions/sign-in-attempts.ts'
import { openSigningKey, publicKeysOf } from './sessions/signing-key.ts'
import { createTickets } from './sessions/tickets.ts'
import { localOwner } from './user.ts'
import { createUsers, type Users } from './users.service.ts'
import { createUsersStore } from './users.store.ts'
import { createVerifiers } from './keys/verifiers.ts'

export interface AccessDeps {
  readonly state: State
  readonly dataDir: string
  /** Issuer of session tokens; its port is part of the cookie name. */
  readonly baseUrl: string
  /** Address of the page, which tickets open. */
  readonly appUrl: string
  /** Whether anyone may create an account. */
  readonly signup: 'open' | 'closed'
  /** Identity provider whose tokens are accepted beside our own; null: none. */
  readonly provider: ProviderSettings | null
  /** Wall time, also in a replay: credentials do not expire with replayed time. */
  readonly clock: Clock
  readonly logger: Logger
  /** Replaces Argon2id in tests. */
  readonly keyHash?: KeyHash
}

/** Access control of the service: accounts, keys, sessions and their authentication. */
export interface Access {
  /** Authenticates callers by every auth policy. */
  authenticate(launchSecret: string): Authenticate
  readonly dataAccess: DataAccess
  readonly serviceKeys: KeysService
  readonly dataKeys: KeysService
  readonly signIn: SignIn
  readonly accounts: Accounts
  readonly external: ExternalSignIn
  readonly users: Users
  readonly publicKeys: () => Promise<PublicKeys>
  readonly cliLogins: CliLogins
  /**
   * Notifies of every user whose tier or rights changed or who was removed; cached callers are
   * stale then.
   */
  onUserChanged(listener: (userId: string) => void): void
  /**
   * Calls the listener before a user is removed, who is removed once it resolves. A listener that
   * rejects keeps the user, and its error answers the request.
   */
  onUserRemoval(listener: (userId: string) => Promise<void>): void
  /** Resolves when the owner and the signing key exist; requests that need them wait until then. */
  readonly opened: Promise<void>
  close(): Promise<void>
}

interface OpenedAccess {
  readonly ownerId: string
  readonly launch: Caller
  readonly sessions: Sessions
  readonly publicKeys: PublicKeys
}

export function createAccess(deps: AccessDeps): Access {
  const { state, clock, logger } = deps
  const revocations = createCredentialRevocations(logger)
  const cookie = sessionCookieOf(deps.baseUrl)
  const hash = deps.keyHash ?? argon2
  const keyHash = limitConcurrency(hash, 'Too many keys are being checked', clock)
  const keysOf = (space: KeySpace) => {
    const store = createKeysStore(state, space.name)
    const check = createKeyCheck({ space: space.name, store, keyHash, clock, logger })
    return { check, keys: createKeysService({ space, store, keyHash, check, revocations, clock }) }
  }
  const service = keysOf(SERVICE_KEYS)
  const data = keysOf(DATA_KEYS)
  const users = createUsersStore(state)
  const { provider: settings } = deps
  const provider =
    settings === null ? null : createIdentityProvider({ settings, users, clock, logger })

  const open = async (): Promise<OpenedAccess> => {
    const now = clock.now()
    const { id } = await users.owner(localOwner(newId('usr', now), now))
    const store = createSessionsStore(state)
    const key = await openSigningKey(deps.dataDir, logger, {
      hadSessions: await store.any(),
      onReplaced: (reason) => recordDamage(deps.dataDir, lostKey(reason, now)),
    })
    const tokens = createSessionTokens(key, deps.baseUrl, clock)
    const sessions = createSessions({ store, tokens, cookie, revocations, clock, logger })
    return { ownerId: id, launch: launchCaller(id), sessions, publicKeys: publicKeysOf(key) }
  }
  let ready: OpenedAccess | null = null
  const opening = open().then((openedAccess) => (ready = openedAccess))
  /** Calls `use` synchronously once open. */
  const whenOpen = <T>(use: (openedAccess: OpenedAccess) => T | Promise<T>): T | Promise<T> =>
    ready === null ? opening.then(use) : use(ready)
  const sessions = async (): Promise<Sessions> => (await opening).sessions
  const openPromise = opening.then(() => {})
  // Errors are reported to the requests that wait; a service stopped while opening has none.
  openPromise.catch(() => {})

  const verifiers = createVerifiers({
    serviceKeys: service.check,
    dataKeys: data.check,
    provider,
    cookie,
    withSessions: (use) => whenOpen(({ sessions }) => use(sessions)),
  })
  const byDataKey = createAuthenticate({ ...verifiers, launch: () => null })
  const callerOfHeader = async (
    authorization: readonly string[],
    sender?: Sender,
  ): Promise<Caller> => {
    const credentials = {
      authorization,
      cookie: undefined,
      ...(sender !== undefined && { sender }),
    }
    const { caller } = await byDataKey('data', credentials)
    if (caller === null) throw new AuthInvalid()
    return caller
  }
  const listeners: ((userId: string) => void)[] = []
  const removalListeners: ((userId: string) => Promise<void>)[] = []
  const prepareUserRemoval = async (userId: string): Promise<void> => {
    for (const listener of removalListeners) await listener(userId)
  }
  const onChanged = (userId: string): void => {
    for (const listener of listeners) listener(userId)
    service.check.invalidateUser(userId)
    data.check.invalidateUser(userId)
    provider?.invalidateUser(userId)
    ready?.sessions.invalidateUser(userId)
  }

  return {
    authenticate: (launchSecret) =>
      createAuthenticate({
        ...verifiers,
        launch: (secret) =>
          sameSecret(secret, launchSecret) ? whenOpen(({ launch }) => launch) : null,
      }),
    dataAccess: {
      async callerOf({ authorization, cookie: cookieHeader, sender }) {
        if (authorization.length > 0) return callerOfHeader(authorization, sender)
        return cookieHeader === undefined ? null : (await verifiers.cookie(cookieHeader)).caller
      },
      callerOfKey: (key, sender) => callerOfHeader([`Bearer ${key}`], sender),
      onEnded: revocations.onEnded,
    },
    serviceKeys: service.keys,
    dataKeys: data.keys,
    signIn: createSignIn({
      owner: async () => (await users.byId((await opening).ownerId)) ?? noOwner(),
      sessions,
      tickets: createTickets(clock),
      cookie,
      appUrl: deps.appUrl,
    }),
    accounts: createAccounts({
      store: createAccountsStore(state),
      users,
      sessions,
      cookie,
      onChanged,
      beforeRemoval: prepareUserRemoval,
      clock,
      keys: { service: service.keys, data: data.keys },
      passwords: createPasswordHash(hash, clock),
      attempts: createSignInAttempts(clock),
      isOpen: deps.signup === 'open',
    }),
    external: createExternalSignIn({ provider, sessions, cookie }),
    users: createUsers({ store: users, onChanged }),
    onUserChanged: (listener) => void listeners.push(listener),
    onUserRemoval: (listener) => void removalListeners.push(listener),
    publicKeys: async () => (await opening).publicKeys,
    cliLogins: createCliLogins({
      store: createCliLoginsStore(state),
      keys: service.keys,
      clock,
      logger,
    }),
    opened: openPromise,
    async close() {
      await openPromise.catch(() => {})
      await Promise.all([service.check.close(), data.check.close()])
    },
  }
}

const noOwner = (): never => {
  throw new StoreFailed('the owner of this data folder is missing')
}

const lostKey = (reason: string, at: Millis): Damage => ({
  store: 'secrets',
  at,
  reason,
  quarantined: null,
  fromCopies: 0,
  salvaged: 0,
  lost: [],
  isLogCut: false,
  missing: null,
  summary:
    'The key that signs sessions was lost and a new one was created: all users have to sign in again.',
})
