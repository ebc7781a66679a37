import { createRouteTable } from '../http/routes/route-table.ts'
import type { Route } from '../http/routes/route-table.ts'
import type { WholeService } from './whole-service.ts'

/** A link of a response: its method and its body. */
export interface Link {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body: object | null
  /** Path and query of the answer that holds it. */
  readonly from: string
}

/** An answer with the path that was requested. */
export interface Crawled {
  readonly path: string
  readonly status: number
  readonly text: string
  readonly depth: number
}

type Json = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Addresses in a text: absolute ones of the service, and paths of its API. */
const ADDRESS = /(?:https?:\/\/[^\s"'`<>)\]]+|(?<![\w./{}])\/(?:api|v1|markets)\/[^\s"'`<>)\]]*)/g

/** Strings of a value with the objects that hold them. */
function* textsOf(value: unknown, holder: Json | null = null): Generator<[string, Json | null]> {
  if (typeof value === 'string') yield [value, holder]
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one, holder)
  else if (isRecord(value)) for (const one of Object.values(value)) yield* textsOf(one, value)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The links of an answer that lead to the service itself, each once, in order of appearance. */
export function linksOf({ path, text }: Pick<Crawled, 'path' | 'text'>, base: string): Link[] {
  const found = new Map<string, Link>()
  for (const [string, holder] of textsOf(parsed(text))) {
    const plain = string.replaceAll('&amp;', '&')
    for (const { 0: matched, index } of plain.matchAll(ADDRESS)) {
      const address = matched.replace(/[.,;:]+$/, '')
      if (!address.startsWith('/') && !address.startsWith(base)) continue
      const isAction = holder?.['url'] === string && typeof holder['method'] === 'string'
      const [, written = 'GET'] = /\b(POST|PUT|PATCH|DELETE) $/.exec(plain.slice(0, index)) ?? []
      const method = isAction ? String(holder['method']) : written
      const target = address.startsWith('/') ? address : address.slice(base.length) || '/'
      const body = isAction && isRecord(holder['body']) ? holder['body'] : null
      const link = { method, path: target.replace(/#.*$/, ''), body, from: path }
      const key = `${method} ${link.path}`
      if (!found.has(key)) found.set(key, link)
    }
  }
  return [...found.values()]
}

/** Names of tools in an answer: in fields of that name, and after "Call" in a text. */
export function toolsIn(text: string): string[] {
  const named = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(named)
    if (!isRecord(value)) return []
    return Object.entries(value).flatMap(([name, one]) => {
      if (/^tools?(?:Used)?$/.test(name))
        return [one].flat().filter((tool) => typeof tool === 'string')
      return named(one)
    })
  }
  const called = [...text.matchAll(/\bCall ([a-z]+\.[a-zA-Z]+)/g)].map(([, name]) => name ?? '')
  return [...new Set([...named(parsed(text)), ...called])]
}

/** Parameters whose values make another form of an answer. */
const FORMS = new Set(['op', 'format', 'window', 'intent', 'tf', 'timeframe', 'sort', 'kind'])

/** Finds the route of a request among those of a service. */
export function routeFinder(routes: readonly Route[]) {
  const table = createRouteTable(routes)
  return ({ method, path }: Pick<Link, 'method' | 'path'>): Route | null => {
    const { pathname } = new URL(path, 'http://service')
    const decoded = pathname.split('/').map((part) => encodeURIComponent(decodeURIComponent(part)))
    return table.find(method, decoded.join('/'))
  }
}

/** The route of a link and the names of its parameters: links of one shape are alike. */
export function shapeOf(link: Pick<Link, 'method' | 'path'>, route: Route | null): string {
  const url = new URL(link.path, 'http://service')
  const query = [...url.searchParams].map(([name, value]) =>
    FORMS.has(name) ? `${name}=${value}` : name,
  )
  return `${link.method} ${route?.path ?? url.pathname} ${query.sort().join('&')}`
}

/** Headers that a route admits: the owner's session, or the launch secret where only it counts. */
const headersFor = ({ owner, secret }: WholeService, route: Route | null) =>
  route?.auth === 'owner' ? { authorization: `Launch ${secret}` } : { cookie: owner.cookie }

/** Sends one GET of the owner; every eighth opens a new window of the rate limits. */
function createReader(service: WholeService) {
  let sent = 0
  return async (path: string, route: Route | null, depth: number): Promise<Crawled> => {
    sent += 1
    if (sent % 8 === 0) service.nextMinute()
    const { status, text } = await service.ask(path, { headers: headersFor(service, route) })
    return { path, status, text, depth }
  }
}

/**
 * Answers of the seeds and of their links, two levels deep, in a fixed order.
 * @param options.most links followed of one shape
 * @param options.isFollowed whether the links of an answer count
 */
export async function crawl(
  service: WholeService,
  seeds: readonly string[],
  options: {
    readonly base: string
    readonly max: number
    readonly depth: number
    readonly isFollowed: (answer: Crawled) => boolean
  },
): Promise<{ readonly answers: readonly Crawled[]; readonly links: readonly Link[] }> {
  const { base, max, depth, isFollowed } = options
  const find = routeFinder(service.routes)
  const read = createReader(service)
  const seen = new Set<string>()
  const visits = new Map<string, number>()
  const answers: Crawled[] = []
  const links: Link[] = []
  let level = seeds.map((path): Link => ({ method: 'GET', path, body: null, from: 'seed' }))
  for (let reached = 0; reached <= depth; reached += 1) {
    const found: Link[] = []
    for (const link of level) {
      const shape = shapeOf(link, find(link))
      const count = visits.get(shape) ?? 0
      if (seen.has(link.path) || (reached > 0 && count >= max)) continue
      seen.add(link.path)
      visits.set(shape, count + 1)
      const answer = await read(link.path, find(link), reached)
      answers.push(answer)
      if (isFollowed(answer)) found.push(...linksOf(answer, base))
    }
    links.push(...found)
    level = found.filter(({ method }) => method === 'GET')
  }
  return { answers, links }
}
