import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

export interface SocketServer {
  readonly url: string
  /** Text frames received over all connections, in order. */
  readonly received: string[]
  /** Headers of each connect. */
  readonly connects: IncomingHttpHeaders[]
  /** Sends to the newest connection; anything but text goes as JSON. */
  push(message: unknown): void
  /** Pings the newest connection; returns the number of missing pongs. */
  ping(): () => number
  /** Number of open connections. */
  open(): number
  /** Drops the newest connection. */
  drop(): void
  close(): Promise<void>
}

/** A local WebSocket server controlled by the test; `answer` replies to frames. */
export async function startSocketServer(
  path: string,
  answer: (text: string) => readonly unknown[] = () => [],
): Promise<SocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path })
  await once(server, 'listening')
  const received: string[] = []
  const connects: IncomingHttpHeaders[] = []
  let newest: WebSocket | null = null
  const textOf = (message: unknown) =>
    typeof message === 'string' ? message : JSON.stringify(message)
  server.on('connection', (socket, request) => {
    newest = socket
    connects.push(request.headers)
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8')
      received.push(text)
      for (const reply of answer(text)) socket.send(textOf(reply))
    })
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    connects,
    push: (message) => newest?.send(textOf(message)),
    ping: () => {
      let missing = 1
      newest?.once('pong', () => (missing -= 1))
      newest?.ping('heartbeat')
      return () => (newest?.readyState === newest?.OPEN ? missing : 0)
    },
    open: () => server.clients.size,
    drop: () => newest?.terminate(),
    close: async () => {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Lets network events run until the condition holds; fails after a generous timeout. */
export async function until(condition: () => boolean): Promise<void> {
  const limit = AbortSignal.timeout(30_000)
  while (!condition()) {
    if (limit.aborted) throw new Error(`never happened: ${condition.toString()}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
