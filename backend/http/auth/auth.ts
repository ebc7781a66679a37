import type { Socket } from 'node:net'
import type { Tier } from '../../domain/tiers.ts'
import type { Millis } from '../../domain/units.ts'
import { AuthInvalid, AuthRequired } from '../../lib/errors.ts'
import type { AuthPolicy } from '../routes/route-policies.ts'

/** An authenticated caller. */
export interface Caller {
  /** Key of the special rate-limit classes: the id of the key, or of the user for sessions. */
  readonly id: string
  readonly userId: string
  readonly isAdmin: boolean
  readonly tier: Tier
  /**
   * The credential that authenticated the caller, with the id under which it can be revoked: of a
   * key or a session. The id is null for the launch secret and for a token of the identity
   * provider, which the service cannot revoke.
   */
  readonly credential: {
    readonly kind: 'launch' | 'session' | 'external' | 'service-key' | 'data-key'
    readonly id: string | null
    /** Expiry of a token of the identity provider. */
    readonly expiresAt?: Millis
  }
}

/** The connection of a request, for code that keeps state until it closes. */
export type Connection = Pick<Socket, 'once' | 'destroyed'>

/** The sender of a credential, as the verifiers see it. */
export interface Sender {
  /** The connection that carried it; further requests may follow on it. */
  readonly connection: Connection
  /**
   * Runs a slow check of an unknown secret; the number of concurrent checks is limited per
   * address.
   */
  readonly runSlowCheck: <T>(check: () => Promise<T>) => Promise<T>
}

/** The credentials of a request as sent. */
export interface Credentials {
  /** Every `Authorization` header, in order of appearance. */
  readonly authorization: readonly string[]
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  readonly sender?: Sender
}

/** The result of authentication. */
export interface AuthResult {
  readonly caller: Caller | null
  /** The caller was identified by cookie, so a write needs an allowed `Origin`. */
  readonly byCookie: boolean
  /** Value of the response's `Set-Cookie`: renews a session or clears an ended one. */
  readonly setCookie: string | null
  /**
   * The caller is identified but is not an administrator, and the route admits only
   * administrators.
   */
  readonly isForbidden?: true
}

export const ANONYMOUS: AuthResult = { caller: null, byCookie: false, setCookie: null }

/** The auth policy of a route, or `identify` to find the caller of any valid credential. */
export type AuthRequirement = AuthPolicy | 'identify'

/**
 * Authenticates a request as far as the route's policy requires; returns synchronously unless a
 * check is slow.
 * @throws AuthRequired, AuthInvalid, or NotReady when too many keys wait to be checked
 */
export type Authenticate = (
  need: AuthRequirement,
  credentials: Credentials,
) => AuthResult | Promise<AuthResult>

type Awaitable<T> = T | Promise<T>

/** Looks credentials up; null means "not valid". */
export interface Verifiers {
  launch(secret: string): Awaitable<Caller | null>
  serviceKey(key: string, sender: Sender | null): Awaitable<Caller | null>
  dataKey(key: string, sender: Sender | null): Awaitable<Caller | null>
  /** A token in three parts, issued by this service or by the identity provider. */
  sessionToken(token: string): Awaitable<Caller | null>
  /** Reads the session from a `Cookie` header; returns `ANONYMOUS` if there is none. */
  cookie(header: string): Awaitable<AuthResult>
}

type Kind = 'launch' | 'service-key' | 'data-key' | 'session-token'

interface Acceptance {
  /** Kinds of credentials accepted in an `Authorization` header; `unread` ignores the header. */
  readonly header: readonly Kind[] | 'unread'
  readonly cookie: boolean
  readonly needed: boolean
  /**
   * An `Authorization` header that is not accepted is treated as absent, and the cookie is not
   * read then.
   */
  readonly forgiving?: true
  /** A caller who is not an administrator is identified but not admitted. */
  readonly adminsOnly?: true
}

const ACCEPTANCES: Readonly<Record<Exclude<AuthRequirement, 'none'>, Acceptance>> = {
  identify: {
    header: ['launch', 'service-key', 'data-key', 'session-token'],
    cookie: true,
    needed: false,
  },
  optional: { header: ['service-key', 'session-token'], cookie: true, needed: false },
  anyone: {
    header: ['service-key', 'session-token'],
    cookie: true,
    needed: false,
    forgiving: true,
  },
  required: { header: ['service-key', 'session-token', 'launch'], cookie: true, needed: true },
  session: { header: ['session-token'], cookie: true, needed: true },
  cookie: { header: 'unread', cookie: true, needed: true },
  data: { header: ['data-key'], cookie: true, needed: true },
  owner: { header: ['launch'], cookie: false, needed: true },
  admin: { header: ['session-token'], cookie: true, needed: true, adminsOnly: true },
  'admin-cookie': { header: 'unread', cookie: true, needed: true, adminsOnly: true },
  operator: {
    header: ['launch', 'service-key', 'session-token'],
    cookie: true,
    needed: true,
    adminsOnly: true,
  },
}

