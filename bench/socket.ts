import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../backend/lib/clock.ts'
import type { BenchRow } from './bench-row.ts'
import { inTurns, median } from './rounds.ts'
import { sharedNow, type Order, type Way } from './socket-server.ts'

const CLIENTS = 200
const FRAMES = 500

/** Clients that only count bytes, so that the server is measured. */
async function openClients(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let i = 0; i < count; i += 1) {
    const socket = connect({ port, host: '127.0.0.1' })
    const lines = [
      'GET / HTTP/1.1',
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await once(socket, 'data')
    sockets.push(socket)
  }
  return sockets
}

async function order(worker: Worker, message: Order): Promise<void> {
  const done = once(worker, 'message')
  worker.postMessage(message)
  await done
}

/** Messages a second sent to all clients together. */
async function perSecond(worker: Worker, way: Way): Promise<number> {
  const from = systemClock.monotonic()
  await order(worker, { kind: 'fan-out', way, frames: FRAMES })
  return (FRAMES * CLIENTS * 1_000) / (systemClock.monotonic() - from)
}

async function fanOut(worker: Worker, way: Way, name: string, goal: string): Promise<BenchRow> {
  const figures = await inTurns(
    () => perSecond(worker, way),
    () => perSecond(worker, 'bare'),
  )
  return {
    name,
    ours: Math.round(figures.ours),
    baseline: Math.round(figures.baseline),
    unit: 'msgs/s',
    ratio: figures.ratio,
    goal,
    note: `1 kB to ${CLIENTS} clients, five frames a tick, ratio spread ${(figures.spread * 100).toFixed(0)} %`,
  }
}

/** Milliseconds from the event to the client at the 99th percentile. */
async function p99(worker: Worker, reader: Socket, way: Way): Promise<number> {
  const late: number[] = []
  const receive = (bytes: Buffer): void => {
    const now = sharedNow()
    for (const [, at] of bytes.toString('latin1').matchAll(/"at":([\d.]+)/g)) {
      late.push(now - Number(at))
    }
  }
  reader.on('data', receive)
  await order(worker, { kind: 'stamp', way, count: 400, every: 2 })
  reader.off('data', receive)
  reader.resume()
  const sorted = late.sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
}

/** The socket's figures: fan-out against the library's own send, and latency under load. */
export async function benchSocket(): Promise<BenchRow[]> {
  const worker = new Worker(new URL('./socket-server.ts', import.meta.url))
  const [port] = (await once(worker, 'message')) as [number]
  const sockets = await openClients(port, CLIENTS)
  for (const socket of sockets) socket.resume()
  try {
    const joined = await fanOut(worker, 'joined', 'fan-out, coalescing on', '≥ 2 × (stretch 4 ×)')
    const single = await fanOut(worker, 'single', 'fan-out, coalescing off', '≥ 0.9 ×')
    for (const socket of sockets.slice(1)) socket.destroy()
    const [reader] = sockets
    if (reader === undefined) return [joined, single]
    const late: { ours: number; bare: number }[] = []
    for (let round = 0; round < 7; round += 1) {
      const ours = await p99(worker, reader, 'joined')
      late.push({ ours, bare: await p99(worker, reader, 'bare') })
    }
    const ours = median(late.map((round) => round.ours))
    const baseline = median(late.map((round) => round.bare))
    const latency: BenchRow = {
      name: 'event to client p99 beside ingest work',
      ours,
      baseline,
      unit: 'ms',
      ratio: median(late.map((round) => round.ours / round.bare)),
      goal: '≤ 2 × (stretch 1.5 ×)',
      note: 'one client, an event each 2 ms',
    }
    return [joined, single, latency]
  } finally {
    for (const socket of sockets) socket.destroy()
    const ended = once(worker, 'exit')
    worker.postMessage({ kind: 'stop' } satisfies Order)
    await ended
  }
}
