import type { Outbox } from './outbox.ts'
import type { Position, SnapshotReason } from '../../../contract/socket.ts'
import type { Reader, Topic } from './topics/topic.ts'
import type { Change } from './topics/topic-model.ts'

/** Topics subscribed in one frame: their deltas are sent only after all of them have started. */
export interface Batch {
  left: Set<Subscription>
  readonly all: readonly Subscription[]
}

/** The interface of a connection that its subscriptions use. */
export interface SubscriptionHost {
  readonly outbox: Outbox
  /** The first queued start may be ready to send. */
  beginNext(): void
  /** The topic restarted, so the subscription starts again. */
  restart(subscription: Subscription, reason: SnapshotReason): void
  /** Changes are waiting to be conflated and sent when there is room. */
  fallBehind(subscription: Subscription): void
  /** The topic cannot be served. */
  dropSubscription(subscription: Subscription): void
}

/** One connection's subscription to a topic. */
export class Subscription implements Reader {
  readonly topic: Topic
  readonly #host: SubscriptionHost
  /** Seq of the last change sent. */
  #sentCount = 0
  /** How the subscription starts or restarts; null once its start is sent. */
  #pendingSnapshot: { reason: SnapshotReason; from: Position | null } | null = null
  #batch: Batch | null = null

  constructor(topic: Topic, host: SubscriptionHost) {
    this.topic = topic
    this.#host = host
  }

  /** Starts with a snapshot, or with the changes after `from` if they are retained. */
  begin(reason: SnapshotReason, from: Position | null, batch: Batch | null): void {
    this.#pendingSnapshot = { reason, from }
    this.#batch = batch
  }

  /** Whether the client has been informed of the subscription. */
  get isKnown(): boolean {
    return this.#pendingSnapshot !== null || this.#sentCount > 0
  }

  get hasStarted(): boolean {
    return this.#pendingSnapshot === null
  }

  get batch(): Batch | null {
    return this.#batch
  }

  /** Sends the start; false while the state cannot be read. */
  sendBeginning(): boolean {
    if (!this.topic.isReadable) return false
    const pendingSnapshot = this.#pendingSnapshot
    if (pendingSnapshot === null) return true
    const { from } = pendingSnapshot
    if (from !== null && this.topic.canResume(from)) {
      this.#sentCount = from.seq
      this.#replay()
    } else {
      const isOther = from !== null && from.epoch !== this.topic.epoch
      this.#sendSnapshot(isOther ? 'epoch' : pendingSnapshot.reason)
    }
    this.#pendingSnapshot = null
    return true
  }

  /** All starts of the batch are sent; changes that arrived in the meantime follow. */
  release(): void {
    this.#batch = null
    if (!this.hasStarted || this.#sentCount >= this.topic.seq) return
    if (this.#host.outbox.isCrowded) this.#host.fallBehind(this)
    else this.#replay()
  }

  offer(change: Change, frame: Buffer): void {
    if (this.#pendingSnapshot !== null || this.#batch !== null) return
    if (this.#sentCount !== change.seq - 1 || this.#host.outbox.isCrowded) {
      this.#host.fallBehind(this)
      return
    }
    this.#host.outbox.send(frame)
    this.#sentCount = change.seq
  }

  ready(): void {
    if (this.#pendingSnapshot !== null) this.#host.beginNext()
  }

  restart(reason: SnapshotReason): void {
    if (this.#pendingSnapshot === null) this.#host.restart(this, reason)
    else this.#pendingSnapshot = { reason: this.#pendingSnapshot.reason, from: null }
  }

  handleFailure(): void {
    this.#host.dropSubscription(this)
  }

  /** Sends missed changes, conflated; false while the state cannot be read. */
  catchUp(): boolean {
    if (this.#pendingSnapshot !== null || this.#batch !== null) return true
    if (this.#sentCount >= this.topic.seq) return true
    const steps = this.topic.conflatedAfter(this.#sentCount)
    if (steps === null) {
      if (!this.topic.isReadable) return false
      this.#sendSnapshot('overflow')
      return true
    }
    for (const { seq, frame } of steps) {
      this.#host.outbox.send(frame)
      this.#sentCount = seq
    }
    return true
  }

  #replay(): void {
    const steps = this.topic.stepsAfter(this.#sentCount)
    if (steps === null) this.#host.fallBehind(this)
    for (const { seq, frame } of steps ?? []) {
      this.#host.outbox.send(frame)
      this.#sentCount = seq
    }
  }

  #sendSnapshot(reason: SnapshotReason): void {
    const { seq, frame } = this.topic.snapshot(reason)
    this.#host.outbox.send(frame)
    this.#sentCount = seq
  }
}
