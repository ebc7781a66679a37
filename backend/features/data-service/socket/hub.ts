import { randomBytes } from 'node:crypto'
import type { Caller } from '../../../http/auth/auth.ts'
import type { DataAccess } from '../../../http/auth/data-access.ts'
import type { UpgradedSocket } from '../../../http/upgrade.ts'
import type { MarketId } from '../../../history/market-key.ts'
import { sleepUnless, type Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import { Connection, type ConnectionHost } from './connection.ts'
import { CLOSE, CLOSE_TIMEOUT, CHECK_INTERVAL } from './limits.ts'
import type { SocketSources, TopicTime } from './sources.ts'
import { Tick } from './tick.ts'
import type { FeedTopics, MarketUpdate } from './topics/topic-model.ts'
import { TopicRegistry } from './topics/topic-registry.ts'

/** Open connections per caller; all processes that use one key share a count. */
export interface ConnectionCount {
  /** Counts one connection; returns false and counts nothing if the caller has the maximum. */
  tryAcquire(callerId: string): boolean
  release(callerId: string): void
}

/** Events that the pipeline publishes; see `MarketData.events`. */
export interface Feed {
  subscribe<K extends keyof FeedTopics>(
    topic: K,
    listener: (message: FeedTopics[K]) => void,
  ): () => void
}

/** Longest time that frames of a connection wait to be written together, milliseconds. */
const TICK = 5

/**
 * The real-time socket: connections, their subscriptions, and the ticks in which updates are sent.
 * Limits and timeouts use `wallClock`; times in frames and bars use `clock`.
 */
export class Hub {
  readonly #sources: SocketSources
  readonly #counts: ConnectionCount
  readonly #wallClock: Clock
  readonly #log: Logger
  readonly #topics: TopicRegistry
  readonly #host: ConnectionHost
  readonly #connections = new Set<Connection>()
  readonly #stopController = new AbortController()
  readonly #unsubscribers: (() => void)[] = []

  constructor(deps: {
    sources: SocketSources
    feed: Feed
    access: DataAccess
    counts: ConnectionCount
    clock: Clock
    /** Defaults to `clock`. */
    wallClock?: Clock
    log: Logger
    /** Longest time that a frame waits for others, milliseconds; 0 writes each frame at once. */
    tick?: number
  }) {
    const { clock, feed, access } = deps
    const wallClock = deps.wallClock ?? clock
    this.#sources = deps.sources
    this.#counts = deps.counts
    this.#wallClock = wallClock
    this.#log = deps.log
    const { signal } = this.#stopController
    const time: TopicTime = { now: () => clock.now(), monotonic: () => wallClock.monotonic() }
    const newEpoch = createNames(randomBytes(6).toString('base64url'))
    const tick = new Tick({
      clock: wallClock,
      span: deps.tick ?? TICK,
      signal,
      work: () => this.#topics.report(),
    })
    this.#topics = new TopicRegistry({
      sources: deps.sources,
      time,
      clock: wallClock,
      signal,
      newEpoch,
      onUpdate: () => tick.soon(),
      onError: (error, topic) => {
        // Reads in progress when the service stops fail because the history is closed.
        if (!signal.aborted) this.#log.error({ err: error, topic }, 'a topic cannot be read')
      },
    })
    this.#host = {
      time,
      tick,
      topics: this.#topics,
      access,
      admit: ({ id }) => this.#counts.tryAcquire(id),
      onError: (error, connection) =>
        this.#log.error({ err: error, connection }, 'a frame could not be processed'),
      terminateLater: (socket) =>
        void sleepUnless(signal, wallClock, CLOSE_TIMEOUT).then((waited) => {
          if (waited) socket.terminate()
        }),
    }
    this.#unsubscribers.push(
      ...this.#follow(feed),
      access.onEnded((callerId, credentialId) => this.#disconnect(callerId, credentialId)),
    )
    void this.#checkPeriodically(signal)
  }

  /** Number of open connections. */
  get clients(): number {
    return this.#connections.size
  }

  /** Number of connections that are not authenticated. */
  get unknown(): number {
    return [...this.#connections].filter(({ caller }) => caller === null).length
  }

  /** Number of active topics. */
  get topics(): number {
    return this.#topics.size
  }

  /** False before the first load; connections are refused until then. */
  get isReady(): boolean {
    return this.#sources.isReady() && !this.#stopController.signal.aborted
  }

  /** Largest number of bytes queued for one client. */
  get maxWaiting(): number {
    return Math.max(0, ...[...this.#connections].map(({ waiting }) => waiting))
  }

  /** Counts a connection authenticated by its handshake; false if its caller has too many. */
  admit(caller: Caller): boolean {
    return this.#counts.tryAcquire(caller.id)
  }

  /** Reverts the count of `admit` when the connection was not established. */
  dismiss(caller: Caller): void {
    this.#counts.release(caller.id)
  }

  /** Takes over an upgraded socket. */
  connect(sockets: UpgradedSocket, caller: Caller | null): Connection {
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

  /** A trade at that time was corrected or cancelled. */
  applyCorrection(market: MarketId, at: Extract<MarketUpdate, { type: 'corrected' }>['at']): void {
    this.#topics.receive(market, { type: 'corrected', at })
  }

  /** Data time was moved: every topic restarts and its subscribers get snapshots. */
  moveClock(): void {
    this.#topics.restart()
  }

  /** Closes every connection and stops; the server terminates sockets that stay open. */
  close(): void {
    for (const connection of this.#connections) connection.end(CLOSE.stopping)
    for (const unsubscribe of this.#unsubscribers) unsubscribe()
    this.#topics.close()
    this.#stopController.abort()
  }

  #follow(feed: Feed): (() => void)[] {
    const update: MarketUpdate = { type: 'stated' }
    const topics = this.#topics
    return [
      feed.subscribe('facts', ({ market }) => topics.receive(market, update)),
      feed.subscribe('quote', ({ market }) => topics.receive(market, update)),
      feed.subscribe('activity', ({ market }) => topics.receive(market, update)),
      feed.subscribe('trade', ({ market, event }) =>
        topics.receive(market, { type: 'traded', trade: event }),
      ),
      feed.subscribe('book', ({ market, event: { bids, asks } }) =>
        topics.receive(market, { type: 'book', bids, asks }),
      ),
    ]
  }

  #disconnect(callerId: string, credentialId: string): void {
    for (const connection of this.#connections) {
      const { caller } = connection
      if (caller?.id === callerId && caller.credential.id === credentialId) {
        connection.fail(CLOSE.auth, 'AUTH_INVALID', 'Invalid or revoked credentials')
      }
    }
  }

  async #checkPeriodically(signal: AbortSignal): Promise<void> {
    while (await sleepUnless(signal, this.#wallClock, CHECK_INTERVAL)) {
      this.#topics.check()
      for (const connection of this.#connections) connection.check()
    }
  }
}

/** Connection counts of one process. */
export function createConnectionCount(max: number): ConnectionCount {
  const counts = new Map<string, number>()
  return {
    tryAcquire(callerId) {
      const count = counts.get(callerId) ?? 0
      if (count >= max) return false
      counts.set(callerId, count + 1)
      return true
    },
    release(callerId) {
      const count = (counts.get(callerId) ?? 0) - 1
      if (count > 0) counts.set(callerId, count)
      else counts.delete(callerId)
    },
  }
}

/** Generates unique names with a common prefix. */
const createNames = (prefix: string): (() => string) => {
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