const SERVICE_KEY = /^svc_live_[\w-]{43}$/
const DATA_KEY = /^svct_live_[\w-]{43}$/
const SESSION_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/
const MAX_TOKEN_LENGTH = 8_192

/** Parses an `Authorization` header; null if it has the form of no known credential. */
function claimOf(header: string): { readonly kind: Kind; readonly text: string } | null {
  const blank = header.indexOf(' ')
  const scheme = header.slice(0, blank).toLowerCase()
  const text = header.slice(blank + 1)
  if (scheme === 'launch') return /^[\w-]+$/.test(text) ? { kind: 'launch', text } : null
  if (scheme !== 'bearer' || text.length > MAX_TOKEN_LENGTH) return null
  if (SERVICE_KEY.test(text)) return { kind: 'service-key', text }
  if (DATA_KEY.test(text)) return { kind: 'data-key', text }
  return SESSION_TOKEN.test(text) ? { kind: 'session-token', text } : null
}

/**
 * Implements the auth policies on top of the verifiers. An `Authorization` header takes
 * precedence: two of them, or one the policy does not accept, are invalid even if a valid cookie
 * is sent. A cookie without a live session is treated as absent.
 */
export function createAuthenticate(verifiers: Verifiers): Authenticate {
  type VerifyCredential = (text: string, sender: Sender | null) => Awaitable<Caller | null>
  const proofByKind: Readonly<Record<Kind, VerifyCredential>> = {
    launch: (secret) => verifiers.launch(secret),
    'service-key': (key, sender) => verifiers.serviceKey(key, sender),
    'data-key': (key, sender) => verifiers.dataKey(key, sender),
    'session-token': (token) => verifiers.sessionToken(token),
  }
  const byHeader = (
    header: string,
    acceptedKinds: readonly Kind[],
    sender: Sender | null,
  ): Awaitable<Caller | null> => {
    const claim = claimOf(header)
    if (claim === null || !acceptedKinds.includes(claim.kind)) return null
    return proofByKind[claim.kind](claim.text, sender)
  }
  return (policy, { authorization, cookie, sender = null }) => {
    if (policy === 'none') return ANONYMOUS
    const accepts = ACCEPTANCES[policy]
    const [header, second] = authorization
    if (header !== undefined && accepts.header !== 'unread') {
      const headerCaller = second === undefined ? byHeader(header, accepts.header, sender) : null
      return mapEventually(headerCaller, (caller) =>
        caller === null && accepts.forgiving === true ? ANONYMOUS : admit(proofOf(caller), accepts),
      )
    }
    if (!accepts.cookie || cookie === undefined) {
      if (accepts.needed) throw new AuthRequired()
      return ANONYMOUS
    }
    return mapEventually(verifiers.cookie(cookie), (proof) => {
      if (accepts.needed && proof.caller === null) throw new AuthRequired()
      return admit(proof, accepts)
    })
  }
}

function admit(proof: AuthResult, { adminsOnly }: Acceptance): AuthResult {
  const isForbidden = adminsOnly === true && proof.caller?.isAdmin !== true
  return isForbidden ? { ...proof, isForbidden } : proof
}

function proofOf(caller: Caller | null): AuthResult {
  if (caller === null) throw new AuthInvalid()
  return { caller, byCookie: false, setCookie: null }
}

/** Applies `then` to a value, synchronously if the value is not a promise. */
const mapEventually = <T, U>(value: Awaitable<T>, then: (value: T) => U): Awaitable<U> =>
  value instanceof Promise ? value.then(then) : then(value)

const callers = new WeakMap<Request, Caller>()

/** Attaches the caller to a request; the front of the server does so before the route runs. */
export const attachCaller = (request: Request, caller: Caller | null): void => {
  if (caller !== null) callers.set(request, caller)
}

/** The caller of a request; null if it is anonymous. */
export const callerOf = (request: Request): Caller | null => callers.get(request) ?? null

/** The caller of a request to a route that admits only identified callers. @throws AuthRequired */
export function knownCaller(request: Request): Caller {
  const caller = callerOf(request)
  if (caller === null) throw new AuthRequired()
  return caller
}
