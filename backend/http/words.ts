import { Elysia } from 'elysia'
import type { TSchema } from 'elysia'
import { adapter } from './adapter.ts'
import type { RateClass } from './rate-limit.ts'

/**
 * Who may call. `none` reads no credential; `optional` takes a service key or a session (token or
 * cookie) when one is sent; `anyone` does too and takes any other credential for none; `required`
 * needs a key, a session or the launch secret of the data folder; `session` needs a session, `cookie`
 * one by cookie without a look at the header; `data` needs a data key or the session cookie; `owner`
 * needs the launch secret; `admin` needs the session of an administrator, `admin-cookie` one by cookie
 * without a look at the header, `operator` anything that proves one, a service key and the launch
 * secret too.
 */
export type AuthWord =
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
 * Where calls to a route may come from: `program` is closed to browsers and to other machines,
 * `own-page` takes a browser's call only with an Origin of ours, since its answer sets a cookie.
 */
export type FromWord = 'program' | 'own-page'

/** How an answer may be kept. */
export interface CacheRule {
  /** Age in seconds; five times as long it may be served while a fresh one is fetched. */
  readonly seconds: number
  /** Seconds for which a private answer may be shown while a fresh one is fetched; none unless told. */
  readonly revalidate?: number
  /** Made anew for every request: what its reader changes must show at once. */
  readonly isKept?: false
  /** `private` for answers made for one reader, `proxy` for ages meant for shared caches alone. */
  readonly scope?: 'public' | 'private' | 'proxy'
  /** The form depends on `Accept`. */
  readonly byAccept?: boolean
  /** Readers who prefer events to a document of this type get a stream, which nothing keeps. */
  readonly streamsInsteadOf?: string
}

/** The query as sent, last value of each declared name. */
export type SentQuery = Readonly<Record<string, string>>

/** A number of seconds, a rule, «no-store», or a function of the query that gives one of these. */
export type CacheWord =
  number | CacheRule | 'no-store' | ((query: SentQuery) => number | CacheRule | 'no-store')

/** A class, or a function of the query and of whether the caller is known that gives one. */
export type RateWord = RateClass | ((query: SentQuery, isKnown: boolean) => RateClass)

/**
 * What a request is about where its class counts by that too: a digest of something in the query, of
 * which the text as sent is given; null where it is not there.
 */
export type SubjectWord = (search: string) => string | null

/**
 * The words a route may carry beside its schemas: `auth`, `from`, `rate`, `subject`, `cache`,
 * `bodyLimit` (bytes), `on401`, what a 401 says in place of the usual text, `reasons`, the words that
 * refusals of whoever is not let in carry beside their code, `secretQuery` where the query holds a secret, so that the address is remembered nowhere, and `bodies`, its answers by status. The front of the server and the OpenAPI document read them;
 * Elysia only keeps them. The bodies of reads stand here and not under Elysia's `response`, which would check
 * and copy every answer: four times the cost of a page of candles. Services are typed by the same
 * schemas, and tests hold answers against them.
 */
export const routeWords = new Elysia({ name: 'route-words', adapter }).macro({
  auth: (_word: AuthWord) => ({}),
  from: (_word: FromWord) => ({}),
  rate: (_class: RateWord) => ({}),
  subject: (_word: SubjectWord) => ({}),
  cache: (_word: CacheWord) => ({}),
  bodyLimit: (_bytes: number) => ({}),
  on401: (_text: string) => ({}),
  reasons: (_byCode: Readonly<Record<string, string>>) => ({}),
  secretQuery: (_holds: true) => ({}),
  bodies: (_byStatus: Readonly<Record<number, TSchema>>) => ({}),
})
