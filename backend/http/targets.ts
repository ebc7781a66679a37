import { notFound, methodNotAllowed } from './errors.ts'
import type { Refusal } from './errors.ts'
import { segmentsOf } from './route-table.ts'
import type { Route, RouteTable } from './route-table.ts'
import type { SentQuery } from './words.ts'

/** What the address of a request means. */
export type Target =
  | {
      readonly kind: 'route'
      readonly route: Route
      /** Canonical path and query: what the route sees, and the key of its bytes. */
      readonly address: string
      readonly query: SentQuery
      /** The query as it was sent. */
      readonly search: string
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly path: string | null }

const MOST_TARGETS = 4_096
const LONGEST_KEPT = 1_024

/**
 * Finds the route of an address. The path is percent-decoded once and one trailing slash is
 * dropped; «.» and «..», however they are spelled, are in no address; of the query the declared names
 * remain, each with its last value, so that every spelling of an address is counted, cached and
 * answered as one. Meanings of recent addresses are remembered, but for those whose query holds a
 * secret, and those that mean nothing: a secret may stand in an address that was mistyped.
 */
export function createTargets(table: RouteTable): (method: string, url: string) => Target {
  const recent = new Map<string, Target>()
  return (method, url) => {
    const name = `${method} ${url}`
    const known = recent.get(name)
    if (known !== undefined) return known
    const target = resolve(table, method, url)
    const isKept = target.kind === 'route' && !target.route.secretQuery
    if (isKept && url.length <= LONGEST_KEPT) {
      const oldest = recent.size >= MOST_TARGETS ? recent.keys().next().value : undefined
      if (oldest !== undefined) recent.delete(oldest)
      recent.set(name, target)
    }
    return target
  }
}

function resolve(table: RouteTable, method: string, url: string): Target {
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const segments = decoded(path)
  const routes = segments === null ? null : table.find(segments)
  if (segments === null || routes === null) {
    const plain = segments === null ? null : `/${segments.join('/')}`
    return { kind: 'refused', refusal: notFound(), path: plain }
  }
  const found = routes.get(method === 'HEAD' ? 'GET' : method)
  // Who asks with a secret is handed something once: a look without the answer would lose it.
  const route = method === 'HEAD' && found?.secretQuery === true ? undefined : found
  if (route === undefined) {
    const methods = [...routes].flatMap(([known, { secretQuery }]) =>
      known === 'GET' && !secretQuery ? [known, 'HEAD'] : known,
    )
    return { kind: 'refused', refusal: methodNotAllowed(methods), path: null }
  }
  const search = mark === -1 ? '' : url.slice(mark + 1)
  const { query, text } = canonicalQuery(search, route.queryNames)
  const address = `/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
  return { kind: 'route', route, address, query, search }
}

function decoded(path: string): string[] | null {
  try {
    const segments = segmentsOf(path).map(decodeURIComponent)
    // A parser of addresses climbs at these, so that another route would run than the one judged.
    return segments.some((segment) => segment === '.' || segment === '..') ? null : segments
  } catch {
    return null
  }
}

function canonicalQuery(search: string, names: readonly string[] | null) {
  const sent = new URLSearchParams(search)
  if (names === null) return { query: Object.fromEntries(sent), text: search }
  const kept = new URLSearchParams()
  for (const name of names) {
    const last = sent.getAll(name).at(-1)
    if (last !== undefined) kept.set(name, last)
  }
  return { query: Object.fromEntries(kept), text: kept.toString() }
}
