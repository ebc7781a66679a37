import type { IncomingMessage, RequestListener } from 'node:http'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { prefersEvents } from './request/accept.ts'
import { ALWAYS, answerOf, isWhole, lifeOf, refusalAnswer, ruleFor } from './answers.ts'
import { attachCaller } from './auth/auth.ts'
import type { Authenticate, Caller, Credentials, AuthResult, Sender } from './auth/auth.ts'
import type { ByteCache } from './cache/byte-cache.ts'
import { clientAddress } from './limits/client-address.ts'
import { countedCaller, hasCredentials } from './limits/counted-caller.ts'
import type { CredentialAttempts } from './limits/credential-attempts.ts'
import {
  countOf,
  preflightMethods,
  refusalOfHostOrOrigin,
  refusalOfSource,
  refusalOfCookieWrite,
} from './auth/origin-guard.ts'
import type { AllowList } from './auth/origin-guard.ts'
import { adminsOnly, internalError, payloadTooLarge, refusalOf } from './errors.ts'
import type { Refusal } from './errors.ts'
import { send, stream } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { attachPeer } from './limits/peer.ts'
import { modelSpendOf } from './auth/requester.ts'
import type { AnswerListener } from './answered-request.ts'
import type { CountedRequest, CountRequest } from './limits/rate-count.ts'
import { addressKey } from './limits/rate-limit.ts'
import { readBody, refusalOfBody } from './request/request-body.ts'
import { createRequestIds } from './request/request-id.ts'
import type { StaticPage } from './static-page.ts'
import { createTargets } from './routes/targets.ts'
import type { Target } from './routes/targets.ts'
import type { Route, RouteTable } from './routes/route-table.ts'
import type { CacheRule } from './routes/route-policies.ts'

type RouteTarget = Extract<Target, { kind: 'route' }>

export interface FrontDeps {
  readonly count: CountRequest
  readonly attempts: CredentialAttempts
  /** Address of the proxy whose `X-Forwarded-For` is trusted; null for none. */
  readonly trustedProxy: string | null
  /** Wall time. */
  readonly wallClock: Clock
  /** Runs the routes. Never throws, since errors are mapped inside. */
  readonly handle: (request: Request) => Response | Promise<Response>
  readonly table: RouteTable
  readonly allowed: AllowList
  readonly authenticate: Authenticate
  readonly cache: ByteCache
  readonly logger: Logger
  /** The built page, served for paths without a route. */
  readonly page: StaticPage | null
  readonly apiVersion: string
  /** Called after every response to an identified caller; null if no record is kept. */
  readonly onAnswer: AnswerListener | null
}

const EXPOSED_HEADERS =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-SVC-Cache, X-SVC-Block-Reason, X-SVC-Version, ETag, Last-Modified'
const PREFLIGHT: readonly string[] = [
  'Access-Control-Allow-Headers',
  'authorization, content-type, last-event-id, mcp-protocol-version, mcp-method, mcp-name',
  'Access-Control-Max-Age',
  '600',
]

/**
 * Creates the request listener in front of the routes. Order of checks: Host, Origin, body size,
 * credentials, rate limit; then cached bytes, else the route, which checks syntax and parameters.
 * Compression, conditional requests, HEAD, CORS and the common headers are handled here, so routes
 * return plain values.
 */
