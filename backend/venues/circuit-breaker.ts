import type { Clock } from '../lib/clock.ts'

const FAILURES_TO_OPEN = 5
const FIRST_REST = 15_000
const LONGEST_REST = 300_000

/**
 * Stops asking a host that keeps failing: after five failed calls in a row it rests for 15 s, then
 * one call may try; each failed trial doubles the rest, up to five minutes.
 */
export class CircuitBreaker {
  readonly #clock: Clock
  #failures = 0
  #rest = FIRST_REST
  #closedFrom = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether a call may be made now. Allowing the trial call holds back the others. */
  allows(): boolean {
    if (this.#failures < FAILURES_TO_OPEN) return true
    const now = this.#clock.monotonic()
    if (now < this.#closedFrom) return false
    this.#closedFrom = now + this.#rest
    return true
  }

  succeeded(): void {
    this.#failures = 0
    this.#rest = FIRST_REST
  }

  failed(): void {
    this.#failures += 1
    if (this.#failures < FAILURES_TO_OPEN) return
    this.#closedFrom = this.#clock.monotonic() + this.#rest
    this.#rest = Math.min(LONGEST_REST, this.#rest * 2)
  }
}
