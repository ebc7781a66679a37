import type { Ticker } from '../market.ts'
import { sha256 } from '../sha256.ts'
import { HOUR, roundTo } from '../units.ts'
import type { Millis } from '../units.ts'
import { leadIn } from '../world/markdown/text.ts'
import { EDGE_PARAMS } from './edge-params.ts'
import type { EdgeParams } from './edge-params.ts'

export type IdeaBasis = 'thesis_edge' | 'cross_venue' | 'yield' | 'contagion'
export type Conviction = 'high' | 'medium' | 'low'

/** One edge that may become an idea. */
export interface IdeaCandidate {
  readonly basis: IdeaBasis
  readonly ticker: Ticker
  readonly title: string
  readonly theme: string
  readonly direction: 'buy_yes' | 'buy_no'
  /** Cents per contract after costs. */
  readonly executableEdge: number
  readonly confidence: number
  /** See `edgeStrength`. */
  readonly strength: number
  /** One sentence with numbers that explains why the fair price differs. */
  readonly pitch: string
  readonly catalyst: { readonly title: string; readonly at: Millis } | null
  readonly closeTime: Millis | null
  readonly warning: string | null
  readonly asScore: number | null
  /** Cost of the held side with its fee, cents: the starting price of the idea's track record. */
  readonly cost: number | null
  /** Other legs of a multi-leg trade. */
  readonly hedges: readonly Ticker[]
}

/** A stored idea; it expires after twelve hours and remains readable. */
export interface TradeIdea extends IdeaCandidate {
  readonly id: string
  readonly headline: string
  readonly conviction: Conviction
  /** Cents, 2 decimals. */
  readonly edgeCents: number
  readonly timeHorizon: 'days' | 'weeks' | 'months'
  readonly risk: string
  readonly createdAt: Millis
  readonly expiresAt: Millis
}

const ID_LENGTH = 6

/** Conviction by confidence and executable edge (methodology E8). */
export function convictionOf(
  confidence: number,
  executableEdge: number,
  params: EdgeParams = EDGE_PARAMS,
): Conviction {
  const { high, medium } = params.ideas
  if (confidence >= high.confidence && executableEdge >= high.edge) return 'high'
  return executableEdge >= medium ? 'medium' : 'low'
}

/**
 * Time horizon of an idea: days below a week, weeks below sixty days, otherwise months, also when
 * unknown.
 */
export function timeHorizon(
  days: number | null,
  params: EdgeParams = EDGE_PARAMS,
): TradeIdea['timeHorizon'] {
  if (days === null || days >= params.ideas.weeksBelow) return 'months'
  return days < params.ideas.daysBelow ? 'days' : 'weeks'
}

/**
 * Id of an idea, constant for a kind, market and direction: the last six base-36 digits of the
 * first eight bytes of their SHA-256, like ids of salient items (methodology C4).
 */
export function ideaId(idea: Pick<IdeaCandidate, 'basis' | 'ticker' | 'direction'>): string {
  const [high = 0, low = 0] = sha256([idea.basis, idea.ticker, idea.direction].join('|'))
  const digits = ((BigInt(high) << 32n) | BigInt(low)).toString(36)
  return `idea_${digits.padStart(ID_LENGTH, '0').slice(-ID_LENGTH)}`
}

const CONVICTIONS: readonly Conviction[] = ['high', 'medium', 'low']
const DAY_HOURS = 24

function ideaOf(candidate: IdeaCandidate, at: Millis, params: EdgeParams): TradeIdea {
  const { executableEdge, confidence, direction, title, closeTime, warning, asScore } = candidate
  const days = closeTime === null ? null : (closeTime - at) / (DAY_HOURS * HOUR)
  const selection =
    asScore === null ? 'adverse selection unknown' : `adverse selection ${roundTo(asScore, 3)}`
  return {
    ...candidate,
    id: ideaId(candidate),
    headline: `${direction === 'buy_yes' ? 'YES' : 'NO'} ${leadIn(title)} ${roundTo(executableEdge, 1)}¢ after costs`,
    conviction: convictionOf(confidence, executableEdge, params),
    edgeCents: roundTo(executableEdge, 2),
    timeHorizon: timeHorizon(days, params),
    risk: warning === null ? selection : `${warning}; ${selection}`,
    createdAt: at,
    expiresAt: (at + params.ideas.lifeHours * HOUR) as Millis,
  }
}

/**
 * Ideas of one round (methodology E8): strongest edges first, at most two per theme and ten in
 * total, none that costs more than it gains; each market and direction once.
 * @returns by conviction, then size of the edge, then ticker
 */
export function selectIdeas(
  candidates: readonly IdeaCandidate[],
  at: Millis,
  params: EdgeParams = EDGE_PARAMS,
): TradeIdea[] {
  const rankedCandidates = candidates
    .filter(({ executableEdge }) => executableEdge > 0)
    .sort(
      (a, b) =>
        b.strength - a.strength ||
        (a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : a.basis < b.basis ? -1 : 1),
    )
  const themes = new Map<string, number>()
  const usedIds = new Set<string>()
  const selectedIdeas: IdeaCandidate[] = []
  for (const candidate of rankedCandidates) {
    const themeCount = themes.get(candidate.theme) ?? 0
    const key = `${candidate.ticker} ${candidate.direction}`
    if (selectedIdeas.length >= params.ideas.max) break
    if (themeCount >= params.ideas.perTheme || usedIds.has(key)) continue
    themes.set(candidate.theme, themeCount + 1)
    usedIds.add(key)
    selectedIdeas.push(candidate)
  }
  return selectedIdeas
    .map((candidate) => ideaOf(candidate, at, params))
    .sort(
      (a, b) =>
        CONVICTIONS.indexOf(a.conviction) - CONVICTIONS.indexOf(b.conviction) ||
        b.edgeCents - a.edgeCents ||
        (a.ticker < b.ticker ? -1 : 1),
    )
}
