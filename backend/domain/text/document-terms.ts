/**
 * The terms of one document by number: those of the phrase fields in order, each field closed by
 * `FIELD_END`, then `BODY`, then the terms that occur in the other fields only.
 */
export type DocumentTerms = Int32Array

export const FIELD_END = -1
export const BODY = -2

/** Terms of the phrase fields, in order. */
export function phraseTermsOf(terms: DocumentTerms): number[] {
  const body = terms.indexOf(BODY)
  return [...terms.subarray(0, body)].filter((id) => id !== FIELD_END)
}

/** Whether a field of the document contains two or more terms in sequence. */
export function holdsPhrase(terms: DocumentTerms | undefined, phrase: readonly number[]): boolean {
  if (terms === undefined) return false
  const [first, second] = phrase
  for (let start = 0; terms[start] !== BODY; start++) {
    if (terms[start] !== first || terms[start + 1] !== second) continue
    if (phrase.every((id, offset) => terms[start + offset] === id)) return true
  }
  return false
}
