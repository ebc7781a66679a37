import type { Millis } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'

const FAILURES_TO_OPEN = 5
const FIRST_REST = 15_000
const MAX_REST = 300_000

/** Whether a call may be made: normally, as the trial call, or not. */
export type Passage = 'free' | 'trial' | 'refused'

/** Since when a host is not called, and its last failure. */
export interface OpenCircuit {
  readonly since: Millis
  readonly reason: string
}

/**
 * Stops calling a host that keeps failing: after five consecutive failures it pauses for 15 s,
 * then allows one trial call; each failed trial doubles the pause, up to five minutes.
 */
export class CircuitBreaker {
  readonly #clock: Clock
  #failures = 0
  #span = FIRST_REST
  #closedFrom = 0
  #rest: OpenCircuit | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Null while calls are made normally. */
  get rest(): OpenCircuit | null {
    return this.#rest
  }

  /** Called before each call. Granting the trial holds back all other calls for another pause. */
  passage(): Passage {
    if (this.#rest === null) return 'free'
    const now = this.#clock.monotonic()
    if (now < this.#closedFrom) return 'refused'
    this.#closedFrom = now + this.#span
    return 'trial'
  }

  recordSuccess(): void {
    this.#failures = 0
    this.#span = FIRST_REST
    this.#rest = null
  }

  recordFailure(reason: string): void {
    this.#failures += 1
    if (this.#failures < FAILURES_TO_OPEN) return
    this.#closedFrom = this.#clock.monotonic() + this.#span
    this.#span = Math.min(MAX_REST, this.#span * 2)
    this.#rest = { since: this.#rest?.since ?? this.#clock.now(), reason }
  }
}
