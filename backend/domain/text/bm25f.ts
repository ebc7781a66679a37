/** Saturation of term frequency (k1) and length normalisation (b). */
export const K1 = 1.2
export const B = 0.75

/** Fields of a market's texts, in the order of their frequencies and lengths. */
export const FIELD = { title: 0, subtitle: 1, tags: 2, eventTitle: 3, rules: 4 } as const
export type Field = (typeof FIELD)[keyof typeof FIELD]
const WEIGHTS: readonly number[] = [3, 2, 2, 1.5, 0.5]
export const FIELDS = WEIGHTS.length

/**
 * A term's frequencies in the five fields are packed into one integer, each capped at this value.
 */
const FREQUENCY_BITS = 6
const FREQUENCY_MAX = (1 << FREQUENCY_BITS) - 1

/** Packed frequencies with one more in a field; a frequency of 63 is kept. */
export function incrementField(packedCounts: number, field: Field): number {
  const shift = field * FREQUENCY_BITS
  return ((packedCounts >> shift) & FREQUENCY_MAX) === FREQUENCY_MAX
    ? packedCounts
    : packedCounts + (1 << shift)
}

/** Bits of packed frequencies that belong to these fields. */
export const maskOf = (fields: readonly Field[]): number =>
  fields.reduce<number>((mask, field) => mask | (FREQUENCY_MAX << (field * FREQUENCY_BITS)), 0)

/** Inverse document frequency of a term that `holders` of `count` documents contain; above 0. */
export const rarityOf = (count: number, holders: number): number =>
  Math.log(1 + (count - holders + 0.5) / (holders + 0.5))

/** Length normalisation per term of each field, from the fields' total lengths. */
export const lengthScales = (totals: Float64Array, count: number): number[] =>
  Array.from(totals, (total) => (total > 0 ? (B * count) / total : 0))

/**
 * Contribution of a term to a document's score, 0 to 1, before its rarity: BM25F with k1 1.2 and b
 * 0.75,
 * weights title 3, subtitle and tags 2, event title 1.5, rules 0.5. Robertson and Zaragoza 2009.
 * @param packedCounts the term's frequencies in the document, see `incrementField`
 * @param lengths terms in each field, the document's from `from` on
 */
export function termShare(
  packedCounts: number,
  lengths: Uint16Array,
  from: number,
  scales: readonly number[],
): number {
  let weightedCount = 0
  for (let field = 0, rest = packedCounts; rest > 0; field++, rest >>>= FREQUENCY_BITS) {
    const frequency = rest & FREQUENCY_MAX
    if (frequency === 0) continue
    const length = lengths[from + field] ?? 0
    weightedCount += ((WEIGHTS[field] ?? 0) * frequency) / (1 - B + (scales[field] ?? 0) * length)
  }
  return weightedCount / (K1 + weightedCount)
}
