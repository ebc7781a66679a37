import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../backend/lib/clock.ts'

/** Frames that carry a topic's state; see the protocol of the real-time data service. */
interface TopicFrame {
  readonly type: 'snapshot' | 'delta'
  readonly topic: string
  readonly epoch: string
  readonly seq: number
  readonly prev?: number
  readonly ts: number
  readonly data: Readonly<Record<string, unknown>>
}
/** A client's sequence numbers, with the relay's changes among those of the service. */
interface TopicState {
  epoch: string
  seq: number
  added: number
  data: Readonly<Record<string, unknown>>
}

/** Responses that the relay returns in place of the service, by path. */
export type Instead = (path: URL) => string | null

export interface Relay {
  readonly url: string
  /** Sets how many changes of subscribed rows and charts are sent per second; 0 sends none. */
  tick(perSecond: number): void
  /** Changes sent since the start. */
  messageCount(): number
  answerInstead(instead: Instead): void
  close(): Promise<void>
}

const TICK_MS = 50

/** A wave of prices between 2 and 98 cents. */
const priceOfStep = (count: number, salt: number): number =>
  Math.round((0.5 + 0.48 * Math.sin(count / 7 + salt)) * 1_000) / 1_000

function changeOf(topic: string, data: TopicState['data'], count: number) {
  if (topic.startsWith('ticker:')) {
    const price = priceOfStep(count, topic.length)
    return {
      lastPrice: price,
      bestBid: price - 0.005,
      bestAsk: price + 0.005,
      ts: systemClock.now(),
    }
  }
  const candles = data['candles'] as readonly Readonly<Record<string, number>>[] | undefined
  const last = candles?.at(-1)
  if (last === undefined) return null
  const close = priceOfStep(count, topic.length)
  const [high, low] = [Math.max(last['h'] ?? 0, close), Math.min(last['l'] ?? 1, close)]
  return { candle: { ...last, h: high, l: low, c: close }, closed: false }
}

/** A client's socket, forwarded both ways, with injected changes. */
class RelayedSocket {
  readonly #page: WebSocket
  readonly #states = new Map<string, TopicState>()
  #next = 0

  constructor(page: WebSocket, service: WebSocket) {
    this.#page = page
    const early: string[] = []
    page.on('message', (bytes: Buffer) => {
      const text = bytes.toString()
      if (service.readyState === WebSocket.OPEN) service.send(text)
      else early.push(text)
    })
    service.on('open', () => early.splice(0).forEach((text) => service.send(text)))
    service.on('message', (bytes: Buffer) => page.send(this.#renumbered(bytes.toString())))
    service.on('close', (code) => page.close(code >= 3_000 || code === 1_000 ? code : 1_001))
    service.on('error', () => page.close(1_001))
    page.on('close', () => service.close())
  }

  #renumbered(text: string): string {
    const frame = JSON.parse(text) as Partial<TopicFrame>
    if (frame.type !== 'snapshot' && frame.type !== 'delta') return text
    const { topic, epoch, seq, data } = frame as TopicFrame
    if (frame.type === 'snapshot') {
      this.#states.set(topic, { epoch, seq, added: 0, data })
      return text
    }
    const state = this.#states.get(topic)
    if (state === undefined) return text
    state.seq = seq + state.added
    const prev = (frame.prev ?? 0) + state.added
    return JSON.stringify({ ...frame, prev, seq: state.seq })
  }

  /** Sends so many changes, each of the next topic. */
  report(count: number): number {
    const topics = [...this.#states].filter(([name]) => /^(?:ticker|candles):/.test(name))
    if (topics.length === 0) return 0
    let messageCount = 0
    for (let change = 0; change < count; change += 1) {
      this.#next += 1
      const [topic, state] = topics[this.#next % topics.length] ?? []
      const data = topic && state ? changeOf(topic, state.data, this.#next) : null
      if (topic === undefined || state === undefined || data === null) continue
      const { epoch, seq: prev } = state
      state.seq += 1
      state.added += 1
      const ts = systemClock.now()
      this.#page.send(
        JSON.stringify({ type: 'delta', topic, epoch, prev, seq: state.seq, ts, data }),
      )
      messageCount += 1
    }
    return messageCount
  }
}

function forward(service: URL, requested: IncomingMessage, answer: ServerResponse): void {
  const headers = { ...requested.headers, host: service.host }
  if (requested.headers.origin !== undefined) Object.assign(headers, { origin: service.origin })
  const { method = 'GET', url = '/' } = requested
  const passed = request(new URL(url, service), { method, headers }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers)
    got.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  requested.pipe(passed)
}

/**
 * A proxy between page and service: forwards everything, injects price changes at the rate of a
 * measurement, and replaces responses with larger ones than the demo's.
 */
export async function startRelay(serviceUrl: string): Promise<Relay> {
  const service = new URL(serviceUrl)
  const relayed = new Set<RelayedSocket>()
  let instead: Instead = () => null
  let timer: ReturnType<typeof setInterval> | null = null
  let messageCount = 0
  const server = createServer((requested, answer) => {
    const body = instead(new URL(requested.url ?? '/', service))
    if (body === null) return forward(service, requested, answer)
    answer.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (requested, socket, head) => {
    sockets.handleUpgrade(requested, socket, head, (page) => {
      const target = new URL(requested.url ?? '/', service)
      target.protocol = 'ws:'
      const { cookie } = requested.headers
      const headers = cookie === undefined ? {} : { cookie }
      const socketPair = new RelayedSocket(
        page,
        new WebSocket(target, { origin: service.origin, headers }),
      )
      relayed.add(socketPair)
      page.on('close', () => relayed.delete(socketPair))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tick(perSecond) {
      if (timer !== null) clearInterval(timer)
      timer = null
      const each = Math.round((perSecond * TICK_MS) / 1_000)
      if (each > 0) {
        timer = setInterval(() => {
          for (const socketPair of relayed) messageCount += socketPair.report(each)
        }, TICK_MS)
      }
    },
    messageCount: () => messageCount,
    answerInstead: (next) => (instead = next),
    close() {
      if (timer !== null) clearInterval(timer)
      sockets.clients.forEach((client) => client.terminate())
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