export function createFront(deps: FrontDeps): RequestListener {
  const { allowed, attempts, authenticate, cache, count, logger, onAnswer, page, wallClock } = deps
  const targetOf = createTargets(deps.table)
  const keyOfClient = (request: IncomingMessage): string =>
    addressKey(clientAddress(request, deps.trustedProxy))
  const credentialsFrom = (request: IncomingMessage): Credentials =>
    credentialsOf(request, attempts.senderOf(request))
  const nextId = createRequestIds()

  const respond = async (exchange: Exchange, target: RouteTarget, caller: Caller | null) => {
    const { route, address, query } = target
    const rule = route.method === 'GET' ? ruleFor(route.cache, query) : null
    const url = `http://${exchange.request.headers.host ?? 'localhost'}${address}`
    const document = rule?.streamsInsteadOf
    const isStream =
      document !== undefined && prefersEvents(exchange.request.headers.accept, document)
    const isCacheable = rule?.cached !== false && (rule?.cached !== 'anonymous' || caller === null)
    if (rule === null || isStream || !isCacheable) {
      return direct(exchange, target, caller, url, isStream ? null : rule)
    }
    const key = keyOf(target, caller, rule.byAccept === true ? exchange.request : null)
    const make = async () => {
      const request = new Request(url, { headers: forwardedHeaders(exchange.request) })
      attachCaller(request, caller)
      const answer = await deps.handle(request)
      exchange.spent = modelSpendOf(request)
      return answerOf(answer, rule, caller !== null)
    }
    const answer = await cache.once(key, make, ({ status }) => (status === 200 ? lifeOf(rule) : 0))
    send(exchange, answer, 'miss')
  }

  const direct = async (
    exchange: Exchange,
    { route }: RouteTarget,
    caller: Caller | null,
    url: string,
    rule: CacheRule | null,
  ) => {
    const { request: incoming, response } = exchange
    const disconnection = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) disconnection.abort()
    })
    const init: RequestInit = {
      method: route.method,
      headers: forwardedHeaders(incoming),
      signal: disconnection.signal,
    }
    if (route.method !== 'GET') {
      const body = await readBody(incoming, response, route.bodyLimit)
      if (body === null) return send(exchange, refusalAnswer(payloadTooLarge()), null)
      if (body.length > 0) init.body = new Uint8Array(body)
      init.headers = headersForBody(forwardedHeaders(incoming), body)
    }
    const request = new Request(url, init)
    attachCaller(request, caller)
    attachPeer(request, keyOfClient(incoming))
    const answer = await deps.handle(request)
    exchange.spent = modelSpendOf(request)
    const type = answer.headers.get('content-type') ?? ''
    if (answer.body !== null && type !== '' && !isWhole(type)) {
      return stream(exchange, answer, caller !== null)
    }
    send(exchange, await answerOf(answer, rule, caller !== null), null)
  }

  const serve = (exchange: Exchange): Promise<void> | void => {
    const { request, response, headers } = exchange
    headers.push('X-Request-Id', nextId(), 'X-SVC-Version', deps.apiVersion)
    const refusedOrigin = refusalOfHostOrOrigin(request, allowed)
    if (refusedOrigin !== null) return send(exchange, refusalAnswer(refusedOrigin), null)
    const { origin } = request.headers
    if (origin !== undefined) {
      headers.push(
        'Access-Control-Allow-Origin',
        origin,
        'Access-Control-Expose-Headers',
        EXPOSED_HEADERS,
      )
      headers.push('Access-Control-Allow-Credentials', 'true')
    }
    const method = request.method ?? 'GET'
    if (method === 'OPTIONS') {
      headers.push('Access-Control-Allow-Methods', preflightMethods(request))
      response.writeHead(204, [...headers, ...ALWAYS, ...PREFLIGHT, 'Vary', 'Origin'])
      response.end()
      return
    }
    const target = targetOf(method, request.url ?? '/')
    const route = target.kind === 'route' ? target.route : null
    const policy = sendsLaunchSecret(request) ? 'program' : (route?.from ?? null)
    const from = refusalOfSource(request, policy, deps.trustedProxy)
    const earlyRefusal = from ?? refusalOfBody(request, route?.bodyLimit ?? 0)
    if (route !== null && earlyRefusal !== null)
      return send(exchange, refusalAnswer(earlyRefusal), null)
    if (target.kind === 'refused') return serveUnrouted(exchange, target, method)

    try {
      const proof = authenticate(target.route.auth, credentialsFrom(request))
      if (!(proof instanceof Promise)) return admit(exchange, target, proof)
      return proof.then(
        (proven) => admit(exchange, target, proven),
        (error: unknown) => refuseCaller(exchange, target, error),
      )
    } catch (error) {
      refuseCaller(exchange, target, error)
    }
  }

  /** Invalid credentials: the request is counted by address before it is refused. */
  const refuseCaller = (exchange: Exchange, { route }: RouteTarget, error: unknown): void => {
    const { request, headers } = exchange
    const refusal = refusalOf(error)
    const textRefusal = refusal === null ? null : withRouteTexts(route, refusal)
    if (textRefusal === null) {
      logger.error({ err: error, path: route.path }, 'credentials could not be checked')
    }
    const rateClass = route.rate === 'auth' ? 'auth' : 'general'
    const anonymous = { rateClass, request, caller: null, subject: null, path: route.path } as const
    const limitRefusal = count(anonymous, headers)
    send(exchange, refusalAnswer(limitRefusal ?? textRefusal ?? internalError()), null)
  }

  const admit = (
    exchange: Exchange,
    target: RouteTarget,
    { caller, byCookie, setCookie, isForbidden }: AuthResult,
  ): Promise<void> | void => {
    const { request, headers } = exchange
    const { route } = target
    // The client may have disconnected while its key was being checked.
    if (exchange.response.destroyed) return
    if (setCookie !== null) headers.push('Set-Cookie', setCookie)
    const unsafe = byCookie ? refusalOfCookieWrite(request) : null
    if (unsafe !== null) return send(exchange, refusalAnswer(unsafe), null)
    if (caller !== null && onAnswer !== null) {
      exchange.onAnswer = (status) => {
        const elapsedMs = wallClock.monotonic() - exchange.arrivedAt
        onAnswer({ caller, route, status, elapsedMs, spent: exchange.spent })
      }
    }
    const { rate } = route
    const rateClass = typeof rate === 'string' ? rate : rate(target.query, caller !== null)
    const subject = route.subject?.(target.search) ?? null
    const answerCounted = (counted: Caller | null): Promise<void> | void => {
      const countedRequest = { rateClass, request, caller: counted, subject, path: route.path }
      const limitRefusal = count(countedRequest, headers)
      if (limitRefusal !== null) return send(exchange, refusalAnswer(limitRefusal), null)
      if (isForbidden === true) {
        return send(exchange, refusalAnswer(withRouteTexts(route, adminsOnly())), null)
      }
      const cachedAnswer =
        route.cache === 'no-store' ? null : cache.get(keyOf(target, caller, request))
      if (cachedAnswer !== null) return send(exchange, cachedAnswer, 'hit')
      return respond(exchange, target, caller)
    }
    const isUnread = route.auth === 'none' && rateClass === 'general'
    if (!isUnread || !hasCredentials(request)) return answerCounted(caller)
    return countedCaller(authenticate, credentialsFrom(request)).then(answerCounted)
  }

  const serveUnrouted = async (
    exchange: Exchange,
    { refusal, path }: Extract<Target, { kind: 'refused' }>,
    method: string,
  ) => {
    const isRead = method === 'GET' || method === 'HEAD'
    const file = page !== null && isRead && path !== null ? await page(path) : null
    const { request } = exchange
    const isIdentified = file === null && hasCredentials(request)
    const countedRequest: CountedRequest = {
      rateClass: file === null ? 'general' : 'page',
      request,
      caller: isIdentified ? await countedCaller(authenticate, credentialsFrom(request)) : null,
      subject: null,
      path: path ?? pathIn(request.url ?? ''),
    }
    const limitRefusal = count(countedRequest, exchange.headers)
    if (limitRefusal !== null) return send(exchange, refusalAnswer(limitRefusal), null)
    return send(exchange, file ?? refusalAnswer(refusal), null)
  }

  return (request, response) => {
    const exchange: Exchange = {
      request,
      response,
      headers: [],
      onAnswer: null,
      spent: null,
      arrivedAt: onAnswer === null ? 0 : wallClock.monotonic(),
    }
    const logFailure = (error: unknown) => {
      const path = pathIn(request.url ?? '')
      logger.error({ err: error, method: request.method, path }, 'request failed')
      if (response.headersSent) response.destroy()
      else send(exchange, refusalAnswer(internalError()), null)
    }
    try {
      serve(exchange)?.catch(logFailure)
    } catch (error) {
      logFailure(error)
    }
  }
}

