import frequencies from './title-frequencies.json' with { type: 'json' }

/** Term weights of a catalogue's titles, for the similarity of two titles. */
export interface TitleWeights {
  readonly titles: number
  readonly frequencies: ReadonlyMap<string, number>
  /** Inverse document frequency of each term. */
  readonly weights: ReadonlyMap<string, number>
  /** Weight of a term that occurs in no title. */
  readonly unseen: number
}

const inverseFrequency = (titles: number, frequency: number): number =>
  Math.log((titles + 1) / (frequency + 1)) + 1

/** Weights from a catalogue's titles, each given by its distinct terms. */
export function titleWeights(titles: readonly (readonly string[])[]): TitleWeights {
  const counts = new Map<string, number>()
  for (const terms of titles) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return weightsFrom(titles.length, counts)
}

function weightsFrom(titles: number, counts: ReadonlyMap<string, number>): TitleWeights {
  const weights = new Map<string, number>()
  for (const [term, count] of counts) weights.set(term, inverseFrequency(titles, count))
  return { titles, frequencies: counts, weights, unseen: inverseFrequency(titles, 0) }
}

function shippedWeights(): TitleWeights {
  const counts = new Map<string, number>()
  for (const { count, terms } of frequencies.counts) {
    for (const term of terms.split(' ')) counts.set(term, count)
  }
  return weightsFrom(frequencies.titles, counts)
}

/**
 * Weights of terms in recorded titles of both venues (`scripts/title-frequencies.ts`), so that the
 * similarity of two titles does not depend on the other titles of the catalogue.
 */
export const TITLE_WEIGHTS: TitleWeights = shippedWeights()

/** Norm of a title's vector. */
export function titleNorm(terms: readonly string[], weights: TitleWeights): number {
  let squares = 0
  for (const term of terms) squares += (weights.weights.get(term) ?? weights.unseen) ** 2
  return Math.sqrt(squares)
}

/**
 * Cosine similarity of two titles' weighted terms, 0 to 1; both ascending and distinct. 0 when one
 * is empty.
 * @param norms the titles' norms, if already known
 */
export function titleCosine(
  a: readonly string[],
  b: readonly string[],
  weights: TitleWeights,
  norms: readonly [number, number] = [titleNorm(a, weights), titleNorm(b, weights)],
): number {
  const length = norms[0] * norms[1]
  if (length === 0) return 0
  let product = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [left = '', right = ''] = [a[i], b[j]]
    if (left === right) {
      product += (weights.weights.get(left) ?? weights.unseen) ** 2
      i++
      j++
    } else if (left < right) i++
    else j++
  }
  return Math.min(1, product / length)
}
