import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { LIMITS, MAX_WAITING } from '../../backend/features/data-service/socket/limits.ts'
import { FakeClock } from '../../backend/testing/fake-clock.ts'
import {
  connectSocket,
  HandshakeRefused,
  type SocketClient,
} from '../../backend/testing/socket-client.ts'
import { until } from '../../backend/testing/socket-server.ts'
import {
  keyOf,
  startSocketService,
  type SocketService,
} from '../../backend/testing/socket-service.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'

const TICKERS = Array.from({ length: LIMITS.topics + 1 }, (_, i) => `KX${i}`)
const LORIS = 100
const FLOOD = 10_000
const MEGABYTE = 1_048_576
/** Bytes of a print, large enough to fill sockets fast. */
const LONG = 'x'.repeat(30_000)

/** Counters of one round; each counts correct outcomes. */
interface Round {
  sixths: number
  topics: number
  closes: Record<string, number>
  maxWaiting: number
  /** Deltas that the healthy client missed or received out of order. */
  lost: number
  left: number
}

const keyed = (name: string) => ({ authorization: `Bearer ${keyOf(name)}` })
const closeOf = async (
  service: SocketService,
  name: string,
  abuse: (client: SocketClient) => void,
): Promise<number> => {
  const client = await connectSocket(service.url, keyed(name))
  await client.next('hello')
  abuse(client)
  return client.closed
}

/** A socket that subscribes and then never reads. */
async function deaf(service: SocketService, topics: readonly string[]): Promise<Socket> {
  const { port } = service.bound
  const socket = connectTcp({ port, host: '127.0.0.1' })
  const lines = [
    'GET /ws HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Authorization: ${keyed('deaf').authorization}`,
  ]
  socket.on('error', () => {})
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  const text = Buffer.from(JSON.stringify({ op: 'subscribe', topics }))
  const head = Buffer.alloc(8)
  head.writeUInt16BE(0x81fe, 0)
  head.writeUInt16BE(text.length, 2)
  socket.write(Buffer.concat([head, text]))
  return socket
}

