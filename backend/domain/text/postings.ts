/** Documents of one term: (slot, packed frequencies) pairs in a growing array. */
export interface Postings {
  pairs: Uint32Array
  /** Used entries of `pairs`. */
  length: number
  /** Number of live documents; the others are skipped until they are swept. */
  living: number
}

export const emptyPostings = (): Postings => ({ pairs: new Uint32Array(4), length: 0, living: 0 })

/** Adds a document to a term. */
export function appendPosting(postings: Postings, slot: number, packedCounts: number): void {
  if (postings.length === postings.pairs.length) {
    const larger = new Uint32Array(postings.pairs.length * 2)
    larger.set(postings.pairs)
    postings.pairs = larger
  }
  postings.pairs[postings.length++] = slot
  postings.pairs[postings.length++] = packedCounts
  postings.living++
}

/** Postings of the kept documents under their new numbers. */
export function retainPostings(postings: Postings, slots: ReadonlyMap<number, number>): Postings {
  const compactedPostings: Postings = {
    pairs: new Uint32Array(postings.living * 2),
    length: 0,
    living: 0,
  }
  for (let index = 0; index < postings.length; index += 2) {
    const slot = slots.get(postings.pairs[index] ?? 0)
    if (slot !== undefined) appendPosting(compactedPostings, slot, postings.pairs[index + 1] ?? 0)
  }
  return compactedPostings
}
