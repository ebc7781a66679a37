import vocabulary from './vocabulary.json' with { type: 'json' }

/**
 * Rewrites of titles as written, so that two wordings of one question share their words. Case is
 * kept, because names are found by their capitals.
 */

/** Latin letters that compatibility forms do not split into a letter and an accent. */
const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries(vocabulary.letters))
const UNSPLIT = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g')

/** "J.D. Vance", "J. D. Vance": the letters of two or more initials. */
const INITIALS = /\b(?:\p{Lu}\.\s?){2,}(?=\P{L}|\p{Lu}|$)/gu
/** "James B. Bullard": an initial between two names adds nothing. */
const MIDDLE_INITIAL = /(?<=\p{Lu}\p{Ll}+) \p{Lu}\. (?=\p{Lu}\p{Ll}+)/gu
/** "Oklahoma St." of a college, which is not "St. Louis". */
const STATE_COLLEGE = /(?<=\p{Lu}\p{Ll}+)(?<!\b(?:Will|The|At|Vs|In)) St\.(?=\s|$)/gu
/** "GA-06" of a seat in the House, with or without the zero. */
const DISTRICT = /\b(\p{Lu}{2})-0?(\d{1,2})\b/gu

const compoundPatterns = (table: Readonly<Record<string, string>>): readonly RegExp[] =>
  Object.entries(table).map(
    ([first, rest]) => new RegExp(`\\b(${first})[ -](${rest})(?= |\\W|$)`, 'gi'),
  )

/** Names of two words of which the second alone is another name: "West Virginia". */
const COMPOUNDS = compoundPatterns(vocabulary.compounds)

const WORDINGS: readonly (readonly [RegExp, string])[] = vocabulary.wordings.map(
  ([pattern = '', replacement = '']) => [new RegExp(pattern, 'gi'), replacement] as const,
)

/** A title in the wording that pairing compares; linear in its length. */
export function plainWording(title: string): string {
  let text = title
    .normalize('NFC')
    .replace(UNSPLIT, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/[’‘]/g, "'")
    .replaceAll('**', '')
    .replace(INITIALS, (initials) => `${initials.replace(/[.\s]/g, '')} `)
    .replace(MIDDLE_INITIAL, ' ')
    .replace(STATE_COLLEGE, ' State')
  if (/\b(?:house|district|seat)\b/i.test(text)) text = text.replace(DISTRICT, '$1$2')
  for (const compound of COMPOUNDS) text = text.replace(compound, '$1$2')
  for (const [pattern, replacement] of WORDINGS) text = text.replace(pattern, replacement)
  return text.replace(/\s+/g, ' ').trim()
}

const VOWELS = 'aeiouy'
const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && VOWELS.includes(letter)

/**
 * Whether two words spell one name: they differ in one vowel that is not the last letter ("Ahmad",
 * "Ahmed"), in a silent h or e, or in a doubled letter ("Corey", "Cory").
 */
export function isSpellingOf(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length < 4 || long.length - short.length > 1 || short[0] !== long[0]) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length === long.length) {
    const isLast = at === short.length - 1
    return (
      !isLast &&
      isVowel(short[at]) &&
      isVowel(long[at]) &&
      short.slice(at + 1) === long.slice(at + 1)
    )
  }
  if (short.slice(at) !== long.slice(at + 1)) return false
  const extra = long[at] ?? ''
  const isDoubled = extra === long[at - 1]
  return isDoubled || (at < short.length && (extra === 'h' || extra === 'e'))
}
