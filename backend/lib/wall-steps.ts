import type { Clock } from './clock.ts'

/** Less than this (ms) between two looks is the drift of a clock, or NTP slewing it. */
const LEAST_STEP = 400

/** Finds when the wall time was set: by hand, by NTP, or by a machine that slept. */
export class WallSteps {
  readonly #clock: Clock
  /** Wall time minus the time that only grows. */
  #ahead: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#ahead = clock.now() - clock.monotonic()
  }

  /** By how much (ms) wall time was moved since this was last asked; 0 when it was not. */
  taken(): number {
    const ahead = this.#clock.now() - this.#clock.monotonic()
    const step = ahead - this.#ahead
    this.#ahead = ahead
    return Math.abs(step) < LEAST_STEP ? 0 : step
  }
}
