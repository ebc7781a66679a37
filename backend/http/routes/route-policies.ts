import { Elysia } from 'elysia'
import { adapter } from '../adapter.ts'
import type { RateClass } from '../limits/rate-limit.ts'

/**
 * Who may call a route.
 * - `none`: reads no credential.
 * - `optional`: a service key or a session (token or cookie), if sent, must be valid.
 * - `anyone`: like `optional`, but any other credential is treated as absent.
 * - `required`: a key, a session or the launch secret of the data folder.
 * - `session`: a session.
 * - `cookie`: a session by cookie; the `Authorization` header is ignored.
 * - `data`: a data key or the session cookie.
 * - `owner`: the launch secret.
 * - `admin`: the session of an administrator.
 * - `admin-cookie`: like `admin`, by cookie only; the `Authorization` header is ignored.
 * - `operator`: any credential of an administrator, including a service key and the launch secret.
 */
export type AuthPolicy =
  | 'none'
  | 'optional'
  | 'anyone'
  | 'required'
  | 'session'
  | 'cookie'
  | 'data'
  | 'owner'
  | 'admin'
  | 'admin-cookie'
  | 'operator'

/**
 * Where calls to a route may come from. `program`: not from browsers or other machines.
 * `own-page`: from a browser only with an allowed `Origin`, since the response sets a cookie.
 */
export type SourcePolicy = 'program' | 'own-page'

/** How a response may be cached. */
export interface CacheRule {
  /**
   * `max-age` in seconds; a stale response may be served for five times as long while it is
   * revalidated.
   */
  readonly seconds: number
  /** `stale-while-revalidate` of a private response, seconds; none by default. */
  readonly revalidate?: number
  /**
   * Responses that are computed for every request, because changes made by the client must be
   * visible at once: all with `false`, those to identified callers with `anonymous`.
   */
  readonly cached?: false | 'anonymous'
  /** Responses to identified callers are not stored anywhere. */
  readonly forKnown?: 'no-store'
  /**
   * `private` for responses specific to a caller, `proxy` for ages meant for shared caches only.
   */
  readonly scope?: 'public' | 'private' | 'proxy'
  /** The form depends on `Accept`. */
  readonly byAccept?: boolean
  /** Clients that prefer events to a document of this type get a stream, which is never cached. */
  readonly streamsInsteadOf?: string
}

/** The query as sent, last value of each declared name. */
export type SentQuery = Readonly<Record<string, string>>

/**
 * A number of seconds, a rule, "no-store", or a function of the query that returns one of these.
 */
export type CachePolicy =
  number | CacheRule | 'no-store' | ((query: SentQuery) => number | CacheRule | 'no-store')

/**
 * A rate-limit class, or a function of the query and of whether the caller is known that returns
 * one.
 */
export type RatePolicy = RateClass | ((query: SentQuery, isKnown: boolean) => RateClass)

/**
 * Computes the subject of a request if its class also counts by subject: a digest of part of the
 * query. It receives the query text as sent and returns null if the part is missing.
 */
export type SubjectPolicy = (search: string) => string | null

/**
 * Policies that a route declares beside its schemas: `auth`, `from`, `rate`, `subject`, `cache`,
 * `bodyLimit` (bytes), `on401` (text of a 401 instead of the usual one), `reasons` (the `reason`
 * of a refusal by error code), and `secretQuery` (the query holds a secret, so the address is not
 * cached). The front of the server and the OpenAPI document read them; Elysia only stores them.
 */
export const routePolicies = new Elysia({ name: 'route-policies', adapter }).macro({
  auth: (_policy: AuthPolicy) => ({}),
  from: (_policy: SourcePolicy) => ({}),
  rate: (_class: RatePolicy) => ({}),
  subject: (_policy: SubjectPolicy) => ({}),
  cache: (_policy: CachePolicy) => ({}),
  bodyLimit: (_bytes: number) => ({}),
  on401: (_text: string) => ({}),
  reasons: (_byCode: Readonly<Record<string, string>>) => ({}),
  secretQuery: (_holds: true) => ({}),
})
