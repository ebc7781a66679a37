import { Memoirist } from 'memoirist'
import { RATE_LIMITS } from '../limits/rate-limit.ts'
import { paramsOf } from '../../contract/query-schema.ts'
import type {
  AuthPolicy,
  CachePolicy,
  SourcePolicy,
  RatePolicy,
  SubjectPolicy,
} from './route-policies.ts'

/** A declared route, as the front of the server and the OpenAPI document use it. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly auth: AuthPolicy
  /** Where calls may come from; null for anywhere. */
  readonly from: SourcePolicy | null
  readonly rate: RatePolicy
  readonly subject: SubjectPolicy | null
  readonly cache: CachePolicy
  readonly bodyLimit: number
  /** Text of a 401; null for the usual text. */
  readonly on401: string | null
  /** The `reason` of a refused caller, by error code. */
  readonly reasons: Readonly<Record<string, string>> | null
  /** The query holds a secret. */
  readonly secretQuery: boolean
  /** Names of the query parameters; null if the route reads its query itself. */
  readonly queryNames: readonly string[] | null
  readonly hooks: Readonly<Record<string, unknown>>
}

/** A route as Elysia declares it. */
export interface DeclaredRoute {
  readonly method: string
  readonly path: string
  readonly hooks: unknown
}

export const BODY_LIMIT = 1_000_000

export function describeRoute({ method, path, hooks }: DeclaredRoute): Route {
  const policies = (typeof hooks === 'object' && hooks !== null ? hooks : {}) as Readonly<
    Record<string, unknown>
  >
  const params = paramsOf(policies['query'])
  const rate = policies['rate']
  return {
    method,
    path,
    auth: (policies['auth'] as AuthPolicy | undefined) ?? 'optional',
    from: (policies['from'] as SourcePolicy | undefined) ?? null,
    rate: isRatePolicy(rate) ? rate : 'general',
    subject: (policies['subject'] as SubjectPolicy | undefined) ?? null,
    cache: (policies['cache'] as CachePolicy | undefined) ?? 'no-store',
    bodyLimit: typeof policies['bodyLimit'] === 'number' ? policies['bodyLimit'] : BODY_LIMIT,
    on401: typeof policies['on401'] === 'string' ? policies['on401'] : null,
    reasons: (policies['reasons'] as Readonly<Record<string, string>> | undefined) ?? null,
    secretQuery: policies['secretQuery'] === true,
    queryNames: params === null ? null : Object.keys(params),
    hooks: policies,
  }
}

const isRatePolicy = (policy: unknown): policy is RatePolicy =>
  typeof policy === 'function' ||
  (typeof policy === 'string' && (policy === 'off' || Object.hasOwn(RATE_LIMITS, policy)))

/** Finds declared routes with the router that Elysia uses. */
export interface RouteTable {
  /** The route of a method at a canonical path; null if there is none. */
  find(method: string, path: string): Route | null
  /** The routes of all methods at a canonical path. */
  at(path: string): readonly Route[]
}

export function createRouteTable(declaredRoutes: readonly DeclaredRoute[]): RouteTable {
  const router = new Memoirist<Route>()
  const methods = new Set<string>()
  for (const route of declaredRoutes.map(describeRoute)) {
    router.add(route.method, `/${segmentsOf(route.path).join('/')}`, route)
    methods.add(route.method)
  }
  const find = (method: string, path: string) => router.find(method, path)?.store ?? null
  return {
    find,
    at: (path) => [...methods].flatMap((method) => find(method, path) ?? []),
  }
}

/** Segments of a path; one trailing slash is ignored. */
export function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '')
  return inner === '' ? [] : inner.split('/')
}
