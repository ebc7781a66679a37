import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Caller } from '../../../http/auth.ts'
import type { DataAccess } from '../../../http/data-access.ts'
import type { MarketId } from '../../../history/market-key.ts'
import { sleepUnless, type Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import { Connection, type ConnectionHost } from './connection.ts'
import { CLOSE, CLOSE_WITHIN, LOOK_EVERY } from './limits.ts'
import type { SocketSources, TopicTime } from './sources.ts'
import { Tick } from './tick.ts'
import type { FeedTopics, MarketNews } from './topic-model.ts'
import { TopicRegistry } from './topic-registry.ts'

/** Connections of each caller; one count over all processes of a key. */
export interface ConnectionCount {
  /** Counts one more; false, and nothing counted, when the caller has its most. */
  take(callerId: string): boolean
  release(callerId: string): void
}

/** What the pipeline tells; see `MarketData.events`. */
export interface Feed {
  subscribe<K extends keyof FeedTopics>(
    topic: K,
    listener: (message: FeedTopics[K]) => void,
  ): () => void
}

/** Most milliseconds for which the frames of one connection wait to be written together. */
const TICK = 5

/**
 * The real-time socket: who is connected, what they follow, and the rhythm in which they are told.
 * Limits and timeouts run on `wallClock`, times in frames and bars on `clock`.
 */
export class Hub {
  readonly #sources: SocketSources
  readonly #counts: ConnectionCount
  readonly #wallClock: Clock
  readonly #log: Logger
  readonly #topics: TopicRegistry
  readonly #host: ConnectionHost
  readonly #connections = new Set<Connection>()
  readonly #stopping = new AbortController()
  readonly #stops: (() => void)[] = []

  constructor(deps: {
    sources: SocketSources
    feed: Feed
    access: DataAccess
    counts: ConnectionCount
    clock: Clock
    /** Absent: `clock`. */
    wallClock?: Clock
    log: Logger
    /** Most milliseconds that a frame waits for others; 0 writes each on its own. */
    tick?: number
  }) {
    const { clock, feed, access } = deps
    const wallClock = deps.wallClock ?? clock
    this.#sources = deps.sources
    this.#counts = deps.counts
    this.#wallClock = wallClock
    this.#log = deps.log
    const { signal } = this.#stopping
    const time: TopicTime = { now: () => clock.now(), monotonic: () => wallClock.monotonic() }
    const newEpoch = counted(randomBytes(6).toString('base64url'))
    const tick = new Tick({
      ...{ clock: wallClock, span: deps.tick ?? TICK, signal },
      work: () => this.#topics.tell(),
    })
    this.#topics = new TopicRegistry({
      ...{ sources: deps.sources, time, clock: wallClock, signal, newEpoch },
      onNews: () => tick.soon(),
      onError: (error, topic) => {
        // Reads under way when the service stops find the history closed.
        if (!signal.aborted) this.#log.error({ err: error, topic }, 'a topic cannot be read')
      },
    })
    this.#host = {
      ...{ time, tick, topics: this.#topics, access },
      admit: ({ id }) => this.#counts.take(id),
      onError: (error, connection) =>
        this.#log.error({ err: error, connection }, 'a frame could not be answered'),
      cutLater: (socket) =>
        void sleepUnless(signal, wallClock, CLOSE_WITHIN).then((waited) => {
          if (waited) socket.terminate()
        }),
    }
    this.#stops.push(
      ...this.#follow(feed),
      access.onEnded((callerId, credentialId) => this.#expel(callerId, credentialId)),
    )
    void this.#lookRegularly(signal)
  }

  /** Open connections. */
  get clients(): number {
    return this.#connections.size
  }

  /** Connections that have not said who they are. */
  get unknown(): number {
    return [...this.#connections].filter(({ caller }) => caller === null).length
  }

  /** Topics that stand. */
  get topics(): number {
    return this.#topics.size
  }

  /** False before the first load, when nobody is let in. */
  get isReady(): boolean {
    return this.#sources.isReady() && !this.#stopping.signal.aborted
  }

  /** The most bytes that wait for one client. */
  get mostWaiting(): number {
    return Math.max(0, ...[...this.#connections].map(({ waiting }) => waiting))
  }

  /** Counts a connection that is known by its handshake; false when its caller has too many. */
  admit(caller: Caller): boolean {
    return this.#counts.take(caller.id)
  }

  /** Gives back what `admit` counted when no connection came of it. */
  dismiss(caller: Caller): void {
    this.#counts.release(caller.id)
  }

  /** Takes over an upgraded socket. */
  connect(sockets: { ws: WebSocket; raw: Duplex }, caller: Caller | null): Connection {
    const id = randomBytes(9).toString('base64url')
    const connection = new Connection(id, sockets, caller, this.#host)
    this.#connections.add(connection)
    sockets.ws.on('error', (error) => this.#log.debug({ err: error, connection: id }, 'socket'))
    sockets.ws.on('close', () => {
      this.#connections.delete(connection)
      connection.subscriptions.dropAll()
      if (connection.caller !== null) this.#counts.release(connection.caller.id)
    })
    return connection
  }

  /** A trade of that time was changed or taken back. */
  noteCorrection(market: MarketId, at: Extract<MarketNews, { type: 'corrected' }>['at']): void {
    this.#topics.hear(market, { type: 'corrected', at })
  }

  /** The clock of the data was moved: every topic starts over, its readers get snapshots. */
  moveClock(): void {
    this.#topics.restart()
  }

  /** Says goodbye to everybody and stops; open sockets are cut by whoever closes the server. */
  close(): void {
    for (const connection of this.#connections) connection.end(CLOSE.stopping)
    for (const stop of this.#stops) stop()
    this.#topics.close()
    this.#stopping.abort()
  }

  #follow(feed: Feed): (() => void)[] {
    const stated: MarketNews = { type: 'stated' }
    const topics = this.#topics
    return [
      feed.subscribe('facts', ({ market }) => topics.hear(market, stated)),
      feed.subscribe('quote', ({ market }) => topics.hear(market, stated)),
      feed.subscribe('activity', ({ market }) => topics.hear(market, stated)),
      feed.subscribe('trade', ({ market, event }) =>
        topics.hear(market, { type: 'traded', trade: event }),
      ),
      feed.subscribe('book', ({ market, event: { bids, asks } }) =>
        topics.hear(market, { type: 'book', bids, asks }),
      ),
    ]
  }

  #expel(callerId: string, credentialId: string): void {
    for (const connection of this.#connections) {
      const { caller } = connection
      if (caller?.id === callerId && caller.credential.id === credentialId) {
        connection.fail(CLOSE.auth, 'AUTH_INVALID', 'Invalid or revoked credentials')
      }
    }
  }

  async #lookRegularly(signal: AbortSignal): Promise<void> {
    while (await sleepUnless(signal, this.#wallClock, LOOK_EVERY)) {
      this.#topics.look()
      for (const connection of this.#connections) connection.look()
    }
  }
}

/** Connection counts of one process. */
export function createConnectionCount(most: number): ConnectionCount {
  const held = new Map<string, number>()
  return {
    take(callerId) {
      const count = held.get(callerId) ?? 0
      if (count >= most) return false
      held.set(callerId, count + 1)
      return true
    },
    release(callerId) {
      const count = (held.get(callerId) ?? 0) - 1
      if (count > 0) held.set(callerId, count)
      else held.delete(callerId)
    },
  }
}

/** Names that begin alike and never repeat. */
const counted = (prefix: string): (() => string) => {
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
