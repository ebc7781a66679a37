import type { Clock } from './clock.ts'

/** A smaller difference (ms) between two readings is clock drift, or NTP slewing the clock. */
const MIN_STEP = 400

/** Detects jumps of the wall clock: set by hand, by NTP, or by a machine that slept. */
export class ClockJumps {
  readonly #clock: Clock
  /** Wall time minus monotonic time. */
  #offset: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offset = clock.now() - clock.monotonic()
  }

  /** Jump (ms) of the wall clock since the last call; 0 when there was none. */
  takeJump(): number {
    const offset = this.#clock.now() - this.#clock.monotonic()
    const step = offset - this.#offset
    this.#offset = offset
    return Math.abs(step) < MIN_STEP ? 0 : step
  }
}
