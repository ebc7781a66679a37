import type { IncomingMessage, ServerResponse } from 'node:http'
import { payloadTooLarge, unsupportedMediaType } from './errors.ts'
import type { Refusal } from './errors.ts'

/** What the headers alone already forbid: a body over the limit, or one in a compressed form. */
export function refusalOfBody(request: IncomingMessage, limit: number): Refusal | null {
  if (Number(request.headers['content-length'] ?? 0) > limit) return payloadTooLarge()
  const coding = request.headers['content-encoding']
  return coding === undefined || coding === 'identity' ? null : unsupportedMediaType()
}

/** Reads a body of at most `limit` bytes; null when it is longer or its sender went away. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer | null> {
  if (request.headers.expect !== undefined) response.writeContinue()
  return new Promise((settle) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      request.pause()
      settle(null)
    })
    request.on('end', () => settle(Buffer.concat(chunks)))
    request.on('error', () => settle(null))
    request.on('aborted', () => settle(null))
  })
}
