import { MAX_STORED_CHANGES, RETENTION } from './limits.ts'
import type { Change } from './topics/topic-model.ts'

/** Smallest number of dropped changes that is worth compacting the array for. */
const MIN_CUT = 16

/** The latest changes of a topic: at most 1,000, none older than 60 seconds. */
export class ChangeRing {
  #changes: Change[] = []
  /** Index of the oldest retained change; earlier entries are removed in bulk. */
  #start = 0

  push(change: Change): void {
    this.#changes.push(change)
    if (this.#changes.length - this.#start > MAX_STORED_CHANGES) this.#start += 1
    this.dropExpired(change.keptAt)
  }

  /** Drops changes that are too old at `now`. */
  dropExpired(now: number): void {
    while (now - (this.#changes[this.#start]?.keptAt ?? now) > RETENTION) this.#start += 1
    // A quiet topic retains few changes, so dropped ones must not dominate its memory.
    if (this.#start > MIN_CUT && this.#start * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#start)
      this.#start = 0
    }
  }

  /** Changes in memory, including dropped ones that are not removed yet. */
  get size(): number {
    return this.#changes.length
  }

  clear(): void {
    this.#changes = []
    this.#start = 0
  }

  /**
   * The changes after `seq`, oldest first; null if some of them have been dropped.
   * @param newest current seq of the topic
   */
  changesAfter(seq: number, newest: number): readonly Change[] | null {
    if (seq > newest) return null
    const missing = newest - seq
    return missing > this.#changes.length - this.#start
      ? null
      : this.#changes.slice(this.#changes.length - missing)
  }
}
