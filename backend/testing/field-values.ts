import { HOSTILE_VALUES, KINDS_OF_VALUES } from './hostile-input.ts'
import { FREE, ROWS, WORDS, type Fields } from './taken-bodies.ts'

/** Suffixes that make a value nearly valid. */
const SUFFIXES = [
  '\u0000',
  '/../../x',
  '/../x',
  '\\..\\x',
  "' OR '1'='1",
  "'; --",
  '%00',
  '\ud800',
  '\n',
  '"',
  'x'.repeat(300),
  '/x'.repeat(2_500),
  '?x=y',
  ':stream',
  '.',
]

/** Values tried in a field: all kinds, and in the first free text of a body every text. */
export function valuesFor(name: string, good: unknown, isFirst: boolean): string[] {
  if (Array.isArray(good)) {
    return [...KINDS_OF_VALUES, ...KINDS_OF_VALUES.map((one) => `["x",${one}]`), '["/"]', '[""]']
  }
  if (typeof good !== 'string' || WORDS.includes(name)) return [...KINDS_OF_VALUES]
  return [
    ...(isFirst ? HOSTILE_VALUES : KINDS_OF_VALUES),
    ...SUFFIXES.map((end) => JSON.stringify(good + end)),
  ]
}

/** A body in which one field has the given value; all others are valid. */
export const bodyWith = (fields: Fields, name: string, written: string): string =>
  `{${Object.entries({ ...fields, [name]: 0 })
    .map(([key, good]) => `${JSON.stringify(key)}:${key === name ? written : JSON.stringify(good)}`)
    .join()}}`

/** Whether a value has the kind of a field; null is an absent value. */
export function canBe(
  written: string,
  name: string,
  good: unknown,
  texts: readonly string[] = [],
): boolean {
  if (FREE.includes(name)) return true
  if (ROWS.includes(name) && /^\s*\[/.test(written)) return true
  // Blank text counts as absent where blanks are trimmed; a number below the precision is 0.
  if (written.length > 100_000) return /^" *"$/.test(written) || /^0\.0+1$/.test(written)
  const value: unknown = JSON.parse(written)
  if (value === null) return true
  if (Array.isArray(good))
    return Array.isArray(value) && value.every((one) => typeof one === 'string')
  if (typeof value !== typeof good) return false
  return typeof value !== 'string' || texts.includes(name) || !WORDS.includes(name)
}
