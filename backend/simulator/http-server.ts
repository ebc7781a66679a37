import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Venue } from '../domain/market.ts'
import type { Clock } from '../lib/clock.ts'
import { parseFault } from './faults.ts'
import type { Faults } from './faults.ts'

export interface Reply {
  readonly status: number
  readonly body: string
  readonly type: string
}
export const json = (value: unknown, status = 200): Reply => ({
  status,
  body: JSON.stringify(value),
  type: 'application/json',
})
/** A body that is JSON text already. */
export const jsonText = (body: string): Reply => ({ status: 200, body, type: 'application/json' })

/** What a handler learns of a request. */
export interface Call {
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly body: unknown
  readonly now: number
}
/** Paths as patterns: a segment `:x` takes any text, in order, into `params`. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly answer: (call: Call) => Reply
}

/** What one host of a venue needs: its routes, its own way of saying no. */
export interface HostOptions {
  readonly venue: Venue
  readonly clock: Clock
  readonly faults: Faults
  readonly routes: readonly Route[]
  readonly notFound: Reply
  readonly tooMany: Reply
  readonly badBody: Reply
}

const BODY_LIMIT = 1_000_000

/** One host of a venue on loopback; port 0 takes a free one. */
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
  const known = routes.map((route) => ({ route, parts: route.path.split('/') }))
  return (method, path) => {
    const parts = path.split('/')
    for (const candidate of known) {
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
  const url = new URL(request.url ?? '/', 'http://loopback')
  const body = request.method === 'POST' ? await readBody(request) : undefined
  if (url.pathname === '/control/faults')
    return send(response, options, control(request.method ?? '', body, options.faults))
  const fault = options.faults.forRequest(options.venue)
  if (fault?.kind === 'delay') await options.clock.sleep(fault.milliseconds)
  if (fault?.kind === 'html') {
    const page = {
      status: fault.status,
      body: '<!DOCTYPE html><html><body>Just a moment...</body></html>',
      type: 'text/html',
    }
    return send(response, options, page)
  }
  if (fault?.kind === 'status') {
    if (fault.retryAfter !== null) response.setHeader('retry-after', String(fault.retryAfter))
    const reply =
      fault.status === 429 ? options.tooMany : json({ error: 'internal error' }, fault.status)
    return send(response, options, { ...reply, status: fault.status })
  }
  const match = find(request.method ?? '', url.pathname)
  const reply =
    match === null
      ? options.notFound
      : body === null
        ? options.badBody
        : match.route.answer({
            params: match.params,
            query: url.searchParams,
            body,
            now: options.clock.now(),
          })
  if (fault?.kind === 'truncate') {
    const bytes = Buffer.from(reply.body)
    response.writeHead(reply.status, { 'content-type': reply.type, 'content-length': bytes.length })
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
    return
  }
  send(response, options, reply)
}

/** Parsed JSON body; null when it is none or too large. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT) return null
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    return null
  }
}

function control(method: string, body: unknown, faults: Faults): Reply {
  if (method !== 'POST') return json({ error: 'POST a fault' }, 405)
  const parsed = parseFault(body)
  if (typeof parsed === 'string') return json({ error: parsed }, 400)
  faults.add(parsed.fault, parsed.count)
  return json({ ok: true })
}

function send(response: ServerResponse, options: HostOptions, reply: Reply): void {
  response.writeHead(reply.status, {
    'content-type': reply.type,
    date: new Date(options.clock.now()).toUTCString(),
  })
  response.end(reply.body)
}
