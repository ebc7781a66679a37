/** Longer runs of letters are not English words. */
const MAX_WORD_LENGTH = 40

const isConsonant = (word: string, index: number): boolean => {
  const letter = word[index] ?? ''
  if ('aeiou'.includes(letter)) return false
  return letter !== 'y' || index === 0 || !isConsonant(word, index - 1)
}

/** Number of vowel-consonant sequences of a stem (Porter's m). */
function measure(stem: string): number {
  let sequences = 0
  let afterVowel = false
  for (let index = 0; index < stem.length; index++) {
    const consonant = isConsonant(stem, index)
    if (consonant && afterVowel) sequences++
    afterVowel = !consonant
  }
  return sequences
}

const hasVowel = (stem: string): boolean => {
  for (let index = 0; index < stem.length; index++) if (!isConsonant(stem, index)) return true
  return false
}

const endsDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1)

/** Whether it ends with consonant, vowel, consonant, the last not w, x or y. */
const endsShort = (word: string): boolean => {
  const last = word.length - 1
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !'wxy'.includes(word[last] ?? '')
  )
}

type Rule = readonly [suffix: string, replacement: string]

const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]
const STEP_3: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const STEP_4: readonly string[] = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
]

/** Applies the rule of the longest matching suffix if the part before it has a measure above 0. */
function replaceLongest(word: string, rules: readonly Rule[]): string {
  let found: Rule | undefined
  for (const rule of rules) {
    if (word.endsWith(rule[0]) && rule[0].length > (found?.[0].length ?? 0)) found = rule
  }
  if (found === undefined) return word
  const stem = word.slice(0, -found[0].length)
  return measure(stem) > 0 ? stem + found[1] : word
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = word.endsWith('ed') ? 'ed' : word.endsWith('ing') ? 'ing' : null
  if (suffix === null) return word
  const stem = word.slice(0, -suffix.length)
  if (!hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDouble(stem) && !'lsz'.includes(stem.at(-1) ?? '')) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

const withSoftEnd = (word: string): string =>
  word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word

function withoutEnding(word: string): string {
  let suffix = ''
  for (const candidate of STEP_4) {
    if (word.endsWith(candidate) && candidate.length > suffix.length) suffix = candidate
  }
  if (suffix === '') return word
  const stem = word.slice(0, -suffix.length)
  if (measure(stem) <= 1 || (suffix === 'ion' && !/[st]$/.test(stem))) return word
  return stem
}

function withoutDoubledEnd(word: string): string {
  let tidy = word
  if (tidy.endsWith('e')) {
    const stem = tidy.slice(0, -1)
    const long = measure(stem)
    if (long > 1 || (long === 1 && !endsShort(stem))) tidy = stem
  }
  return measure(tidy) > 1 && tidy.endsWith('ll') ? tidy.slice(0, -1) : tidy
}

/**
 * Stem of a lower-case English word: "elections", "election" and "elected" share one.
 * Porter 1980, An algorithm for suffix stripping; words of up to two letters are returned
 * unchanged.
 */
export function stemOf(word: string): string {
  if (word.length <= 2 || word.length > MAX_WORD_LENGTH) return word
  const base = withSoftEnd(withoutTense(withoutPlural(word)))
  return withoutDoubledEnd(withoutEnding(replaceLongest(replaceLongest(base, STEP_2), STEP_3)))
}
