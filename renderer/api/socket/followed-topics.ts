import type {
  AckFrame,
  ClientFrame,
  DeltaFrame,
  Position,
  SnapshotFrame,
} from '../../../backend/features/data-service/socket/protocol.ts'
import { Replica } from './replica.ts'

/** How far a topic is: asked for, kept current, waiting for a fresh snapshot, or not to be had. */
type Phase = 'unasked' | 'asked' | 'live' | 'gap' | 'refused'
interface Followed {
  readonly replica: Replica
  phase: Phase
  askedAt: number
}

const ANSWER_WITHIN = 5_000

/** The topics that are followed: what the service was told of them, what it said, and what they hold. */
export class FollowedTopics {
  readonly #now: () => number
  readonly #onTopic: (name: string) => void
  readonly #followed = new Map<string, Followed>()
  /** The service's spelling of topics, where it differs from ours. */
  readonly #nameOf = new Map<string, string>()
  /** Subscriptions whose ack is awaited, by the id of their frame. */
  readonly #asked = new Map<number, readonly string[]>()
  /** Topics, in the service's spelling, whose state is asked for anew. */
  readonly #missed = new Set<string>()
  #frames = 0

  /**
   * @param now a time that only grows, in milliseconds
   * @param onTopic hears when a topic's data, or whether they are kept current, changed
   */
  constructor(now: () => number, onTopic: (name: string) => void) {
    this.#now = now
    this.#onTopic = onTopic
  }

  dataOf(name: string): object | null {
    return this.#followed.get(name)?.replica.data ?? null
  }

  isLive(name: string): boolean {
    return this.#followed.get(name)?.phase === 'live'
  }

  /** The connection is gone: nothing is kept current, and everything is to be asked for again. */
  lost(): void {
    this.#asked.clear()
    this.#missed.clear()
    for (const [name, followed] of this.#followed) {
      const wasCurrent = followed.phase === 'live'
      followed.phase = 'unasked'
      if (wasCurrent) this.#onTopic(name)
    }
  }

  /** The service let go of a topic that it cannot read now; it is asked for again. */
  dropped(topic: string): void {
    this.#setPhase(topic, 'unasked')
  }

  acknowledge({ op, id, topics, rejected }: AckFrame): void {
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

  /** Takes what the service says of a topic; true when something is to be asked for. */
  take(frame: SnapshotFrame | DeltaFrame): boolean {
    const name = this.#nameOf.get(frame.topic) ?? frame.topic
    const followed = this.#followed.get(name)
    if (followed === undefined) return false
    const verdict = followed.replica.take(frame)
    if (verdict === 'gap' && followed.phase !== 'gap') {
      this.#setPhase(name, 'gap')
      this.#missed.add(frame.topic)
      return true
    }
    if (verdict === 'applied' && (frame.type === 'snapshot' || followed.phase === 'live')) {
      followed.phase = 'live'
      this.#onTopic(name)
    }
    return false
  }

  /** Follows these and no others; returns those let go of that the service still holds for us. */
  follow(names: readonly string[]): readonly string[] {
    const wanted = new Set(names)
    const gone = [...this.#followed.keys()].filter((name) => !wanted.has(name))
    const held = gone.filter((name) => this.#isHeld(name))
    for (const name of gone) this.#followed.delete(name)
    for (const name of wanted) {
      if (!this.#followed.has(name)) {
        this.#followed.set(name, { replica: new Replica(name), phase: 'unasked', askedAt: 0 })
      }
    }
    for (const name of gone) this.#onTopic(name)
    return held
  }

  /**
   * What to ask of the service now: fresh snapshots, and topics that were not asked for yet.
   * @param mayResume whether the service still keeps what happened since it was last heard
   */
  questions(mayResume: boolean): ClientFrame[] {
    const frames: ClientFrame[] = []
    if (this.#missed.size > 0) frames.push({ op: 'resync', topics: [...this.#missed] })
    this.#missed.clear()
    const resume: Record<string, Position> = {}
    const fresh: string[] = []
    for (const [name, followed] of this.#followed) {
      if (followed.phase !== 'unasked') continue
      const { position } = followed.replica
      if (position !== null && mayResume) resume[name] = position
      else followed.replica.position = null
      followed.phase = 'asked'
      followed.askedAt = this.#now()
      fresh.push(name)
    }
    if (fresh.length === 0) return frames
    this.#frames += 1
    this.#asked.set(this.#frames, fresh)
    return [...frames, { op: 'subscribe', topics: fresh, resume, id: this.#frames }]
  }

  /** Notes what was asked and not answered, or lost by the service; true when there is any. */
  noteUnanswered(): boolean {
    let isAny = false
    for (const [name, followed] of this.#followed) {
      if (this.#now() - followed.askedAt < ANSWER_WITHIN) continue
      if (followed.phase === 'asked') followed.phase = 'unasked'
      if (followed.phase === 'gap') {
        followed.askedAt = this.#now()
        this.#missed.add(this.#wireNameOf(name))
      }
      if (followed.phase === 'unasked' || followed.phase === 'gap') isAny = true
    }
    return isAny
  }

  #setPhase(topic: string, phase: Phase): void {
    const name = this.#nameOf.get(topic) ?? topic
    const followed = this.#followed.get(name)
    if (followed === undefined) return
    followed.phase = phase
    followed.askedAt = this.#now()
    this.#onTopic(name)
  }

  #isHeld(name: string): boolean {
    const phase = this.#followed.get(name)?.phase
    return phase === 'asked' || phase === 'live' || phase === 'gap'
  }

  #wireNameOf(name: string): string {
    return [...this.#nameOf].find(([, own]) => own === name)?.[0] ?? name
  }
}
