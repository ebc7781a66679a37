import { sleepUnless, type Clock } from '../../../lib/clock.ts'
import { Run } from './run.ts'

/** Who writes at the end of a tick. */
export interface Writer {
  flush(): void
}

/**
 * The rhythm in which changes are told: what comes in during one turn of the event loop, and within
 * `span` of the tick before, goes out together. The first news after a pause waits for the end of
 * its turn only.
 */
export class Tick {
  readonly #clock: Clock
  readonly #span: number
  readonly #signal: AbortSignal
  readonly #work: () => void
  #writers: Writer[] = []
  #firsts = new Map<Buffer, Run>()
  #isComing = false
  #lastAt = Number.NEGATIVE_INFINITY

  /**
   * @param span least milliseconds between two ticks; 0 writes each frame on its own
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
    const wait = this.#lastAt + this.#span - this.#clock.monotonic()
    if (wait <= 0) setImmediate(() => this.#run())
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
    this.#lastAt = this.#clock.monotonic()
    // News that the work itself brings belongs to this tick.
    this.#work()
    const writers = this.#writers
    this.#writers = []
    for (const writer of writers) writer.flush()
    this.#firsts = new Map()
    this.#isComing = false
    if (this.#writers.length > 0) this.soon()
  }
}
