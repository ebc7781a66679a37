import { sleepUnless, type Clock } from '../../../lib/clock.ts'
import { FrameBatch } from './frame-batch.ts'

/** A tick rests this many times as long as it worked, so that writing takes a fifth of the time. */
const PAUSE_FACTOR = 4
/**
 * The second shortest of this many ticks estimates the usual work: it is neither an idle nor a
 * delayed one.
 */
const COMPARED = 4
const SECOND_SHORTEST = 1

/** Writes at the end of a tick. */
export interface Writer {
  flush(): void
}

/**
 * Batches updates: whatever one callback of the event loop produces is sent together when it ends.
 * The longer a tick worked, the longer the next one waits: until the end of the loop's turn, then
 * up to `span`. A few clients are served at once, and many cost one write each per tick.
 */
export class Tick {
  readonly #clock: Clock
  readonly #span: number
  readonly #signal: AbortSignal
  readonly #work: () => void
  #writers: Writer[] = []
  /** Batches of this tick by their first frame. */
  #batches = new Map<Buffer, FrameBatch>()
  #isScheduled = false
  #notBefore = Number.NEGATIVE_INFINITY
  /** Work of the latest ticks, milliseconds. */
  #durations: number[] = Array.from({ length: COMPARED }, () => 0)

  /**
   * @param span longest wait of a tick, milliseconds; 0 writes each frame at once
   * @param work runs at the start of each tick
   */
  constructor(options: { clock: Clock; span: number; signal: AbortSignal; work: () => void }) {
    this.#clock = options.clock
    this.#span = options.span
    this.#signal = options.signal
    this.#work = options.work
  }

  get joins(): boolean {
    return this.#span > 0
  }

  /** Schedules a tick soon. */
  soon(): void {
    if (this.#isScheduled || this.#signal.aborted) return
    this.#isScheduled = true
    const wait = this.#notBefore - this.#clock.monotonic()
    // When idle, the tick runs before other queued callbacks, so an event reaches its subscribers
    // first.
    if (wait <= 0) process.nextTick(() => this.#run())
    // Timers have a resolution of one millisecond.
    else if (wait < 1) setImmediate(() => this.#run())
    else void sleepUnless(this.#signal, this.#clock, wait).then((waited) => waited && this.#run())
  }

  /** Makes `writer` write at the end of the coming tick. */
  writeLater(writer: Writer): void {
    this.#writers.push(writer)
    this.soon()
  }

  /** The batch that begins with `frame`, shared by all connections of this tick. */
  batchOf(frame: Buffer): FrameBatch {
    let batch = this.#batches.get(frame)
    if (batch === undefined) {
      batch = new FrameBatch(null, frame)
      this.#batches.set(frame, batch)
    }
    return batch
  }

  #run(): void {
    const from = this.#clock.monotonic()
    // Updates produced by the work itself belong to this tick.
    this.#work()
    const writers = this.#writers
    this.#writers = []
    for (const writer of writers) writer.flush()
    this.#batches = new Map()
    const now = this.#clock.monotonic()
    this.#durations = [...this.#durations.slice(1), now - from]
    // A single long tick was delayed by garbage collection or another process, so it does not
    // extend the wait.
    const usual = this.#durations.toSorted((a, b) => a - b)[SECOND_SHORTEST] ?? 0
    this.#notBefore = now + Math.min(this.#span, PAUSE_FACTOR * usual)
    this.#isScheduled = false
    if (this.#writers.length > 0) this.soon()
  }
}
