import { LIQUIDITY_WEIGHTS } from '../liquidity/liquidity.ts'
import type { LiquidityScore } from '../liquidity/liquidity.ts'
import type { Side } from '../market.ts'
import { clamp, saturate } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import { EDGE_PARAMS } from './edge-params.ts'
import type { EdgeParams } from './edge-params.ts'

export type SuggestedAction = 'consider_long' | 'consider_short' | 'wait' | 'avoid' | 'monitor'
export type SizeHint = 'small' | 'medium' | 'large'

/** Edges that prices alone imply: what is left after costs needs a trade in every leg. */
export type LegsKind = 'cross_venue' | 'basket' | 'ladder'

/** The best edge that the caller may see in a market. */
export interface SuggestionEdge {
  /** Null when the trade is in this market only. */
  readonly kind: LegsKind | null
  /** Cents on the YES scale: fair minus market. */
  readonly edge: number
  readonly direction: Side
  /** Cents per contract after costs, of all legs together; null when nothing can be bought. */
  readonly executable: number | null
  /** Fair price of the side to hold and its all-in cost, cents. */
  readonly fair: number
  readonly cost: number | null
  readonly confidence: number
}

/** Inputs of a suggestion; null is unknown. */
export interface SuggestionFacts {
  readonly isLive: boolean
  readonly liquidity: LiquidityScore
  /** Cents. */
  readonly spread: number | null
  /** Days. */
  readonly tau: number | null
  readonly disputed: boolean
  /** The rules of a paired market are known to differ. */
  readonly pairConflict: boolean
  readonly edge: SuggestionEdge | null
  readonly asScore: number | null
  /** Set when the score is the prior of an event type: it counts, but is no fact about the market. */
  readonly asIsPrior?: boolean
  /** Cents per root hour. */
  readonly volatility: number | null
  readonly isPanic: boolean
  readonly catalystHours: number | null
}

export interface Suggestion {
  readonly action: SuggestedAction
  /** 4 decimals. */
  readonly confidence: number
  readonly reasoning: string
  readonly positives: readonly string[]
  readonly warnings: readonly string[]
  readonly sizeHint: SizeHint
}

type Fact = readonly [holds: boolean, words: string]
const textsThatHold = (facts: readonly Fact[]): string[] =>
  facts.filter(([holds]) => holds).map(([, text]) => text)
const textOf = (value: number | null, places = 2): string =>
  value === null ? 'unknown' : String(roundTo(value, places))

const OTHER_LEGS: Readonly<Record<LegsKind, string>> = {
  cross_venue: 'the same question on the other venue',
  basket: 'every other outcome of the event',
  ladder: 'the neighbouring strike or date',
}
/** The other legs of an edge, with a preposition; empty for one market. */
const withLegs = ({ kind }: SuggestionEdge): string =>
  kind === null ? '' : ` together with ${OTHER_LEGS[kind]}`

/** Remainder of an edge after costs: for several legs only the sum is known. */
function leftAfterCosts(edge: SuggestionEdge): string {
  if (edge.executable === null) return `the edge cannot be traded${withLegs(edge)} now`
  const left = `costs leave ${textOf(edge.executable)}¢`
  return edge.kind === null
    ? `${left} of ${textOf(Math.abs(edge.edge))}¢`
    : `${left}${withLegs(edge)}`
}

/** The sentence of a suggestion to consider a side. */
function considerText(edge: SuggestionEdge): string {
  const left = `${textOf(edge.executable)}¢ are left`
  return edge.kind === null
    ? `Consider ${edge.direction}: ${left} of ${textOf(Math.abs(edge.edge))}¢ after costs.`
    : `Consider ${edge.direction}${withLegs(edge)}: ${left} after costs.`
}

/** Reasons to avoid the market, in a fixed order. */
function reasonsToAvoid(facts: SuggestionFacts, params: EdgeParams): string[] {
  const { thinEdge, maxSpread, minTau: shortestTau } = params.suggestion
  const executable = facts.edge?.executable ?? null
  return textsThatHold([
    [!facts.isLive, 'market is not open for trading'],
    [
      facts.liquidity === 'low' && !(executable !== null && executable >= thinEdge),
      `liquidity is low and no edge reaches ${thinEdge}¢`,
    ],
    [facts.spread !== null && facts.spread > maxSpread, `spread is ${textOf(facts.spread)}¢`],
    [facts.tau !== null && facts.tau < shortestTau, 'closes within the hour'],
    [facts.disputed, 'resolution is disputed'],
    [facts.pairConflict, 'rules differ from the paired market'],
  ])
}

/**
 * Whether a day of ordinary noise is small compared with the edge; false when the noise is
 * unknown.
 */
function noiseIsSmall(facts: SuggestionFacts, params: EdgeParams): boolean {
  const { noiseHours, noiseTimes } = params.suggestion
  if (facts.edge === null || facts.volatility === null) return false
  return facts.volatility * Math.sqrt(noiseHours) < noiseTimes * Math.abs(facts.edge.edge)
}

const adverseAllows = (facts: SuggestionFacts, executable: number, params: EdgeParams): boolean =>
  (facts.asScore !== null && facts.asScore < params.suggestion.adverse) ||
  executable >= params.suggestion.adverseEdge

/** Quarter Kelly on a fair price and an all-in cost, both in cents; 0 without an advantage. */
export const kellyShare = (fair: number, cost: number, params: EdgeParams = EDGE_PARAMS): number =>
  cost >= 100 ? 0 : Math.max(0, (params.suggestion.kellyShare * (fair - cost)) / (100 - cost))

