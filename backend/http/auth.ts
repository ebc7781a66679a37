import type { Socket } from 'node:net'
import type { Tier } from '../domain/tiers.ts'
import type { Millis } from '../domain/units.ts'
import { AuthInvalid, AuthRequired } from '../lib/errors.ts'
import type { AuthWord } from './words.ts'

/** Someone who proved who they are. */
export interface Caller {
  /** What the limits of special classes count by: the key's id, or the user's for sessions. */
  readonly id: string
  readonly userId: string
  readonly isAdmin: boolean
  readonly tier: Tier
  /**
   * What proved it, by the id under which it ends: a key's, a session's; null for the launch secret
   * and for a token of the identity provider, which nothing of ours ends.
   */
  readonly credential: {
    readonly kind: 'launch' | 'session' | 'external' | 'service-key' | 'data-key'
    readonly id: string | null
    /** End of a token of the identity provider. */
    readonly expiresAt?: Millis
  }
}

/** A connection, to those who remember something for as long as it stands. */
export type Connection = Pick<Socket, 'once' | 'destroyed'>

/** Who sends a credential, to those who check it. */
export interface Sender {
  /** What it came on, where further requests may follow on it. */
  readonly connection: Connection
  /** Runs a slow check of a secret that is not known yet, a few at a time for all of its address. */
  readonly guess: <T>(check: () => Promise<T>) => Promise<T>
}

/** The credentials of a request as they were sent. */
export interface Credentials {
  /** Every `Authorization` header, in order. */
  readonly authorization: readonly string[]
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  readonly sender?: Sender
}

/** What the credentials of a request came to. */
export interface Proof {
  readonly caller: Caller | null
  /** The caller was known by cookie, so a write needs an Origin of ours. */
  readonly byCookie: boolean
  /** Value of the `Set-Cookie` that the answer carries: a renewed session, or a dead one cleared. */
  readonly setCookie: string | null
  /** The caller is known, and only administrators are let in. */
  readonly isBarred?: true
}

export const ANONYMOUS: Proof = { caller: null, byCookie: false, setCookie: null }

/**
 * Who sends a request, as far as the route's word asks; at once where nothing has to be computed.
 * @throws AuthRequired, AuthInvalid, or NotReady when too many keys wait to be checked
 */
export type Authenticate = (word: AuthWord, sent: Credentials) => Proof | Promise<Proof>

type Eventually<T> = T | Promise<T>

/** What knows the credentials that exist; null is «not valid». */
export interface Verifiers {
  launch(secret: string): Eventually<Caller | null>
  serviceKey(key: string, sender: Sender | null): Eventually<Caller | null>
  dataKey(key: string, sender: Sender | null): Eventually<Caller | null>
  /** A token in three parts, ours or the identity provider's. */
  sessionToken(token: string): Eventually<Caller | null>
  /** Reads the session out of a `Cookie` header; `ANONYMOUS` where there is none. */
  cookie(header: string): Eventually<Proof>
}

type Kind = 'launch' | 'service-key' | 'data-key' | 'session-token'

interface Acceptance {
  /** Kinds that an `Authorization` header may hold; `unread` looks at none. */
  readonly header: readonly Kind[] | 'unread'
  readonly cookie: boolean
  readonly needed: boolean
  /** A header that is not accepted counts as absent, and as no wish to be known by cookie. */
  readonly forgiving?: true
  /** Whoever is no administrator is known and not let in. */
  readonly adminsOnly?: true
}

const ACCEPTED: Readonly<Record<Exclude<AuthWord, 'none'>, Acceptance>> = {
  optional: { header: ['service-key', 'session-token'], cookie: true, needed: false },
  anyone: {
    header: ['service-key', 'session-token'],
    ...{ cookie: true, needed: false, forgiving: true },
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
    ...{ cookie: true, needed: true, adminsOnly: true },
  },
}

