import { LRUCache } from 'lru-cache'
import { notFoundRefusal, methodNotAllowed } from '../errors.ts'
import type { Refusal } from '../errors.ts'
import { segmentsOf } from './route-table.ts'
import type { Route, RouteTable } from './route-table.ts'
import type { SentQuery } from './route-policies.ts'

/** Target that the address of a request resolves to. */
export type Target =
  | {
      readonly kind: 'route'
      readonly route: Route
      /** Canonical path and query: passed to the route, and the cache key of its bytes. */
      readonly address: string
      readonly query: SentQuery
      /** The query as sent. */
      readonly search: string
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly path: string | null }

const MAX_TARGETS = 4_096
const MAX_CACHED_LENGTH = 1_024

/**
 * Resolves addresses to routes. The path is percent-decoded once and one trailing slash is
 * dropped; segments "." and "..", in any encoding, match no route. Of the query the declared names
 * remain, each with its last value, so that every spelling of an address is counted, cached and
 * answered alike. Recent results are cached, except for routes whose query holds a secret and for
 * unknown addresses: a mistyped address may contain a secret.
 */
export function createTargets(table: RouteTable): (method: string, url: string) => Target {
  const recent = new LRUCache<string, Target>({ max: MAX_TARGETS })
  return (method, url) => {
    const name = `${method} ${url}`
    const existing = recent.get(name)
    if (existing !== undefined) return existing
    const target = resolve(table, method, url)
    const isCacheable = target.kind === 'route' && !target.route.secretQuery
    if (isCacheable && url.length <= MAX_CACHED_LENGTH) recent.set(name, target)
    return target
  }
}

function resolve(table: RouteTable, method: string, url: string): Target {
  const mark = url.indexOf('?')
  const segments = decodeSegments(mark === -1 ? url : url.slice(0, mark))
  if (segments === null) return { kind: 'refused', refusal: notFoundRefusal(), path: null }
  const path = `/${segments.map(encodeURIComponent).join('/')}`
  const route = table.find(method === 'HEAD' ? 'GET' : method, path)
  // A route with a secret in its query returns its result once; HEAD would lose it, so HEAD is not
  // allowed.
  if (route === null || (method === 'HEAD' && route.secretQuery)) {
    const methods = table
      .at(path)
      .flatMap((routeEntry) =>
        routeEntry.method === 'GET' && !routeEntry.secretQuery
          ? ['GET', 'HEAD']
          : routeEntry.method,
      )
    return methods.length === 0
      ? { kind: 'refused', refusal: notFoundRefusal(), path: `/${segments.join('/')}` }
      : { kind: 'refused', refusal: methodNotAllowed(methods), path: null }
  }
  const search = mark === -1 ? '' : url.slice(mark + 1)
  const { query, text } = canonicalQuery(search, route.queryNames)
  return { kind: 'route', route, address: text === '' ? path : `${path}?${text}`, query, search }
}

function decodeSegments(path: string): string[] | null {
  try {
    const segments = segmentsOf(path).map(decodeURIComponent)
    // URL parsers resolve these segments, so a different route would run than the one checked.
    return segments.some((segment) => segment === '.' || segment === '..') ? null : segments
  } catch {
    return null
  }
}

function canonicalQuery(search: string, names: readonly string[] | null) {
  const searchParams = new URLSearchParams(search)
  if (names === null) return { query: Object.fromEntries(searchParams), text: search }
  const params = new URLSearchParams()
  for (const name of names) {
    const last = searchParams.getAll(name).at(-1)
    if (last !== undefined) params.set(name, last)
  }
  return { query: Object.fromEntries(params), text: params.toString() }
}
