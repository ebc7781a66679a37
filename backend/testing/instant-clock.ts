import type { Millis } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'

/**
 * A clock on which sleeping takes no time: a sleep advances it at once. Sleeps of `never` or longer
 * (timeouts) end only by their signal, unless `expire` is called.
 */
export class InstantClock implements Clock {
  /** Every awaited sleep, in order. */
  readonly sleeps: number[] = []
  #now: number
  #elapsed = 0
  readonly #never: number
  readonly #pending = new Set<() => void>()

  constructor(never: number, start = Date.parse('2026-11-20T14:00:00.000Z')) {
    this.#never = never
    this.#now = start
  }

  now(): Millis {
    return this.#now as Millis
  }

  monotonic(): number {
    return this.#elapsed
  }

  sleep(span: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
      if (span >= this.#never) return void this.#pending.add(resolve)
      this.sleeps.push(span)
      this.#now += span
      this.#elapsed += span
      setImmediate(resolve)
    })
  }

  /** Ends the long sleeps. */
  expire(): void {
    for (const wake of this.#pending) wake()
    this.#pending.clear()
  }
}
