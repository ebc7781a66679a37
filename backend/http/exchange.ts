import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ALWAYS, bodyFor, cacheControlOf, matches } from './answers.ts'
import type { ModelSpend } from '../lib/language-model.ts'
import type { CachedAnswer } from './byte-cache.ts'

/** One request on its way through the front, with the headers collected for its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: string[]
  /** On the process timer, where a record is kept. */
  readonly arrivedAt: number
  /** What language models cost while it was answered. */
  spent: ModelSpend | null
  /** Hears the status of the answer as soon as that is settled. */
  onAnswer: ((status: number) => void) | null
}

/** Sends an answer: as 304 when the reader has it, compressed when the reader takes that. */
export function send(
  exchange: Exchange,
  answer: CachedAnswer,
  cached: 'hit' | 'miss' | null,
): void {
  const { request, response, headers } = exchange
  exchange.onAnswer?.(answer.status)
  if (response.destroyed) return
  if (cached !== null) headers.push('X-SVC-Cache', cached)
  if (matches(request.headers['if-none-match'], answer.etag)) {
    response.writeHead(304, headersOf(answer, headers))
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
  response.writeHead(answer.status, headersOf(answer, headers))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * The headers of an answer with those of this exchange. An answer that carries a cookie is for one
 * reader, whatever its rule says; where the route sets one itself, that one counts.
 */
function headersOf(answer: CachedAnswer, own: readonly string[]): string[] {
  const at = own.indexOf('Set-Cookie')
  if (at === -1) return [...answer.headers, ...own]
  const others = own.toSpliced(at, 2)
  if (answer.headers.includes('set-cookie')) return [...answer.headers, ...others]
  const personal = answer.headers.map((value) => value.replace(/^public, /, 'private, '))
  return [...personal, ...own]
}

/** Passes a body on as it is made; a reader who leaves ends it. */
export async function stream(
  exchange: Exchange,
  answered: Response,
  hasCaller: boolean,
): Promise<void> {
  const { request, response, headers } = exchange
  exchange.onAnswer?.(answered.status)
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
