import { performance } from 'node:perf_hooks'
import { systemClock, type Clock } from '../clock.ts'

/** Share of the event loop used by other work above which long work yields. */
const BUSY = 0.5
/** Length of a yield, and the shortest time over which the loop's load is measured, ms. */
const REST_MS = 100

/** Active and idle time of the event loop so far, in milliseconds. */
interface LoopTime {
  readonly active: number
  readonly idle: number
}

/**
 * Lets other work go first: long work, done in pieces on the event loop, calls `turn` between two
 * pieces. It always makes progress, with one piece after each rest, however busy the loop is.
 */
export class CooperativeYield {
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>
  readonly #loopTime: () => LoopTime
  #lastLoopTime: LoopTime
  #ownTime = 0

  constructor(
    clock: Pick<Clock, 'monotonic' | 'sleep'> = systemClock,
    loopTime: () => LoopTime = () => performance.eventLoopUtilization(),
  ) {
    this.#clock = clock
    this.#loopTime = loopTime
    this.#lastLoopTime = loopTime()
  }

  /**
   * Runs a piece of the work, whose time on the loop in milliseconds does not count as other work.
   */
  part(work: () => void): void {
    const startedAt = this.#clock.monotonic()
    work()
    this.#ownTime += this.#clock.monotonic() - startedAt
  }

  /** Resolves at once while other work leaves the loop half of its time, else after a rest. */
  async yieldIfBusy(): Promise<void> {
    const now = this.#loopTime()
    const active = now.active - this.#lastLoopTime.active
    const elapsedMs = active + now.idle - this.#lastLoopTime.idle
    // Over a short time a single request would look like high load.
    if (elapsedMs < REST_MS) return
    const others = active - this.#ownTime
    this.#lastLoopTime = now
    this.#ownTime = 0
    if (others > BUSY * elapsedMs) await this.#clock.sleep(REST_MS)
  }
}
