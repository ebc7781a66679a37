import type { Clock } from '../lib/clock.ts'

/** A cached value that is requested again once it is older than `span`; a failure is not cached. */
export class CachedValue<T> {
  readonly #span: number
  readonly #clock: Clock
  #entry: { readonly value: T; readonly at: number } | null = null

  constructor(span: number, clock: Clock) {
    this.#span = span
    this.#clock = clock
  }

  async read(load: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic()
    if (this.#entry === null || now - this.#entry.at > this.#span) {
      this.#entry = { value: await load(), at: now }
    }
    return this.#entry.value
  }
}
