import { ANONYMOUS, createAuthenticate } from '../../http/auth.ts'
import type { Authenticate, Caller, Verifiers } from '../../http/auth.ts'
import type { DataAccess } from '../../http/data-access.ts'
import { launchCaller } from '../../http/launch-secret.ts'
import type { Clock } from '../../lib/clock.ts'
import { AuthInvalid } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { sameSecret } from '../../lib/launch-file.ts'
import type { Logger } from '../../lib/logger.ts'
import type { State } from '../../state/open.ts'
import { createDataKeysService, type DataKeysService } from './data-keys.service.ts'
import { createEndings } from './endings.ts'
import { createKeyCheck } from './key-check.ts'
import { argon2, inTurns, type KeyHash } from './key-hash.ts'
import { createKeysStore } from './keys.store.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { createSessionTokens } from './session-token.ts'
import { createSessions, type Sessions } from './sessions.service.ts'
import { createSessionsStore } from './sessions.store.ts'
import { createSignIn, type SignIn } from './sign-in.service.ts'
import { openSigningKey } from './signing-key.ts'
import { createTickets } from './tickets.ts'
import { localOwner, type User } from './user.ts'
import { createUsersStore } from './users.store.ts'

export interface AccessDeps {
  readonly state: State
  readonly dataDir: string
  /** Issuer of session tokens; its port names the cookie. */
  readonly baseUrl: string
  /** Where the page is; tickets open it. */
  readonly appUrl: string
  /** Real time, also in a replay: credentials do not expire with replayed time. */
  readonly clock: Clock
  readonly logger: Logger
  /** In place of Argon2id, for tests. */
  readonly keyHash?: KeyHash
}

/** Who may use the service: its keys, its sessions, and what they prove. */
export interface Access {
  /** The auth words over all credentials that exist. */
  authenticate(launchSecret: string): Authenticate
  readonly dataAccess: DataAccess
  readonly dataKeys: DataKeysService
  readonly signIn: SignIn
  /** Resolves when owner and signing key are there; requests that need them wait until then. */
  readonly opened: Promise<void>
  close(): Promise<void>
}

interface Opened {
  readonly owner: User
  readonly launch: Caller
  readonly sessions: Sessions
}

export function createAccess(deps: AccessDeps): Access {
  const { state, clock, logger } = deps
  const endings = createEndings(logger)
  const cookie = sessionCookieOf(deps.baseUrl)
  const keyHash = inTurns(deps.keyHash ?? argon2, clock)
  const keys = createKeysStore(state, 'data')
  const check = createKeyCheck({ store: keys, keyHash, clock, logger })

  const open = async (): Promise<Opened> => {
    const now = clock.now()
    const owner = await createUsersStore(state).owner(localOwner(newId('usr', now), now))
    const tokens = createSessionTokens(
      await openSigningKey(deps.dataDir, logger),
      deps.baseUrl,
      clock,
    )
    const store = createSessionsStore(state)
    const sessions = createSessions({ store, tokens, cookie, endings, clock, logger })
    return { owner, launch: launchCaller(owner.id), sessions }
  }
  let ready: Opened | null = null
  const opening = open().then((opened) => (ready = opened))
  /** Once open, at once. */
  const when = <T>(use: (opened: Opened) => T | Promise<T>): T | Promise<T> =>
    ready === null ? opening.then(use) : use(ready)

  const byCookie = (header: string) => {
    const token = cookie.read(header)
    return token === null ? ANONYMOUS : when(({ sessions }) => sessions.proveByCookie(token))
  }

  const verifiers: Omit<Verifiers, 'launch'> = {
    dataKey: (key) => check.callerOf(key),
    sessionToken: (token) =>
      when(async ({ sessions }) => (await sessions.find(token))?.proof.caller ?? null),
    cookie: byCookie,
  }
  const byDataKey = createAuthenticate({ ...verifiers, launch: () => null })
  const ofHeader = async (authorization: readonly string[]): Promise<Caller> => {
    const { caller } = await byDataKey('data', { authorization, cookie: undefined })
    if (caller === null) throw new AuthInvalid()
    return caller
  }
  const opened = opening.then(() => {})
  // Told by whoever waits for it; a service that is stopped while it opens has nobody waiting.
  opened.catch(() => {})

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
        return sent === undefined ? null : (await byCookie(sent)).caller
      },
      callerOfKey: (key) => ofHeader([`Bearer ${key}`]),
      onEnded: endings.onEnded,
    },
    dataKeys: createDataKeysService({ store: keys, keyHash, check, endings, clock }),
    signIn: createSignIn({
      owner: async () => (await opening).owner,
      sessions: async () => (await opening).sessions,
      tickets: createTickets(clock),
      cookie,
      appUrl: deps.appUrl,
    }),
    opened,
    async close() {
      await opened.catch(() => {})
      await check.close()
    },
  }
}
