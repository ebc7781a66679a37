import type { Millis } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'

const FAILURES_TO_OPEN = 5
const FIRST_PAUSE = 15_000
const MAX_PAUSE = 300_000

/** Whether a call may be made: normally, as the trial call, or not. */
export type Admission = 'free' | 'trial' | 'refused'

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
  #pauseLength = FIRST_PAUSE
  #refusedUntil = 0
  #openCircuit: OpenCircuit | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Null while calls are made normally. */
  get openCircuit(): OpenCircuit | null {
    return this.#openCircuit
  }

  /** Called before each call. Granting the trial holds back all other calls for another pause. */
  admit(): Admission {
    if (this.#openCircuit === null) return 'free'
    const now = this.#clock.monotonic()
    if (now < this.#refusedUntil) return 'refused'
    this.#refusedUntil = now + this.#pauseLength
    return 'trial'
  }

  recordSuccess(): void {
    this.#failures = 0
    this.#pauseLength = FIRST_PAUSE
    this.#openCircuit = null
  }

  recordFailure(reason: string): void {
    this.#failures += 1
    if (this.#failures < FAILURES_TO_OPEN) return
    this.#refusedUntil = this.#clock.monotonic() + this.#pauseLength
    this.#pauseLength = Math.min(MAX_PAUSE, this.#pauseLength * 2)
    this.#openCircuit = { since: this.#openCircuit?.since ?? this.#clock.now(), reason }
  }
}
