import { STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { refusalAnswer } from './answers.ts'
import { refusalAtDoor } from './doors.ts'
import { internalError, notFound, refusalOf } from './errors.ts'
import type { Refusal } from './errors.ts'
import { createRequestIds } from './request-id.ts'
import type { Bound } from './server.ts'

/** Who takes upgraded sockets. */
export interface SocketDoor<Admission> {
  /** The path of the sockets, such as `/ws`. */
  readonly path: string
  /** Largest message of a client, bytes. */
  readonly maxPayload: number
  /** Looks at the credentials of a handshake; whatever it throws is answered in place of an upgrade. */
  admit(request: IncomingMessage): Promise<Admission>
  /** Takes over the socket of an admitted handshake; `raw` is what carries it. */
  connect(sockets: { ws: WebSocket; raw: Duplex }, admission: Admission): void
  /** An admitted handshake came to nothing. */
  dismiss(admission: Admission): void
  /** A failure that is no refusal. */
  onError(error: unknown): void
  /** The server stops: says goodbye to everybody. */
  close(): void
}

/**
 * Mounts sockets at the server's upgrade event. Order of checks: Host and Origin, path, then what
 * the door asks. No compression and no subprotocol; control pings are the door's to answer.
 */
export function mountUpgrade<Admission>(
  bound: Pick<Bound, 'server' | 'allowed' | 'onClose'>,
  door: SocketDoor<Admission>,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: door.maxPayload,
  })
  const raws = new Set<Duplex>()
  const nextId = createRequestIds()
  let isClosing = false

  const upgrade = async (request: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> => {
    raws.add(raw)
    raw.once('close', () => raws.delete(raw))
    // A peer that vanishes is no failure of ours.
    raw.on('error', () => raw.destroy())
    const atDoor = refusalAtDoor(request, bound.allowed())
    if (atDoor !== null) return refuse(raw, atDoor, nextId())
    if (pathOf(request) !== door.path) return refuse(raw, notFound(), nextId())
    let admission: Admission
    try {
      admission = await door.admit(request)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === null) door.onError(error)
      return refuse(raw, refusal ?? internalError(), nextId())
    }
    const connected = new Set<WebSocket>()
    if (!isClosing) {
      sockets.handleUpgrade(request, raw, head, (ws) => {
        connected.add(ws)
        door.connect({ ws, raw }, admission)
      })
    }
    // The library has answered a handshake that breaks the protocol.
    if (connected.size === 0) door.dismiss(admission)
    if (isClosing) raw.destroy()
  }

  bound.server.on('upgrade', (request, raw, head) => {
    upgrade(request, raw, head).catch((error: unknown) => {
      door.onError(error)
      raw.destroy()
    })
  })
  bound.onClose((grace) => {
    isClosing = true
    door.close()
    const cut = setTimeout(() => {
      for (const raw of raws) raw.destroy()
    }, grace)
    cut.unref()
  })
}

const pathOf = ({ url = '' }: IncomingMessage): string =>
  (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '')

/** Answers a handshake like any other request that is refused, and hangs up. */
function refuse(raw: Duplex, refusal: Refusal, requestId: string): void {
  const { status, headers, plain } = refusalAnswer(refusal)
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`]
  const all = [...headers, 'X-Request-Id', requestId, 'Connection', 'close']
  all.push('Content-Length', String(plain.length))
  for (let i = 0; i < all.length; i += 2) lines.push(`${all[i] ?? ''}: ${all[i + 1] ?? ''}`)
  raw.once('finish', () => raw.destroy())
  raw.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), plain]))
}
