import type {
  ClientFrame,
  ServerFrame,
} from '../../../backend/features/data-service/socket/protocol.ts'
import { FollowedTopics } from './followed-topics.ts'
import { LineWatch, LOOK_EVERY, type LineClock } from './line-watch.ts'
import { retreatFrom, type LinkState } from './link.ts'

/** What a connection tells of itself. */
export interface SocketEvents {
  onOpen(): void
  onMessage(data: unknown): void
  onClose(code: number): void
}
export interface RawSocket {
  send(text: string): void
  close(code: number): void
}

export interface SocketSurroundings {
  /** Begins a connection; nothing is told before this returns. */
  readonly open: (events: SocketEvents) => RawSocket
  /** The service's time and one that only grows, in milliseconds. */
  readonly clock: LineClock
  /** A number from 0 to 1, for spreading returns. */
  readonly chance: () => number
  readonly onLink: (link: LinkState) => void
  /** The topic's data, or whether they are kept current, changed. */
  readonly onTopic: (name: string) => void
  /** The service stated its time. */
  readonly onTime: (serviceTime: number) => void
}

const CONNECT_WITHIN = 10_000
/** Changes of what is followed are told together: far below 20 frames a second. */
const TELL_EVERY = 250
/** Longer away, and nothing is resumed: the service keeps 60 s. */
const RESUMED_WITHIN = 55_000
/** A connection that stood this long was a good one. */
const GOOD_AFTER = 10_000
const LEAST_TOPICS = 25
const NORMAL = 1000
const SILENT = 4408
/** What a browser reports when a connection ends without a close frame. */
const LOST = 1006

/**
 * The page's one connection to the real-time service: keeps the wanted topics current by the rules
 * of contract/reads.md 7, comes back by itself, and says honestly how it stands.
 */
export class DataSocket {
  /** Topics that one connection may hold; less after the service called us slow. */
  mostTopics = 200
  readonly #around: SocketSurroundings
  #wanted: readonly string[] = []
  readonly #topics: FollowedTopics
  readonly #line: LineWatch
  #socket: RawSocket | null = null
  #link: LinkState = { kind: 'connecting' }
  #wasOpen = false
  #failures = 0
  #heardTime: number | null = null
  #openedAt = 0
  #lostAt: number | null = null
  #looking: ReturnType<typeof setInterval> | null = null
  #retrying: ReturnType<typeof setTimeout> | null = null
  #telling: ReturnType<typeof setTimeout> | null = null

  constructor(around: SocketSurroundings) {
    this.#around = around
    this.#topics = new FollowedTopics(
      () => this.#now,
      (name) => around.onTopic(name),
    )
    this.#line = new LineWatch(around.clock)
  }

  /** Connects and stays connected until the returned function is called. */
  start(): () => void {
    this.#line.look()
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY)
    this.#connect()
    return () => {
      if (this.#looking !== null) clearInterval(this.#looking)
      if (this.#retrying !== null) clearTimeout(this.#retrying)
      if (this.#telling !== null) clearTimeout(this.#telling)
      this.#leave()
    }
  }

  /** When the service was last heard, in its own time; null while nothing is heard. */
  get heardTime(): number | null {
    return this.#link.kind === 'live' ? this.#heardTime : null
  }

  dataOf(name: string): object | null {
    return this.#topics.dataOf(name)
  }

  isLive(name: string): boolean {
    return this.#link.kind === 'live' && this.#topics.isLive(name)
  }

  /** Sets what is followed; told to the service shortly, many changes in one. */
  want(topics: readonly string[]): void {
    this.#wanted = topics
    this.#tellSoon()
  }

  /** The page came back, the network did, or the clock jumped: is the line still there? */
  wake(): void {
    if (this.#link.kind === 'live') {
      if (this.#line.probe()) this.#send({ op: 'ping' })
    } else if (this.#socket === null && this.#mayTrySooner) this.#connect()
  }

  get #mayTrySooner(): boolean {
    if (this.#link.kind === 'polling') return this.#link.reason === 'signed-out'
    return this.#link.kind === 'waiting' && this.#link.reason !== 'too-many'
  }

  get #now(): number {
    return this.#around.clock.monotonic()
  }

  #setLink(link: LinkState): void {
    this.#link = link
    this.#around.onLink(link)
  }

  #connect(): void {
    if (this.#retrying !== null) clearTimeout(this.#retrying)
    this.#retrying = null
    this.#wasOpen = false
    this.#openedAt = this.#now
    if (this.#link.kind !== 'connecting') this.#setLink({ kind: 'connecting' })
    const isOurs = () => this.#socket === socket
    const socket = this.#around.open({
      onOpen: () => {
        if (isOurs()) this.#wasOpen = true
      },
      onMessage: (data) => {
        if (isOurs() && typeof data === 'string') this.#hear(data)
      },
      onClose: (code) => {
        if (isOurs()) this.#lose(code)
      },
    })
    this.#socket = socket
  }

  /** Lets go of the connection without waiting for its close. */
  #leave(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.close(NORMAL)
  }

  #lose(code: number): void {
    this.#leave()
    if (this.#link.kind === 'live') this.#lostAt = this.#now
    this.#failures += 1
    this.#line.lost()
    if (code === 4413) this.mostTopics = Math.max(LEAST_TOPICS, Math.floor(this.mostTopics / 2))
    const retreat = retreatFrom(code, this.#failures, this.#wasOpen, this.#around.chance())
    const { reason, wait, isShort } = retreat
    if (wait !== Infinity) this.#retrying = setTimeout(() => this.#connect(), wait)
    this.#link = isShort
      ? { kind: 'waiting', until: this.#around.clock.read() + wait, reason }
      : { kind: 'polling', reason }
    this.#topics.lost()
    this.#around.onLink(this.#link)
  }

  #send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  #hear(text: string): void {
    this.#line.heard()
    this.#heardTime = this.#around.clock.read()
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
          this.#lose(4401)
          return
        }
        this.mostTopics = Math.min(this.mostTopics, frame.limits.topics)
        this.#setLink({ kind: 'live' })
        this.#tell()
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
        if (this.#topics.take(frame)) this.#tellSoon()
        return
      case 'error':
        if (frame.topic !== undefined) this.#topics.dropped(frame.topic)
    }
  }

  #setTime(serviceTime: number): void {
    this.#around.onTime(serviceTime)
    // It was heard at that time, whatever the page took for the time before.
    this.#heardTime = this.#around.clock.read()
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => this.#tell(), TELL_EVERY)
  }

  /** Tells the service what is followed now: first what is not any more, so that there is room. */
  #tell(): void {
    if (this.#telling !== null) clearTimeout(this.#telling)
    this.#telling = null
    const held = this.#topics.follow(this.#wanted.slice(0, this.mostTopics))
    if (this.#link.kind !== 'live') return
    if (held.length > 0) this.#send({ op: 'unsubscribe', topics: held })
    const isRecent = this.#lostAt !== null && this.#now - this.#lostAt < RESUMED_WITHIN
    for (const question of this.#topics.questions(isRecent)) this.#send(question)
  }

  #look(): void {
    if (this.#line.look()) this.wake()
    if (this.#link.kind === 'connecting') {
      if (this.#now - this.#openedAt > CONNECT_WITHIN) this.#lose(LOST)
    } else if (this.#link.kind === 'live') {
      if (this.#line.isDead) {
        this.#lose(SILENT)
        return
      }
      if (this.#now - this.#openedAt > GOOD_AFTER) this.#failures = 0
      if (this.#topics.noteUnanswered()) this.#tellSoon()
    }
  }
}
