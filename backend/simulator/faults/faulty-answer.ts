import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import type { Clock } from '../../lib/clock.ts'
import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Fault } from './fault.ts'
import type { ActiveFault } from './faults.ts'
import { truncateJson, withDuplicateKeys, withMark, withWrongTypes } from './hostile-bodies.ts'
import type { CorruptedBody } from './hostile-bodies.ts'
import { withPagingError } from './paging-faults.ts'

/** A request that a fault may affect, and its response without the fault. */
export interface FaultyRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Method and path with query. */
  readonly line: string
  readonly query: URLSearchParams
  readonly clock: Clock
  /** The rate limit response of this host. */
  readonly tooMany: Reply
  readonly answer: () => Reply
  readonly send: (reply: Reply) => void
}

const PAGE = '<!DOCTYPE html><html><body>Just a moment...</body></html>'
const PIECE = 65_536

/**
 * Responds to a request by the fault; returns false when the fault does not apply and stays
 * pending.
 */
export async function answerWith(
  active: ActiveFault,
  faultRequest: FaultyRequest,
): Promise<boolean> {
  const { fault, effectCount } = active
  const { response, clock, send } = faultRequest
  switch (fault.kind) {
    case 'status':
      active.record(faultRequest.line)
      send(refusal(fault, faultRequest))
      return true
    case 'html':
      active.record(faultRequest.line)
      send({ status: fault.status, body: PAGE, type: 'text/html' })
      return true
    case 'delay':
      active.record(faultRequest.line)
      await clock.sleep(fault.milliseconds)
      send(faultRequest.answer())
      return true
    case 'hang':
      active.record(faultRequest.line)
      return true
    case 'lost-answer':
      // The venue acts on the request, and its response never arrives.
      active.record(faultRequest.line)
      faultRequest.answer()
      return true
    case 'reset':
      active.record(faultRequest.line)
      faultRequest.request.socket.resetAndDestroy()
      return true
    case 'slow-body':
      active.record(faultRequest.line)
      await sendSlowly(response, faultRequest.answer(), fault.milliseconds, clock)
      return true
    case 'oversized':
      active.record(faultRequest.line)
      await flood(response, fault.bytes)
      return true
    case 'truncate':
      active.record(faultRequest.line)
      cutShort(response, faultRequest.answer())
      return true
    case 'truncated-gzip':
      active.record(faultRequest.line)
      halfOfGzip(response, faultRequest.answer())
      return true
    default:
      return corrupt(active, faultRequest, hostile(fault, effectCount, faultRequest))
  }
}

function refusal(fault: Fault, { response, clock, tooMany }: FaultyRequest): Reply {
  const { status, retryAfter, retryAsDate } = fault
  if (retryAfter !== null)
    response.setHeader(
      'retry-after',
      retryAsDate ? new Date(clock.now() + retryAfter * 1_000).toUTCString() : String(retryAfter),
    )
  if (status === 429) return { ...tooMany, status }
  return json({ error: (STATUS_CODES[status] ?? 'error').toLowerCase() }, status)
}

/** The hostile form of a response; null when the fault does not apply to it. */
function hostile(
  fault: Fault,
  effectCount: number,
  faultyRequest: FaultyRequest,
): (body: string) => CorruptedBody | null {
  switch (fault.kind) {
    case 'malformed-json':
      return truncateJson
    case 'bom':
      return withMark
    case 'duplicate-keys':
      return withDuplicateKeys
    case 'wrong-types':
      return (body) => withWrongTypes(body, fault, effectCount)
    default:
      return (body) => {
        const corruptedPage = withPagingError(body, faultyRequest.query, fault)
        return corruptedPage === null ? null : { body: corruptedPage, rows: 0, markets: [] }
      }
  }
}

function corrupt(
  active: ActiveFault,
  { line, answer, send }: FaultyRequest,
  makeHostile: (body: string) => CorruptedBody | null,
): boolean {
  const reply = answer()
  const isJson = reply.status === 200 && reply.type.includes('json')
  const corruption = isJson ? makeHostile(reply.body) : null
  if (corruption === null) return false
  active.record(line, corruption.markets, corruption.rows)
  send({ ...reply, body: corruption.body })
  return true
}

/** Sends one byte at a time, until the end or until the client disconnects. */
async function sendSlowly(
  response: ServerResponse,
  reply: Reply,
  every: number,
  clock: Clock,
): Promise<void> {
  const bytes = Buffer.from(reply.body)
  response.writeHead(reply.status, { 'content-type': reply.type, 'content-length': bytes.length })
  response.flushHeaders()
  const disconnection = new AbortController()
  response.once('close', () => disconnection.abort(new Error('the client disconnected')))
  for (const byte of bytes) {
    if (disconnection.signal.aborted) return
    response.write(Uint8Array.of(byte))
    await clock.sleep(every, disconnection.signal).catch(() => undefined)
  }
  response.end()
}

/** Valid JSON of about `bytes` bytes, generated while it is sent. */
async function flood(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  // The client disconnects at its limit, which ends the body.
  await pipeline(Readable.from(padding(bytes)), response).catch(() => undefined)
}

function* padding(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(PIECE, 'x')
  yield Buffer.from('{"padding":"')
  for (let sentBytes = 0; sentBytes < bytes; sentBytes += PIECE) yield piece
  yield Buffer.from('"}')
}

/** Half of the body with the content-length of the whole, then the end of the connection. */
function cutShort(response: ServerResponse, reply: Reply): void {
  const bytes = Buffer.from(reply.body)
  response.writeHead(reply.status, { 'content-type': reply.type, 'content-length': bytes.length })
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
}

/** Half of a compressed body, sent as if it were complete. */
function halfOfGzip(response: ServerResponse, reply: Reply): void {
  const gzippedBody = gzipSync(reply.body)
  const half = gzippedBody.subarray(0, Math.floor(gzippedBody.length / 2))
  response.writeHead(reply.status, {
    'content-type': reply.type,
    'content-encoding': 'gzip',
    'content-length': half.length,
  })
  response.end(half)
}
