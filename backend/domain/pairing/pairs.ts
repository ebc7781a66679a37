import type { Ticker } from '../market.ts'
import { medianOf } from '../statistics/statistics.ts'
import { DAY, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'
import { VENUES } from '../venue.ts'
import { maximumMatching } from './assignment.ts'
import type { WeightedEdge } from './assignment.ts'
import { candidatePairs } from './blocking.ts'
import type { Fingerprint } from './fingerprint.ts'
import { judgePair } from './judgement.ts'
import type { JudgementContext, PairJudgement, PairReview } from './judgement.ts'
import { PAIRING_PARAMS, PAIRING_PRESETS } from './params.ts'
import type { PairingParams, PairingPreset } from './params.ts'
import { TITLE_WEIGHTS } from './title-weights.ts'

/** Markets of two venues that ask the same question; the venue of `a` precedes that of `b` in the table. */
export interface MarketPair extends PairJudgement {
  readonly id: string
  readonly a: Ticker
  readonly b: Ticker
  /** Days between the closes, 2 decimals; null when one is unknown. */
  readonly closeDeltaDays: number | null
  /** Days between the decisions, 2 decimals: a venue may stay open for a year after the event. */
  readonly decisionDeltaDays: number | null
  /** Mark of a minus the aligned mark of b, cents; null when one is unknown. */
  readonly gap: number | null
}

/** Optional inputs of pairing besides the fingerprints; the functions are called per candidate. */
export interface PairingKnowledge extends Pick<JudgementContext, 'calibration' | 'params'> {
  readonly correlationOf?: (a: Ticker, b: Ticker) => number | null
  readonly reviewOf?: (a: Ticker, b: Ticker) => PairReview | null
}

/** Price of the other market, aligned to this one's question, cents. */
export const alignedPrice = (price: Cents | null, inverted: boolean): Cents | null =>
  price === null || !inverted ? price : (roundTo(100 - price, 6) as Cents)

/** Mark of one market minus the other's aligned mark, cents; null when one is unknown. */
export function pairGap(mark: Cents | null, other: Cents | null, inverted: boolean): number | null {
  const alignedCents = alignedPrice(other, inverted)
  return mark === null || alignedCents === null ? null : roundTo(mark - alignedCents, 4)
}

/**
 * Whether two prices of one question differ so much that an error of the data or of the match is
 * more likely than a mispricing.
 */
export const isSuspectGap = (
  gap: number | null,
  params: Pick<PairingParams, 'suspectGap'> = PAIRING_PARAMS,
): boolean => gap !== null && Math.abs(gap) >= params.suspectGap

/** Days between two closes, 2 decimals; null when one is unknown. */
export const closeDeltaDays = (a: Millis | null, b: Millis | null): number | null =>
  a === null || b === null ? null : roundTo(Math.abs(a - b) / DAY, 2)

/**
 * Days that the presets limit: those between the decisions where they are nearer than the closes;
 * null when neither is known.
 */
export const presetDays = ({
  closeDeltaDays: closeDeltaInDays,
  decisionDeltaDays: decisions,
}: Pick<MarketPair, 'closeDeltaDays' | 'decisionDeltaDays'>): number | null =>
  closeDeltaInDays === null || decisions === null
    ? (closeDeltaInDays ?? decisions)
    : Math.min(closeDeltaInDays, decisions)

/**
 * Whether a preset includes a pair; a pair without known days passes only presets without a limit
 * of them.
 */
export function passesPreset(
  pair: Pick<MarketPair, 'confidence' | 'closeDeltaDays' | 'decisionDeltaDays'>,
  preset: PairingPreset,
): boolean {
  const { confidence, closeDays } = PAIRING_PRESETS[preset]
  if (pair.confidence < confidence) return false
  const days = presetDays(pair)
  return closeDays === null || (days !== null && days <= closeDays)
}

interface JudgedEdge extends WeightedEdge {
  readonly judgement: PairJudgement
}

/**
 * Matches served pairs first, so that two doubtful ones never displace a confident one; then the
 * rest.
 */
function bestMatching(edges: readonly JudgedEdge[]): JudgedEdge[] {
  const servedEdges = maximumMatching(
    edges.filter(({ judgement }) => judgement.confidence >= PAIRING_PRESETS.browse.confidence),
  )
  const [leftKeys, rights] = [
    new Set(servedEdges.map(({ left }) => left)),
    new Set(servedEdges.map(({ right }) => right)),
  ]
  const rest = edges.filter(
    ({ judgement, left, right }) =>
      judgement.confidence < PAIRING_PRESETS.browse.confidence &&
      judgement.confidence > 0 &&
      !leftKeys.has(left) &&
      !rights.has(right),
  )
  return [...servedEdges, ...maximumMatching(rest)]
}

const byTicker = (x: Fingerprint, y: Fingerprint): number => (x.ticker < y.ticker ? -1 : 1)

/**
 * Pairs the markets of each two venues (methodology D7): candidates from blocking, judged by
 * fingerprints, one to one inside each pair of events by maximum total confidence.
 * @returns confidence descending, then by tickers; independent of the order of the markets
 */
export function pairMarkets(
  markets: readonly Fingerprint[],
  knowledge: PairingKnowledge = {},
): MarketPair[] {
  const sides = VENUES.map((venue) =>
    markets.filter((market) => market.venue === venue).sort(byTicker),
  )
  const pairs = sides.flatMap((left, index) =>
    sides.slice(index + 1).flatMap((right) => pairsBetween(left, right, knowledge)),
  )
  return pairs.sort(
    (x, y) => y.confidence - x.confidence || (x.a < y.a ? -1 : x.a > y.a ? 1 : x.b < y.b ? -1 : 1),
  )
}

function pairsBetween(
  left: readonly Fingerprint[],
  right: readonly Fingerprint[],
  knowledge: PairingKnowledge,
): MarketPair[] {
  const params = knowledge.params ?? PAIRING_PARAMS
  const eventPairs = new Map<string, JudgedEdge[]>()
  for (const candidate of candidatePairs(left, right, TITLE_WEIGHTS, params)) {
    const [a, b] = [left[candidate.a], right[candidate.b]]
    if (a === undefined || b === undefined) continue
    const judgement = judgePair(a, b, {
      weights: TITLE_WEIGHTS,
      params,
      ...(knowledge.calibration === undefined ? {} : { calibration: knowledge.calibration }),
      correlation: knowledge.correlationOf?.(a.ticker, b.ticker) ?? null,
      review: knowledge.reviewOf?.(a.ticker, b.ticker) ?? null,
    })
    // The raw confidence breaks ties, because confidences have only two decimals.
    const weight = judgement.confidence + judgement.raw * 1e-4 + 1e-9
    const edge = { left: candidate.a, right: candidate.b, weight, judgement }
    const key = `${a.eventId}\n${b.eventId}`
    const edges = eventPairs.get(key)
    if (edges === undefined) eventPairs.set(key, [edge])
    else edges.push(edge)
  }
  const pairs: MarketPair[] = []
  for (const edges of eventPairs.values()) {
    for (const { left: placeA, right: placeB, judgement } of bestMatching(edges)) {
      const [a, b] = [left[placeA], right[placeB]]
      if (a !== undefined && b !== undefined) pairs.push(pairOf(a, b, judgement))
    }
  }
  return pairs
}

const pairOf = (a: Fingerprint, b: Fingerprint, judgement: PairJudgement): MarketPair => ({
  ...judgement,
  id: `${a.ticker}~${b.ticker}`,
  a: a.ticker,
  b: b.ticker,
  closeDeltaDays: closeDeltaDays(a.closeTime, b.closeTime),
  decisionDeltaDays: closeDeltaDays(a.decisionTime, b.decisionTime),
  gap: pairGap(a.mark, b.mark, judgement.inverted),
})

/**
 * Removes pairs that are dominated by another pair of one of their markets with at least equal
 * confidence and a nearer deadline. Strikes and days of a series belong to several events, and
 * matching is one to one only inside two of them.
 */
export function withoutDominated(pairs: readonly MarketPair[]): MarketPair[] {
  const nearest = new Map<Ticker, MarketPair[]>()
  for (const pair of pairs) {
    for (const ticker of [pair.a, pair.b]) {
      const existing = nearest.get(ticker)
      if (existing === undefined) nearest.set(ticker, [pair])
      else existing.push(pair)
    }
  }
  const isDominated = (pair: MarketPair, other: MarketPair): boolean =>
    other.confidence >= pair.confidence && other.features.date > pair.features.date
  return pairs.filter((pair) =>
    [pair.a, pair.b].every(
      (ticker) => nearest.get(ticker)?.some((other) => isDominated(pair, other)) !== true,
    ),
  )
}

/**
 * The best pair of each market, by ticker of either venue: highest confidence, ties by raw
 * confidence (confidences have two decimals), then the first in list order.
 */
export function bestPairs(pairs: readonly MarketPair[]): ReadonlyMap<Ticker, MarketPair> {
  const best = new Map<Ticker, MarketPair>()
  for (const pair of pairs) {
    for (const ticker of [pair.a, pair.b]) {
      const existing = best.get(ticker)
      const isBetter =
        existing === undefined ||
        pair.confidence > existing.confidence ||
        (pair.confidence === existing.confidence && pair.raw > existing.raw)
      if (isBetter) best.set(ticker, pair)
    }
  }
  return best
}

/** Statistics of a list of pairs. */
export interface PairStatistics {
  readonly totalPairs: number
  /** Ten bands of 0.1 ascending; the last includes 1. */
  readonly byConfidence: readonly {
    readonly from: number
    readonly to: number
    readonly count: number
  }[]
  readonly byPreset: Readonly<Record<PairingPreset, number>>
  /** Cents; null when no gap is known. */
  readonly medianAbsGap: number | null
}

/** Statistics of pairs (methodology D7). */
export function pairStatistics(
  pairs: readonly Pick<MarketPair, 'confidence' | 'closeDeltaDays' | 'decisionDeltaDays' | 'gap'>[],
): PairStatistics {
  const counts = new Array<number>(10).fill(0)
  for (const { confidence } of pairs) {
    const band = Math.min(9, Math.floor(roundTo(confidence * 10, 6)))
    counts[band] = (counts[band] ?? 0) + 1
  }
  const passing = (preset: PairingPreset): number =>
    pairs.filter((pair) => passesPreset(pair, preset)).length
  const gaps = pairs.flatMap(({ gap }) => (gap === null ? [] : [Math.abs(gap)]))
  const median = medianOf(gaps)
  return {
    totalPairs: pairs.length,
    byConfidence: counts.map((count, band) => ({
      from: band / 10,
      to: (band + 1) / 10,
      count,
    })),
    byPreset: {
      arb: passing('arb'),
      world: passing('world'),
      detail: passing('detail'),
      browse: passing('browse'),
    },
    medianAbsGap: median === null ? null : roundTo(median, 2),
  }
}
