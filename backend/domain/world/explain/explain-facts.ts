import { HOUR, MINUTE } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { wordsOf } from '../../text/tokens.ts'
import { clamp } from '../../statistics/statistics.ts'
import type { ParamsOf } from '../../params.ts'

export type HypothesisKind =
  | 'catalyst'
  | 'news'
  | 'econ_release'
  | 'legislation'
  | 'cross_venue_lead'
  | 'contagion'
  | 'flow'
  | 'social'

export const EXPLAIN_PARAMS = {
  priors: {
    catalyst: 0.35,
    econ_release: 0.35,
    legislation: 0.35,
    factsChange: 0.4,
    content: 0.25,
    contagion: 0.25,
    cross_venue_lead: 0.2,
    flow: 0.15,
    unexplained: 0.15,
  },
  /** Hours before a move in which a dated event may explain it. */
  calendarHours: 24,
  contentBefore: 6 * HOUR,
  /** Precision of a move's start: a cause may be later by this much. */
  startPrecision: 5 * MINUTE,
  minSharedWords: 2,
  leadTime: 10 * MINUTE,
  /** Minimum share of the move that a linked market must explain. */
  minExpected: 0.5,
  /** Minimum cents that a linked move implies here to attract traders, and those that certainly do. */
  attention: { min: 2, certain: 8 },
  /** Time after the start of a busy hour until which a linked move may have caused it. */
  busyHour: HOUR,
  /** Minimum share of a window's volume in one trade, and of a day's volume in one hour. */
  blockShare: 0.4,
} as const
type Params = ParamsOf<typeof EXPLAIN_PARAMS>

/**
 * Subject of an explanation: a move in cents, or a gap to other prices, its start, and the entity
 * words of its subject.
 */
export interface Move {
  readonly startedAt: Millis
  readonly cents: number
  /** Folded entity words of the market (names, tickers, countries). */
  readonly entityWords: readonly string[]
}

export interface Evidence {
  readonly source: string
  readonly title: string
  readonly url: string | null
  readonly at: Millis
}
interface KnownFact {
  readonly evidence: Evidence
  readonly knownAt: Millis
}
/** Facts that may explain a move. */
export type ExplainFact = KnownFact &
  (
    | { readonly kind: 'catalyst' | 'econ_release' | 'legislation' }
    /** An announced close or listing, which attracts attention `within` hours before and after it. */
    | { readonly kind: 'stated_date'; readonly due: Millis; readonly within: number }
    /** A change of status or close time. */
    | { readonly kind: 'facts_change' }
    | { readonly kind: 'news' | 'social'; readonly text: string }
    /** A linked market moved: when, and the move that it implies here. */
    | { readonly kind: 'contagion'; readonly movedAt: Millis; readonly expected: number }
    /** The same for trading, which such a move attracts in either direction. */
    | { readonly kind: 'attention'; readonly expected: number }
    | { readonly kind: 'cross_venue_lead'; readonly movedAt: Millis; readonly cents: number }
    /** A market on the other side of a gap moved, which opened it. */
    | {
        readonly kind: 'peer_move'
        readonly as: 'contagion' | 'cross_venue_lead'
        readonly cents: number
      }
    /** One hour's share of the day's volume. */
    | { readonly kind: 'busy_hour'; readonly share: number }
    /** One trade's share of the window's volume. */
    | { readonly kind: 'block_trade'; readonly share: number }
    /** Spread above its usual value and depth below it, with volume below its median. */
    | {
        readonly kind: 'thin_book'
        readonly spreadRatio: number | null
        readonly depthRatio: number | null
        readonly volumeBelowMedian: boolean
      }
  )

export interface CandidateCause {
  readonly kind: HypothesisKind
  readonly prior: number
  /** 0 to 1. */
  readonly strength: number
  readonly evidence: Evidence
}

/** The explanation that a fact gives for a move; null when it gives none. Methodology C8. */
export function causeOf(
  fact: ExplainFact,
  move: Move,
  params: Params = EXPLAIN_PARAMS,
): CandidateCause | null {
  const { priors } = params
  const { evidence } = fact
  const cause = (kind: HypothesisKind, prior: number, strength: number): CandidateCause | null =>
    strength > 0 ? { kind, prior, strength: clamp(strength, 0, 1), evidence } : null
  const size = Math.abs(move.cents)
  const share = (cents: number): number => (size === 0 ? 0 : Math.abs(cents) / size)
  const leads = (at: Millis, by: number): boolean => move.startedAt - at >= by
  // Causes precede effects.
  const until = fact.kind === 'attention' ? params.busyHour : params.startPrecision
  const isLate = evidence.at > move.startedAt + until
  if (isLate && fact.kind !== 'stated_date' && fact.kind !== 'peer_move') return null
  switch (fact.kind) {
    case 'catalyst':
    case 'econ_release':
    case 'legislation':
      return cause(fact.kind, priors[fact.kind], nearness(evidence.at, move, params))
    case 'facts_change':
      return cause('catalyst', priors.factsChange, nearness(evidence.at, move, params))
    case 'news':
    case 'social': {
      const since = evidence.at - move.startedAt
      if (since < -params.contentBefore) return null
      return cause(fact.kind, priors.content, countSharedTerms(fact.text, move, params))
    }
    case 'contagion': {
      if (!leads(fact.movedAt, params.leadTime) || fact.expected * move.cents <= 0) return null
      const explainedShare = share(fact.expected)
      return explainedShare < params.minExpected
        ? null
        : cause('contagion', priors.contagion, explainedShare)
    }
    case 'attention': {
      const { min, certain } = params.attention
      const impliedMove = Math.abs(fact.expected)
      return impliedMove < min ? null : cause('contagion', priors.contagion, impliedMove / certain)
    }
    case 'cross_venue_lead':
      return fact.movedAt < move.startedAt && fact.cents * move.cents > 0
        ? cause('cross_venue_lead', priors.cross_venue_lead, share(fact.cents))
        : null
    case 'peer_move': {
      const gapShare = share(fact.cents)
      return gapShare < params.minExpected ? null : cause(fact.as, priors[fact.as], gapShare)
    }
    case 'stated_date': {
      const hours = Math.abs(fact.due - move.startedAt) / HOUR
      return cause('catalyst', priors.catalyst, 1 - hours / fact.within)
    }
    case 'busy_hour':
    case 'block_trade':
      return fact.share >= params.blockShare ? cause('flow', priors.flow, 1) : null
    case 'thin_book': {
      const thin = (fact.spreadRatio ?? 0) >= 2 || (fact.depthRatio ?? 1) <= 0.5
      return thin && fact.volumeBelowMedian ? cause('flow', priors.flow, 1) : null
    }
  }
}

/** 1 at the move's start, 0 a day before it. */
const nearness = (at: Millis, { startedAt }: Move, params: Params): number =>
  1 - Math.abs(at - startedAt) / (params.calendarHours * HOUR)

/** Share of the entity words that a text contains; 0 below two of them. */
function countSharedTerms(text: string, { entityWords }: Move, params: Params): number {
  const terms = new Set(entityWords)
  const present = new Set(wordsOf(text))
  const sharedCount = [...terms].filter((word) => present.has(word)).length
  return sharedCount < params.minSharedWords ? 0 : sharedCount / terms.size
}
