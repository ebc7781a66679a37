import { WebSocket } from 'ws'

/** Active clients until they are stopped; the counts prove that they were served. */
export interface Readers {
  readonly frames: () => number
  readonly answers: () => number
  /** How often each kind of failure occurred: a status, or the connection's error. */
  readonly failures: () => Readonly<Record<string, number>>
  stop(): Promise<void>
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

const SOCKETS = 5
const TOPICS_EACH = 40
const READ_EVERY = 250

/** Five sockets on the busiest markets, and a client with four kinds of reads a second. */
export async function startReaders(url: string, key: string): Promise<Readers> {
  const headers = { authorization: `Bearer ${key}` }
  const listed = await fetch(`${url}/v1/markets?limit=${SOCKETS * TOPICS_EACH}`, { headers })
  const { markets } = (await listed.json()) as { markets: { ticker: string }[] }
  let [frames, answers] = [0, 0]
  const failures: Record<string, number> = {}
  const failed = (kind: string): void => {
    failures[kind] = (failures[kind] ?? 0) + 1
  }
  const sockets = Array.from({ length: SOCKETS }, (_, n) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers })
    const own = markets.slice(n * TOPICS_EACH, (n + 1) * TOPICS_EACH)
    const topics = own.flatMap(({ ticker }) => [
      `ticker:${ticker}`,
      `trades:${ticker}`,
      `book:${ticker}`,
      `candles:${ticker}:1m`,
    ])
    socket.on('open', () => socket.send(JSON.stringify({ op: 'subscribe', topics })))
    socket.on('message', (data: Buffer) => {
      frames += 1
      if (data.includes('"type":"ping"')) socket.send(JSON.stringify({ op: 'pong' }))
    })
    socket.on('error', ({ message }) => failed(`socket: ${message}`))
    return socket
  })
  const requested = [
    '/api/public/markets?limit=100',
    '/v1/markets?limit=500',
    '/v1/movers',
    '/api/changes?since=1h',
    ...markets
      .slice(0, 50)
      .flatMap(({ ticker }) => [
        `/v1/orderbook/${encodeURIComponent(ticker)}`,
        `/v1/candles/${encodeURIComponent(ticker)}?tf=1m&limit=200`,
      ]),
  ]
  let next = 0
  const timer = setInterval(() => {
    const path = requested[next++ % requested.length] ?? ''
    fetch(`${url}${path}`, path.startsWith('/v1') ? { headers } : {})
      .then(async (answer) => {
        await answer.arrayBuffer()
        if (answer.ok) answers += 1
        else
          failed(
            `${answer.status} ${new URL(answer.url).pathname.split('/').slice(0, 3).join('/')}`,
          )
      })
      .catch((error: unknown) => failed(messageOf(error)))
  }, READ_EVERY)
  return {
    frames: () => frames,
    answers: () => answers,
    failures: () => ({ ...failures }),
    async stop() {
      clearInterval(timer)
      await Promise.all(
        sockets.map(
          (socket) =>
            new Promise<void>((resolve) => {
              socket.once('close', () => resolve())
              socket.close()
            }),
        ),
      )
    },
  }
}
