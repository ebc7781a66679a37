import type { Clock } from './clock.ts'

/** A smaller difference (ms) between two readings is clock drift, or NTP slewing the clock. */
const MIN_STEP = 400

/** Detects jumps of the wall clock: set by hand, by NTP, or by a machine that slept. */
export class ClockJumps {
  readonly #clock: Clock
  /** Wall time minus monotonic time. */
  #ahead: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#ahead = clock.now() - clock.monotonic()
  }

  /** Jump (ms) of the wall clock since the last call; 0 when there was none. */
  takeJump(): number {
    const ahead = this.#clock.now() - this.#clock.monotonic()
    const step = ahead - this.#ahead
    this.#ahead = ahead
    return Math.abs(step) < MIN_STEP ? 0 : step
  }
}
