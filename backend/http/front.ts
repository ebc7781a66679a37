import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../lib/clock.ts'
import { RateLimited } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import {
  ALWAYS,
  answerOf,
  bodyFor,
  cacheControlOf,
  isWhole,
  lifeOf,
  matches,
  refusalAnswer,
  ruleFor,
} from './answers.ts'
import { attachCaller } from './auth.ts'
import type { Authenticate, Caller } from './auth.ts'
import type { ByteCache, CachedAnswer } from './byte-cache.ts'
import { clientAddress } from './client-address.ts'
import { refusalAtDoor } from './doors.ts'
import type { AllowList } from './doors.ts'
import { internalError, payloadTooLarge, refusalOf } from './errors.ts'
import type { Refusal } from './errors.ts'
import { addressKey, RATE_LIMITS } from './rate-limit.ts'
import type { RateClass, RateDecision, RateLimiter } from './rate-limit.ts'
import { readBody, refusalOfBody } from './request-body.ts'
import { createRequestIds } from './request-id.ts'
import type { StaticPage } from './static-page.ts'
import { createTargets } from './targets.ts'
import type { Target } from './targets.ts'
import type { RouteTable } from './route-table.ts'

type RouteTarget = Extract<Target, { kind: 'route' }>

export interface FrontDeps {
  /** The routes themselves; never throws, since failures are answered inside. */
  readonly handle: (request: Request) => Response | Promise<Response>
  readonly table: RouteTable
  readonly allowed: AllowList
  readonly authenticate: Authenticate
  readonly limiter: RateLimiter
  /** Requests a minute of the general class for everyone; null keeps the table, `off` counts none. */
  readonly fairUse: number | 'off' | null
  /** Peer whose `X-Forwarded-For` is believed. */
  readonly trustedProxy: string | null
  readonly cache: ByteCache
  readonly wallClock: Clock
  readonly logger: Logger
  /** The built page, served where no route is. */
  readonly page: StaticPage | null
  readonly apiVersion: string
}

const EXPOSED =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-SVC-Cache, X-SVC-Block-Reason, X-SVC-Version, ETag, Last-Modified'
const PREFLIGHT: readonly string[] = [
  'Access-Control-Allow-Methods',
  'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers',
  'authorization, content-type, last-event-id, mcp-protocol-version, mcp-method, mcp-name',
  'Access-Control-Max-Age',
  '600',
]

/** One request on its way through the front, with the headers collected for its answer. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: string[]
}

/**
 * The listener in front of the routes. Order of checks: Host, Origin, body size, credentials, rate
 * limit; then ready bytes where the route keeps some, else the route itself, which checks syntax and
 * parameters. Compression, conditional requests, HEAD, CORS and the common headers live here, so a
 * route returns plain values.
 */
