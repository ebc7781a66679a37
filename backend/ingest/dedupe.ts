/**
 * Remembers what was said under at least the newest `generation` ids and at most twice as many:
 * venues repeat themselves after a reconnect and between socket and REST, seconds or minutes apart,
 * never weeks.
 */
export class RecentIds<T> {
  readonly #generation: number
  readonly #onForgotten: (forgotten: ReadonlyMap<string, T>) => void
  #newer = new Map<string, T>()
  #older = new Map<string, T>()

  /** @param onForgotten hears of what is no longer remembered from then on */
  constructor(
    generation: number,
    onForgotten: (forgotten: ReadonlyMap<string, T>) => void = () => {},
  ) {
    this.#generation = generation
    this.#onForgotten = onForgotten
  }

  /** What was last noted under an id; null when it is not remembered. */
  get(id: string): T | null {
    return this.#newer.get(id) ?? this.#older.get(id) ?? null
  }

  /** Notes what was said under an id, in place of what was noted before. */
  set(id: string, said: T): void {
    // Whole generations are forgotten at once: taking out the oldest id one by one is slow.
    if (this.#newer.size >= this.#generation && !this.#newer.has(id)) {
      this.#onForgotten(this.#older)
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(id, said)
  }

  /** Everything that is remembered. */
  values(): readonly T[] {
    return [...this.#older.values(), ...this.#newer.values()]
  }

  /** Everything that is remembered, with its ids. */
  entries(): readonly (readonly [string, T])[] {
    return [...new Map([...this.#older, ...this.#newer])]
  }

  get size(): number {
    return this.#newer.size + this.#older.size
  }
}
