import type { Millis } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'

/** A clock whose wall time can be set, as an operator or NTP would; the rest is its base's. */
export class JumpingClock implements Clock {
  readonly #base: Clock
  #offset = 0

  constructor(base: Clock) {
    this.#base = base
  }

  now(): Millis {
    return (this.#base.now() + this.#offset) as Millis
  }

  monotonic(): number {
    return this.#base.monotonic()
  }

  sleep(span: number, signal?: AbortSignal): Promise<void> {
    return this.#base.sleep(span, signal)
  }

  /** Sets the wall time; no time passes. */
  jump(span: number): void {
    this.#offset += span
  }
}