const SERVICE_KEY = /^svc_live_[\w-]{43}$/
const DATA_KEY = /^svct_live_[\w-]{43}$/
const SESSION_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/
const LONGEST_TOKEN = 8_192

/** What a header claims to be; null for anything that no credential looks like. */
function claimOf(header: string): { readonly kind: Kind; readonly text: string } | null {
  const blank = header.indexOf(' ')
  const scheme = header.slice(0, blank).toLowerCase()
  const text = header.slice(blank + 1)
  if (scheme === 'launch') return /^[\w-]+$/.test(text) ? { kind: 'launch', text } : null
  if (scheme !== 'bearer' || text.length > LONGEST_TOKEN) return null
  if (SERVICE_KEY.test(text)) return { kind: 'service-key', text }
  if (DATA_KEY.test(text)) return { kind: 'data-key', text }
  return SESSION_TOKEN.test(text) ? { kind: 'session-token', text } : null
}

/**
 * The auth words over the credentials that exist. An `Authorization` header decides alone: two of
 * them, or one that the word does not accept, are invalid whatever cookie stands next to them. A
 * cookie that is no live session counts as absent.
 */
export function createAuthenticate(verifiers: Verifiers): Authenticate {
  type Prove = (text: string, sender: Sender | null) => Eventually<Caller | null>
  const proving: Readonly<Record<Kind, Prove>> = {
    launch: (secret) => verifiers.launch(secret),
    'service-key': (key, sender) => verifiers.serviceKey(key, sender),
    'data-key': (key, sender) => verifiers.dataKey(key, sender),
    'session-token': (token) => verifiers.sessionToken(token),
  }
  const byHeader = (
    header: string,
    accepted: readonly Kind[],
    sender: Sender | null,
  ): Eventually<Caller | null> => {
    const claim = claimOf(header)
    if (claim === null || !accepted.includes(claim.kind)) return null
    return proving[claim.kind](claim.text, sender)
  }
  return (word, { authorization, cookie, sender = null }) => {
    if (word === 'none') return ANONYMOUS
    const accepts = ACCEPTED[word]
    const [header, second] = authorization
    if (header !== undefined && accepts.header !== 'unread') {
      const found = second === undefined ? byHeader(header, accepts.header, sender) : null
      return after(found, (caller) =>
        caller === null && accepts.forgiving === true ? ANONYMOUS : letIn(proofOf(caller), accepts),
      )
    }
    if (!accepts.cookie || cookie === undefined) {
      if (accepts.needed) throw new AuthRequired()
      return ANONYMOUS
    }
    return after(verifiers.cookie(cookie), (proof) => {
      if (accepts.needed && proof.caller === null) throw new AuthRequired()
      return letIn(proof, accepts)
    })
  }
}

function letIn(proof: Proof, { adminsOnly }: Acceptance): Proof {
  const isBarred = adminsOnly === true && proof.caller?.isAdmin !== true
  return isBarred ? { ...proof, isBarred } : proof
}

function proofOf(caller: Caller | null): Proof {
  if (caller === null) throw new AuthInvalid()
  return { caller, byCookie: false, setCookie: null }
}

/** Goes on with a value, at once when it is there. */
const after = <T, U>(value: Eventually<T>, then: (value: T) => U): Eventually<U> =>
  value instanceof Promise ? value.then(then) : then(value)

const callers = new WeakMap<Request, Caller>()

/** Notes who sent a request; done by the front of the server before the route runs. */
export const attachCaller = (request: Request, caller: Caller | null): void => {
  if (caller !== null) callers.set(request, caller)
}

/** Who sent the request, or null for an anonymous one. */
export const callerOf = (request: Request): Caller | null => callers.get(request) ?? null

/** Who sent a request to a route whose word lets nobody else in. @throws AuthRequired */
export function knownCaller(request: Request): Caller {
  const caller = callerOf(request)
  if (caller === null) throw new AuthRequired()
  return caller
}
