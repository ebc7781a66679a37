import { STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { AuthInvalid } from '../lib/errors.ts'
import { refusalAnswer } from './answers.ts'
import type { Sender } from './auth/auth.ts'
import { refusalOfHostOrOrigin } from './auth/origin-guard.ts'
import { internalError, notFoundRefusal, refusalOf } from './errors.ts'
import type { Refusal } from './errors.ts'
import { createRequestIds } from './request/request-id.ts'
import type { BoundAddress } from './server.ts'

/** A socket after its handshake. */
export interface UpgradedSocket {
  readonly ws: WebSocket
  /** The underlying connection. */
  readonly raw: Duplex
  /** The sender of the handshake, for credentials sent in frames. */
  readonly sender?: Sender | undefined
  /** Counts a failed credential of a frame. */
  readonly onCredentialFailed?: () => void
}

/** Accepts upgraded sockets. */
export interface SocketEndpoint<Admission> {
  /** The path of the sockets, such as `/ws`. */
  readonly path: string
  /** Largest message from a client, bytes. */
  readonly maxPayload: number
  /** Checks the credentials of a handshake; a thrown error is answered instead of the upgrade. */
  admit(request: IncomingMessage, sender: Sender | undefined): Promise<Admission>
  /** Takes over the socket of an admitted handshake. */
  connect(sockets: UpgradedSocket, admission: Admission): void
  /** Called when an admitted handshake fails. */
  dismiss(admission: Admission): void
  /** Called with an error that is not a refusal. */
  onError(error: unknown): void
  /** Called when the server stops; closes every socket. */
  close(): void
}

/**
 * Handles sockets at the server's upgrade event. Order of checks: Host and Origin, path, then the
 * endpoint's `admit`. No compression and no subprotocol; the endpoint answers control pings.
 */
export function mountUpgrade<Admission>(
  bound: Pick<BoundAddress, 'server' | 'allowed' | 'attempts' | 'onClose'>,
  endpoint: SocketEndpoint<Admission>,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: endpoint.maxPayload,
  })
  const raws = new Set<Duplex>()
  const nextId = createRequestIds()
  let isClosing = false

  const upgrade = async (request: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> => {
    raws.add(raw)
    raw.once('close', () => raws.delete(raw))
    // A client that disconnects is not an error.
    raw.on('error', () => raw.destroy())
    const refusedOrigin = refusalOfHostOrOrigin(request, bound.allowed())
    if (refusedOrigin !== null) return refuse(raw, refusedOrigin, nextId())
    if (pathOf(request) !== endpoint.path) return refuse(raw, notFoundRefusal(), nextId())
    const attempts = bound.attempts()
    const sender = attempts?.senderOf(request)
    const countFailure = () => attempts?.countFailure(request, endpoint.path) ?? null
    let admission: Admission
    try {
      admission = await endpoint.admit(request, sender)
    } catch (error) {
      const limitRefusal = error instanceof AuthInvalid ? countFailure() : null
      const refusal = limitRefusal ?? refusalOf(error)
      if (refusal === null) endpoint.onError(error)
      return refuse(raw, refusal ?? internalError(), nextId())
    }
    const openSockets = new Set<WebSocket>()
    if (!isClosing) {
      sockets.handleUpgrade(request, raw, head, (ws) => {
        openSockets.add(ws)
        endpoint.connect({ ws, raw, sender, onCredentialFailed: countFailure }, admission)
      })
    }
    // The library has already answered a handshake that violates the protocol.
    if (openSockets.size === 0) endpoint.dismiss(admission)
    if (isClosing) raw.destroy()
  }

  bound.server.on('upgrade', (request, raw, head) => {
    upgrade(request, raw, head).catch((error: unknown) => {
      endpoint.onError(error)
      raw.destroy()
    })
  })
  bound.onClose((grace) => {
    isClosing = true
    endpoint.close()
    const graceTimer = setTimeout(() => {
      for (const raw of raws) raw.destroy()
    }, grace)
    graceTimer.unref()
  })
}

const pathOf = ({ url = '' }: IncomingMessage): string =>
  (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '')

/** Answers a refused handshake like any other refused request and closes the connection. */
function refuse(raw: Duplex, refusal: Refusal, requestId: string): void {
  const { status, headers, plain } = refusalAnswer(refusal)
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`]
  const all = [...headers, 'X-Request-Id', requestId, 'Connection', 'close']
  all.push('Content-Length', String(plain.length))
  for (let i = 0; i < all.length; i += 2) lines.push(`${all[i] ?? ''}: ${all[i + 1] ?? ''}`)
  raw.once('finish', () => raw.destroy())
  raw.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), plain]))
}
