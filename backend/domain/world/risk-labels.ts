/** +1: YES is the worse outcome; −1: YES is the better one. */
export type RiskSign = 1 | -1

const termSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words of worse outcomes. */
const ESCALATION_TERMS = termSet(
  'strike strikes struck war wars invade invades invasion invaded attack attacks attacked cyberattack bomb ' +
    'bombs bombed bombing missile missiles airstrike airstrikes closure blockade blockades nuclear clash ' +
    'clashes conflict coup overthrow overthrown topple toppled offensive escalate escalation seize seizes ' +
    'capture captures annex annexes annexation destroyed kill killed assassinated assassination mobilization ' +
    'hostilities troops shootdown intercept hostage hostages declares martial collapse',
)
/** Words of better outcomes. */
const DEESCALATION_TERMS = termSet(
  'ceasefire ceasefires truce armistice deal agreement treaty peace withdrawal withdraw withdraws reopen ' +
    'reopens reopened reopening accord diplomatic normalize normalization normalise summit',
)
/** Words that negate a peace word beside them, and words that end a war. */
const BREAKING = termSet(
  'break breaks broken broke violate violates violated violation collapse collapses collapsed fail fails ' +
    'failed reject rejects rejected end ends ended ending abandon abandons cancel cancels leave leaves exit exits',
)
const ENDING = termSet('end ends ended ending stop stops stopped halt halts avert averted over')
const NEGATION = termSet('no not never without neither nor')
/** Markets on statements are about mentions, not events. */
const MENTION_TERMS = termSet('say says said mention mentions mentioned tweet tweets')

const PHRASES: readonly (readonly [RiskSign, readonly string[]])[] = [
  [1, ['regime', 'fall']],
  [1, ['regime', 'falls']],
  [1, ['military', 'action']],
  [1, ['close', 'the', 'strait']],
  [1, ['close', 'strait']],
  [1, ['use', 'force']],
  [1, ['boots', 'on', 'the', 'ground']],
  [1, ['article', '5']],
]

/**
 * Sign of a contract by its words: peace words take precedence over the names of what they end
 * ("nuclear deal", "ceasefire in the war"), a broken peace is worse, an ended war is better, and a
 * negation reverses the sign. Null when no word decides. Methodology B2.
 * @param terms folded, in order
 */
export function riskSign(terms: readonly string[]): RiskSign | null {
  if (terms.some((word) => MENTION_TERMS.has(word))) return null
  const directSign = plainSign(terms)
  if (directSign === null) return null
  return terms.some((word) => NEGATION.has(word)) ? (directSign === 1 ? -1 : 1) : directSign
}

function plainSign(terms: readonly string[]): RiskSign | null {
  const has = (set: ReadonlySet<string>): boolean => terms.some((word) => set.has(word))
  if (has(DEESCALATION_TERMS)) return has(BREAKING) ? 1 : -1
  const phrase = PHRASES.find(([, phraseTerms]) =>
    terms.some((_, index) => phraseTerms.every((word, i) => terms[index + i] === word)),
  )
  if (phrase !== undefined) return phrase[0]
  if (has(ESCALATION_TERMS)) return has(ENDING) ? -1 : 1
  return null
}
