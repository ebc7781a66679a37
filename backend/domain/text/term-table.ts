import { isMisspelling } from './misspelling.ts'
import { emptyPostings, retainPostings, type Postings } from './postings.ts'

/** A known word of this length, mostly a name, may have several spellings. */
const OFTEN_VARIED = 7

/** Numbers of an index's terms, each with the documents that contain it. */
export class TermTable {
  #ids = new Map<string, number>()
  #texts: string[] = []
  #postings: Postings[] = []

  /** Number of terms in the table; their numbers are below it. */
  get size(): number {
    return this.#texts.length
  }

  /** Number of a known term. */
  find(term: string): number | undefined {
    return this.#ids.get(term)
  }

  /** Number of a term; a new term is added. */
  idOf(term: string): number {
    const existing = this.#ids.get(term)
    if (existing !== undefined) return existing
    const id = this.#texts.length
    this.#ids.set(term, id)
    this.#texts.push(term)
    this.#postings.push(emptyPostings())
    return id
  }

  /** Known terms of live documents that a misspelling may have changed into `term`. */
  similarTo(term: string): string[] {
    const isKnown = (this.#postings[this.#ids.get(term) ?? -1]?.living ?? 0) > 0
    if (isKnown && term.length < OFTEN_VARIED) return []
    return this.#texts.filter(
      (knownTerm, id) => isMisspelling(term, knownTerm) && (this.#postings[id]?.living ?? 0) > 0,
    )
  }

  textOf(id: number): string {
    return this.#texts[id] ?? ''
  }

  postings(id: number): Postings | undefined {
    return this.#postings[id]
  }

  /**
   * Drops terms without a live document and renumbers the others.
   * @param slots new numbers of the documents that are kept
   * @returns the new number by old number, -1 for a dropped term
   */
  sweep(slots: ReadonlyMap<number, number>): Int32Array {
    const ids = new Int32Array(this.#texts.length).fill(-1)
    const living: Postings[] = []
    for (const [id, postings] of this.#postings.entries()) {
      if (postings.living === 0) continue
      ids[id] = living.length
      living.push(retainPostings(postings, slots))
    }
    this.#texts = this.#texts.filter((_, id) => (ids[id] ?? -1) >= 0)
    this.#ids = new Map(this.#texts.map((term, id) => [term, id]))
    this.#postings = living
    return ids
  }
}
