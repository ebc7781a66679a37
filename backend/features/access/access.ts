import { createAuthenticate } from '../../http/auth.ts'
import type { Authenticate, Caller } from '../../http/auth.ts'
import type { DataAccess } from '../../http/data-access.ts'
import { launchCaller } from '../../http/launch-secret.ts'
import type { Clock } from '../../lib/clock.ts'
import { AuthInvalid, StoreFailed } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { sameSecret } from '../../lib/launch-file.ts'
import type { Logger } from '../../lib/logger.ts'
import type { State } from '../../state/open.ts'
import type { PublicKeys } from './account.schema.ts'
import { createAccounts, type Accounts } from './accounts.service.ts'
import { createAccountsStore } from './accounts.store.ts'
import { createCliLogins, type CliLogins } from './cli-logins.service.ts'
import { createCliLoginsStore } from './cli-logins.store.ts'
import { createEndings } from './endings.ts'
import { createExternalSignIn, type ExternalSignIn } from './external-sign-in.ts'
import { createIdentityProvider, type ProviderSettings } from './identity-provider.ts'
import { createKeyCheck } from './key-check.ts'
import { argon2, inTurns, type KeyHash } from './key-hash.ts'
import { DATA_KEYS, SERVICE_KEYS, type KeySpace } from './key-space.ts'
import { createKeysService, type KeysService } from './keys.service.ts'
import { createKeysStore } from './keys.store.ts'
import { createPasswordHash } from './password-hash.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { createSessionTokens } from './session-token.ts'
import { createSessions, type Sessions } from './sessions.service.ts'
import { createSessionsStore } from './sessions.store.ts'
import { createSignIn, type SignIn } from './sign-in.service.ts'
import { createSignInAttempts } from './sign-in-attempts.ts'
import { openSigningKey, publicKeysOf } from './signing-key.ts'
import { createTickets } from './tickets.ts'
import { localOwner } from './user.ts'
import { createUsers, type Users } from './users.service.ts'
import { createUsersStore } from './users.store.ts'
import { createVerifiers } from './verifiers.ts'

export interface AccessDeps {
  readonly state: State
  readonly dataDir: string
  /** Issuer of session tokens; its port names the cookie. */
  readonly baseUrl: string
  /** Where the page is; tickets open it. */
  readonly appUrl: string
  /** Whether strangers may make accounts. */
  readonly signup: 'open' | 'closed'
  /** Whose tokens are taken beside our own; null: nobody's. */
  readonly provider: ProviderSettings | null
  /** Real time, also in a replay: credentials do not expire with replayed time. */
  readonly clock: Clock
  readonly logger: Logger
  /** In place of Argon2id, for tests. */
  readonly keyHash?: KeyHash
}

/** Who may use the service: its accounts, keys and sessions, and what they prove. */
export interface Access {
  /** The auth words over all credentials that exist. */
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
  /** Hears of every user who is no longer what was remembered of them: tier, rights, or gone. */
  onUserChanged(listener: (userId: string) => void): void
  /** Resolves when owner and signing key are there; requests that need them wait until then. */
  readonly opened: Promise<void>
  close(): Promise<void>
}

interface Opened {
  readonly ownerId: string
  readonly launch: Caller
  readonly sessions: Sessions
  readonly publicKeys: PublicKeys
}

export function createAccess(deps: AccessDeps): Access {
  const { state, clock, logger } = deps
  const endings = createEndings(logger)
  const cookie = sessionCookieOf(deps.baseUrl)
  const hash = deps.keyHash ?? argon2
  const keyHash = inTurns(hash, 'Too many keys are being checked', clock)
  const keysOf = (space: KeySpace) => {
    const store = createKeysStore(state, space.name)
    const check = createKeyCheck({ space: space.name, store, keyHash, clock, logger })
    return { check, keys: createKeysService({ space, store, keyHash, check, endings, clock }) }
  }
  const service = keysOf(SERVICE_KEYS)
  const data = keysOf(DATA_KEYS)
  const users = createUsersStore(state)
  const { provider: settings } = deps
  const provider =
    settings === null ? null : createIdentityProvider({ settings, users, clock, logger })

  const open = async (): Promise<Opened> => {
    const now = clock.now()
    const { id } = await users.owner(localOwner(newId('usr', now), now))
    const key = await openSigningKey(deps.dataDir, logger)
    const tokens = createSessionTokens(key, deps.baseUrl, clock)
    const store = createSessionsStore(state)
    const sessions = createSessions({ store, tokens, cookie, endings, clock, logger })
    return { ownerId: id, launch: launchCaller(id), sessions, publicKeys: publicKeysOf(key) }
  }
  let ready: Opened | null = null
  const opening = open().then((opened) => (ready = opened))
  /** Once open, at once. */
  const when = <T>(use: (opened: Opened) => T | Promise<T>): T | Promise<T> =>
    ready === null ? opening.then(use) : use(ready)
  const sessions = async (): Promise<Sessions> => (await opening).sessions
  const opened = opening.then(() => {})
  // Told by whoever waits for it; a service that is stopped while it opens has nobody waiting.
  opened.catch(() => {})

  const verifiers = createVerifiers({
    ...{ serviceKeys: service.check, dataKeys: data.check, provider, cookie },
    withSessions: (use) => when(({ sessions }) => use(sessions)),
  })
  const byDataKey = createAuthenticate({ ...verifiers, launch: () => null })
  const ofHeader = async (authorization: readonly string[]): Promise<Caller> => {
    const { caller } = await byDataKey('data', { authorization, cookie: undefined })
    if (caller === null) throw new AuthInvalid()
    return caller
  }
  const listeners: ((userId: string) => void)[] = []
  const onChanged = (userId: string): void => {
    for (const listener of listeners) listener(userId)
    service.check.forgetUser(userId)
    data.check.forgetUser(userId)
    provider?.forgetUser(userId)
    ready?.sessions.forgetUser(userId)
  }

  return {
    authenticate: (launchSecret) =>
      createAuthenticate({
        ...verifiers,
        launch: (secret) =>
          sameSecret(secret, launchSecret) ? when(({ launch }) => launch) : null,
      }),
    dataAccess: {
      async callerOf({ authorization, cookie: sent }) {
        if (authorization.length > 0) return ofHeader(authorization)
        return sent === undefined ? null : (await verifiers.cookie(sent)).caller
      },
      callerOfKey: (key) => ofHeader([`Bearer ${key}`]),
      onEnded: endings.onEnded,
    },
    serviceKeys: service.keys,
    dataKeys: data.keys,
    signIn: createSignIn({
      owner: async () => (await users.byId((await opening).ownerId)) ?? noOwner(),
      ...{ sessions, tickets: createTickets(clock), cookie, appUrl: deps.appUrl },
    }),
    accounts: createAccounts({
      ...{ store: createAccountsStore(state), users, sessions, cookie, onChanged, clock },
      keys: { service: service.keys, data: data.keys },
      passwords: createPasswordHash(hash, clock),
      attempts: createSignInAttempts(clock),
      isOpen: deps.signup === 'open',
    }),
    external: createExternalSignIn({ provider, sessions, cookie }),
    users: createUsers({ store: users, onChanged }),
    onUserChanged: (listener) => void listeners.push(listener),
    publicKeys: async () => (await opening).publicKeys,
    cliLogins: createCliLogins({
      ...{ store: createCliLoginsStore(state), keys: service.keys, clock, logger },
    }),
    opened,
    async close() {
      await opened.catch(() => {})
      await Promise.all([service.check.close(), data.check.close()])
    },
  }
}

const noOwner = (): never => {
  throw new StoreFailed('the owner of this data folder is missing')
}
