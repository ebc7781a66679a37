/** Words for a state that lasts, and for its end. */
const LASTS =
  /\b(?:stays?|stayed|remains?|remained|keeps?|kept|retains?|retained|survives?|survived|holds? on|still|continues?|continued|wins?|won|controls?|controlled)\b/g
const ENDS =
  /\b(?:out|leaves?|left|leaving|resigns?|resigned|removed|ousted|steps? down|stepped down|departs?|no longer|loses?|lost|losing|exits?|quits?)\b/g
/** Words that turn a statement into its opposite; "no longer" is an end, not a negation. */
const NEGATIONS = /\b(?:not|never|neither|nobody|no one|no(?! longer))\b|n't\b/g

const PERSISTS = /\b(?:stays?|remains?|holds?|keeps?)\b/
/** A level from below, as "stays above" and "reaches" it, and from above. */
const OVER =
  /\b(?:above|over|exceeds?|reach(?:es)?|hits?(?! \(low)|tops?|crosse?s?|at least|more than|high|rises?)\b/
const UNDER = /\b(?:below|under|less than|at most|dips?|falls?|drops?|low)\b/

const countOf = (text: string, words: RegExp): number => [...text.matchAll(words)].length

/** 1 for a text about what lasts, -1 for one about its end; 0 where neither or both is stated. */
function lasting(text: string): number {
  const [lasts, ends] = [countOf(text, LASTS), countOf(text, ENDS)]
  if (lasts > 0 === ends > 0) return 0
  const sign = countOf(text, NEGATIONS) % 2 === 0 ? 1 : -1
  return lasts > 0 ? sign : -sign
}

/** 1 for a text about a level from below, -1 from above; 0 where neither or both is stated. */
function level(text: string): number {
  const [over, under] = [OVER.test(text), UNDER.test(text)]
  return over === under ? 0 : over ? 1 : -1
}

/**
 * Whether a market asks what a condition states (1) or its opposite (-1), by the words for what lasts
 * and what ends: "Xi stays in power" is the opposite of "Xi out?", and "stays below $100,000" of
 * "reaches $100,000?". Null where neither is stated.
 */
export function statedPolarity(label: string, title: string): 1 | -1 | null {
  const [own, question] = [label.toLowerCase(), title.toLowerCase()]
  if (PERSISTS.test(own) && /\d/.test(own)) {
    const levels = level(own) * level(question)
    // A level that is kept is not met by one that is reached, from whichever side.
    if (levels !== 0) return PERSISTS.test(question) ? signOf(levels) : levels === -1 ? -1 : null
  }
  const product = lasting(own) * lasting(question)
  return product === 0 ? null : signOf(product)
}

const signOf = (value: number): 1 | -1 => (value > 0 ? 1 : -1)
