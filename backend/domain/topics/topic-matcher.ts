import { wordsOf } from '../text/tokens.ts'

/** Rule that assigns a text to a topic. Keywords and stops are folded words with single spaces. */
export interface TopicRule {
  readonly keywords: readonly string[]
  /** Phrases that exclude a text from the topic. */
  readonly stops?: readonly string[]
  /** Keywords that count only together with another word anywhere in the text. */
  readonly paired?: readonly { readonly keyword: string; readonly with: string }[]
}

/** Separates the texts of fields, so that no phrase spans two of them. */
const FIELD_END = ''
/** Maximum length that is read; titles are shorter. */
const READ_LENGTH = 2_000

interface Phrase<Key> {
  readonly terms: readonly string[]
  readonly keyword: string
  readonly key: Key
  readonly stops: boolean
  readonly with: string | null
}

/** Distinct keyword hits per matching key; a key with a stop phrase is left out. */
export type Matcher<Key> = (fields: readonly string[]) => Map<Key, number>

/**
 * Compiles rules to a table by first word: one lookup per word of text, for any number of rules.
 */
export function matcherOf<Key extends string>(
  rules: Readonly<Record<Key, TopicRule>>,
): Matcher<Key> {
  const table = new Map<string, Phrase<Key>[]>()
  const addPhrase = (key: Key, keyword: string, stops: boolean, partner: string | null) => {
    const keywordTerms = keyword.split(' ')
    const first = keywordTerms[0] ?? ''
    const phrase = { terms: keywordTerms, keyword, key, stops, with: partner }
    // A single word may have a plural s, so both spellings are entered.
    for (const entry of keywordTerms.length === 1 ? [first, `${first}s`] : [first]) {
      const phrases = table.get(entry)
      if (phrases === undefined) table.set(entry, [phrase])
      else phrases.push(phrase)
    }
  }
  for (const key of Object.keys(rules) as Key[]) {
    const rule = rules[key]
    for (const keyword of rule.keywords) addPhrase(key, keyword, false, null)
    for (const stop of rule.stops ?? []) addPhrase(key, stop, true, null)
    for (const pair of rule.paired ?? []) addPhrase(key, pair.keyword, false, pair.with)
  }
  return (fields) => {
    const fieldTerms = fields.flatMap((field) => [
      ...wordsOf(field.slice(0, READ_LENGTH)),
      FIELD_END,
    ])
    const hits = new Map<Key, Set<string>>()
    const stoppedKeys = new Set<Key>()
    for (const [index, word] of fieldTerms.entries()) {
      for (const phrase of table.get(word) ?? []) {
        if (!followsAt(fieldTerms, index, phrase.terms)) continue
        if (phrase.with !== null && !fieldTerms.includes(phrase.with)) continue
        if (phrase.stops) stoppedKeys.add(phrase.key)
        else hits.set(phrase.key, (hits.get(phrase.key) ?? new Set()).add(phrase.keyword))
      }
    }
    for (const key of stoppedKeys) hits.delete(key)
    return new Map([...hits].map(([key, keywords]) => [key, keywords.size]))
  }
}

/** Whether the phrase starts at `index`; its last word may have a plural s. */
function followsAt(
  fieldTerms: readonly string[],
  index: number,
  phrase: readonly string[],
): boolean {
  const last = phrase.length - 1
  return phrase.every((expectedToken, offset) => {
    const word = fieldTerms[index + offset]
    return word === expectedToken || (offset === last && word === `${expectedToken}s`)
  })
}
