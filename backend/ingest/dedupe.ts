/**
 * Remembers the values of at least the newest `generation` ids and at most twice as many: venues
 * repeat themselves after a reconnect and between socket and REST, seconds or minutes apart, never
 * weeks.
 */
export class RecentIds<T> {
  readonly #generation: number
  readonly #onForgotten: (forgotten: ReadonlyMap<string, T>) => void
  #newer = new Map<string, T>()
  #older = new Map<string, T>()

  /** @param onForgotten receives the entries that are evicted */
  constructor(
    generation: number,
    onForgotten: (forgotten: ReadonlyMap<string, T>) => void = () => {},
  ) {
    this.#generation = generation
    this.#onForgotten = onForgotten
  }

  /** The last value of an id; null when it is not remembered. */
  get(id: string): T | null {
    return this.#newer.get(id) ?? this.#older.get(id) ?? null
  }

  /** Stores the value of an id, replacing an earlier one. */
  set(id: string, value: T): void {
    // Whole generations are evicted at once because removing the oldest ids one by one is slow.
    if (this.#newer.size >= this.#generation && !this.#newer.has(id)) {
      this.#onForgotten(this.#older)
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(id, value)
  }

  /** All remembered values. */
  values(): readonly T[] {
    return [...this.#older.values(), ...this.#newer.values()]
  }

  /** All remembered values with their ids. */
  entries(): readonly (readonly [string, T])[] {
    return [...new Map([...this.#older, ...this.#newer])]
  }

  get size(): number {
    return this.#newer.size + this.#older.size
  }
}
