import { connect, type Socket } from 'node:net'

/** Connections that never complete their request. */
export interface SlowSockets {
  /** Not yet closed by the server. */
  open(): number
  /** Resolves with the duration when the server has closed all of them, or after `timeout` ms. */
  untilReleased(timeout: number): Promise<{ readonly took: number; readonly open: number }>
  close(): void
}

const HEAD = 'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '
const BODY =
  'POST /api/public/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{'

/**
 * Opens connections to a loopback port that send a byte a second: one half never ends its headers,
 * the other never ends its body.
 */
export async function openSlowSockets(port: number, count: number): Promise<SlowSockets> {
  const openedAt = performance.now()
  const sockets = new Set<Socket>()
  let lastClosedAt = openedAt
  const opened = Array.from({ length: count }, (_, index) => {
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.resume()
    socket.once('close', () => {
      sockets.delete(socket)
      lastClosedAt = performance.now()
    })
    return new Promise<void>((resolve) => {
      socket.once('connect', () => {
        socket.write(index % 2 === 0 ? HEAD : BODY)
        resolve()
      })
      socket.once('close', () => resolve())
    })
  })
  await Promise.all(opened)
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x')
  }, 1_000)
  return {
    open: () => sockets.size,
    async untilReleased(timeout) {
      while (sockets.size > 0 && performance.now() - openedAt < timeout)
        await new Promise((resolve) => setTimeout(resolve, 50))
      const last = sockets.size === 0 ? lastClosedAt : performance.now()
      return { took: last - openedAt, open: sockets.size }
    },
    close() {
      clearInterval(dripping)
      for (const socket of sockets) socket.destroy()
    },
  }
}
