import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { Venue } from '../domain/market.ts'
import { HOUR } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { SimMarket } from './catalogue/market.ts'
import type { ScheduledFault } from './faults/fault.ts'
import { Faults } from './faults/faults.ts'
import type { FaultReport } from './faults/faults.ts'
import { VenueIncidents } from './faults/venue-life.ts'
import { startHost } from './http-server.ts'
import type { Route } from './http-server.ts'
import { json } from './reply.ts'
import type { Reply } from './reply.ts'
import { StreamConnection } from './stream-connection.ts'
import { mix } from './randomness.ts'
import { HourlyActivity } from './tape/hours.ts'
import { Tape } from './tape/trades.ts'
import { bookAt, type SimBook } from './tape/order-book.ts'
import type { SimTrade } from './tape/sim-trade.ts'
import { Exchange } from './exchange/exchange.ts'
import { printsOf } from './prints.ts'
import type { Print } from './prints.ts'
import { mayConnect } from './venue-a/access.ts'
import { venueARoutes } from './venue-a/rest.ts'
import { venueATrading, type KeyHolder } from './venue-a/trading.ts'
import { VenueASession } from './venue-a/session.ts'
import { clobRoutes } from './venue-b/clob.ts'
import { dataRoutes } from './venue-b/data-api.ts'
import { gammaRoutes } from './venue-b/gamma.ts'
import {
  activityRoute,
  positionsRoute,
  registerWallet,
  venueBTrading,
  type WalletHolder,
} from './venue-b/trading.ts'
import { VenueBSession } from './venue-b/session.ts'
import type { World } from './world.ts'

export interface SimulatorOptions {
  readonly seed: number
  /** Approximate number of listed markets, including those that ended in the last 90 days. */
  readonly markets: number
  readonly clock: Clock
  /** Multiple of the usual trading from the hour of the start; 1 by default. */
  readonly activity?: number
  /** Ports of venue_a and of gamma, clob and data of venue_b; free ones by default. */
  readonly ports?: readonly number[]
  readonly faults?: readonly ScheduledFault[]
  /** Whether venue_a's socket requires the key headers; true by default. */
  readonly requireKeys?: boolean
  /** PEM of the key that signatures on venue_a's socket must match; unchecked unless given. */
  readonly publicKey?: string
  /** Accounts that can trade, each with its cash in 1e-6 dollars; none by default. */
  readonly accounts?: {
    readonly venueA?: readonly (KeyHolder & { readonly cash: number })[]
    readonly venueB?: readonly (WalletHolder & { readonly cash: number })[]
  }
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
  /** Adds faults, as `POST /control/script` does. */
  scheduleFaults(faults: readonly ScheduledFault[]): void
  /** Ends every fault; their effects stay on record. */
  stopFaults(): void
  /** Pending and past faults, as `GET /control/faults` returns them. */
  faults(): readonly FaultReport[]
  /** Every trade with `from < at <= to` that the venue has by now. */
  prints(venue: Venue, from: number, to: number): readonly Print[]
  /** The accounts and orders of a venue. */
  readonly exchanges: Readonly<Record<Venue, Exchange>>
  /** Markets of a venue now, one of them, and its book. */
  markets(venue: Venue): readonly SimMarket[]
  market(venue: Venue, id: string): SimMarket | null
  book(market: SimMarket): SimBook
  close(): Promise<void>
}

/** Minimum interval between messages of the sockets, ms. */
const HEARTBEAT_MS = 250
const PING_INTERVAL = 10_000

interface Session {
  receive(text: string, now: number): void
  step(now: number): void
}

