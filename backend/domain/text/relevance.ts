import { B, K1, rarityOf } from './bm25f.ts'
import { termsOf } from './terms.ts'

const TITLE_WEIGHT = 3

/** A text with a title and a body. */
export interface RelevantText {
  readonly title: string
  readonly words: string
}

/** Statistics of the texts that are ranked together. */
export interface TextCorpus {
  readonly count: number
  /** Mean lengths in characters. */
  readonly titleLength: number
  readonly wordsLength: number
  /** Number of texts that contain a term. */
  readonly holders: ReadonlyMap<string, number>
}

/**
 * Relevance of a text for terms: BM25F with k1 1.2 and b 0.75, title weight three.
 * Robertson and Zaragoza 2009; lengths are counted in characters.
 * @param documentTerms terms that the text contains, in any form
 * @returns 0 without a term, otherwise above 0; comparable within one corpus only
 */
export function relevanceOf(
  text: RelevantText,
  documentTerms: readonly string[],
  corpus: TextCorpus,
): number {
  const titleTerms = termsOf(text.title).map(({ term }) => term)
  const bodyTerms = termsOf(text.words).map(({ term }) => term)
  const titleScale = 1 - B + B * shareOf(text.title.length, corpus.titleLength)
  const bodyScale = 1 - B + B * shareOf(text.words.length, corpus.wordsLength)
  return documentTerms.reduce((sum, term) => {
    const titleCount = countOf(titleTerms, term)
    // A form that the stemmer does not find counts once.
    const bodyCount = countOf(bodyTerms, term) || (titleCount === 0 ? 1 : 0)
    const weightedShare = (TITLE_WEIGHT * titleCount) / titleScale + bodyCount / bodyScale
    const rarity = rarityOf(corpus.count, corpus.holders.get(term) ?? 0)
    return sum + (rarity * weightedShare) / (K1 + weightedShare)
  }, 0)
}

const shareOf = (length: number, mean: number): number => (mean > 0 ? length / mean : 1)
const countOf = (terms: readonly string[], searchedText: string): number =>
  terms.reduce((count, term) => (term === searchedText ? count + 1 : count), 0)
