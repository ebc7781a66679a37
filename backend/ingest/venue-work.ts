import { SECOND } from '../domain/units.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { VenueFailure } from '../venues/connector.ts'

/** Longest wait between two tries, in seconds. */
const LONGEST_WAIT = 60

/** The tasks that read one venue: tried until they work, repeated, and waited for at the end. */
export class VenueWork {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #tasks = new Set<Promise<void>>()

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** Lets a task run beside the others. */
  spawn(task: Promise<void>): void {
    const tracked: Promise<void> = task.finally(() => this.#tasks.delete(tracked))
    this.#tasks.add(tracked)
  }

  /** Does the work after every `span`, each time until it is done, until the signal. */
  every(what: string, span: number, work: () => Promise<void>, signal: AbortSignal): void {
    const loop = async (): Promise<void> => {
      while (await sleepUnless(signal, this.#clock, span)) await this.untilDone(what, work, signal)
    }
    this.spawn(loop())
  }

  /** Tries again, more and more slowly, until the work is done or the signal comes. */
  async untilDone(what: string, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await work()
        return
      } catch (error) {
        const level = error instanceof VenueFailure ? 'warn' : 'error'
        if (!signal.aborted)
          this.#log[level]({ err: error, what, attempt }, 'reading a venue failed')
      }
      const wait = Math.min(LONGEST_WAIT, 2 ** attempt) * SECOND
      if (!(await sleepUnless(signal, this.#clock, wait))) return
    }
  }

  /** Resolves when no task runs any more. */
  async ended(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.allSettled([...this.#tasks])
  }
}
