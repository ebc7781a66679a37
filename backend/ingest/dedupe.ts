/**
 * Remembers the newest `capacity` ids, forgetting the oldest: venues repeat themselves after a
 * reconnect and between socket and REST, seconds or minutes apart, never weeks.
 */
export class RecentIds {
  readonly #capacity: number
  #ids = new Set<string>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Notes an id; false when it was noted before. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    if (this.#ids.size > this.#capacity) {
      const oldest = this.#ids.values().next()
      if (oldest.done !== true) this.#ids.delete(oldest.value)
    }
    return true
  }

  get size(): number {
    return this.#ids.size
  }
}
