import type {
  AckFrame,
  ClientFrame,
  DeltaFrame,
  Position,
  SnapshotFrame,
} from '../../../backend/contract/socket.ts'
import { Replica } from './replica.ts'

/** State of a topic: requested, current, waiting for a fresh snapshot, or unavailable. */
type Phase = 'unrequested' | 'requested' | 'live' | 'gap' | 'refused'
interface TopicState {
  readonly replica: Replica
  phase: Phase
  requestedAt: number
}

const ANSWER_TIMEOUT = 5_000

/** The subscribed topics: what was sent for them, what the service answered, and their data. */
export class FollowedTopics {
  readonly #now: () => number
  readonly #onTopic: (name: string) => void
  readonly #states = new Map<string, TopicState>()
  /** The service's spelling of topics, where it differs from the page's. */
  readonly #nameOf = new Map<string, string>()
  /** Subscriptions whose ack is awaited, by the id of their frame. */
  readonly #pendingAcks = new Map<number, readonly string[]>()
  /** Topics, in the service's spelling, whose snapshot is requested again. */
  readonly #resyncTopics = new Set<string>()
  #frames = 0

  /**
   * @param now a monotonic time in milliseconds
   * @param onTopic called when a topic's data, or whether they are current, changed
   */
  constructor(now: () => number, onTopic: (name: string) => void) {
    this.#now = now
    this.#onTopic = onTopic
  }

  dataOf(name: string): object | null {
    return this.#states.get(name)?.replica.data ?? null
  }

  isLive(name: string): boolean {
    return this.#states.get(name)?.phase === 'live'
  }

  /** The connection is closed: no topic is current, and all have to be requested again. */
  onClosed(): void {
    this.#pendingAcks.clear()
    this.#resyncTopics.clear()
    for (const [name, followed] of this.#states) {
      const wasCurrent = followed.phase === 'live'
      followed.phase = 'unrequested'
      if (wasCurrent) this.#onTopic(name)
    }
  }

  /** The service dropped a topic that it cannot read now; it is requested again. */
  onDropped(topic: string): void {
    this.#setPhase(topic, 'unrequested')
  }

  acknowledge({ op, id, topics, rejected }: AckFrame): void {
    if (op !== 'subscribe' || typeof id !== 'number') return
    const requestedNames = this.#pendingAcks.get(id) ?? []
    this.#pendingAcks.delete(id)
    const refusalCodes = new Map(rejected.map((rejection) => [rejection.topic, rejection.code]))
    const acceptedTopics = requestedNames.filter((name) => !refusalCodes.has(name))
    // Accepted topics come in the order of the request, in the service's spelling.
    acceptedTopics.forEach((name, index) => this.#nameOf.set(topics[index] ?? name, name))
    for (const name of acceptedTopics) {
      const state = this.#states.get(name)
      // A resumed topic is current without another frame, unless a snapshot follows.
      if (state?.phase === 'requested' && state.replica.position !== null) {
        this.#setPhase(name, 'live')
      }
    }
    for (const [name, code] of refusalCodes) {
      this.#setPhase(name, code === 'INTERNAL_ERROR' ? 'unrequested' : 'refused')
    }
  }

  /** Processes a frame of a topic; returns true when a request has to be sent. */
  apply(frame: SnapshotFrame | DeltaFrame): boolean {
    const name = this.#nameOf.get(frame.topic) ?? frame.topic
    const state = this.#states.get(name)
    if (state === undefined) return false
    const result = state.replica.apply(frame)
    if (result === 'gap' && state.phase !== 'gap') {
      this.#setPhase(name, 'gap')
      this.#resyncTopics.add(frame.topic)
      return true
    }
    if (result === 'applied' && (frame.type === 'snapshot' || state.phase === 'live')) {
      state.phase = 'live'
      this.#onTopic(name)
    }
    return false
  }

  /** Subscribes to exactly these topics; returns the dropped ones that the service still sends. */
  follow(names: readonly string[]): readonly string[] {
    const followed = new Set(names)
    const unfollowedTopics = [...this.#states.keys()].filter((name) => !followed.has(name))
    const heldTopics = unfollowedTopics.filter((name) => this.#isHeld(name))
    for (const name of unfollowedTopics) this.#states.delete(name)
    for (const name of followed) {
      if (!this.#states.has(name)) {
        this.#states.set(name, {
          replica: new Replica(name),
          phase: 'unrequested',
          requestedAt: 0,
        })
      }
    }
    for (const name of unfollowedTopics) this.#onTopic(name)
    return heldTopics
  }

  /**
   * The requests to send now: fresh snapshots, and topics not requested yet.
   * @param mayResume whether the service still buffers what happened since its last frame
   */
  queries(mayResume: boolean): ClientFrame[] {
    const frames: ClientFrame[] = []
    if (this.#resyncTopics.size > 0) frames.push({ op: 'resync', topics: [...this.#resyncTopics] })
    this.#resyncTopics.clear()
    const resume: Record<string, Position> = {}
    const newNames: string[] = []
    for (const [name, followed] of this.#states) {
      if (followed.phase !== 'unrequested') continue
      const { position } = followed.replica
      if (position !== null && mayResume) resume[name] = position
      else followed.replica.position = null
      followed.phase = 'requested'
      followed.requestedAt = this.#now()
      newNames.push(name)
    }
    if (newNames.length === 0) return frames
    this.#frames += 1
    this.#pendingAcks.set(this.#frames, newNames)
    return [...frames, { op: 'subscribe', topics: newNames, resume, id: this.#frames }]
  }

  /**
   * Marks requests that were never answered, or that the service lost; returns true when there is
   * any.
   */
  recordMissedReply(): boolean {
    let isAny = false
    for (const [name, followed] of this.#states) {
      if (this.#now() - followed.requestedAt < ANSWER_TIMEOUT) continue
      if (followed.phase === 'requested') followed.phase = 'unrequested'
      if (followed.phase === 'gap') {
        followed.requestedAt = this.#now()
        this.#resyncTopics.add(this.#wireNameOf(name))
      }
      if (followed.phase === 'unrequested' || followed.phase === 'gap') isAny = true
    }
    return isAny
  }

  #setPhase(topic: string, phase: Phase): void {
    const name = this.#nameOf.get(topic) ?? topic
    const state = this.#states.get(name)
    if (state === undefined) return
    state.phase = phase
    state.requestedAt = this.#now()
    this.#onTopic(name)
  }

  #isHeld(name: string): boolean {
    const phase = this.#states.get(name)?.phase
    return phase === 'requested' || phase === 'live' || phase === 'gap'
  }

  #wireNameOf(name: string): string {
    return [...this.#nameOf].find(([, own]) => own === name)?.[0] ?? name
  }
}
