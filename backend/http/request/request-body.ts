import type { IncomingMessage, ServerResponse } from 'node:http'
import { payloadTooLarge, unsupportedMediaType } from '../errors.ts'
import type { Refusal } from '../errors.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/**
 * Refuses a body by its headers alone: too long, compressed, or not JSON. Null if it may be read.
 */
export function refusalOfBody(request: IncomingMessage, limit: number): Refusal | null {
  if (Number(request.headers['content-length'] ?? 0) > limit) return payloadTooLarge()
  const coding = request.headers['content-encoding']
  const isPlain = coding === undefined || coding === 'identity'
  const isJson = JSON_TYPE.test(request.headers['content-type'] ?? '')
  return isPlain && (isJson || !hasBody(request)) ? null : unsupportedMediaType()
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Reads a body of at most `limit` bytes; null if it is longer or the client disconnects. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer | null> {
  if (request.headers.expect !== undefined) response.writeContinue()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      request.pause()
      resolve(null)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => resolve(null))
    request.on('aborted', () => resolve(null))
  })
}
