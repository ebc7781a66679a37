import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { AckFrame, ClientFrame, ServerFrame } from '../contract/socket.ts'

type Named<Type extends ServerFrame['type']> = Extract<ServerFrame, { readonly type: Type }>

/** A client of the real-time socket that records received frames. */
export interface SocketClient {
  readonly socket: WebSocket
  /** Received frames, oldest first. */
  readonly frames: ServerFrame[]
  send(frame: ClientFrame): void
  /** Sends raw text. */
  sendText(text: string): void
  /** The next unread frame of a type, optionally of one topic. */
  next<Type extends ServerFrame['type']>(type: Type, topic?: string): Promise<Named<Type>>
  /** Subscribes and returns the ack. */
  subscribe(
    topics: readonly string[],
    resume?: Extract<ClientFrame, { op: 'subscribe' }>['resume'],
  ): Promise<AckFrame>
  /** Resolves with the code when the server closes. */
  readonly closed: Promise<number>
  close(): Promise<void>
}

/** The response to a refused handshake. */
export class HandshakeRefused extends Error {
  readonly status: number
  readonly body: string
  constructor(status: number, body: string) {
    super(`the handshake was answered ${status}`)
    this.status = status
    this.body = body
  }
}

/** Connects; resolves when the socket is open. @throws HandshakeRefused */
export async function connectSocket(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<SocketClient> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  const frames: ServerFrame[] = []
  const consumed = new Set<ServerFrame>()
  let isClosed = false
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const look of [...waiting]) look()
  }
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString('utf8')) as ServerFrame)
    wake()
  })
  const closed = new Promise<number>((resolve) =>
    socket.on('close', (code) => {
      isClosed = true
      wake()
      resolve(code)
    }),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        reject(
          new HandshakeRefused(response.statusCode ?? 0, Buffer.concat(parts).toString('utf8')),
        ),
      )
    })
  })
  socket.on('error', () => {})
  const isOf = (frame: ServerFrame, type: string, topic: string | undefined): boolean =>
    frame.type === type &&
    (topic === undefined || ('topic' in frame && frame.topic === topic)) &&
    !consumed.has(frame)
  const client: SocketClient = {
    socket,
    frames,
    closed,
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendText: (text) => socket.send(text),
    next: (type, topic) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = frames.find((frame) => isOf(frame, type, topic))
          if (found === undefined && !isClosed) return
          waiting.delete(look)
          if (found === undefined) reject(new Error(`closed before ${type} ${topic ?? ''}`))
          else {
            consumed.add(found)
            resolve(found as Named<typeof type>)
          }
        }
        waiting.add(look)
        look()
      }),
    async subscribe(topics, resume) {
      client.send({ op: 'subscribe', topics, ...(resume === undefined ? {} : { resume }) })
      return client.next('ack')
    },
    async close() {
      if (socket.readyState === socket.CLOSED) return
      socket.terminate()
      await once(socket, 'close')
    },
  }
  return client
}
