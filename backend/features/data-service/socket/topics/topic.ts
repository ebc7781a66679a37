import type { Millis } from '../../../../domain/units.ts'
import type { MarketId } from '../../../../history/market-key.ts'
import { ChangeRing } from '../change-ring.ts'
import { frameBytes } from '../frame-bytes.ts'
import type {
  DeltaFrame,
  Position,
  SnapshotFrame,
  SnapshotReason,
} from '../../../../contract/socket.ts'
import type { TopicTime } from '../sources.ts'
import type { Change, MarketUpdate, MergedChange, TopicModel } from './topic-model.ts'

/** A subscriber of a topic. */
export interface Reader {
  /** A change happened; `frame` is its delta for subscribers that hold the change before it. */
  offer(change: Change, frame: Buffer): void
  /** The state can be read: it was just opened, or a change is fully reported. */
  ready(): void
  /** The topic restarted: everything sent before is invalid. */
  restart(reason: SnapshotReason): void
  /** The state cannot be read. */
  handleFailure(): void
}

/** A delta that brings a subscriber up to `seq`. */
export interface Step {
  readonly seq: number
  readonly frame: Buffer
}

/**
 * One topic: its model, the count of its changes, and the latest of them. Frames are encoded once
 * and shared by all subscribers.
 */
export class Topic {
  readonly name: string
  /** Its market; null if it covers all markets. */
  readonly market: MarketId | null
  readonly readers = new Set<Reader>()
  readonly #makeModel: () => TopicModel
  readonly #newEpoch: () => string
  readonly #time: TopicTime
  readonly #onUpdate: () => void
  readonly #onGap: () => void
  readonly #onError: (error: unknown) => void
  readonly #ring = new ChangeRing()
  #model: TopicModel
  #epoch: string
  #seq = 1
  #isOpen = false
  /** Updates that arrived before the first state was read. */
  #earlyUpdates: MarketUpdate[] = []
  #isSending = false
  #isDirty = false
  #reportedAt = Number.NEGATIVE_INFINITY
  #snapshot: { readonly seq: number; readonly reason: SnapshotReason; frame: Buffer } | null = null
  /** Process time since which there is no subscriber; null while there is one. */
  idleSince: number | null

  constructor(options: {
    name: string
    market: MarketId | null
    /** Creates the model of each epoch. */
    model: () => TopicModel
    newEpoch: () => string
    time: TopicTime
    /** Called when there are changes to report that no update caused. */
    onUpdate: () => void
    /** Called when its changes cannot be computed, so that it must restart. */
    onGap: () => void
    onError: (error: unknown) => void
  }) {
    this.name = options.name
    this.market = options.market
    this.#onUpdate = options.onUpdate
    this.#onGap = options.onGap
    this.#makeModel = options.model
    this.#newEpoch = options.newEpoch
    this.#time = options.time
    this.#onError = options.onError
    this.#epoch = options.newEpoch()
    this.#model = options.model()
    this.idleSince = this.#time.monotonic()
  }

  /** Whether the state can be read: it is open, and no change is partly reported. */
  get isReadable(): boolean {
    return this.#isOpen && !this.#isSending
  }
  get seq(): number {
    return this.#seq
  }
  get epoch(): string {
    return this.#epoch
  }

