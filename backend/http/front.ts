import type { IncomingMessage, RequestListener } from 'node:http'
import type { Logger } from '../lib/logger.ts'
import { prefersEvents } from './accept.ts'
import { ALWAYS, answerOf, isWhole, lifeOf, refusalAnswer, ruleFor } from './answers.ts'
import { attachCaller } from './auth.ts'
import type { Authenticate, Caller, Credentials, Proof, Sender } from './auth.ts'
import type { ByteCache } from './byte-cache.ts'
import { clientAddress } from './client-address.ts'
import {
  countOf,
  preflightMethods,
  refusalAtDoor,
  refusalFrom,
  refusalOfCookieWrite,
} from './doors.ts'
import type { AllowList } from './doors.ts'
import { adminsOnly, internalError, payloadTooLarge, refusalOf } from './errors.ts'
import type { Refusal } from './errors.ts'
import { send, stream } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { attachPeer } from './peer.ts'
import { spentOn } from './asker.ts'
import type { NoteAnswer } from './answered-request.ts'
import { createGuesses } from './guesses.ts'
import { createRateCount } from './rate-count.ts'
import type { RateCountDeps } from './rate-count.ts'
import { addressKey } from './rate-limit.ts'
import { readBody, refusalOfBody } from './request-body.ts'
import { createRequestIds } from './request-id.ts'
import type { StaticPage } from './static-page.ts'
import { createTargets } from './targets.ts'
import type { Target } from './targets.ts'
import type { Route, RouteTable } from './route-table.ts'
import type { CacheRule } from './words.ts'

type RouteTarget = Extract<Target, { kind: 'route' }>

export interface FrontDeps extends RateCountDeps {
  /** The routes themselves; never throws, since failures are answered inside. */
  readonly handle: (request: Request) => Response | Promise<Response>
  readonly table: RouteTable
  readonly allowed: AllowList
  readonly authenticate: Authenticate
  readonly cache: ByteCache
  readonly logger: Logger
  /** The built page, served where no route is. */
  readonly page: StaticPage | null
  readonly apiVersion: string
  /** Hears of every answered request of somebody known; null where nobody keeps a record. */
  readonly noteAnswer: NoteAnswer | null
}

const EXPOSED =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-SVC-Cache, X-SVC-Block-Reason, X-SVC-Version, ETag, Last-Modified'
const PREFLIGHT: readonly string[] = [
  'Access-Control-Allow-Headers',
  'authorization, content-type, last-event-id, mcp-protocol-version, mcp-method, mcp-name',
  'Access-Control-Max-Age',
  '600',
]

/**
 * The listener in front of the routes. Order of checks: Host, Origin, body size, credentials, rate
 * limit; then ready bytes where the route keeps some, else the route itself, which checks syntax and
 * parameters. Compression, conditional requests, HEAD, CORS and the common headers live here, so a
 * route returns plain values.
 */
