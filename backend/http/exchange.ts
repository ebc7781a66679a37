import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ALWAYS, bodyFor, cacheControlOf, matches } from './answers.ts'
import type { ModelSpend } from '../lib/language-model.ts'
import type { CachedAnswer } from './cache/byte-cache.ts'

/** One request being answered, with the headers collected for its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: string[]
  /** Process time of arrival; 0 if answered requests are not recorded. */
  readonly arrivedAt: number
  /** Cost of the language model calls made for it; null if there were none. */
  spent: ModelSpend | null
  /** Called with the status of the response as soon as it is known. */
  onAnswer: ((status: number) => void) | null
}

/** Sends an answer: 304 if the client has it, compressed if the client accepts that. */
export function send(
  exchange: Exchange,
  answer: CachedAnswer,
  cacheStatus: 'hit' | 'miss' | null,
): void {
  const { request, response, headers } = exchange
  exchange.onAnswer?.(answer.status)
  if (response.destroyed) return
  if (cacheStatus !== null) headers.push('X-SVC-Cache', cacheStatus)
  if (matches(request.headers['if-none-match'], answer.etag)) {
    response.writeHead(304, headersOf(answer, headers))
    response.end()
    return
  }
  const encodedBody = bodyFor(answer, request.headers['accept-encoding'])
  if (encodedBody instanceof Promise) {
    encodedBody.then(
      ({ body, coding }) => write(exchange, answer, body, coding),
      () => write(exchange, answer, answer.plain, null),
    )
  } else write(exchange, answer, encodedBody.body, encodedBody.coding)
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
  response.writeHead(answer.status, headersOf(answer, headers))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * The headers of an answer together with those of this exchange. A response that sets a cookie is
 * private, whatever its cache rule; a `Set-Cookie` of the route itself takes precedence.
 */
function headersOf(answer: CachedAnswer, extraHeaders: readonly string[]): string[] {
  const at = extraHeaders.indexOf('Set-Cookie')
  if (at === -1) return [...answer.headers, ...extraHeaders]
  const others = extraHeaders.toSpliced(at, 2)
  if (answer.headers.includes('set-cookie')) return [...answer.headers, ...others]
  const personal = answer.headers.map((value) => value.replace(/^public, /, 'private, '))
  return [...personal, ...extraHeaders]
}

/** Streams a body as it is produced; ends it when the client disconnects. */
export async function stream(
  exchange: Exchange,
  routeResponse: Response,
  hasCaller: boolean,
): Promise<void> {
  const { request, response, headers } = exchange
  exchange.onAnswer?.(routeResponse.status)
  const routeHeaders = [...routeResponse.headers].flat()
  const control = routeResponse.headers.has('cache-control')
    ? []
    : ['Cache-Control', cacheControlOf(null, hasCaller)]
  response.writeHead(routeResponse.status, [...ALWAYS, ...control, ...routeHeaders, ...headers])
  if (request.method === 'HEAD' || routeResponse.body === null) {
    await routeResponse.body?.cancel()
    response.end()
    return
  }
  await pipeline(Readable.fromWeb(routeResponse.body), response).catch(() => response.destroy())
}
