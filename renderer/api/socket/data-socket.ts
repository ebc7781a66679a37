import type { ClientFrame, ServerFrame } from '../../../backend/contract/socket.ts'
import { FollowedTopics } from './followed-topics.ts'
import { ConnectionMonitor, CHECK_INTERVAL, type ConnectionClock } from './connection-monitor.ts'
import { backoffAfter, type LinkState } from './link.ts'

/** Events of a connection. */
export interface SocketEvents {
  onOpen(): void
  onMessage(data: unknown): void
  onClose(code: number): void
}
export interface RawSocket {
  send(text: string): void
  close(code: number): void
}

export interface SocketDeps {
  /** Opens a connection; no event is emitted before this returns. */
  readonly open: (events: SocketEvents) => RawSocket
  /** The service's time and a monotonic time, in milliseconds. */
  readonly clock: ConnectionClock
  /** A number from 0 to 1, for jitter. */
  readonly chance: () => number
  readonly onLink: (link: LinkState) => void
  /** The topic's data changed, or whether they are current. */
  readonly onTopic: (name: string) => void
  /** The service sent its time. */
  readonly onTime: (serviceTime: number) => void
}

const CONNECT_TIMEOUT = 10_000
/** Changes of subscriptions are batched: far below 20 frames a second. */
const REPORT_INTERVAL = 250
/** After a longer disconnect nothing is resumed: the service keeps 60 s. */
const RESUME_WINDOW = 55_000
/** A connection that stayed open this long resets the backoff. */
const STABLE_AFTER = 10_000
const MIN_TOPICS = 25
const NORMAL = 1000
const SILENT = 4408
/** Close code that a browser reports when a connection ends without a close frame. */
const LOST = 1006

/**
 * The page's one connection to the real-time service. Keeps the subscribed topics current by the
 * rules of contract/reads.md 7, reconnects by itself, and reports the state of the connection.
 */
export class DataSocket {
  /** Topics that one connection may hold; fewer after the service reported a slow consumer. */
  maxTopics = 200
  readonly #deps: SocketDeps
  #topicNames: readonly string[] = []
  readonly #topics: FollowedTopics
  readonly #monitor: ConnectionMonitor
  #socket: RawSocket | null = null
  #link: LinkState = { kind: 'connecting' }
  #wasOpen = false
  #failures = 0
  #receivedTime: number | null = null
  #openedAt = 0
  #lostAt: number | null = null
  #checkTimer: ReturnType<typeof setInterval> | null = null
  #retryTimer: ReturnType<typeof setTimeout> | null = null
  #reportTimer: ReturnType<typeof setTimeout> | null = null