export function createFront(deps: FrontDeps): RequestListener {
  const { allowed, authenticate, cache, logger, noteAnswer, page, wallClock } = deps
  const count = createRateCount(deps)
  const targetOf = createTargets(deps.table)
  const guesses = createGuesses(deps.limiter, wallClock)
  const addressOf = (request: IncomingMessage): string =>
    addressKey(clientAddress(request, deps.trustedProxy))
  const nextId = createRequestIds()

  const respond = async (exchange: Exchange, target: RouteTarget, caller: Caller | null) => {
    const { route, address, query } = target
    const rule = route.method === 'GET' ? ruleFor(route.cache, query) : null
    const url = `http://${exchange.request.headers.host ?? 'localhost'}${address}`
    const document = rule?.streamsInsteadOf
    const isStream =
      document !== undefined && prefersEvents(exchange.request.headers.accept, document)
    if (rule === null || isStream || rule.isKept === false) {
      return direct(exchange, target, caller, url, isStream ? null : rule)
    }
    const key = keyOf(target, caller, rule.byAccept === true ? exchange.request : null)
    const answer = await cache.once(key, async () => {
      const request = new Request(url, { headers: forwarded(exchange.request) })
      attachCaller(request, caller)
      const answered = await deps.handle(request)
      exchange.spent = spentOn(request)
      const made = await answerOf(answered, rule, caller !== null)
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
    rule: CacheRule | null,
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
    attachPeer(request, addressOf(incoming))
    const answered = await deps.handle(request)
    exchange.spent = spentOn(request)
    const type = answered.headers.get('content-type') ?? ''
    if (answered.body !== null && type !== '' && !isWhole(type)) {
      return stream(exchange, answered, caller !== null)
    }
    send(exchange, await answerOf(answered, rule, caller !== null), null)
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
      headers.push('Access-Control-Allow-Methods', preflightMethods(request))
      response.writeHead(204, [...headers, ...ALWAYS, ...PREFLIGHT, 'Vary', 'Origin'])
      response.end()
      return
    }
    const target = targetOf(method, request.url ?? '/')
    const route = target.kind === 'route' ? target.route : null
    const word = provesFolder(request) ? 'program' : (route?.from ?? null)
    const from = refusalFrom(request, word, deps.trustedProxy)
    const early = from ?? refusalOfBody(request, route?.bodyLimit ?? 0)
    if (route !== null && early !== null) return send(exchange, refusalAnswer(early), null)
    if (target.kind === 'refused') return outside(exchange, target, method)

    try {
      const guess: Sender['guess'] = (check) => guesses.run(addressOf(request), check)
      const proof = authenticate(target.route.auth, credentialsOf(request, guess))
      if (!(proof instanceof Promise)) return admit(exchange, target, proof)
      return proof.then(
        (proven) => admit(exchange, target, proven),
        (error: unknown) => turnAway(exchange, target, error),
      )
    } catch (error) {
      turnAway(exchange, target, error)
    }
  }

  /** Nobody we know: counted by address before it is told so. */
  const turnAway = (exchange: Exchange, { route }: RouteTarget, error: unknown): void => {
    const { request, headers } = exchange
    const known = refusalOf(error)
    const refused = known === null ? null : inWordsOf(route, known)
    if (refused === null) {
      logger.error({ err: error, path: route.path }, 'credentials could not be checked')
    }
    const rateClass = route.rate === 'auth' ? 'auth' : 'general'
    const anonymous = { rateClass, request, caller: null, subject: null, path: route.path } as const
    const overLimit = count(anonymous, headers)
    send(exchange, refusalAnswer(overLimit ?? refused ?? internalError()), null)
  }

  const admit = (
    exchange: Exchange,
    target: RouteTarget,
    { caller, byCookie, setCookie, isBarred }: Proof,
  ): Promise<void> | void => {
    const { request, headers } = exchange
    const { route } = target
    // While a key was checked its sender may have left.
    if (exchange.response.destroyed) return
    if (setCookie !== null) headers.push('Set-Cookie', setCookie)
    const unsafe = byCookie ? refusalOfCookieWrite(request) : null
    if (unsafe !== null) return send(exchange, refusalAnswer(unsafe), null)
    if (caller !== null && noteAnswer !== null) {
      exchange.onAnswer = (status) => {
        const took = wallClock.monotonic() - exchange.arrivedAt
        noteAnswer({ caller, route, status, took, spent: exchange.spent })
      }
    }
    const { rate } = route
    const rateClass = typeof rate === 'string' ? rate : rate(target.query, caller !== null)
    const subject = route.subject?.(target.search) ?? null
    const overLimit = count({ rateClass, request, caller, subject, path: route.path }, headers)
    if (overLimit !== null) return send(exchange, refusalAnswer(overLimit), null)
    if (isBarred === true) {
      return send(exchange, refusalAnswer(inWordsOf(route, adminsOnly())), null)
    }
    const kept = route.cache === 'no-store' ? null : cache.get(keyOf(target, caller, request))
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
    const { request } = exchange
    const overLimit = count(
      {
        ...{ rateClass: 'general', request, caller: null, subject: null },
        path: path ?? pathIn(request.url ?? ''),
      },
      exchange.headers,
    )
    return send(exchange, refusalAnswer(overLimit ?? refusal), null)
  }

  return (request, response) => {
    const exchange: Exchange = {
      ...{ request, response, headers: [], onAnswer: null, spent: null },
      arrivedAt: noteAnswer === null ? 0 : wallClock.monotonic(),
    }
    const failed = (error: unknown) => {
      const path = pathIn(request.url ?? '')
      logger.error({ err: error, method: request.method, path }, 'request failed')
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

/** What a log may hold of an address: queries are what people ask. */
const pathIn = (url: string): string => url.split('?', 1)[0] ?? ''

const NO_HEADER: readonly string[] = []

/** Whether it sends the launch secret, which only programs of this machine can have read. */
const provesFolder = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined && /^launch /i.test(headers.authorization)

/** Node keeps the first of a repeated header; all of them are read out only where there are several. */
function credentialsOf(request: IncomingMessage, guess: Sender['guess']): Credentials {
  const { authorization, cookie } = request.headers
  if (authorization === undefined) return { authorization: NO_HEADER, cookie }
  const isAlone = countOf(request.rawHeaders, 'authorization') === 1
  const all = isAlone ? [authorization] : (request.headersDistinct['authorization'] ?? NO_HEADER)
  return { authorization: all, cookie, sender: { connection: request.socket, guess } }
}

/** A refusal of who asks in the words that its route has for it. */
function inWordsOf({ on401, reasons }: Route, refused: Refusal): Refusal {
  const { status, body } = refused
  const code = 'code' in body && typeof body.code === 'string' ? body.code : ''
  const reason = reasons?.[code]
  return {
    ...refused,
    body: {
      ...(reason !== undefined && { reason }),
      ...body,
      ...(status === 401 && on401 !== null && { error: on401 }),
    },
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
