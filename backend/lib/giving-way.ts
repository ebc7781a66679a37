import { performance } from 'node:perf_hooks'
import { systemClock, type Clock } from './clock.ts'

/** Share of the event loop's time that others take when long work stands back. */
const BUSY = 0.5
/** How long it rests then, and the shortest time over which the loop is judged. */
const REST_MS = 100

/** How the event loop spent its time so far, in milliseconds. */
interface LoopTime {
  readonly active: number
  readonly idle: number
}

/**
 * Lets others go first: work that lasts, done in pieces on the event loop, asks between two of them whether the
 * process is wanted elsewhere. It goes on however busy the others are, with a piece after each rest.
 */
export class GivingWay {
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>
  readonly #loopTime: () => LoopTime
  #seen: LoopTime
  #own = 0

  constructor(
    clock: Pick<Clock, 'monotonic' | 'sleep'> = systemClock,
    loopTime: () => LoopTime = () => performance.eventLoopUtilization(),
  ) {
    this.#clock = clock
    this.#loopTime = loopTime
    this.#seen = loopTime()
  }

  /** Does a part of the work whose time on the loop, in milliseconds, is not that of others. */
  part(work: () => void): void {
    const before = this.#clock.monotonic()
    work()
    this.#own += this.#clock.monotonic() - before
  }

  /** Resolves at once while others leave the loop half of its time, else after a rest. */
  async turn(): Promise<void> {
    const now = this.#loopTime()
    const active = now.active - this.#seen.active
    const whole = active + now.idle - this.#seen.idle
    // A short look would take any single answer for a crowd.
    if (whole < REST_MS) return
    const others = active - this.#own
    this.#seen = now
    this.#own = 0
    if (others > BUSY * whole) await this.#clock.sleep(REST_MS)
  }
}
