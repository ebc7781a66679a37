import type { Fingerprint } from './fingerprint.ts'
import { isSpellingOf } from './wording.ts'

type Renames = ReadonlyMap<string, string>

const applyRenames = (terms: readonly string[], renames: Renames): string[] =>
  [...new Set(terms.map((word) => renames.get(word) ?? word))].sort()

/** Terms that belong to a name of two words or more: a first name beside its surname. */
const fullNames = ({ names }: Fingerprint): (readonly string[])[] =>
  names.filter((name) => name.length > 1)

/** Spellings of a name in two markets, each as the one that sorts first; the rest of it is equal. */
function renamesOf(a: Fingerprint, b: Fingerprint): Renames {
  const renames = new Map<string, string>()
  for (const name of fullNames(a)) {
    for (const other of fullNames(b)) {
      if (!name.some((word) => other.includes(word))) continue
      for (const word of name) {
        if (other.includes(word)) continue
        const spelling = other.find(
          (candidate) => !name.includes(candidate) && isSpellingOf(word, candidate),
        )
        if (spelling === undefined) continue
        const [first, second] = word < spelling ? [word, spelling] : [spelling, word]
        renames.set(second, first)
      }
    }
  }
  return renames
}

function withRenames(market: Fingerprint, renames: Renames): Fingerprint {
  const { contest } = market
  return {
    ...market,
    terms: applyRenames(market.terms, renames),
    entities: applyRenames(market.entities, renames),
    names: market.names.map((name) => name.map((word) => renames.get(word) ?? word)),
    subject: market.subject === null ? null : applyRenames(market.subject, renames),
    contest:
      contest === null
        ? null
        : [applyRenames(contest[0], renames), applyRenames(contest[1], renames)],
  }
}

/** Two markets in which one name has one spelling ("Ahmad", "Ahmed" before the same surname). */
export function withEqualSpellings(
  a: Fingerprint,
  b: Fingerprint,
): readonly [Fingerprint, Fingerprint] {
  const renames = renamesOf(a, b)
  return renames.size === 0 ? [a, b] : [withRenames(a, renames), withRenames(b, renames)]
}
