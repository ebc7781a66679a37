import { FIELDS, termShare } from './bm25f.ts'
import type { Postings } from './postings.ts'

/** A term of a query with its weight. */
export interface QueryTerm {
  /** Its position among the terms, as one bit. */
  readonly bit: number
  readonly rarity: number
  readonly postings: Postings
}

/** Scores of the documents of one search, by slot; reused by the next search. */
export class TextScores {
  /** Slots with a score, in the order in which they were found. */
  readonly touched: number[] = []
  #scores = new Float64Array(0)
  #matchedDocuments = new Uint32Array(0)

  /** Makes room for `slots` slots. */
  reserve(slots: number): void {
    if (this.#scores.length >= slots) return
    this.#scores = new Float64Array(slots * 2)
    this.#matchedDocuments = new Uint32Array(slots * 2)
  }

  get(slot: number): number {
    return this.#scores[slot] ?? 0
  }

  /** Bits of the terms found in a touched document. */
  matchedFieldsOf(slot: number): number {
    return this.#matchedDocuments[slot] ?? 0
  }

  multiply(slot: number, factor: number): void {
    this.#scores[slot] = this.get(slot) * factor
  }

  /**
   * Adds one term's share to its documents.
   * @param lengths terms in each field, `FIELDS` numbers per document
   * @param mayJoin whether a document without a score gets one; null: none does
   */
  add(
    { bit, rarity, postings }: QueryTerm,
    lengths: Uint16Array,
    scales: readonly number[],
    mayJoin: ((slot: number) => boolean) | null,
  ): void {
    const [scores, matchedDocuments] = [this.#scores, this.#matchedDocuments]
    for (let index = 0; index < postings.length; index += 2) {
      const slot = postings.pairs[index] ?? 0
      const score = scores[slot] ?? 0
      if (score === 0) {
        if (mayJoin === null || !mayJoin(slot)) continue
        this.touched.push(slot)
        matchedDocuments[slot] = 0
      }
      const share = termShare(postings.pairs[index + 1] ?? 0, lengths, slot * FIELDS, scales)
      scores[slot] = score + rarity * share
      matchedDocuments[slot] = (matchedDocuments[slot] ?? 0) | bit
    }
  }

  /** Resets the scores for the next search. */
  clear(): void {
    for (const slot of this.touched) this.#scores[slot] = 0
    this.touched.length = 0
  }
}