  /** Reads the first state; subscribers and the caller are notified of the result. */
  async open(): Promise<boolean> {
    const model = this.#model
    try {
      await model.open()
    } catch (error) {
      if (model !== this.#model) return true
      this.#onError(error)
      for (const reader of [...this.readers]) reader.handleFailure()
      return false
    }
    if (model !== this.#model) return true
    this.#isOpen = true
    for (const update of this.#earlyUpdates) this.#isDirty = model.receive(update) || this.#isDirty
    this.#earlyUpdates = []
    for (const reader of [...this.readers]) reader.ready()
    if (this.#isDirty) this.#onUpdate()
    return true
  }

  /** Restarts the topic: new epoch, seq 1, state read again. */
  restart(reason: SnapshotReason): Promise<boolean> {
    this.#model.close()
    this.#model = this.#makeModel()
    this.#epoch = this.#newEpoch()
    this.#seq = 1
    this.#isOpen = false
    this.#isSending = false
    this.#isDirty = false
    this.#reportedAt = Number.NEGATIVE_INFINITY
    this.#earlyUpdates = []
    this.#snapshot = null
    this.#ring.clear()
    for (const reader of [...this.readers]) reader.restart(reason)
    return this.open()
  }

  /** Receives an update of the market; true if there may be changes to report. */
  receive(update: MarketUpdate): boolean {
    if (!this.#isOpen) {
      this.#earlyUpdates.push(update)
      return false
    }
    if (!this.#model.receive(update)) return false
    this.#isDirty = true
    return true
  }

  /** Checks for changes caused by time; true if there may be changes to report. */
  check(): boolean {
    this.#ring.dropExpired(this.#time.monotonic())
    if (this.#isOpen && this.#model.isDue()) this.#isDirty = true
    return this.#isOpen && this.#isDirty && !this.#isSending
  }

  /** Milliseconds until the next change may be reported; 0 or less: now. */
  get wait(): number {
    return this.#reportedAt + this.#model.minInterval - this.#time.monotonic()
  }

  /** Reports changes to the subscribers, at once or when they are read. */
  report(): void {
    if (!this.#isOpen || !this.#isDirty || this.#isSending) return
    this.#isDirty = false
    const model = this.#model
    const changes = model.changes()
    if (!(changes instanceof Promise)) {
      this.#publishToAll(changes)
      return
    }
    this.#isSending = true
    let hasFailed = false
    void changes
      .then(
        (read) => {
          if (model !== this.#model) return
          if (read === null) this.#onGap()
          else this.#publishToAll(read)
        },
        (error: unknown) => {
          hasFailed = true
          this.#isDirty = true
          this.#onError(error)
        },
      )
      .then(() => {
        if (model !== this.#model) return
        this.#isSending = false
        for (const reader of [...this.readers]) reader.ready()
        if (this.#isDirty && !hasFailed) this.#onUpdate()
      })
  }

  /** The whole state as a frame. */
  snapshot(reason: SnapshotReason): Step {
    if (this.#snapshot?.seq !== this.#seq || this.#snapshot.reason !== reason) {
      const frame: SnapshotFrame = {
        type: 'snapshot',
        topic: this.name,
        epoch: this.#epoch,
        seq: this.#seq,
        ts: this.#time.now(),
        reason,
        data: this.#model.snapshot(),
      }
      this.#snapshot = { seq: this.#seq, reason, frame: frameBytes(frame) }
    }
    return { seq: this.#seq, frame: this.#snapshot.frame }
  }

  /** Each change after `seq`, or null if some have been dropped. */
  stepsAfter(seq: number): readonly Step[] | null {
    const changes = this.#ring.changesAfter(seq, this.#seq)
    return changes?.map((change) => this.#step(change.seq - 1, change)) ?? null
  }

  /**
   * The changes after `seq`, conflated as far as possible, or null if a snapshot must replace
   * them.
   */
  conflatedAfter(seq: number): readonly Step[] | null {
    const changes = this.#ring.changesAfter(seq, this.#seq)
    const mergedChange = changes === null ? null : this.#model.merge(changes)
    let prev = seq
    return (
      mergedChange?.map((change) => {
        const step = this.#step(prev, change)
        prev = change.seq
        return step
      }) ?? null
    )
  }

  /** Whether a client at this position can resume without a snapshot. */
  canResume({ epoch, seq }: Position): boolean {
    return epoch === this.#epoch && seq >= 1 && this.#ring.changesAfter(seq, this.#seq) !== null
  }

  close(): void {
    this.#isOpen = false
    this.#model.close()
    this.#ring.clear()
  }

  #publishToAll(changes: readonly object[]): void {
    if (changes.length > 0) this.#reportedAt = this.#time.monotonic()
    for (const data of changes) {
      this.#seq += 1
      const ts: Millis = this.#time.now()
      const change: Change = { seq: this.#seq, keptAt: this.#reportedAt, ts, data }
      this.#ring.push(change)
      if (this.readers.size === 0) continue
      const { frame } = this.#step(change.seq - 1, change)
      for (const reader of this.readers) reader.offer(change, frame)
    }
  }

  #step(prev: number, { seq, ts, data }: MergedChange): Step {
    const mergedCount = seq - prev
    const frame: DeltaFrame = {
      type: 'delta',
      topic: this.name,
      epoch: this.#epoch,
      prev,
      seq,
      ts,
      ...(mergedCount > 1 ? { conflated: mergedCount } : {}),
      data,
    }
    return { seq, frame: frameBytes(frame) }
  }
}
