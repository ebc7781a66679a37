import { Corrections, field, objectIn, textIn } from '../../theses/model/model-answer.ts'
import { isPlanned, NO_ORDER, type PlannedOrder, type TickDecision } from '../tick.ts'

const MAX_REASON_LENGTH = 300
const MAX_NOTE_LENGTH = 500
/** Entries that a model judges in one tick; the rules decide the rest. */
export const MAX_CANDIDATES = 50

/** The judgement of one entry; rank 1 is traded first. */
interface Choice {
  readonly take: boolean
  readonly rank: number
  readonly reason: string
}

/** The accepted and the rejected parts of a model's answer. */
export interface ModelChoice {
  /** By the number of the decision. */
  readonly choices: ReadonlyMap<number, Choice>
  readonly note: string | null
  readonly corrections: readonly string[]
}

/** Shape of the answer. */
export const CHOICE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['decisions', 'note'],
  properties: {
    decisions: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['n', 'take', 'rank', 'reason'],
        properties: {
          n: { type: 'integer' },
          take: { type: 'boolean' },
          rank: { type: 'integer' },
          reason: { type: 'string' },
        },
      },
    },
    note: { type: 'string' },
  },
} as const

const isEntry = (decision: TickDecision): decision is PlannedOrder =>
  decision.kind === 'entry' && isPlanned(decision)

/** The entries that a model judges. Exits are not its choice. */
export const candidatesOf = (decisions: readonly TickDecision[]): PlannedOrder[] =>
  decisions.filter(isEntry).slice(0, MAX_CANDIDATES)

/**
 * Reads which entries a model takes, in which order, and why. Only known candidates count, each
 * once; a judgement with a wrong number or word is left out, so that the rules decide that entry.
 * Null when the answer is not the requested object.
 */
export function choiceIn(text: string, candidates: readonly PlannedOrder[]): ModelChoice | null {
  const answer = objectIn(text)
  const decisions = field(answer, 'decisions')
  if (!Array.isArray(decisions)) return null
  const candidateNumbers = new Set(candidates.map(({ n }) => n))
  const corrections = new Corrections()
  const choices = new Map<number, Choice>()
  for (const [index, item] of decisions.slice(0, 2 * MAX_CANDIDATES).entries()) {
    const [n, take, rank] = ['n', 'take', 'rank'].map((name) => field(item, name))
    const reason = textIn(field(item, 'reason'), MAX_REASON_LENGTH)
    const reject = (why: string): void =>
      corrections.add(`judgement ${index + 1} was left out: ${why}`)
    if (typeof n !== 'number' || !candidateNumbers.has(n)) reject('unknown candidate')
    else if (choices.has(n)) reject('judged twice')
    else if (typeof take !== 'boolean') reject('take is not true or false')
    else if (typeof rank !== 'number' || !Number.isSafeInteger(rank) || rank < 1) {
      reject('rank is not a whole number from 1')
    } else if (reason === null) reject('no reason')
    else choices.set(n, { take, rank, reason })
  }
  return {
    choices,
    note: textIn(field(answer, 'note'), MAX_NOTE_LENGTH),
    corrections: corrections.list(),
  }
}

/**
 * The decisions after a model chose among the entries: exits first, then entries by its ranks, those
 * that it did not judge as the rules ordered them, then what is held. An entry that it declines is
 * held; both legs of a pair are taken or neither. Prices, sizes and limits stay those of the rules.
 */
export function withChoice(
  decisions: readonly TickDecision[],
  { choices }: ModelChoice,
): TickDecision[] {
  const declinedPairs = new Set(
    decisions.filter(isEntry).flatMap(({ n, pairId = null }) => {
      return choices.get(n)?.take === false && pairId !== null ? [pairId] : []
    }),
  )
  const rankOfPair = new Map<string, number>()
  for (const { n, pairId = null } of decisions.filter(isEntry)) {
    if (pairId === null) continue
    const rank = choices.get(n)?.rank ?? Infinity
    rankOfPair.set(pairId, Math.min(rankOfPair.get(pairId) ?? Infinity, rank))
  }
  const exits: TickDecision[] = []
  const entries: { readonly decision: TickDecision; readonly rank: number }[] = []
  const heldDecisions: TickDecision[] = []
  const declinedDecisions: TickDecision[] = []
  for (const decision of decisions) {
    if (!isEntry(decision)) {
      ;(decision.kind === 'exit' ? exits : heldDecisions).push(decision)
      continue
    }
    const { n, pairId = null } = decision
    const choice = choices.get(n)
    const isDeclined = choice?.take === false || (pairId !== null && declinedPairs.has(pairId))
    const modelReason = choice === undefined ? '' : `; model: ${choice.reason}`
    if (isDeclined) {
      const reason =
        choice?.take === false ? modelReason : '; model declined the other leg of the pair'
      declinedDecisions.push(declinedEntry(decision, reason))
    } else {
      const rank = (pairId === null ? undefined : rankOfPair.get(pairId)) ?? choice?.rank
      entries.push({
        decision: { ...decision, reason: `${decision.reason}${modelReason}` },
        rank: rank ?? Infinity,
      })
    }
  }
  // Sorting keeps the order of equal ranks, so that the legs of a pair stay together.
  const rankedEntries = entries.toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
  return [
    ...exits,
    ...rankedEntries.map(({ decision }) => decision),
    ...heldDecisions,
    ...declinedDecisions,
  ].map((decision, index) => ({ ...decision, n: index + 1 }))
}

/** An entry that is not traded; it is stored without gates. */
const declinedEntry = (entry: PlannedOrder, reason: string): TickDecision => {
  const { decidedPriceCents: _price, boundPriceCents: _bound, ...rest } = entry
  return {
    ...NO_ORDER,
    n: rest.n,
    kind: 'hold',
    venue: rest.venue,
    marketId: rest.marketId,
    marketTitle: rest.marketTitle,
    direction: rest.direction,
    reason: `declined${reason}; the rules propose: ${rest.reason}`,
    confidence: rest.confidence,
    basis: rest.basis,
  }
}
