import { KEPT_CHANGES, KEPT_FOR } from './limits.ts'
import type { Change } from './topic-model.ts'

/** Fewer than these are not worth a cut. */
const CUT_AT_LEAST = 16

/** The last changes of a topic: at most 1,000, none older than 60 seconds. */
export class ChangeRing {
  #changes: Change[] = []
  /** Index of the oldest kept one; what lies before it is cut off in bulk. */
  #start = 0

  push(change: Change): void {
    this.#changes.push(change)
    if (this.#changes.length - this.#start > KEPT_CHANGES) this.#start += 1
    this.forget(change.keptAt)
  }

  /** Lets go of what is too old at `now`. */
  forget(now: number): void {
    while (now - (this.#changes[this.#start]?.keptAt ?? now) > KEPT_FOR) this.#start += 1
    // A quiet topic keeps few: what is let go may not outweigh it.
    if (this.#start > CUT_AT_LEAST && this.#start * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#start)
      this.#start = 0
    }
  }

  /** Changes in memory, with those that were let go and not cut off yet. */
  get held(): number {
    return this.#changes.length
  }

  clear(): void {
    this.#changes = []
    this.#start = 0
  }

  /**
   * The changes after `seq`, oldest first; null when some of them are no longer kept.
   * @param newest the topic's present seq
   */
  after(seq: number, newest: number): readonly Change[] | null {
    if (seq > newest) return null
    const missing = newest - seq
    return missing > this.#changes.length - this.#start
      ? null
      : this.#changes.slice(this.#changes.length - missing)
  }
}
