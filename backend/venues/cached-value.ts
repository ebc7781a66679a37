import type { Clock } from '../lib/clock.ts'

/** A cached value that is requested again once it is older than `span`; a failure is not cached. */
export class Aged<T> {
  readonly #span: number
  readonly #clock: Clock
  #held: { readonly value: T; readonly at: number } | null = null

  constructor(span: number, clock: Clock) {
    this.#span = span
    this.#clock = clock
  }

  async read(ask: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic()
    if (this.#held === null || now - this.#held.at > this.#span) {
      this.#held = { value: await ask(), at: now }
    }
    return this.#held.value
  }
}