/**
 * Both venues on loopback. Their output is a function of the seed, the size and the clock: equal
 * inputs give equal bytes. Faults are added with `POST /control/script` on any host; `GET
 * /control/prints?venue&from&to` lists the trades that a reader should have in the end. `POST
 * /control/accounts` opens an account of venue_a for a key, `POST /control/wallets` one of venue_b.
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
  const activity = {
    since: Math.floor(clock.now() / HOUR) * HOUR,
    factor: options.activity ?? 1,
  }
  const tape = new Tape(new HourlyActivity(mix(0x5eed, options.seed), activity, clock.now()))
  const world: World = { catalogue, tape, announcements: [] }
  const faults = new Faults(clock)
  for (const fault of options.faults ?? []) faults.schedule(fault)
  const life = new VenueIncidents(world, faults, clock.now())
  const { venueA: holdersA = [], venueB: holdersB = [] } = options.accounts ?? {}
  const exchanges = { venue_a: new Exchange('venue_a'), venue_b: new Exchange('venue_b') }
  for (const { keyId, cash } of holdersA) exchanges.venue_a.open(keyId, cash)
  for (const { funder, cash } of holdersB) exchanges.venue_b.open(funder.toLowerCase(), cash)
  const wallets: WalletHolder[] = [...holdersB]
  const tradingA = venueATrading(catalogue, exchanges.venue_a, holdersA)

  const prints = (venue: Venue, from: number, to: number): readonly Print[] =>
    printsOf(world, venue, from, Math.min(to, life.nowOf(venue, clock.now())))
  const inspect = (path: string, query: URLSearchParams, body: unknown): Reply | null => {
    if (path === '/control/accounts') return tradingA.register(body, clock.now())
    if (path === '/control/wallets') return registerWallet(wallets, exchanges.venue_b, body)
    if (path !== '/control/prints') return null
    const venue = query.get('venue') === 'venue_b' ? 'venue_b' : 'venue_a'
    return json({ prints: prints(venue, Number(query.get('from')), Number(query.get('to'))) })
  }

  const hostA = await startHost(
    {
      venue: 'venue_a',
      clock,
      faults,
      life,
      inspect,
      routes: [...venueARoutes(catalogue, tape), ...tradingA.routes],
      notFound: { status: 404, body: '404 page not found\n', type: 'text/plain; charset=utf-8' },
      tooMany: json({ error: 'too many requests' }, 429),
      badBody: json({ code: 'bad_request', message: 'invalid body', details: '' }, 400),
    },
    nextPort(),
  )
  const hostOfB = (routes: readonly Route[], notFoundReply: Reply) =>
    startHost(
      {
        venue: 'venue_b',
        clock,
        faults,
        life,
        inspect,
        routes,
        notFound: notFoundReply,
        tooMany: json({ error: 'rate limited' }, 429),
        badBody: json({ error: 'Invalid payload' }, 400),
      },
      nextPort(),
    )
  const gamma = await hostOfB(
    gammaRoutes(catalogue, tape),
    json({ type: 'not found error', error: 'not found' }, 404),
  )
  const clob = await hostOfB(
    [...clobRoutes(catalogue, tape), ...venueBTrading(catalogue, exchanges.venue_b, wallets)],
    json({ error: 'not found' }, 404),
  )
  const data = await hostOfB(
    [
      ...dataRoutes(catalogue, tape),
      positionsRoute(exchanges.venue_b),
      activityRoute(exchanges.venue_b),
    ],
    json({ error: 'not found', code: 'not_found', retryable: false, trace_id: '' }, 404),
  )

  const sessions = new Map<WebSocket, { venue: Venue; session: Session; line: StreamConnection }>()
  const forget = (trade: SimTrade): void => tape.edits.remove(trade)
  const accept = (
    venue: Venue,
    socket: WebSocket,
    open: (line: StreamConnection, now: number) => Session,
  ): void => {
    const line = new StreamConnection({ socket, venue, faults, forget, clock })
    const session = open(line, life.nowOf(venue, clock.now()))
    sessions.set(socket, { venue, session, line })
    socket.on('message', (bytes) => {
      session.receive(textOf(bytes), life.nowOf(venue, clock.now()))
    })
    socket.on('close', () => sessions.delete(socket))
    socket.on('error', () => socket.terminate())
  }
  const refusalOf = (venue: Venue): number | null => {
    const refusing = faults.firstActive(venue, ['refuse'])
    refusing?.record('connect')
    return refusing === null ? null : 503
  }
  const socketsA = acceptSockets(
    hostA.server,
    '/trade-api/ws/v2',
    (request) =>
      mayConnect(request, options.requireKeys ?? true, options.publicKey ?? null)
        ? refusalOf('venue_a')
        : 401,
    (socket) => accept('venue_a', socket, (line, now) => new VenueASession(line, world, now)),
  )
  const socketsB = acceptSockets(
    clob.server,
    '/ws/market',
    () => refusalOf('venue_b'),
    (socket) => accept('venue_b', socket, (line, now) => new VenueBSession(line, world, now)),
  )

  const stop = new AbortController()
  const runHeartbeat = async (): Promise<void> => {
    let lastPingAt = clock.now()
    while (!stop.signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, stop.signal)
      const now = clock.now()
      life.advance(now)
      for (const { venue, session } of sessions.values()) session.step(life.nowOf(venue, now))
      for (const { line } of sessions.values()) line.tick()
      if (now - lastPingAt < PING_INTERVAL) continue
      lastPingAt = now
      for (const { line } of sessions.values()) line.ping()
    }
  }
  const heartbeat = runHeartbeat().catch((error: unknown) => {
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
    scheduleFaults(scheduledFaults) {
      for (const fault of scheduledFaults) faults.schedule(fault)
      life.advance(clock.now())
    },
    stopFaults: () => faults.stopFaults(),
    faults: () => faults.report(),
    prints,
    exchanges,
    markets: (venue) => catalogue.markets(venue, clock.now()),
    market: (venue, id) => catalogue.market(venue, id, clock.now()),
    book: (market) => bookAt(market, clock.now()),
    async close() {
      stop.abort(new Error('the simulator was closed'))
      await heartbeat
      for (const socket of sessions.keys()) socket.terminate()
      socketsA.close()
      socketsB.close()
      await Promise.all(hosts.map(({ server }) => closeServer(server)))
    },
  }
}

/** Accepts upgrades on one path; others, and those refused by a status, get an HTTP error. */
function acceptSockets(
  server: Server,
  path: string,
  refusalOf: (request: IncomingMessage) => number | null,
  onSocket: (socket: WebSocket) => void,
): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_000_000 })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const requestPath = new URL(request.url ?? '/', 'http://loopback').pathname
    if (requestPath !== path) return refuseUpgrade(stream, 404)
    const refusal = refusalOf(request)
    if (refusal !== null) return refuseUpgrade(stream, refusal)
    sockets.handleUpgrade(request, stream, head, onSocket)
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
