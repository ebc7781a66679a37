import { incrementField, FIELD, lengthScales, maskOf, rarityOf } from './bm25f.ts'
import type { Field } from './bm25f.ts'
import {
  BODY,
  FIELD_END,
  holdsPhrase,
  phraseTermsOf,
  type DocumentTerms,
} from './document-terms.ts'
import { FieldLengths } from './field-lengths.ts'
import { appendPosting } from './postings.ts'
import { TermTable } from './term-table.ts'
import { TextScores } from './scores.ts'
import type { QueryTerm } from './scores.ts'
import { eachTerm, namedNumbers, termsOf } from './terms.ts'
import type { NamedNumbers, Term } from './terms.ts'

/** The searched texts of one market; absent texts are empty. */
export interface TextDocument {
  readonly title: string
  /** Subtitle or outcome name. */
  readonly subtitle: string
  readonly tags: readonly string[]
  readonly eventTitle: string
  readonly rules: string
}

/** Documents that match a query, in no particular order, as equally long columns. */
export interface TextHits<Item> {
  readonly keys: readonly number[]
  /** Result of `select` for each. */
  readonly items: readonly Item[]
  /** BM25F with the phrase bonus; comparable within one search only. */
  readonly scores: Float64Array
  /** Best score, 0 without hits. */
  readonly best: number
  /** Words of the query that a hit contains, in the query's order. */
  matchedBy(hitIndex: number): string[]
}

const PHRASE_BONUS = 1.2
/** Fields whose terms are kept in order, for phrase matches. */
const IN_SEQUENCE = maskOf([FIELD.title, FIELD.subtitle, FIELD.eventTitle])
/** Rules have little weight and are long; their beginning states the subject of the market. */
const RULES_TERMS = 200
/** Maximum characters of a rules text that are read. */
const RULES_LENGTH = 2_000
/** One bit each, so that the terms found in a document fit one integer. */
const QUERY_TERMS = 30
/**
 * Removed documents are swept from the postings when there are this many and more than half as
 * many as live ones.
 */
const SWEEP_FROM = 1_024

/**
 * Inverted index over market texts with incremental add and remove. The cost of a query is that of
 * its terms' postings, without a scan of the texts. Adding and removing gives the same results as a
 * rebuild. Documents have a numeric key chosen by the caller.
 */
export class TextIndex {
  readonly #terms = new TermTable()
  readonly #slots = new Map<number, number>()
  /** By slot: caller's key, own terms (undefined once removed). */
  #keys: number[] = []
  #content: (DocumentTerms | undefined)[] = []
  #groups = new Uint8Array(256)
  readonly #lengths = new FieldLengths()
  readonly #scores = new TextScores()
  /** By slot, computed on request. */
  readonly #numbers = new Map<number, NamedNumbers>()
  /** By term: its packed frequencies in the document being added, 0 outside of `put`. */
  #frequencies = new Uint32Array(1_024)

  /** Documents in the index. */
  get size(): number {
    return this.#slots.size
  }