export function createFront(deps: FrontDeps): RequestListener {
  const { allowed, authenticate, cache, limiter, logger, page } = deps
  const targetOf = createTargets(deps.table)
  const nextId = createRequestIds()

  const count = (
    rateClass: RateClass,
    caller: Caller | null,
    request: IncomingMessage,
    headers: string[],
  ): Refusal | null => {
    if (rateClass === 'off') return null
    const general = rateClass === 'general' ? deps.fairUse : null
    if (general === 'off') return null
    const limit = general ?? RATE_LIMITS[rateClass][caller === null ? 'anonymous' : 'known']
    const key = caller === null ? addressKey(clientAddress(request, deps.trustedProxy)) : caller.id
    const decision = limiter.take(rateClass, key, limit)
    headers.push(...rateHeaders(decision, deps.wallClock))
    if (decision.allowed) return null
    const wait = Math.min(60, Math.max(1, Math.ceil(decision.resetIn / 1_000)))
    return refusalOf(new RateLimited(wait))
  }

  const respond = async (exchange: Exchange, target: RouteTarget, caller: Caller | null) => {
    const { route, address, query } = target
    const rule = route.method === 'GET' ? ruleFor(route.cache, query) : null
    const url = `http://${exchange.request.headers.host ?? 'localhost'}${address}`
    if (rule === null) return direct(exchange, target, caller, url)
    const key = keyOf(target, caller, rule.byAccept === true ? exchange.request : null)
    const answer = await cache.once(key, async () => {
      const request = new Request(url, { headers: forwarded(exchange.request) })
      attachCaller(request, caller)
      const made = await answerOf(await deps.handle(request), rule, caller !== null)
      if (made.status === 200) cache.put(key, made, lifeOf(rule))
      return made
    })
    send(exchange, answer, 'miss')
  }

  const direct = async (
    exchange: Exchange,
    { route }: RouteTarget,
    caller: Caller | null,
    url: string,
  ) => {
    const { request: incoming, response } = exchange
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    const init: RequestInit = {
      method: route.method,
      headers: forwarded(incoming),
      signal: gone.signal,
    }
    if (route.method !== 'GET') {
      const body = await readBody(incoming, response, route.bodyLimit)
      if (body === null) return send(exchange, refusalAnswer(payloadTooLarge()), null)
      if (body.length > 0) init.body = new Uint8Array(body)
      init.headers = headersForBody(forwarded(incoming), body)
    }
    const request = new Request(url, init)
    attachCaller(request, caller)
    const answered = await deps.handle(request)
    const type = answered.headers.get('content-type') ?? ''
    if (answered.body !== null && type !== '' && !isWhole(type)) {
      return stream(exchange, answered, caller !== null)
    }
    send(exchange, await answerOf(answered, null, caller !== null), null)
  }

  const serve = (exchange: Exchange): Promise<void> | void => {
    const { request, response, headers } = exchange
    headers.push('X-Request-Id', nextId(), 'X-SVC-Version', deps.apiVersion)
    const atDoor = refusalAtDoor(request, allowed)
    if (atDoor !== null) return send(exchange, refusalAnswer(atDoor), null)
    const { origin } = request.headers
    if (origin !== undefined) {
      headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED)
      headers.push('Access-Control-Allow-Credentials', 'true')
    }
    const method = request.method ?? 'GET'
    if (method === 'OPTIONS') {
      response.writeHead(204, [...headers, ...ALWAYS, ...PREFLIGHT, 'Vary', 'Origin'])
      response.end()
      return
    }
    const target = targetOf(method, request.url ?? '/')
    const route = target.kind === 'route' ? target.route : null
    const tooMuch = refusalOfBody(request, route?.bodyLimit ?? 0)
    if (route !== null && tooMuch !== null) return send(exchange, refusalAnswer(tooMuch), null)
    if (target.kind === 'refused') return outside(exchange, target, method)

    let caller: Caller | null
    try {
      caller = authenticate(target.route.auth, request.headersDistinct['authorization'] ?? [])
    } catch (error) {
      const refused = refusalOf(error) ?? internalError()
      const overLimit = count('general', null, request, headers)
      return send(exchange, refusalAnswer(overLimit ?? refused), null)
    }
    const overLimit = count(target.route.rate, caller, request, headers)
    if (overLimit !== null) return send(exchange, refusalAnswer(overLimit), null)
    const kept =
      target.route.cache === 'no-store' ? null : cache.get(keyOf(target, caller, request))
    if (kept !== null) return send(exchange, kept, 'hit')
    return respond(exchange, target, caller)
  }

  const outside = async (
    exchange: Exchange,
    { refusal, path }: Extract<Target, { kind: 'refused' }>,
    method: string,
  ) => {
    const isRead = method === 'GET' || method === 'HEAD'
    const file = page !== null && isRead && path !== null ? await page(path) : null
    if (file !== null) return send(exchange, file, null)
    const overLimit = count('general', null, exchange.request, exchange.headers)
    return send(exchange, refusalAnswer(overLimit ?? refusal), null)
  }

  return (request, response) => {
    const exchange: Exchange = { request, response, headers: [] }
    const failed = (error: unknown) => {
      logger.error({ err: error, method: request.method, url: request.url }, 'request failed')
      if (response.headersSent) response.destroy()
      else send(exchange, refusalAnswer(internalError()), null)
    }
    try {
      serve(exchange)?.catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}

/** Key of the bytes of an answer; `request` is given where the form may depend on `Accept`. */
function keyOf(
  target: RouteTarget,
  caller: Caller | null,
  request: IncomingMessage | null,
): string {
  const reader = caller === null ? '' : ` ${caller.id}`
  const word = target.route.cache
  const byAccept = typeof word === 'object' && word.byAccept === true
  return `${target.address}${reader}${byAccept ? ` ${request?.headers.accept ?? ''}` : ''}`
}

function rateHeaders(decision: RateDecision, clock: Clock): string[] {
  const resetAt = Math.ceil((clock.now() + decision.resetIn) / 1_000)
  return [
    'X-RateLimit-Limit',
    String(decision.limit),
    'X-RateLimit-Remaining',
    String(decision.remaining),
    'X-RateLimit-Reset',
    String(resetAt),
  ]
}

function forwarded(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

/** A body is JSON, in whatever spelling its sender said so; an empty one is of no type. */
function headersForBody(headers: Record<string, string>, body: Buffer): Record<string, string> {
  const { 'content-type': _type, 'content-length': _length, ...rest } = headers
  return body.length > 0 ? { ...rest, 'content-type': 'application/json' } : rest
}

function send(exchange: Exchange, answer: CachedAnswer, cached: 'hit' | 'miss' | null): void {
  const { request, response, headers } = exchange
  if (response.destroyed) return
  if (cached !== null) headers.push('X-SVC-Cache', cached)
  if (matches(request.headers['if-none-match'], answer.etag)) {
    response.writeHead(304, [...answer.headers, ...headers])
    response.end()
    return
  }
  const chosen = bodyFor(answer, request.headers['accept-encoding'])
  if (chosen instanceof Promise) {
    chosen.then(
      ({ body, coding }) => write(exchange, answer, body, coding),
      () => write(exchange, answer, answer.plain, null),
    )
  } else write(exchange, answer, chosen.body, chosen.coding)
}

function write(
  exchange: Exchange,
  answer: CachedAnswer,
  body: Buffer,
  coding: string | null,
): void {
  const { request, response, headers } = exchange
  if (response.destroyed) return
  headers.push('Content-Length', String(body.length))
  if (coding !== null) headers.push('Content-Encoding', coding)
  response.writeHead(answer.status, [...answer.headers, ...headers])
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Passes a body on as it is made; a reader who leaves ends it. */
async function stream(exchange: Exchange, answered: Response, hasCaller: boolean): Promise<void> {
  const { request, response, headers } = exchange
  const own = [...answered.headers].flat()
  const control = answered.headers.has('cache-control')
    ? []
    : ['Cache-Control', cacheControlOf(null, hasCaller)]
  response.writeHead(answered.status, [...ALWAYS, ...control, ...own, ...headers])
  if (request.method === 'HEAD' || answered.body === null) {
    await answered.body?.cancel()
    response.end()
    return
  }
  await pipeline(Readable.fromWeb(answered.body), response).catch(() => response.destroy())
}
