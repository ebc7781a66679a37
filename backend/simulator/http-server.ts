import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Venue } from '../domain/market.ts'
import type { Clock } from '../lib/clock.ts'
import { control } from './faults/control.ts'
import type { Fault } from './faults/fault.ts'
import { REQUEST_KINDS } from './faults/fault.ts'
import type { Faults } from './faults/faults.ts'
import { answerWith } from './faults/faulty-answer.ts'
import type { VenueIncidents } from './faults/venue-life.ts'
import { timesInZone } from './faults/zoned-times.ts'
import type { Reply } from './reply.ts'

/** The parsed request that a handler receives. */
export interface Call {
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly body: unknown
  /** The signed part of a request; the path has no query, the text is the body as sent. */
  readonly request: SentRequest
  readonly now: number
  /** Whether the venue trades; false during a pause of all its markets. */
  readonly isTradingTime: boolean
}
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}
/** Paths as patterns: a segment `:x` matches any text, which is appended to `params`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly answer: (call: Call) => Reply
}

/** The routes of one host of a venue, and its error format. */
export interface HostOptions {
  readonly venue: Venue
  readonly clock: Clock
  readonly faults: Faults
  readonly life: VenueIncidents
  readonly routes: readonly Route[]
  readonly notFound: Reply
  readonly tooMany: Reply
  readonly badBody: Reply
  /** Responses of paths under `/control/` that do not concern faults. */
  readonly inspect: (path: string, query: URLSearchParams, body: unknown) => Reply | null
}

const BODY_LIMIT = 1_000_000

/** One host of a venue on loopback; port 0 selects a free one. */
export async function startHost(
  options: HostOptions,
  port: number,
): Promise<{ server: Server; port: number }> {
  const find = routerOf(options.routes)
  const server = createServer((request, response) => {
    respond(request, response, options, find).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return { server, port: (server.address() as AddressInfo).port }
}

type Find = (method: string, path: string) => { route: Route; params: string[] } | null

function routerOf(routes: readonly Route[]): Find {
  const splitRoutes = routes.map((route) => ({ route, parts: route.path.split('/') }))
  return (method, path) => {
    const parts = path.split('/')
    for (const candidate of splitRoutes) {
      if (candidate.route.method !== method || candidate.parts.length !== parts.length) continue
      const params: string[] = []
      const fits = candidate.parts.every((part, i) => {
        if (!part.startsWith(':')) return part === parts[i]
        params.push(decodeURIComponent(parts[i] ?? ''))
        return true
      })
      if (fits) return { route: candidate.route, params }
    }
    return null
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: HostOptions,
  find: Find,
): Promise<void> {
  const { venue, clock, faults, life } = options
  const method = request.method ?? ''
  const url = new URL(request.url ?? '/', 'http://loopback')
  const text = method === 'GET' ? '' : await readText(request)
  const body = text === '' ? undefined : parseJson(text)
  life.advance(clock.now())
  if (url.pathname.startsWith('/control/')) {
    const inspection = options.inspect(url.pathname, url.searchParams, body)
    const reply = inspection ?? control(method, url.pathname, body, faults)
    life.advance(clock.now())
    return send(response, options, reply)
  }
  faults.countRequest(venue)
  const { headers } = request
  const receivedParts = { method, path: url.pathname, headers, text: text ?? '' }
  const answer = (): Reply => answerTo(receivedParts, url, body, options, find)
  shortenPage(url, method, options)
  const line = `${method} ${decodeURIComponent(url.pathname)}${url.search}`
  const requestText = `${line} ${body === undefined ? '' : JSON.stringify(body)}`
  const active = faults.firstActive(venue, REQUEST_KINDS, (fault) =>
    appliesTo(fault, line, requestText),
  )
  const receivedRequest = {
    request,
    response,
    line,
    clock,
    answer,
    query: url.searchParams,
    tooMany: options.tooMany,
    send: (reply: Reply) => send(response, options, reply),
  }
  if (active === null || !(await answerWith(active, receivedRequest)))
    send(response, options, answer())
}

const appliesTo = ({ route, markets }: Fault, line: string, about: string): boolean =>
  (route === null || route.test(line)) &&
  (markets === null || [...markets].some((market) => about.includes(market)))

/** A venue may send fewer rows than requested. */
function shortenPage({ pathname, searchParams }: URL, method: string, options: HostOptions): void {
  const limitParam = searchParams.get('limit')
  const short = options.faults.firstActive(options.venue, ['short-pages'], ({ route }) =>
    route === null ? true : route.test(`${method} ${pathname}`),
  )
  if (limitParam === null || short === null) return
  searchParams.set('limit', String(Math.min(Number(limitParam), short.fault.width)))
  short.record(`${method} ${pathname}`, [], 0)
}

function answerTo(
  request: SentRequest,
  url: URL,
  body: unknown,
  options: HostOptions,
  find: Find,
): Reply {
  const { venue, clock, faults, life } = options
  const { method } = request
  const match = find(method, url.pathname)
  if (match === null) return options.notFound
  if (body === null) return options.badBody
  const reply = match.route.answer({
    params: match.params,
    query: url.searchParams,
    body,
    request,
    now: life.nowOf(venue, clock.now()),
    isTradingTime: !life.isPaused(venue),
  })
  const zonedTimesFault = faults.firstActive(venue, ['zoned-times'])
  if (zonedTimesFault === null) return reply
  zonedTimesFault.record(`${method} ${url.pathname}`)
  return { ...reply, body: timesInZone(reply.body, zonedTimesFault.fault.offset) }
}

/** The body as text; null when it is too large. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parsed JSON; null when it is invalid or too large. */
function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}

function send(response: ServerResponse, options: HostOptions, reply: Reply): void {
  response.writeHead(reply.status, {
    'content-type': reply.type,
    date: new Date(options.life.clockOf(options.venue, options.clock.now())).toUTCString(),
  })
  response.end(reply.body)
}
