/**
 * Remembers at least the newest `generation` ids and at most twice as many: venues repeat themselves
 * after a reconnect and between socket and REST, seconds or minutes apart, never weeks.
 */
export class RecentIds {
  readonly #generation: number
  #newer = new Set<string>()
  #older = new Set<string>()

  constructor(generation: number) {
    this.#generation = generation
  }

  /** Notes an id; false when it was noted before. */
  add(id: string): boolean {
    if (this.#newer.has(id) || this.#older.has(id)) return false
    // Whole generations are forgotten at once: taking out the oldest id one by one is slow.
    if (this.#newer.size >= this.#generation) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(id)
    return true
  }

  get size(): number {
    return this.#newer.size + this.#older.size
  }
}
