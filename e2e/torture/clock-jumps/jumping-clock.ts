import type { Millis } from '../../../backend/domain/units.ts'
import type { Clock } from '../../../backend/lib/clock.ts'

/** A clock whose wall time can be set by hand, as an operator or NTP does; the rest is its base's. */
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

  /** Moves the wall time; no time passes. */
  jump(span: number): void {
    this.#offset += span
  }
}

const HOUR = 3_600_000

/** Jumps in ms: by hand, by day, by leap second, by the steps of NTP, to the end of 32-bit seconds. */
export const JUMPS: readonly { readonly name: string; readonly span: (now: number) => number }[] = [
  { name: 'an hour ahead, as daylight saving on a wrong clock', span: () => HOUR },
  { name: 'an hour back', span: () => -HOUR },
  { name: 'a day back', span: () => -24 * HOUR },
  { name: 'a leap second back', span: () => -1_000 },
  { name: 'an NTP step of half a second', span: () => 500 },
  { name: 'to 2038-01-19', span: (now) => 2_147_483_647_000 + HOUR - now },
]
