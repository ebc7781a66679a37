import type { RawSocket, SocketEvents } from './data-socket.ts'

/**
 * Opens the real-time service of the page's origin. The session's cookie authenticates the page;
 * the address carries no secret.
 */
export function openBrowserSocket(page: string, events: SocketEvents): RawSocket {
  const socket = new WebSocket(new URL('/ws', page.replace(/^http/, 'ws')))
  socket.onopen = () => events.onOpen()
  socket.onmessage = ({ data }: MessageEvent<unknown>) => events.onMessage(data)
  socket.onclose = ({ code }) => events.onClose(code)
  return socket
}
