import { emptyPostings, keptPostings, type Postings } from './postings.ts'

/** The terms of an index under numbers of their own, each with the documents that hold it. */
export class TermTable {
  #ids = new Map<string, number>()
  #texts: string[] = []
  #postings: Postings[] = []

  /** Terms in the table; their numbers are below it. */
  get size(): number {
    return this.#texts.length
  }

  /** Number of a known term. */
  find(term: string): number | undefined {
    return this.#ids.get(term)
  }

  /** Number of a term, which is added when it is new. */
  idOf(term: string): number {
    const known = this.#ids.get(term)
    if (known !== undefined) return known
    const id = this.#texts.length
    this.#ids.set(term, id)
    this.#texts.push(term)
    this.#postings.push(emptyPostings())
    return id
  }

  textOf(id: number): string {
    return this.#texts[id] ?? ''
  }

  postings(id: number): Postings | undefined {
    return this.#postings[id]
  }

  /**
   * Drops terms without a living document and numbers the others anew.
   * @param slots new numbers of the documents that are kept
   * @returns by old number the new one, -1 for a dropped term
   */
  sweep(slots: ReadonlyMap<number, number>): Int32Array {
    const ids = new Int32Array(this.#texts.length).fill(-1)
    const living: Postings[] = []
    for (const [id, postings] of this.#postings.entries()) {
      if (postings.living === 0) continue
      ids[id] = living.length
      living.push(keptPostings(postings, slots))
    }
    this.#texts = this.#texts.filter((_, id) => (ids[id] ?? -1) >= 0)
    this.#ids = new Map(this.#texts.map((term, id) => [term, id]))
    this.#postings = living
    return ids
  }
}
