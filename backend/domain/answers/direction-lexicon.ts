import { stemOf } from '../text/stem.ts'
import { wordsOf } from '../text/tokens.ts'

const stems = (list: string): ReadonlySet<string> => new Set(list.split(' ').map(stemOf))
const SUPPORTS = stems('confirm confirmed approve agree rise rose risen win won pass')
const NEGATIVE_STEMS = stems('deny denied denies reject delay fall fell fallen fail')
const NEGATIONS: ReadonlySet<string> = new Set(
  'not no never without nor cannot isn doesn didn wasn hasn hadn aren'.split(' '),
)
const MAX_WORD_DISTANCE = 3

/** Direction of a sentence: +1, −1, or 0 for neither or a tie. */
export type TextDirection = 1 | 0 | -1

/**
 * Direction of a text: supporting minus opposing words, each reversed by a negation at most three
 * words before it. Methodology H3.
 */
export function textDirection(text: string): TextDirection {
  const tokens = wordsOf(text.replaceAll(/n['’]t\b/gi, ' not'))
  let sum = 0
  for (const [index, word] of tokens.entries()) {
    const stem = stemOf(word)
    const sign = SUPPORTS.has(stem) ? 1 : NEGATIVE_STEMS.has(stem) ? -1 : 0
    if (sign === 0) continue
    const isNegated = tokens
      .slice(Math.max(0, index - MAX_WORD_DISTANCE), index)
      .some((precedingTerm) => NEGATIONS.has(precedingTerm))
    sum += isNegated ? 0 - sign : sign
  }
  return sum > 0 ? 1 : sum < 0 ? -1 : 0
}
