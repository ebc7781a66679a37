import { editDistance } from './misspelling.ts'

/** The three names nearest to a word; names that begin with it come first. */
export function nearest(word: string, names: readonly string[]): string[] {
  // Pasted text is not a misspelt verb; only its beginning is compared.
  const target = word.slice(0, 32).toLowerCase()
  return names
    .map((name, position) => {
      const candidate = name.toLowerCase()
      const begins = target !== '' && candidate.startsWith(target)
      return { name, order: position, away: begins ? -1 : editDistance(target, candidate) }
    })
    .sort((left, right) => left.away - right.away || left.order - right.order)
    .slice(0, 3)
    .map(({ name }) => name)
}
