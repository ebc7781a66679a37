export const MIN_CLAIM_LENGTH = 20
export const MAX_CLAIM_LENGTH = 4_000
const MIN_WORDS = 3
const TITLE_LENGTH = 80

/** Why a text is not a testable claim. */
export interface ClaimProblem {
  readonly code: 'VALIDATION_ERROR' | 'THESIS_TOO_SHORT' | 'THESIS_NOT_A_CLAIM'
  readonly reason:
    | 'missing'
    | 'too_short'
    | 'too_long'
    | 'ticker'
    | 'action'
    | 'rationale'
    | 'question'
    | 'unverifiable'
  readonly error: string
  readonly hint: string
}

const EXAMPLE = 'for example "The Fed cuts rates by at least 25 basis points before July 2027"'

const TICKERS =
  /\$[A-Z][A-Z0-9]*|0x[0-9a-fA-F]+|\b(?=[A-Z0-9-]*[A-Z])(?=[A-Z0-9-]*[\d-])[A-Z0-9-]{3,}\b/g
const URLS = /\bhttps?:\/\/\S+|\bwww\.\S+/gi
const NUMBERS = /[$€£]?\d[\d,.]*%?/g
/** Scripts that are written without spaces between words. */
const UNSPACED_SCRIPT =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/gu

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'the a an of in on to by for will would is are be has have with and or before after above below at ' +
    'its it this that as from than not no does do if because since going now then just so more all any ' +
    'i we you he she they my our your their there when what which who please'
  ).split(' '),
)
const MIN_FUNCTION_WORDS = 2

const ORDER =
  'buy|sell|short|long|go long|go short|hold|add|trim|exit|enter|close|bet|hedge|take profits?|avoid|watch|monitor|track'