  /**
   * Adds a document, or replaces the one with the same key.
   * @param group 0 to 255; a search may be limited to one group
   */
  put(key: number, document: TextDocument, group = 0): void {
    this.remove(key)
    const slot = this.#keys.length
    if (slot >= this.#groups.length) {
      const larger = new Uint8Array(this.#groups.length * 2)
      larger.set(this.#groups)
      this.#groups = larger
    }
    this.#groups[slot] = group
    this.#lengths.clear(slot)
    const sequence: number[] = []
    const ids: number[] = []
    this.#count(slot, FIELD.title, document.title, ids, sequence)
    this.#count(slot, FIELD.subtitle, document.subtitle, ids, sequence)
    for (const tag of document.tags) this.#count(slot, FIELD.tags, tag, ids, null)
    this.#count(slot, FIELD.eventTitle, document.eventTitle, ids, sequence)
    this.#count(slot, FIELD.rules, document.rules.slice(0, RULES_LENGTH), ids, null)
    sequence.push(BODY)
    for (const id of ids) {
      const packedFrequencies = this.#frequencies[id] ?? 0
      this.#frequencies[id] = 0
      if ((packedFrequencies & IN_SEQUENCE) === 0) sequence.push(id)
      const postings = this.#terms.postings(id)
      if (postings !== undefined) appendPosting(postings, slot, packedFrequencies)
    }
    this.#keys.push(key)
    this.#content.push(Int32Array.from(sequence))
    this.#slots.set(key, slot)
    this.#lengths.addToTotals(slot, 1)
  }

  /**
   * Counts the terms of a field: new ones are added to `ids`, and all of them to `sequence` if
   * given.
   */
  #count(slot: number, field: Field, text: string, ids: number[], sequence: number[] | null): void {
    const max = field === FIELD.rules ? RULES_TERMS : 0xffff
    let length = this.#lengths.get(slot, field)
    eachTerm(text, (term) => {
      if (length >= max) return
      length++
      const id = this.#terms.idOf(term)
      if (id >= this.#frequencies.length) this.#frequencies = twiceAsLong(this.#frequencies)
      const packedFrequencies = this.#frequencies[id] ?? 0
      if (packedFrequencies === 0) ids.push(id)
      this.#frequencies[id] = incrementField(packedFrequencies, field)
      sequence?.push(id)
    })
    this.#lengths.set(slot, field, length)
    sequence?.push(FIELD_END)
  }

  /** Removes a document; unknown keys are ignored. */
  remove(key: number): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    for (const id of new Set(this.#content[slot])) {
      const postings = this.#terms.postings(id)
      if (postings !== undefined) postings.living--
    }
    this.#lengths.addToTotals(slot, -1)
    this.#content[slot] = undefined
    this.#numbers.delete(slot)
    this.#slots.delete(key)
    const removedCount = this.#keys.length - this.#slots.size
    if (removedCount > SWEEP_FROM && removedCount > this.#slots.size / 2) this.#sweep()
  }

  /** Terms of live documents that differ from a term by a likely misspelling. */
  similarTo(term: string): string[] {
    return this.#terms.similarTo(term)
  }

  /** Years and strikes in title, subtitle and event title; parsed once per document. */
  titleNumbers(key: number): NamedNumbers {
    const slot = this.#slots.get(key) ?? -1
    const existing = this.#numbers.get(slot)
    if (existing !== undefined) return existing
    const numbers = namedNumbers(this.titleTerms(key))
    if (slot >= 0) this.#numbers.set(slot, numbers)
    return numbers
  }

  /** Terms of a document's title, subtitle and event title, in order; empty for an unknown key. */
  titleTerms(key: number): string[] {
    const content = this.#content[this.#slots.get(key) ?? -1]
    if (content === undefined) return []
    return phraseTermsOf(content).map((id) => this.#terms.textOf(id))
  }

  /**
   * Documents that contain a word of the query and for which `select` does not return
   * null.
   * @param minShare leaves out documents below this share of the best score
   * @param group limits the search to a group; null is no limit
   * @param alternativesOf other terms that count as a term of the query
   */
  search<Item>(
    query: string,
    select: (key: number) => Item | null,
    minShare = 0,
    group: number | null = null,
    alternativesOf: (term: string) => Iterable<string> = () => [],
  ): TextHits<Item> {
    const terms = termsOf(query)
    const queryWords: string[] = []
    const bits = new Map<number, number>()
    for (const { term, word } of terms) {
      const id = this.#terms.find(term)
      const ids = [id, ...Array.from(alternativesOf(term), (other) => this.#terms.find(other))]
      const newIds = ids.filter((id) => id !== undefined).filter((id) => !bits.has(id))
      if (newIds.length === 0 || queryWords.length === QUERY_TERMS) continue
      for (const id of newIds) bits.set(id, queryWords.length)
      queryWords.push(word)
    }
    try {
      this.#accumulate(bits, select, minShare, group)
      this.#rewardPhrase(terms, queryWords.length)
      return this.#hitsAmong(queryWords, select, minShare)
    } finally {
      this.#scores.clear()
    }
  }

  /** Raises the score of documents that contain all of two or more terms in sequence in a field. */
  #rewardPhrase(terms: readonly Term[], distinct: number): void {
    const phrase = terms.map(({ term }) => this.#terms.find(term) ?? FIELD_END)
    if (phrase.length < 2 || phrase.includes(FIELD_END)) return
    const all = 2 ** distinct - 1
    for (const slot of this.#scores.touched) {
      if (this.#scores.matchedFieldsOf(slot) !== all) continue
      if (holdsPhrase(this.#content[slot], phrase)) this.#scores.multiply(slot, PHRASE_BONUS)
    }
  }

  #hitsAmong<Item>(
    queryWords: readonly string[],
    select: (key: number) => Item | null,
    minShare: number,
  ): TextHits<Item> {
    const best = this.#bestOf(select)
    const keys: number[] = []
    const items: Item[] = []
    const scores: number[] = []
    const masks: number[] = []
    for (const slot of this.#scores.touched) {
      const score = this.#scores.get(slot)
      const key = this.#keys[slot] ?? -1
      const item = score < minShare * best ? null : select(key)
      if (item === null) continue
      keys.push(key)
      items.push(item)
      scores.push(score)
      masks.push(this.#scores.matchedFieldsOf(slot))
    }
    return {
      keys,
      items,
      scores: Float64Array.from(scores),
      best,
      matchedBy: (hitIndex) =>
        queryWords.filter((_, bit) => (((masks[hitIndex] ?? 0) >> bit) & 1) === 1),
    }
  }

  /** Best score among selected documents; calls `select` only where a score would be the best. */
  #bestOf(select: (key: number) => unknown): number {
    let best = 0
    for (const slot of this.#scores.touched) {
      const score = this.#scores.get(slot)
      if (score > best && select(this.#keys[slot] ?? -1) !== null) best = score
    }
    return best
  }

  /**
   * Adds each term's share to the scores of its documents. Rare terms come first: once the
   * remaining common ones cannot lift a new document above the least share, they are only added to
   * the documents found so far.
   */
  #accumulate(
    bits: ReadonlyMap<number, number>,
    select: (key: number) => unknown,
    minShare: number,
    group: number | null,
  ): void {
    const count = this.#slots.size
    this.#scores.reserve(this.#keys.length)
    const scales = lengthScales(this.#lengths.totals, count)
    const queryTerms: QueryTerm[] = []
    for (const [id, bit] of bits) {
      const postings = this.#terms.postings(id)
      if (postings === undefined || postings.living === 0) continue
      const rarity = rarityOf(count, postings.living)
      queryTerms.push({ bit: 1 << bit, rarity, postings })
    }
    queryTerms.sort((a, b) => b.rarity - a.rarity || a.bit - b.bit)
    const [groups, content] = [this.#groups, this.#content]
    const mayJoin = (slot: number): boolean =>
      (group === null || groups[slot] === group) && content[slot] !== undefined
    let remainingRarity = queryTerms.reduce((sum, { rarity }) => sum + rarity, 0)
    let open = true
    for (const term of queryTerms) {
      if (open && minShare > 0 && this.#scores.touched.length > 0) {
        open = remainingRarity >= minShare * this.#bestOf(select)
      }
      this.#scores.add(term, this.#lengths.values, scales, open ? mayJoin : null)
      remainingRarity -= term.rarity
    }
  }

  /** Renumbers the live documents and terms and drops the others. */
  #sweep(): void {
    const slots = new Map<number, number>()
    for (const slot of this.#slots.values()) slots.set(slot, slots.size)
    const ids = this.#terms.sweep(slots)
    this.#lengths.compact(slots)
    this.#groups = groupsOf(this.#groups, slots)
    this.#keys = [...this.#slots.keys()]
    this.#content = [...slots.keys()].map((old) =>
      this.#content[old]?.map((id) => (id < 0 ? id : (ids[id] ?? FIELD_END))),
    )
    for (const [key, old] of this.#slots) this.#slots.set(key, slots.get(old) ?? -1)
    this.#numbers.clear()
  }
}

/** Groups of the kept documents under their new numbers. */
function groupsOf(groups: Uint8Array, slots: ReadonlyMap<number, number>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(256, slots.size * 2))
  for (const [old, slot] of slots) larger[slot] = groups[old] ?? 0
  return larger
}

function twiceAsLong(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2)
  larger.set(values)
  return larger
}