/** Size hint from quarter Kelly, capped for adverse selection and thin books. */
export function sizeHintOf(
  facts: Pick<SuggestionFacts, 'edge' | 'asScore' | 'liquidity'>,
  params: EdgeParams = EDGE_PARAMS,
): SizeHint {
  const { edge, asScore, liquidity } = facts
  if (edge === null || edge.cost === null || liquidity === 'low') return 'small'
  const share = kellyShare(edge.fair, edge.cost, params)
  if (share < params.suggestion.small) return 'small'
  if (share < params.suggestion.medium) return 'medium'
  return asScore === null || asScore >= params.suggestion.adverse ? 'medium' : 'large'
}

/** Confidence of a "consider" suggestion. */
export function considerConfidence(
  executable: number,
  edgeConfidence: number,
  liquidity: LiquidityScore,
  asScore: number | null,
  params: EdgeParams = EDGE_PARAMS,
): number {
  const adverse = 1 - (0.5 * Math.max(0, (asScore ?? 1) - 0.5)) / 0.5
  const { edgeScale, maxConfidence } = params.suggestion
  const certainty = saturate(Math.max(0, executable) / edgeScale) * edgeConfidence
  return clamp(certainty * LIQUIDITY_WEIGHTS[liquidity] * adverse, 0, maxConfidence)
}

function positivesOf(facts: SuggestionFacts, params: EdgeParams): string[] {
  const { edge, asScore } = facts
  const executable = edge?.executable ?? null
  return textsThatHold([
    [
      executable !== null && executable >= params.suggestion.edge,
      `${textOf(executable)}¢ left after costs on ${edge?.direction ?? ''}${edge === null ? '' : withLegs(edge)}`,
    ],
    [facts.liquidity === 'high', 'liquidity is high'],
    [facts.spread !== null && facts.spread <= 3, `spread is ${textOf(facts.spread)}¢`],
    [
      asScore !== null && asScore <= 0.35 && facts.asIsPrior !== true,
      `adverse selection is ${textOf(asScore, 3)}`,
    ],
    [noiseIsSmall(facts, params), 'a day of noise is small beside the edge'],
  ])
}

function warningsOf(facts: SuggestionFacts, params: EdgeParams): string[] {
  const { asScore, edge, catalystHours } = facts
  const { adverse, edge: min, catalystHours: soonHours } = params.suggestion
  const executable = edge?.executable ?? null
  return textsThatHold([
    [
      asScore !== null && asScore >= adverse && facts.asIsPrior !== true,
      `adverse selection is ${textOf(asScore, 3)}`,
    ],
    [facts.liquidity === 'medium', 'liquidity is medium'],
    [
      edge !== null && Math.abs(edge.edge) >= min && (executable === null || executable < min),
      edge === null ? '' : leftAfterCosts(edge),
    ],
    [edge !== null && facts.volatility === null, 'volatility is unknown'],
    [
      edge !== null && facts.volatility !== null && !noiseIsSmall(facts, params),
      'a day of ordinary noise exceeds the edge',
    ],
    [facts.isPanic, 'prices are in panic'],
    [
      catalystHours !== null && catalystHours >= 0 && catalystHours <= soonHours,
      `catalyst in ${textOf(catalystHours, 1)} h`,
    ],
  ])
}

/**
 * Suggests an action for a market: the first of avoid, consider, wait and monitor whose conditions
 * hold (methodology E7). Facts are those that the caller may see; never stronger than "consider".
 */
export function suggestionOf(facts: SuggestionFacts, params: EdgeParams = EDGE_PARAMS): Suggestion {
  const rules = params.suggestion
  const avoid = reasonsToAvoid(facts, params)
  const positives = positivesOf(facts, params)
  const warnings = [...avoid, ...warningsOf(facts, params)]
  const facing = { positives, warnings }
  if (avoid.length > 0) {
    const confidence = Math.min(
      rules.avoid.max,
      rules.avoid.base + rules.avoid.perRule * avoid.length,
    )
    const reasoning = `Avoid: ${avoid[0] ?? ''}.`
    return {
      ...facing,
      action: 'avoid',
      confidence: roundTo(confidence, 4),
      reasoning,
      sizeHint: 'small',
    }
  }
  const { edge } = facts
  const executable = edge?.executable ?? null
  if (
    edge !== null &&
    executable !== null &&
    executable >= rules.edge &&
    edge.confidence >= rules.edgeConfidence &&
    adverseAllows(facts, executable, params) &&
    noiseIsSmall(facts, params)
  ) {
    const { liquidity, asScore } = facts
    const certainty = considerConfidence(executable, edge.confidence, liquidity, asScore, params)
    return {
      ...facing,
      action: edge.direction === 'yes' ? 'consider_long' : 'consider_short',
      confidence: roundTo(certainty, 4),
      reasoning: considerText(edge),
      sizeHint: sizeHintOf(facts, params),
    }
  }
  const isBelowCosts =
    edge !== null &&
    Math.abs(edge.edge) >= rules.edge &&
    (executable === null || executable < rules.edge)
  const isSoon =
    facts.catalystHours !== null &&
    facts.catalystHours >= 0 &&
    facts.catalystHours <= rules.catalystHours
  if (isBelowCosts || facts.isPanic || isSoon) {
    const reason = isBelowCosts
      ? leftAfterCosts(edge)
      : facts.isPanic
        ? 'prices are in panic'
        : `catalyst in ${textOf(facts.catalystHours, 1)} h`
    return {
      ...facing,
      action: 'wait',
      confidence: rules.wait,
      reasoning: `Wait: ${reason}.`,
      sizeHint: 'small',
    }
  }
  const reasoning = 'Monitor: no edge is large and certain enough.'
  return { ...facing, action: 'monitor', confidence: rules.monitor, reasoning, sizeHint: 'small' }
}
