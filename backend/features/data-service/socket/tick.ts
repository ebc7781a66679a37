import { sleepUnless, type Clock } from '../../../lib/clock.ts'
import { Run } from './run.ts'

/** A tick rests this many times as long as it worked, so that writing takes a fifth of the time. */
const REST = 4
/** Of so many ticks the second shortest tells how much work one is: neither an idle one nor a slow one. */
const COMPARED = 4
const SECOND_SHORTEST = 1

/** Who writes at the end of a tick. */
export interface Writer {
  flush(): void
}

/**
 * The rhythm in which changes are told: what one callback of the event loop brings goes out
 * together when it ends, and the busier a tick was the longer the next one waits for more: for the
 * end of the loop's turn, then for up to `span`. So a few readers hear at once, and many cost one
 * write each and tick.
 */
export class Tick {
  readonly #clock: Clock
  readonly #span: number
  readonly #signal: AbortSignal
  readonly #work: () => void
  #writers: Writer[] = []
  #firsts = new Map<Buffer, Run>()
  #isComing = false
  #notBefore = Number.NEGATIVE_INFINITY
  /** Milliseconds that each of the last ticks worked. */
  #took: number[] = Array.from({ length: COMPARED }, () => 0)

  /**
   * @param span most milliseconds that a tick waits for more; 0 writes each frame on its own
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

  /** Has a tick come soon. */
  soon(): void {
    if (this.#isComing || this.#signal.aborted) return
    this.#isComing = true
    const wait = this.#notBefore - this.#clock.monotonic()
    // At rest nothing that waits for its turn in the loop may come between an event and its readers.
    if (wait <= 0) process.nextTick(() => this.#run())
    // Timers are no finer than a millisecond.
    else if (wait < 1) setImmediate(() => this.#run())
    else void sleepUnless(this.#signal, this.#clock, wait).then((waited) => waited && this.#run())
  }

  /** Has `writer` write at the end of the coming tick. */
  writeLater(writer: Writer): void {
    this.#writers.push(writer)
    this.soon()
  }

  /** The run that begins with `frame`, one for all who begin with it in this tick. */
  runOf(frame: Buffer): Run {
    let run = this.#firsts.get(frame)
    if (run === undefined) {
      run = new Run(null, frame)
      this.#firsts.set(frame, run)
    }
    return run
  }

  #run(): void {
    const from = this.#clock.monotonic()
    // News that the work itself brings belongs to this tick.
    this.#work()
    const writers = this.#writers
    this.#writers = []
    for (const writer of writers) writer.flush()
    this.#firsts = new Map()
    const now = this.#clock.monotonic()
    this.#took = [...this.#took.slice(1), now - from]
    // A long tick among short ones was held up (garbage, another program): nobody waits for that.
    const usual = this.#took.toSorted((a, b) => a - b)[SECOND_SHORTEST] ?? 0
    this.#notBefore = now + Math.min(this.#span, REST * usual)
    this.#isComing = false
    if (this.#writers.length > 0) this.soon()
  }
}
