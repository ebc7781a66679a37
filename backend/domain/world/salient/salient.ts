import { saturate } from '../../statistics/statistics.ts'
import type { ParamsOf } from '../../params.ts'
import { HOUR } from '../../units.ts'
import type { Millis } from '../../units.ts'
import type { Venue } from '../../market.ts'
import type { Gauge } from '../gauges/index-reading.ts'
import type { WorldMarket } from '../world-market.ts'

/** Kinds of salient items; the order breaks ties. */
export const SALIENT_TYPES = [
  'regime_shift',
  'divergence',
  'resolving_soon',
  'residual',
  'novel',
  'consensus_break',
] as const
export type SalientType = (typeof SALIENT_TYPES)[number]
export type LinkRelation = 'cross_venue' | 'series_sibling' | 'theme' | 'correlated'

interface MarketBody {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly price: number | null
}
export interface RegimeShiftBody {
  readonly gauge: Gauge
  readonly from: number
  readonly to: number
  readonly change: number
  readonly fromLabel: string
  readonly toLabel: string
  readonly since: string
  readonly drivers: readonly {
    readonly ticker: string
    readonly title: string
    readonly delta: number
  }[]
}
interface DivergenceSide {
  readonly name: string
  readonly Δ: string
  readonly ticker: string
  readonly delta: number
}
export interface DivergenceBody {
  readonly lhs: DivergenceSide
  readonly rhs: DivergenceSide
  readonly gap: number
  readonly theme: string
  readonly triggerTicker: string
  readonly laggingTicker: string
  readonly relation: LinkRelation
  readonly suspect?: true
}
export interface ResolvingSoonBody extends MarketBody {
  readonly closeTime: string
  readonly hoursToClose: number
  readonly volume24h: number | null
  readonly cri: number | null
  readonly catalyst: { readonly title: string; readonly at: string } | null
  readonly change24h: number | null
}
export interface ResidualBody extends MarketBody {
  /** Null where the expected surprise is unknown. */
  readonly residualVr: number | null
  readonly vr: number
  readonly volume24h: number | null
  readonly scheduledCatalyst: string | null
}
export interface NovelBody extends MarketBody {
  readonly firstSeenAt: string
  readonly ageHours: number
  readonly volume24h: number | null
  readonly eventTitle: string | null
  readonly closeTime: string | null
  readonly siblings: number
}
export interface ConsensusBreakBody extends MarketBody {
  readonly consensusPrice: number
  /** Price minus consensus. */
  readonly deviation: number
  readonly basis: 'cross_venue' | 'event_family' | 'region'
  readonly peers: readonly MarketBody[]
  /** The venues differ so much that the data or the match are probably wrong. */
  readonly suspect?: true
}

/** Type and matching body of an item. */
export type SalientContent =
  | { readonly type: 'regime_shift'; readonly body: RegimeShiftBody }
  | { readonly type: 'divergence'; readonly body: DivergenceBody }
  | { readonly type: 'resolving_soon'; readonly body: ResolvingSoonBody }
  | { readonly type: 'residual'; readonly body: ResidualBody }
  | { readonly type: 'novel'; readonly body: NovelBody }
  | { readonly type: 'consensus_break'; readonly body: ConsensusBreakBody }

/** A potential item. */
export type Candidate = SalientContent & {
  readonly id: string
  readonly label: string
  /** Strength relative to its threshold, at least 1. */
  readonly x: number
  readonly confidence: number
  /** Liquidity weight of the weaker leg; 1 when no market is involved. */
  readonly weight: number
  /** Markets that it is about, starting with the one it names; none for a regime shift. */
  readonly legs: readonly WorldMarket[]
}

export type ScoredCandidate = Candidate & {
  /** C2. */
  readonly score: number
  /** Key of the event of the market it names, the same on both venues; null without a market. */
  readonly event: string | null
  /** Key of that market's question, which twins and the outcomes of an exclusive event share. */
  readonly question: string | null
}

export const SALIENCE_PARAMS = {
  typeWeights: {
    regime_shift: 1.3,
    divergence: 1,
    consensus_break: 1,
    residual: 0.9,
    resolving_soon: 0.8,
    novel: 0.7,
  },
  noveltyHalfLife: 12 * HOUR,
  minNovelty: 0.25,
  /** Growth of x from which an item counts as new again. */
  renewal: 1.25,
  /** An item that was absent for this long is new when it returns. */
  memory: 24 * HOUR,
} as const
type Params = ParamsOf<typeof SALIENCE_PARAMS>

/** When an item became new, and how strong it was then. */
export interface Emission {
  readonly since: Millis
  readonly x: number
  /** Newest world snapshot in which it was a candidate. */
  readonly lastAt: Millis
}

/** Stored state of items by id; saved with each snapshot for the next one. */
export type EmissionMemory = ReadonlyMap<string, Emission>

/** The updated state after an item of strength x was emitted at `at`. */
export function emissionAfter(
  previousEmission: Emission | undefined,
  x: number,
  at: Millis,
  params: Params = SALIENCE_PARAMS,
): Emission {
  const isNew =
    previousEmission === undefined ||
    at - previousEmission.lastAt > params.memory ||
    x >= params.renewal * previousEmission.x
  return isNew ? { since: at, x, lastAt: at } : { ...previousEmission, lastAt: at }
}

/** Novelty of an item: 1 at first, half after 12 hours, at least .25. */
export const noveltyOf = (
  emission: Pick<Emission, 'since'>,
  at: Millis,
  params: Params = SALIENCE_PARAMS,
): number => Math.max(params.minNovelty, 2 ** (-(at - emission.since) / params.noveltyHalfLife))

/**
 * Salience of an item, at least 0: x 1.644 of a residual, high liquidity, 3 hours old: 0.4706. It
 * does not depend on the caller. Methodology C2.
 */
export const salienceOf = (
  candidate: Pick<Candidate, 'type' | 'x' | 'confidence' | 'weight'>,
  novelty: number,
  params: Params = SALIENCE_PARAMS,
): number =>
  saturate(candidate.x) *
  candidate.confidence *
  candidate.weight *
  params.typeWeights[candidate.type] *
  novelty