  constructor(deps: SocketDeps) {
    this.#deps = deps
    this.#topics = new FollowedTopics(
      () => this.#now,
      (name) => deps.onTopic(name),
    )
    this.#monitor = new ConnectionMonitor(deps.clock)
  }

  /** Connects and stays connected until the returned function is called. */
  start(): () => void {
    this.#monitor.check()
    this.#checkTimer = setInterval(() => this.#check(), CHECK_INTERVAL)
    this.#connect()
    return () => {
      if (this.#checkTimer !== null) clearInterval(this.#checkTimer)
      if (this.#retryTimer !== null) clearTimeout(this.#retryTimer)
      if (this.#reportTimer !== null) clearTimeout(this.#reportTimer)
      this.#disconnect()
    }
  }

  /** Service time of the last received frame; null while nothing arrives. */
  get receivedTime(): number | null {
    return this.#link.kind === 'live' ? this.#receivedTime : null
  }

  dataOf(name: string): object | null {
    return this.#topics.dataOf(name)
  }

  isLive(name: string): boolean {
    return this.#link.kind === 'live' && this.#topics.isLive(name)
  }

  /** Sets the subscribed topics; the service receives them shortly, many changes in one frame. */
  setTopics(topics: readonly string[]): void {
    this.#topicNames = topics
    this.#notifySoon()
  }

  /**
   * Checks the connection after the page became visible, the network returned, or the clock jumped.
   */
  check(): void {
    if (this.#link.kind === 'live') {
      if (this.#monitor.probe()) this.#send({ op: 'ping' })
    } else if (this.#socket === null && this.#mayTrySooner) this.#connect()
  }

  get #mayTrySooner(): boolean {
    if (this.#link.kind === 'polling') return this.#link.reason === 'signed-out'
    return this.#link.kind === 'waiting' && this.#link.reason !== 'too-many'
  }

  get #now(): number {
    return this.#deps.clock.monotonic()
  }

  #setLink(link: LinkState): void {
    this.#link = link
    this.#deps.onLink(link)
  }

  #connect(): void {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer)
    this.#retryTimer = null
    this.#wasOpen = false
    this.#openedAt = this.#now
    if (this.#link.kind !== 'connecting') this.#setLink({ kind: 'connecting' })
    const isOurs = () => this.#socket === socket
    const socket = this.#deps.open({
      onOpen: () => {
        if (isOurs()) this.#wasOpen = true
      },
      onMessage: (data) => {
        if (isOurs() && typeof data === 'string') this.#receive(data)
      },
      onClose: (code) => {
        if (isOurs()) this.#onClosed(code)
      },
    })
    this.#socket = socket
  }

  /** Drops the connection without waiting for its close. */
  #disconnect(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.close(NORMAL)
  }

  #onClosed(code: number): void {
    this.#disconnect()
    if (this.#link.kind === 'live') this.#lostAt = this.#now
    this.#failures += 1
    this.#monitor.onClosed()
    if (code === 4413) this.maxTopics = Math.max(MIN_TOPICS, Math.floor(this.maxTopics / 2))
    const backoff = backoffAfter(code, this.#failures, this.#wasOpen, this.#deps.chance())
    const { reason, wait, isShort } = backoff
    if (wait !== Infinity) this.#retryTimer = setTimeout(() => this.#connect(), wait)
    this.#link = isShort
      ? { kind: 'waiting', until: this.#deps.clock.read() + wait, reason }
      : { kind: 'polling', reason }
    this.#topics.onClosed()
    this.#deps.onLink(this.#link)
  }

  #send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  #receive(text: string): void {
    this.#monitor.recordMessage()
    this.#receivedTime = this.#deps.clock.read()
    let frame: ServerFrame
    try {
      frame = JSON.parse(text) as ServerFrame
    } catch {
      return
    }
    switch (frame.type) {
      case 'hello':
        this.#setTime(frame.time)
        if (!frame.authenticated) {
          this.#onClosed(4401)
          return
        }
        this.maxTopics = Math.min(this.maxTopics, frame.limits.topics)
        this.#setLink({ kind: 'live' })
        this.#report()
        return
      case 'ping':
        this.#setTime(frame.ts)
        this.#send({ op: 'pong' })
        return
      case 'ack':
        this.#topics.acknowledge(frame)
        return
      case 'snapshot':
      case 'delta':
        if (this.#topics.apply(frame)) this.#notifySoon()
        return
      case 'error':
        if (frame.topic !== undefined) this.#topics.onDropped(frame.topic)
    }
  }

  #setTime(serviceTime: number): void {
    this.#deps.onTime(serviceTime)
    // The frame arrived at that time, whatever the page's clock showed before.
    this.#receivedTime = this.#deps.clock.read()
  }

  #notifySoon(): void {
    this.#reportTimer ??= setTimeout(() => this.#report(), REPORT_INTERVAL)
  }

  /** Sends the changed subscriptions: unsubscribes first, to free capacity. */
  #report(): void {
    if (this.#reportTimer !== null) clearTimeout(this.#reportTimer)
    this.#reportTimer = null
    const droppedTopics = this.#topics.follow(this.#topicNames.slice(0, this.maxTopics))
    if (this.#link.kind !== 'live') return
    if (droppedTopics.length > 0) this.#send({ op: 'unsubscribe', topics: droppedTopics })
    const isRecent = this.#lostAt !== null && this.#now - this.#lostAt < RESUME_WINDOW
    for (const request of this.#topics.queries(isRecent)) this.#send(request)
  }

  #check(): void {
    if (this.#monitor.check()) this.check()
    if (this.#link.kind === 'connecting') {
      if (this.#now - this.#openedAt > CONNECT_TIMEOUT) this.#onClosed(LOST)
    } else if (this.#link.kind === 'live') {
      if (this.#monitor.isDead) {
        this.#onClosed(SILENT)
        return
      }
      if (this.#now - this.#openedAt > STABLE_AFTER) this.#failures = 0
      if (this.#topics.recordMissedReply()) this.#notifySoon()
    }
  }
}
