import { createConnection } from 'node:net'
import type { Socket } from 'node:net'

export interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

interface Lane {
  readonly socket: Socket
  received: number
  sentAt: number
}

/** A lane with a slower response waits for bytes that will not arrive. */
const ANSWERED_WITHIN_MS = 10_000

/** The address now returns another size, so counting bytes is invalid. */
export class AnswersChanged extends Error {
  constructor(path: string) {
    super(`${path} answered with another size than at the beginning of the load`)
    this.name = 'AnswersChanged'
  }
}

const connect = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    socket.once('error', reject)
  })

/** Size in bytes of the whole response to a request, headers included. */
async function answerSize(port: number, request: string): Promise<number> {
  const socket = await connect(port)
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk])
      const head = answer.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(answer.subarray(0, head).toString())?.[1]
      if (head === -1 || length === undefined) return
      const size = head + 4 + Number(length)
      if (answer.length < size) return
      socket.destroy()
      resolve(size)
    })
    socket.write(request)
  })
}

/**
 * Requests one address over keep-alive connections, one request at a time on each, for `span` ms.
 * All responses have one size, so responses are counted by bytes and the load generator stays
 * lighter than the server.
 * @throws AnswersChanged when sizes differ
 */
export async function load(
  port: number,
  path: string,
  options: {
    readonly connections: number
    readonly span: number
    /** Value of the Authorization header, if any. */
    readonly authorization?: string
  },
): Promise<Load> {
  const { authorization } = options
  const credential = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: keep-alive\r\n${credential}\r\n`
  await answerSize(port, request)
  const size = await answerSize(port, request)
  const bytes = Buffer.from(request)
  const latencies: number[] = []
  const lanes = await Promise.all(
    Array.from({ length: options.connections }, async () => ({
      socket: await connect(port),
      received: 0,
      sentAt: 0,
    })),
  )
  const startedAt = process.hrtime.bigint()
  const elapsed = () => Number(process.hrtime.bigint() - startedAt) / 1e6
  const requestNext = (lane: Lane) => {
    lane.sentAt = elapsed()
    lane.socket.write(bytes)
  }
  let watch: NodeJS.Timeout | undefined
  await new Promise<void>((resolve, reject) => {
    watch = setInterval(() => {
      const isStalled = lanes.some(({ sentAt }) => elapsed() - sentAt > ANSWERED_WITHIN_MS)
      if (isStalled) reject(new AnswersChanged(path))
    }, 1_000)
    for (const lane of lanes) {
      lane.socket.on('error', reject)
      lane.socket.on('data', (chunk: Buffer) => {
        lane.received += chunk.length
        if (lane.received < size) return
        lane.received -= size
        const now = elapsed()
        latencies.push(now - lane.sentAt)
        if (now < options.span) requestNext(lane)
        else resolve()
      })
      requestNext(lane)
    }
  }).finally(() => {
    clearInterval(watch)
    for (const { socket } of lanes) socket.destroy()
  })
  const took = elapsed()
  const sorted = latencies.toSorted((a, b) => a - b)
  const quantile = (q: number) => sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN
  return { perSecond: (latencies.length / took) * 1_000, p50: quantile(0.5), p99: quantile(0.99) }
}
