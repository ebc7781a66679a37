import type {
  AckFrame,
  ClientFrame,
  DeltaFrame,
  Position,
  ServerFrame,
  SnapshotFrame,
} from '../../../backend/features/data-service/socket/protocol.ts'
import { retreatFrom, type LinkState } from './link.ts'
import { Replica } from './replica.ts'

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
  readonly clock: { read(): number; monotonic(): number }
  /** A number from 0 to 1, for spreading returns. */
  readonly chance: () => number
  readonly onLink: (link: LinkState) => void
  /** The topic's data, or whether they are kept current, changed. */
  readonly onTopic: (name: string) => void
  /** The service stated its time. */
  readonly onTime: (serviceTime: number) => void
}

/** How far a topic is: asked for, kept current, waiting for a fresh snapshot, or not to be had. */
type Phase = 'unasked' | 'asked' | 'live' | 'gap' | 'refused'
interface Followed {
  readonly replica: Replica
  phase: Phase
  askedAt: number
}

const LOOK_EVERY = 1_000
/** A gap between two looks beyond this: the machine slept, or its clock was moved. */
const SLEPT_FROM = 10_000
/** The service pings each 20 s; silence beyond this is a dead line. */
const SILENT_FROM = 25_000
const PROBE_WITHIN = 3_000
const CONNECT_WITHIN = 10_000
/** Changes of what is followed are told together: far below 20 frames a second. */
const TELL_EVERY = 250
const ANSWER_WITHIN = 5_000
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
  readonly #followed = new Map<string, Followed>()
  /** The service's spelling of topics, where it differs from ours. */
  readonly #nameOf = new Map<string, string>()
  /** Subscriptions whose ack is awaited, by the id of their frame. */
  readonly #asked = new Map<number, readonly string[]>()
  /** Topics, in the service's spelling, whose state is asked for anew. */
  readonly #missed = new Set<string>()
  #socket: RawSocket | null = null
  #link: LinkState = { kind: 'connecting' }
  #wasOpen = false
  #failures = 0
  #frames = 0
  #heardAt = 0
  #heardTime: number | null = null
  #openedAt = 0
  #lostAt: number | null = null
  #probeUntil: number | null = null
  #lookedAt = { wall: 0, monotonic: 0 }
  #looking: ReturnType<typeof setInterval> | null = null
  #retrying: ReturnType<typeof setTimeout> | null = null
  #telling: ReturnType<typeof setTimeout> | null = null

  constructor(around: SocketSurroundings) {
    this.#around = around
  }

  /** Connects and stays connected until the returned function is called. */
  start(): () => void {
    this.#noteLook()
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
    return this.#followed.get(name)?.replica.data ?? null
  }

  isLive(name: string): boolean {
    return this.#link.kind === 'live' && this.#followed.get(name)?.phase === 'live'
  }

  /** Sets what is followed; told to the service shortly, many changes in one. */
  want(topics: readonly string[]): void {
    this.#wanted = topics
    this.#tellSoon()
  }

  /** The page came back, the network did, or the clock jumped: is the line still there? */
  wake(): void {
    if (this.#link.kind === 'live') {
      if (this.#probeUntil !== null) return
      this.#probeUntil = this.#now + PROBE_WITHIN
      this.#send({ op: 'ping' })
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
    this.#probeUntil = null
    this.#asked.clear()
    this.#missed.clear()
    if (code === 4413) this.mostTopics = Math.max(LEAST_TOPICS, Math.floor(this.mostTopics / 2))
    const retreat = retreatFrom(code, this.#failures, this.#wasOpen, this.#around.chance())
    const { reason, wait, isShort } = retreat
    if (wait !== Infinity) this.#retrying = setTimeout(() => this.#connect(), wait)
    this.#link = isShort
      ? { kind: 'waiting', until: this.#around.clock.read() + wait, reason }
      : { kind: 'polling', reason }
    for (const [name, followed] of this.#followed) {
      const wasCurrent = followed.phase === 'live'
      followed.phase = 'unasked'
      if (wasCurrent) this.#around.onTopic(name)
    }
    this.#around.onLink(this.#link)
  }

  #send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  #hear(text: string): void {
    this.#heardAt = this.#now
    this.#heardTime = this.#around.clock.read()
    this.#probeUntil = null
    let frame: ServerFrame
    try {
      frame = JSON.parse(text) as ServerFrame
    } catch {
      return
    }
    switch (frame.type) {
      case 'hello':
        this.#around.onTime(frame.time)
        if (!frame.authenticated) {
          this.#lose(4401)
          return
        }
        this.mostTopics = Math.min(this.mostTopics, frame.limits.topics)
        this.#setLink({ kind: 'live' })
        this.#tell()
        return
      case 'ping':
        this.#around.onTime(frame.ts)
        this.#send({ op: 'pong' })
        return
      case 'ack':
        this.#acknowledge(frame)
        return
      case 'snapshot':
      case 'delta':
        this.#take(frame)
        return
      case 'error':
        // The service let go of a topic that it cannot read now; it is asked for again.
        if (frame.topic !== undefined) this.#setPhase(frame.topic, 'unasked')
    }
  }

  #acknowledge({ op, id, topics, rejected }: AckFrame): void {
    if (op !== 'subscribe' || typeof id !== 'number') return
    const asked = this.#asked.get(id) ?? []
    this.#asked.delete(id)
    const refused = new Map(rejected.map((rejection) => [rejection.topic, rejection.code]))
    const accepted = asked.filter((name) => !refused.has(name))
    // Accepted ones come in the order of the request, in the service's spelling.
    accepted.forEach((name, index) => this.#nameOf.set(topics[index] ?? name, name))
    for (const name of accepted) {
      const followed = this.#followed.get(name)
      // What was resumed is current without another word, unless a snapshot says otherwise.
      if (followed?.phase === 'asked' && followed.replica.position !== null) {
        this.#setPhase(name, 'live')
      }
    }
    for (const [name, code] of refused) {
      this.#setPhase(name, code === 'INTERNAL_ERROR' ? 'unasked' : 'refused')
    }
  }

  #take(frame: SnapshotFrame | DeltaFrame): void {
    const name = this.#nameOf.get(frame.topic) ?? frame.topic
    const followed = this.#followed.get(name)
    if (followed === undefined) return
    const verdict = followed.replica.take(frame)
    if (verdict === 'gap' && followed.phase !== 'gap') {
      this.#setPhase(name, 'gap')
      this.#missed.add(frame.topic)
      this.#tellSoon()
    } else if (verdict === 'applied' && (frame.type === 'snapshot' || followed.phase === 'live')) {
      followed.phase = 'live'
      this.#around.onTopic(name)
    }
  }

  #setPhase(topic: string, phase: Phase): void {
    const name = this.#nameOf.get(topic) ?? topic
    const followed = this.#followed.get(name)
    if (followed === undefined) return
    followed.phase = phase
    followed.askedAt = this.#now
    this.#around.onTopic(name)
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => this.#tell(), TELL_EVERY)
  }

  /** Tells the service what is followed now: first what is not any more, so that there is room. */
  #tell(): void {
    if (this.#telling !== null) clearTimeout(this.#telling)
    this.#telling = null
    const wanted = new Set(this.#wanted.slice(0, this.mostTopics))
    const gone = [...this.#followed.keys()].filter((name) => !wanted.has(name))
    const held = gone.filter((name) => this.#isHeld(name))
    for (const name of gone) this.#followed.delete(name)
    for (const name of wanted) {
      if (!this.#followed.has(name)) {
        this.#followed.set(name, { replica: new Replica(name), phase: 'unasked', askedAt: 0 })
      }
    }
    for (const name of gone) this.#around.onTopic(name)
    if (this.#link.kind !== 'live') return
    if (held.length > 0) this.#send({ op: 'unsubscribe', topics: held })
    if (this.#missed.size > 0) this.#send({ op: 'resync', topics: [...this.#missed] })
    this.#missed.clear()
    const isRecent = this.#lostAt !== null && this.#now - this.#lostAt < RESUMED_WITHIN
    const resume: Record<string, Position> = {}
    const fresh: string[] = []
    for (const [name, followed] of this.#followed) {
      if (followed.phase !== 'unasked') continue
      const { position } = followed.replica
      if (position !== null && isRecent) resume[name] = position
      else followed.replica.position = null
      followed.phase = 'asked'
      followed.askedAt = this.#now
      fresh.push(name)
    }
    if (fresh.length === 0) return
    this.#frames += 1
    this.#asked.set(this.#frames, fresh)
    this.#send({ op: 'subscribe', topics: fresh, resume, id: this.#frames })
  }

  #isHeld(name: string): boolean {
    const phase = this.#followed.get(name)?.phase
    return phase === 'asked' || phase === 'live' || phase === 'gap'
  }

  #look(): void {
    const { wall, monotonic } = this.#lookedAt
    this.#noteLook()
    const slept = Math.max(
      Math.abs(this.#lookedAt.wall - wall - LOOK_EVERY),
      this.#now - monotonic - LOOK_EVERY,
    )
    if (slept > SLEPT_FROM) this.wake()
    if (this.#link.kind === 'connecting') {
      if (this.#now - this.#openedAt > CONNECT_WITHIN) this.#lose(LOST)
    } else if (this.#link.kind === 'live') {
      const isDead =
        this.#probeUntil === null
          ? this.#now - this.#heardAt > SILENT_FROM
          : this.#now > this.#probeUntil
      if (isDead) {
        this.#lose(SILENT)
        return
      }
      if (this.#now - this.#openedAt > GOOD_AFTER) this.#failures = 0
      this.#askAgain()
    }
  }

  /** What was asked and not answered, or lost by the service, is asked once more. */
  #askAgain(): void {
    for (const [name, followed] of this.#followed) {
      if (this.#now - followed.askedAt < ANSWER_WITHIN) continue
      if (followed.phase === 'asked') followed.phase = 'unasked'
      if (followed.phase === 'gap') {
        followed.askedAt = this.#now
        this.#missed.add(this.#wireNameOf(name))
      }
      if (followed.phase === 'unasked' || followed.phase === 'gap') this.#tellSoon()
    }
  }

  #wireNameOf(name: string): string {
    return [...this.#nameOf].find(([, own]) => own === name)?.[0] ?? name
  }

  #noteLook(): void {
    this.#lookedAt = { wall: this.#around.clock.read(), monotonic: this.#now }
  }
}