/** The part of an address that may be logged. Queries are left out because they are private. */
const pathIn = (url: string): string => url.split('?', 1)[0] ?? ''

const NO_HEADER: readonly string[] = []

/** Whether a request sends the launch secret, which only programs on this machine can read. */
const sendsLaunchSecret = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined && /^launch /i.test(headers.authorization)

/**
 * Node keeps only the first of repeated headers; the full list is read only when there are
 * several.
 */
function credentialsOf(request: IncomingMessage, sender: Sender): Credentials {
  const { authorization, cookie } = request.headers
  if (authorization === undefined) return { authorization: NO_HEADER, cookie }
  const isSingle = countOf(request.rawHeaders, 'authorization') === 1
  const all = isSingle ? [authorization] : (request.headersDistinct['authorization'] ?? NO_HEADER)
  return { authorization: all, cookie, sender }
}

/** Adds the route's own texts and reasons to a refusal of the caller. */
function withRouteTexts({ on401, reasons }: Route, refusal: Refusal): Refusal {
  const { status, body } = refusal
  const code = 'code' in body && typeof body.code === 'string' ? body.code : ''
  const reason = reasons?.[code]
  return {
    ...refusal,
    body: {
      ...(reason !== undefined && { reason }),
      ...body,
      ...(status === 401 && on401 !== null && { error: on401 }),
    },
  }
}

/** Cache key of an answer; `request` is required if the form may depend on `Accept`. */
function keyOf(
  target: RouteTarget,
  caller: Caller | null,
  request: IncomingMessage | null,
): string {
  const reader = caller === null ? '' : ` ${caller.id}`
  const policy = target.route.cache
  const byAccept = typeof policy === 'object' && policy.byAccept === true
  return `${target.address}${reader}${byAccept ? ` ${request?.headers.accept ?? ''}` : ''}`
}

function forwardedHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

/** Normalizes the type of a body: every body is JSON, an empty one has no type. */
function headersForBody(headers: Record<string, string>, body: Buffer): Record<string, string> {
  const { 'content-type': _type, 'content-length': _length, ...rest } = headers
  return body.length > 0 ? { ...rest, 'content-type': 'application/json' } : rest
}
