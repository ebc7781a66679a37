import { RATE_LIMITS } from './rate-limit.ts'
import { paramsOf } from './query.ts'
import type { AuthWord, CacheWord, FromWord, RateWord, SubjectWord } from './words.ts'

/** A declared route as the front of the server and the OpenAPI document see it. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly auth: AuthWord
  /** Where calls may come from; null where that does not matter. */
  readonly from: FromWord | null
  readonly rate: RateWord
  readonly subject: SubjectWord | null
  readonly cache: CacheWord
  readonly bodyLimit: number
  /** What a 401 says here; null for the usual text. */
  readonly on401: string | null
  /** The `reason` that a refusal of who asks carries here, by its code. */
  readonly reasons: Readonly<Record<string, string>> | null
  /** The query holds a secret. */
  readonly secretQuery: boolean
  /** Names of the query parameters; null when the route reads its query itself. */
  readonly queryNames: readonly string[] | null
  readonly hooks: Readonly<Record<string, unknown>>
}

/** What Elysia tells of its routes. */
export interface DeclaredRoute {
  readonly method: string
  readonly path: string
  readonly hooks: unknown
}

export const BODY_LIMIT = 1_000_000

export function describeRoute({ method, path, hooks }: DeclaredRoute): Route {
  const words = (typeof hooks === 'object' && hooks !== null ? hooks : {}) as Readonly<
    Record<string, unknown>
  >
  const params = paramsOf(words['query'])
  const rate = words['rate']
  return {
    method,
    path,
    auth: (words['auth'] as AuthWord | undefined) ?? 'optional',
    from: (words['from'] as FromWord | undefined) ?? null,
    rate: isRateWord(rate) ? rate : 'general',
    subject: (words['subject'] as SubjectWord | undefined) ?? null,
    cache: (words['cache'] as CacheWord | undefined) ?? 'no-store',
    bodyLimit: typeof words['bodyLimit'] === 'number' ? words['bodyLimit'] : BODY_LIMIT,
    on401: typeof words['on401'] === 'string' ? words['on401'] : null,
    reasons: (words['reasons'] as Readonly<Record<string, string>> | undefined) ?? null,
    secretQuery: words['secretQuery'] === true,
    queryNames: params === null ? null : Object.keys(params),
    hooks: words,
  }
}

const isRateWord = (word: unknown): word is RateWord =>
  typeof word === 'function' ||
  (typeof word === 'string' && (word === 'off' || Object.hasOwn(RATE_LIMITS, word)))

interface Node {
  readonly literal: Map<string, Node>
  param: Node | null
  rest: Map<string, Route> | null
  readonly routes: Map<string, Route>
}
const emptyNode = (): Node => ({ literal: new Map(), param: null, rest: null, routes: new Map() })

export interface RouteTable {
  /** Routes by method of the path with these decoded segments; null when no route has it. */
  find(segments: readonly string[]): ReadonlyMap<string, Route> | null
}

/** Indexes routes by path: a literal segment goes before a parameter, that before the rest. */
export function createRouteTable(declared: readonly DeclaredRoute[]): RouteTable {
  const root = emptyNode()
  for (const route of declared.map(describeRoute)) {
    let node = root
    let open = true
    for (const segment of segmentsOf(route.path)) {
      if (segment === '*') {
        node.rest ??= new Map()
        node.rest.set(route.method, route)
        open = false
        break
      }
      if (segment.startsWith(':')) {
        if (segment.endsWith('?')) node.routes.set(route.method, route)
        node.param ??= emptyNode()
        node = node.param
      } else {
        const next = node.literal.get(segment) ?? emptyNode()
        node.literal.set(segment, next)
        node = next
      }
    }
    if (open) node.routes.set(route.method, route)
  }
  const walk = (
    node: Node,
    segments: readonly string[],
    at: number,
  ): ReadonlyMap<string, Route> | null => {
    const segment = segments[at]
    if (segment === undefined) return node.routes.size > 0 ? node.routes : node.rest
    const next = node.literal.get(segment)
    const found = next === undefined ? null : walk(next, segments, at + 1)
    if (found !== null) return found
    const byParam =
      node.param === null || segment === '' ? null : walk(node.param, segments, at + 1)
    return byParam ?? node.rest
  }
  return { find: (segments) => walk(root, segments, 0) }
}

/** Segments of a path; one trailing slash is tolerated. */
export function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '')
  return inner === '' ? [] : inner.split('/')
}