const ORDERS = new RegExp(`^(?:${ORDER})\\b`, 'i')
/** Words that also begin statements about something: "Short sellers will…", "Close races…". */
const STATES_OUTCOME =
  /^(?:short|long|close|track|watch|bet|hold)\b.*\b(?:will|won't|is going to)\b/i
const OWN_ORDERS = new RegExp(
  `^(?:(?:i|we)(?:'ll| will|'d| would|\\s+want to|\\s+plan to)\\s+(?:${ORDER})\\b|let'?s\\b|let us\\b)`,
  'i',
)
const RATIONALES = /^(?:because|since|due to|given|as|based on|the reason|in light of)\b/i
/** Verbs of outcomes, in their base form. */
export const VERBS =
  'reach|exceed|surpass|top|hit|fall|drop|decline|rise|climb|gain|stay|remain|win|lose|pass|fail|cut|' +
  'hike|raise|end|happen|occur|resign|leave|sign|approve|reject|invade|launch|default|close|settle|break|' +
  'become|beat|finish|cross|hold|collapse|double|increase|decrease|announce|release|ban|repeal|veto|elect'
const OUTCOMES = new RegExp(
  `\\b(?:will|won't|shall|is going to|are going to|(?:${VERBS})(?:s|es|ed|ing)?|wins|won|lost|fell|rose|` +
    `to (?:${VERBS})|(?:above|below|over|under|by|before|until|at least|at most|more than|less than|within)\\b[^.]*\\d)\\b`,
  'i',
)
const DATE_PATTERN =
  /\b(?:by|before|until|in)\s+(?:the end of\s+|mid-?|late\s+|early\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|christmas|year[- ]end|next|this)\w*/i
const VALUES =
  /\b(?:good|bad|best|worst|should|deserves?|interesting|great|terrible|nice|amazing|overrated|underrated)\b/i

const normal = (text: string): string => text.trim().replace(/\s+/g, ' ')
const withoutCodes = (text: string): string =>
  text.replace(URLS, ' ').replace(TICKERS, ' ').replace(NUMBERS, ' ')

function countTokens(text: string): number {
  const unspacedCount = text.match(UNSPACED_SCRIPT)?.length ?? 0
  const rest = text.replace(UNSPACED_SCRIPT, ' ').match(/\p{L}[\p{L}\p{M}'’-]*/gu)?.length ?? 0
  return rest + Math.floor(unspacedCount / 2)
}

function isEnglish(text: string): boolean {
  const terms = text.toLowerCase().match(/[a-z']+/g) ?? []
  return terms.filter((word) => FUNCTION_WORDS.has(word)).length >= MIN_FUNCTION_WORDS
}

const hasOutcome = (text: string): boolean => OUTCOMES.test(text) || DATE_PATTERN.test(text)

const FINITE = new RegExp(
  `\\b(?:will|won't|shall|is|are|was|were|has|have|had|(?:${VERBS})(?:s|es)|wins|won|lost|fell|rose)\\b`,
  'i',
)

/** Whether a text has a verb of its own: "inflation falls", not "France". */
export const isStatement = (text: string): boolean => FINITE.test(text)

const BARE_VERB = new RegExp(`^(?:(?:not|then)\\s+)*(?:${VERBS}|be)\\b`, 'i')

/** Whether a text continues with what its subject will do: "cut rates", not "Spain" or "falls". */
export const startsWithVerb = (text: string): boolean => BARE_VERB.test(text)

/** The part of a reason after its first comma or "therefore": its main clause. */
const mainClause = (text: string): string =>
  /(?:,|;|\btherefore\b|\bso\b)(.*)$/i.exec(text)?.[1] ?? ''

const invalidClaim = (
  reason: ClaimProblem['reason'],
  error: string,
  hint: string,
): ClaimProblem => ({
  code: 'THESIS_NOT_A_CLAIM',
  reason,
  error,
  hint,
})

/**
 * The first rule of the contract that a text breaks; null for a testable claim. Rules on wording
 * apply to English only.
 */
export function claimProblem(input: unknown): ClaimProblem | null {
  if (typeof input !== 'string') {
    return {
      code: 'VALIDATION_ERROR',
      reason: 'missing',
      error: 'rawThesis is required',
      hint: `Send the claim as text, ${EXAMPLE}.`,
    }
  }
  const text = normal(input)
  const length = Array.from(text).length
  if (length < MIN_CLAIM_LENGTH) {
    return {
      code: 'THESIS_TOO_SHORT',
      reason: 'too_short',
      error: `The claim has ${length} characters; at least ${MIN_CLAIM_LENGTH} are needed`,
      hint: `Say who or what, which outcome and until when, ${EXAMPLE}.`,
    }
  }
  if (length > MAX_CLAIM_LENGTH) {
    return {
      code: 'VALIDATION_ERROR',
      reason: 'too_long',
      error: `rawThesis must have at most ${MAX_CLAIM_LENGTH} characters`,
      hint: 'Shorten it to the claim; keep notes in the description.',
    }
  }
  if (countTokens(withoutCodes(text)) < MIN_WORDS) {
    return invalidClaim(
      'ticker',
      'A ticker or a number alone is not a claim',
      `Say what will happen, ${EXAMPLE}.`,
    )
  }
  return isEnglish(text) ? wordingProblem(text) : null
}

function wordingProblem(text: string): ClaimProblem | null {
  if ((ORDERS.test(text) && !STATES_OUTCOME.test(text)) || OWN_ORDERS.test(text)) {
    return invalidClaim(
      'action',
      'This is an order, not a claim',
      `Say what you expect to happen rather than what to do, ${EXAMPLE}.`,
    )
  }
  if (RATIONALES.test(text) && !hasOutcome(mainClause(text))) {
    return invalidClaim(
      'rationale',
      'This is a reason without the outcome that it supports',
      'Add the outcome, for example "…, so the Fed will cut rates by June".',
    )
  }
  if (text.endsWith('?') && !/^will\b/i.test(text)) {
    return invalidClaim(
      'question',
      'This is a question, not a claim',
      'State what you expect; "Will …?" is taken as a statement.',
    )
  }
  if (!hasOutcome(text) || (VALUES.test(text) && !/\b(?:will|won't)\b|\d/i.test(text))) {
    return invalidClaim(
      'unverifiable',
      'Nothing in this can be checked',
      `Name an outcome that comes true or not, best with a number or a date, ${EXAMPLE}.`,
    )
  }
  return null
}

/** Further verbs of questions. Not those that are nouns of subjects too, such as visit and arrest. */
const QUESTION_VERBS =
  'be|have|go|get|speak|meet|agree|join|buy|acquire|merge|deploy|publish|recogni[sz]e|normali[sz]e|' +
  'abolish|nominate|appoint|confirm|impeach|withdraw'

/** The claim as a statement: "Will X win?" is "X will win". */
export function statementOf(claim: string): string {
  const text = normal(claim)
  const question = /^will\s+(.+?)\s*\?+$/i.exec(text)?.[1]
  if (question === undefined) return text
  const verb = new RegExp(`^(.+?)\\s+(${VERBS}|${QUESTION_VERBS})\\b(.*)$`, 'i').exec(question)
  if (verb === null) return text
  const [, subject = '', word = '', rest = ''] = verb
  // The verb is one of a reason or a relative clause: "pardon anyone who would be charged".
  if (/\b(?:will|would|who|that|which)\b/i.test(subject)) return text
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} will ${word}${rest}`
}

const MAX_HEADING_LENGTH = 160

/** Heading and claim of a published thesis; null for a claim that is the heading, of which the title is the start. */
export function headingsOf(
  title: string,
  claim: string,
): { readonly heading: string; readonly claim: string | null } {
  const isStart = claim.startsWith(title) && claim.length <= MAX_HEADING_LENGTH
  return isStart ? { heading: claim, claim: null } : { heading: title, claim }
}

/** A title for a claim: its first 80 characters, cut at the end of a word. */
export function titleOf(claim: string): string {
  const letters = Array.from(normal(claim))
  if (letters.length <= TITLE_LENGTH) return letters.join('')
  const firstLetters = letters.slice(0, TITLE_LENGTH + 1).join('')
  const end = firstLetters.lastIndexOf(' ')
  if (end <= 0) return letters.slice(0, TITLE_LENGTH).join('')
  return firstLetters.slice(0, end).replace(/[,;:]+$/, '')
}