/** Handshakes that never complete; they must not affect other clients. */
async function slowLoris(service: SocketService): Promise<Socket[]> {
  const sockets = Array.from({ length: LORIS }, () =>
    connectTcp({ port: service.bound.port, host: '127.0.0.1' }).on('error', () => {}),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write('GET /ws HTT')
  return sockets
}

async function refusedSixths(service: SocketService, tries: number): Promise<number> {
  const held: SocketClient[] = []
  for (let i = 0; i < LIMITS.connections; i += 1) {
    held.push(await connectSocket(service.url, keyed('many')))
  }
  let refused = 0
  for (let i = 0; i < tries; i += 1) {
    const answer = await connectSocket(service.url, keyed('many')).catch((error: unknown) => error)
    if (answer instanceof HandshakeRefused && answer.status === 429) refused += 1
  }
  for (const client of held) {
    client.send({ op: 'ping' })
    await client.next('pong')
    await client.close()
  }
  return refused
}

async function topicsHeld(service: SocketService): Promise<number> {
  const client = await connectSocket(service.url, keyed('greedy'))
  const names = TICKERS.map((ticker) => `ticker:${ticker}`)
  await client.subscribe(names.slice(0, LIMITS.topics))
  const { subscribed } = await client.subscribe(names.slice(LIMITS.topics))
  await client.close()
  return subscribed
}

/** Every invalid frame, each on a connection of its own, and the result. */
async function closesOf(service: SocketService): Promise<Record<string, number>> {
  const closes: Record<string, number> = {}
  closes['10 MB frame'] = await closeOf(service, 'big', (client) => {
    client.sendText('a'.repeat(10 * MEGABYTE))
  })
  closes['10 MB in fragments'] = await closeOf(service, 'big', ({ socket }) => {
    for (let i = 0; i < 160; i += 1) socket.send('a'.repeat(65_536), { fin: i === 159 })
  })
  closes['binary frame'] = await closeOf(service, 'binary', ({ socket }) => {
    socket.send(Buffer.from([1, 2, 3]))
  })
  closes['bad UTF-8'] = await closeOf(service, 'text', ({ socket }) => {
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
  })
  closes['ping flood'] = await closeOf(service, 'ping', ({ socket }) => {
    for (let i = 0; i < FLOOD; i += 1) socket.ping()
  })
  closes['pong flood'] = await closeOf(service, 'pong', ({ socket }) => {
    for (let i = 0; i < FLOOD; i += 1) socket.pong()
  })
  closes['10,000 subscribes'] = await closeOf(service, 'subscribe', (client) => {
    for (let i = 0; i < FLOOD; i += 1)
      client.send({ op: 'subscribe', topics: [`ticker:KX${i % 9}`] })
  })
  closes['10,000 bad frames'] = await closeOf(service, 'bad', (client) => {
    for (let i = 0; i < FLOOD; i += 1) client.sendText('{')
  })
  return closes
}

async function runRound(neverReading: number): Promise<Round> {
  const clock = new FakeClock()
  const service = await startSocketService({ clock, tickers: TICKERS })
  const sockets: Socket[] = []
  try {
    sockets.push(...(await slowLoris(service)))
    const healthy = await connectSocket(service.url, keyed('healthy'))
    await healthy.subscribe(['ticker:KX0'])
    await healthy.next('snapshot')
    let published = 0
    const report = async (): Promise<void> => {
      published += 1
      service.restate('KX0', { openInterest: published })
      await clock.advance(100)
      await healthy.next('delta')
    }
    const sixths = await refusedSixths(service, 20)
    await report()
    const topics = await topicsHeld(service)
    await report()
    const closes = await closesOf(service)
    await report()
    for (let i = 0; i < neverReading; i += 1) {
      sockets.push(await deaf(service, ['trades:KX1', 'ticker:KX0', 'book:KX1', 'candles:KX1:1m']))
    }
    await until(() => service.hub.clients === 1 + neverReading)
    let maxWaiting = 0
    for (let second = 0; service.hub.clients > 1; second += 1) {
      if (second > 120) throw new Error('a client that never reads was never cut')
      for (let i = 0; i < 10; i += 1) {
        service.print('KX1', 40, { tradeId: `${LONG}${second}-${i}` })
        await report()
      }
      if (second % 10 === 0) healthy.send({ op: 'pong' })
      maxWaiting = Math.max(maxWaiting, service.hub.maxWaiting)
    }
    const seqs = healthy.frames.flatMap((frame) => (frame.type === 'delta' ? [frame.seq] : []))
    const lost = seqs.filter((seq, index) => seq !== index + 2).length + (published - seqs.length)
    await healthy.close()
    await until(() => service.hub.clients === 0)
    return { sixths, topics, closes, maxWaiting, lost, left: service.hub.clients }
  } finally {
    for (const socket of sockets) socket.destroy()
    await service.stop()
  }
}

const CLOSES: Readonly<Record<string, number>> = {
  '10 MB frame': 1009,
  '10 MB in fragments': 1009,
  'binary frame': 1003,
  'bad UTF-8': 1007,
  'ping flood': 4429,
  'pong flood': 4429,
  '10,000 subscribes': 4429,
  '10,000 bad frames': 4400,
}

/** A18: every misbehaviour of a socket's client, beside a correct client. */
export const socketAbuse: TortureCampaign = {
  name: 'socket-abuse',
  about: 'too many connections, topics, frames and bytes; clients that never read or never finish',
  rounds: 20,
  async run({ rounds, log }) {
    const all: Round[] = []
    for (let round = 1; round <= rounds; round += 1) {
      all.push(await runRound(LIMITS.connections - 1))
      log(`round ${round} of ${rounds}`)
    }
    const min = (of: (round: Round) => number) => Math.min(...all.map(of))
    const max = (of: (round: Round) => number) => Math.max(...all.map(of))
    const figure = (name: string, value: number, goal: string, met: boolean): TortureFigure => ({
      name,
      value,
      goal,
      met,
    })
    const sixths = min((round) => round.sixths)
    const topics = max((round) => round.topics)
    const waiting = max((round) => round.maxWaiting)
    const lost = max((round) => round.lost)
    return [
      figure('sixth connections refused of 20', sixths, '20', sixths === 20),
      figure('topics held of 201 asked', topics, '200', topics === LIMITS.topics),
      ...Object.entries(CLOSES).map(([name, code]) => {
        const odd = all.map(({ closes }) => closes[name] ?? 0).find((close) => close !== code)
        return figure(`close code after ${name}`, odd ?? code, `${code}`, odd === undefined)
      }),
      figure('most bytes waiting for one client', waiting, '≤ 4 MB', waiting <= MAX_WAITING),
      figure('frames that the healthy client lacks', lost, '0', lost === 0),
    ]
  },
}
