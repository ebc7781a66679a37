/** Words for a state that lasts, and for its end. */
const LASTS =
  /\b(?:stays?|stayed|remains?|remained|keeps?|kept|retains?|retained|survives?|survived|holds? on|still|continues?|continued|wins?|won|controls?|controlled)\b/g
const ENDS =
  /\b(?:out|leaves?|left|leaving|resigns?|resigned|removed|ousted|steps? down|stepped down|departs?|no longer|loses?|lost|losing|exits?|quits?)\b/g
/** Words that turn a statement into its opposite; "no longer" is an end, not a negation. */
const NEGATIONS = /\b(?:not|never|neither|nobody|no one|no(?! longer))\b|n't\b/g

const PERSISTS = /\b(?:stays?|remains?|holds?|keeps?)\b/
/** A level that is passed at some time, from below and from above. */
const RISES = /\b(?:exceeds?|reach(?:es)?|hits?(?! \(low)|tops?|cross(?:es)?|rises?)\b/
const FALLS = /\b(?:dips?|falls?|drops?)\b|\(low\)/
/** On which side of a level something is. */
const OVER = /\b(?:above|over|at least|more than|or (?:above|higher|more)|high)\b/
const UNDER = /\b(?:below|under|less than|at most|or (?:below|lower|less)|low)\b/

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

const denies = (text: string): boolean => countOf(text, NEGATIONS) % 2 === 1

/** 1 for a text about what lasts, -1 for one about its end; 0 where neither or both is stated. */
function lasting(text: string): number {
  const [durationCount, endCount] = [countOf(text, LASTS), countOf(text, ENDS)]
  if (durationCount > 0 === endCount > 0) return 0
  const sign = denies(text) ? -1 : 1
  return durationCount > 0 ? sign : -sign
}

interface Level {
  readonly side: 1 | -1
  /** Whether the level is only passed at some time. */
  readonly isPassed: boolean
  readonly isKept: boolean
}

/** How a text relates to a level; null without. */
function levelIn(text: string): Level | null {
  const [rises, falls] = [RISES.test(text), FALLS.test(text)]
  const isKept = PERSISTS.test(text)
  const isPassed = (rises || falls) && !isKept
  const [over, under] = isPassed ? [rises, falls] : [OVER.test(text), UNDER.test(text)]
  return over === under || !/\d/.test(text) ? null : { side: over ? 1 : -1, isPassed, isKept }
}

/** As statedPolarity, for two texts about a level. */
function levelPolarity(claim: Level, market: Level): -1 | 0 | null {
  if (claim.side === market.side) return claim.isKept && market.isPassed ? 0 : null
  // Passing a level from below and from above may both happen, or neither.
  return claim.isPassed && market.isPassed ? 0 : -1
}

/**
 * Whether a market asks what a condition states (1) or its opposite (-1), by the words for what lasts
 * and what ends, and for the sides of a level: "Xi stays in power" is the opposite of "Xi out?", and
 * "stays below $100,000" of "reaches $100,000?". 0 when it asks neither; null where the words leave it open.
 */
export function statedPolarity(label: string, title: string): 1 | -1 | 0 | null {
  const [claim, question] = [label.toLowerCase(), title.toLowerCase()]
  const [claimLevel, marketLevel] = [levelIn(claim), levelIn(question)]
  if (claimLevel !== null && marketLevel !== null) {
    const polarity = levelPolarity(claimLevel, marketLevel)
    return polarity === -1 && denies(claim) !== denies(question) ? 1 : polarity
  }
  const product = lasting(claim) * lasting(question)
  return product === 0 ? null : (product as 1 | -1)
}
