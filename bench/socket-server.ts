import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { WebSocketServer, type WebSocket } from 'ws'
import { createServer } from 'node:http'
import { frameBytes } from '../backend/features/data-service/socket/frame-bytes.ts'
import { Outbox } from '../backend/features/data-service/socket/outbox.ts'
import { Tick } from '../backend/features/data-service/socket/tick.ts'
import { systemClock } from '../backend/lib/clock.ts'

/** How frames are sent: the library's own send, ours one by one, or ours joined per tick. */
export type Way = 'bare' | 'single' | 'joined'
export type Order =
  | { readonly kind: 'fan-out'; readonly way: Way; readonly frames: number }
  /** Sends a frame stamped with the time, `count` times, `every` ms apart, under load or not. */
  | { readonly kind: 'stamp'; readonly way: Way; readonly count: number; readonly every: number }
  | { readonly kind: 'stop' }

/** Milliseconds of a timer that all threads of the process share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6

/** Frames of different topics within one tick. */
const TOGETHER = 5
/** A frame of about a kilobyte, like a book or a batch of trades. */
const filler = 'x'.repeat(940)
const payload = (n: number) => ({ type: 'delta', topic: 'ticker:KX', seq: n, at: 0, filler })

interface Client {
  readonly ws: WebSocket
  readonly raw: Duplex
}

const clients = new Set<Client>()
const server = createServer()
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
server.on('upgrade', (request, raw, head) =>
  sockets.handleUpgrade(request, raw, head, (ws) => {
    const client = { ws, raw }
    clients.add(client)
    ws.on('close', () => clients.delete(client))
  }),
)

/** Waits until no client has a backlog, so that only sending is measured. */
async function drained(): Promise<void> {
  while ([...clients].some(({ raw }) => raw.writableLength > 0)) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function senderOf(way: Way): { send(frame: object): void; end(): Promise<void> } {
  if (way === 'bare') {
    return {
      send(frame) {
        const text = Buffer.from(JSON.stringify(frame))
        for (const { ws } of clients) ws.send(text, { binary: false })
      },
      end: drained,
    }
  }
  const stopping = new AbortController()
  const tick = new Tick({
    clock: systemClock,
    span: way === 'joined' ? 5 : 0,
    signal: stopping.signal,
    work: () => {},
  })
  const outboxes = [...clients].map(
    ({ raw }) =>
      new Outbox({ socket: raw, tick, isOpen: () => true, onTooMuch: () => raw.destroy() }),
  )
  return {
    send(frame) {
      const bytes = frameBytes(frame)
      for (const outbox of outboxes) outbox.send(bytes)
    },
    async end() {
      for (const outbox of outboxes) outbox.flush()
      await drained()
      stopping.abort()
    },
  }
}

async function fanOut(way: Way, frames: number): Promise<void> {
  const sender = senderOf(way)
  for (let n = 0; n < frames; n += TOGETHER) {
    for (let i = 0; i < TOGETHER; i += 1) sender.send(payload(n + i))
    // The tick of the measured rate: the next changes follow when these are sent.
    await sender.end()
  }
}

async function stamps(way: Way, count: number, every: number): Promise<void> {
  const sender = senderOf(way)
  for (let n = 0; n < count; n += 1) {
    sender.send({ ...payload(n), at: sharedNow() })
    await systemClock.sleep(every)
    work()
  }
  await sender.end()
}

/** Parses payloads like ingest at the same time: latency is measured under this load. */
function work(): void {
  const text = JSON.stringify(Array.from({ length: 200 }, (_, n) => payload(n)))
  JSON.parse(text)
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port.on('message', (order: Order) => {
    if (order.kind === 'stop') {
      for (const { ws } of clients) ws.terminate()
      server.close(() => port.close())
      return
    }
    const done =
      order.kind === 'fan-out'
        ? fanOut(order.way, order.frames)
        : stamps(order.way, order.count, order.every)
    void done.then(() => port.postMessage('done'))
  })
  port.postMessage((server.address() as AddressInfo).port)
}

if (parentPort !== null) await serve(parentPort)
