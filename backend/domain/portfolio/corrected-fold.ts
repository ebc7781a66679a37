import type { MoneyE6 } from '../units.ts'
import { reversedId, type Correctable } from './correction.ts'
import { PositionFold, type FoldedEntry } from './position-fold.ts'

type CorrectedEntry = FoldedEntry & Correctable

/**
 * Folds the entries of one market and account in order. A reversal changes the position and the
 * realised profit to what they are without the entry that it takes back.
 */
export class CorrectedFold {
  #entries: CorrectedEntry[] = []
  #fold = new PositionFold()

  /** Applies the next entry; returns the realised profit, null when nothing was closed. */
  apply(entry: CorrectedEntry): MoneyE6 | null {
    const reversedEntry = reversedId(entry)
    if (reversedEntry === null) {
      this.#entries.push(entry)
      return this.#fold.apply(entry)
    }
    const previous = this.#fold.realized
    this.#entries = this.#entries.filter(({ id }) => id !== reversedEntry)
    this.#fold = new PositionFold()
    for (const correctedEntry of this.#entries) this.#fold.apply(correctedEntry)
    const change = (this.#fold.realized - previous) as MoneyE6
    return change === 0 ? null : change
  }
}
