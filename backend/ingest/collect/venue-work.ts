import { SECOND } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { VenueFailure } from '../../venues/connector.ts'

/** Longest delay between two attempts, in seconds. */
const MAX_WAIT = 60

/**
 * The tasks that read one venue. Failed tasks are retried, recurring ones repeated, and all are
 * awaited at the end.
 */
export class VenueWork {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #tasks = new Set<Promise<void>>()

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** Runs a task in the background. */
  spawn(task: Promise<void>): void {
    const trackedTask: Promise<void> = task.finally(() => this.#tasks.delete(trackedTask))
    this.#tasks.add(trackedTask)
  }

  /** Repeats the work every `span` until the signal; each run is retried until it succeeds. */
  repeat(taskName: string, span: number, work: () => Promise<void>, signal: AbortSignal): void {
    const loop = async (): Promise<void> => {
      while (await sleepUnless(signal, this.#clock, span))
        await this.runUntilDone(taskName, work, signal)
    }
    this.spawn(loop())
  }

  /** Retries with growing delays until the work succeeds or the signal fires. */
  async runUntilDone(
    taskName: string,
    work: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await work()
        return
      } catch (error) {
        const level = error instanceof VenueFailure ? 'warn' : 'error'
        if (!signal.aborted)
          this.#log[level]({ err: error, taskName, attempt }, 'reading a venue failed')
      }
      const wait = Math.min(MAX_WAIT, 2 ** attempt) * SECOND
      if (!(await sleepUnless(signal, this.#clock, wait))) return
    }
  }

  /** Resolves when no task is running. */
  async whenIdle(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.allSettled([...this.#tasks])
  }
}
