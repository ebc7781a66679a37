import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { Clock } from '../lib/clock.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { Faults } from './faults.ts'
import type { Fault } from './faults.ts'
import { json, startHost } from './http-server.ts'
import type { Reply, Route } from './http-server.ts'
import { LiveLine } from './live-line.ts'
import { mix } from './randomness.ts'
import { Hours } from './tape/hours.ts'
import { Tape } from './tape/trades.ts'
import { mayConnect } from './venue-a/access.ts'
import { venueARoutes } from './venue-a/rest.ts'
import { VenueASession } from './venue-a/session.ts'
import { clobRoutes } from './venue-b/clob.ts'
import { dataRoutes } from './venue-b/data-api.ts'
import { gammaRoutes } from './venue-b/gamma.ts'
import { VenueBSession } from './venue-b/session.ts'

export interface SimulatorOptions {
  readonly seed: number
  /** About how many markets are in view, those that ended in the last 90 days included. */
  readonly markets: number
  readonly clock: Clock
  /** Ports of venue_a and of gamma, clob and data of venue_b; free ones unless told. */
  readonly ports?: readonly number[]
  readonly faults?: readonly { readonly fault: Fault; readonly count: number }[]
  /** Whether venue_a's socket wants the key headers; true unless told. */
  readonly requireKeys?: boolean
  /** PEM of the key that signatures on venue_a's socket must match; unchecked unless given. */
  readonly publicKey?: string
}

export interface SimulatorAddresses {
  /** `baseUrl` ends in `/trade-api/v2`, `wsUrl` is the whole address of the socket. */
  readonly venueA: { readonly baseUrl: string; readonly wsUrl: string }
  readonly venueB: {
    readonly gammaUrl: string
    readonly clobUrl: string
    /** Without the `/v2` of its paths. */
    readonly dataUrl: string
    readonly wsUrl: string
  }
}

export interface Simulator extends SimulatorAddresses {
  close(): Promise<void>
}

/** The sockets speak at most this often, ms. */
const BEAT = 250
const PING_EVERY = 10_000

interface Session {
  receive(text: string, now: number): void
  step(now: number): void
}

/**
 * Both venues on loopback. Everything they say is a function of the seed, the size and the clock:
 * the same three give the same bytes. Faults are ordered with `POST /control/faults` on any host.
 */
export async function createSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock } = options
  const ports = [...(options.ports ?? [])]
  const nextPort = (): number => ports.shift() ?? 0
  const catalogue = createCatalogue({
    seed: options.seed,
    markets: options.markets,
    from: clock.now(),
  })
  const tape = new Tape(new Hours(mix(0x5eed, options.seed)))
  const faults = new Faults()
  for (const { fault, count } of options.faults ?? []) faults.add(fault, count)

  const hostA = await startHost(
    {
      venue: 'venue_a',
      clock,
      faults,
      routes: venueARoutes(catalogue, tape),
      notFound: { status: 404, body: '404 page not found\n', type: 'text/plain; charset=utf-8' },
      tooMany: json({ error: 'too many requests' }, 429),
      badBody: json({ code: 'bad_request', message: 'invalid body', details: '' }, 400),
    },
    nextPort(),
  )
  const hostOfB = (routes: readonly Route[], notFound: Reply) =>
    startHost(
      {
        venue: 'venue_b',
        clock,
        faults,
        routes,
        notFound,
        tooMany: json({ error: 'rate limited' }, 429),
        badBody: json({ error: 'Invalid payload' }, 400),
      },
      nextPort(),
    )
  const gamma = await hostOfB(
    gammaRoutes(catalogue, tape),
    json({ type: 'not found error', error: 'not found' }, 404),
  )
  const clob = await hostOfB(clobRoutes(catalogue, tape), json({ error: 'not found' }, 404))
  const data = await hostOfB(
    dataRoutes(catalogue, tape),
    json({ error: 'not found', code: 'not_found', retryable: false, trace_id: '' }, 404),
  )

  const sessions = new Map<WebSocket, { session: Session; line: LiveLine }>()
  const accept = (socket: WebSocket, line: LiveLine, session: Session): void => {
    sessions.set(socket, { session, line })
    socket.on('message', (bytes) => session.receive(textOf(bytes), clock.now()))
    socket.on('close', () => sessions.delete(socket))
    socket.on('error', () => socket.terminate())
  }
  const socketsA = acceptSockets(
    hostA.server,
    '/trade-api/ws/v2',
    (request) => mayConnect(request, options.requireKeys ?? true, options.publicKey ?? null),
    (socket) => {
      const line = new LiveLine(socket, 'venue_a', faults)
      accept(socket, line, new VenueASession(line, catalogue, tape, clock.now()))
    },
  )
  const socketsB = acceptSockets(
    clob.server,
    '/ws/market',
    () => true,
    (socket) => {
      const line = new LiveLine(socket, 'venue_b', faults)
      accept(socket, line, new VenueBSession(line, catalogue, tape, clock.now()))
    },
  )

  const stop = new AbortController()
  const beat = async (): Promise<void> => {
    let pinged = clock.now()
    while (!stop.signal.aborted) {
      await clock.sleep(BEAT, stop.signal)
      const now = clock.now()
      for (const { session } of sessions.values()) session.step(now)
      if (now - pinged < PING_EVERY) continue
      pinged = now
      for (const { line } of sessions.values()) line.ping()
    }
  }
  const beating = beat().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })

  const hosts = [hostA, gamma, clob, data]
  return {
    venueA: {
      baseUrl: `http://127.0.0.1:${hostA.port}/trade-api/v2`,
      wsUrl: `ws://127.0.0.1:${hostA.port}/trade-api/ws/v2`,
    },
    venueB: {
      gammaUrl: `http://127.0.0.1:${gamma.port}`,
      clobUrl: `http://127.0.0.1:${clob.port}`,
      dataUrl: `http://127.0.0.1:${data.port}`,
      wsUrl: `ws://127.0.0.1:${clob.port}/ws/market`,
    },
    async close() {
      stop.abort(new Error('the simulator was closed'))
      await beating
      for (const socket of sessions.keys()) socket.terminate()
      socketsA.close()
      socketsB.close()
      await Promise.all(hosts.map(({ server }) => closeServer(server)))
    },
  }
}

/** Takes upgrades on one path; others, and readers without credentials, get a plain refusal. */
function acceptSockets(
  server: Server,
  path: string,
  isAllowed: (request: IncomingMessage) => boolean,
  take: (socket: WebSocket) => void,
): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_000_000 })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const asked = new URL(request.url ?? '/', 'http://loopback').pathname
    if (asked !== path) return refuseUpgrade(stream, 404)
    if (!isAllowed(request)) return refuseUpgrade(stream, 401)
    sockets.handleUpgrade(request, stream, head, take)
  })
  return sockets
}

function refuseUpgrade(stream: Duplex, status: number): void {
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  )
}

const textOf = (bytes: Buffer | ArrayBuffer | Buffer[]): string =>
  Buffer.isBuffer(bytes)
    ? bytes.toString('utf8')
    : Array.isArray(bytes)
      ? Buffer.concat(bytes).toString('utf8')
      : Buffer.from(bytes).toString('utf8')

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
