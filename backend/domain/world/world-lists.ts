import type { ParamsOf } from '../params.ts'
import { gapSentence, moveText } from '../links/gap-sentence.ts'
import { quantileOf, saturate } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import type { Venue } from '../market.ts'
import { isSalientGap, type Divergence } from './salient/divergence.ts'
import { largest } from './top-rows.ts'
import { isAboveMoverFloor, MOVER_FLOOR_PARAMS } from './mover-floor.ts'
import { inspectUrlOf, pageUrlOf, type Addresses } from './links.ts'
import { bodyOf } from './salient/market-candidates.ts'
import { centsText, numberText } from './markdown/text.ts'
import { priceMove24h, type WorldMarket } from './world-market.ts'

export const WORLD_LIST_PARAMS = {
  anchors: 5,
  anchorSd: 1,
  anchorVolumeQuantile: 0.9,
  anchorMarks: { min: 10, max: 90 },
  movers: 10,
  moverDelta: 5,
  opportunities: 10,
  /** Number of opportunities of one kind: scores of different kinds do not compare. */
  opportunitiesOfKind: 4,
  yieldPct: 100,
  yieldLas: 0.15,
  yieldTau: 7,
  /** Outside these prices a yield is that of a longshot, and one tick changes it by half. */
  yieldPrices: { min: 3, max: 97 },
  yieldVolumeUsd: 1_000,
  residual: 2,
  executableEdge: 3,
  net: 1,
  /** Values at which the score of each reason is .5. */
  halves: { yieldPct: 1_000, residual: 2, executableEdge: 5, net: 5 },
  divergences: 5,
} as const
type Params = ParamsOf<typeof WORLD_LIST_PARAMS>

interface NamedMarket {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly price: number | null
}
export interface StableAnchor extends NamedMarket {
  readonly url: string
  readonly volume24h: number | null
}
export interface Mover extends NamedMarket {
  /** Headline price now minus that of 24 hours ago, cents. */
  readonly delta: number
  readonly from: number | null
  readonly volume24h: number | null
  /** Volume surprise in standard deviations. */
  readonly volumeZ: number | null
  readonly url: string
}

const tickerOf = (market: WorldMarket): string => market.ticker

/** Heavily traded markets with an unchanged price: five, most dollars first. Methodology C6. */
export function stableAnchors(
  markets: readonly WorldMarket[],
  addresses: Addresses,
  params: Params = WORLD_LIST_PARAMS,
): StableAnchor[] {
  const volumes = markets.flatMap(({ volume24hUsd }) => volume24hUsd ?? [])
  const min = quantileOf(volumes, params.anchorVolumeQuantile) ?? Infinity
  const { anchorMarks: marks } = params
  const isUnchanged = ({ mark, markSd7d: sd }: WorldMarket): boolean =>
    mark !== null && mark >= marks.min && mark <= marks.max && sd !== null && sd <= params.anchorSd
  const volumeOf = (market: WorldMarket): number | null =>
    market.volume24hUsd !== null && market.volume24hUsd >= min && isUnchanged(market)
      ? market.volume24hUsd
      : null
  return largest(markets, params.anchors, volumeOf, tickerOf).map((market) => ({
    ...bodyOf(market),
    url: inspectUrlOf(addresses, market.ticker),
    volume24h: market.volume24h,
  }))
}

/** Liquid, traded markets whose price moved by 5¢ in 24 hours: ten, the largest move first. */
export function moversOf(
  markets: readonly WorldMarket[],
  addresses: Addresses,
  params: Params = WORLD_LIST_PARAMS,
): Mover[] {
  const sizeOf = (market: WorldMarket): number | null => {
    const move = Math.abs(priceMove24h(market) ?? 0)
    const isListed = market.liquidity !== 'low' && isAboveMoverFloor(market)
    return move >= params.moverDelta && isListed ? move : null
  }
  return largest(markets, params.movers, sizeOf, tickerOf).map((market) => ({
    ...bodyOf(market),
    delta: priceMove24h(market) ?? 0,
    from: market.priceDayAgo,
    volume24h: market.volume24h,
    volumeZ: market.vr,
    url: inspectUrlOf(addresses, market.ticker),
  }))
}

export type OpportunityKind =
  'high_yield' | 'unexplained_activity' | 'thesis_edge' | 'cross_venue_gap'

export interface Opportunity extends NamedMarket {
  readonly kind: OpportunityKind
  readonly signalType: OpportunityKind
  readonly summary: string
  readonly yieldPct: number | null
  readonly score: number
  readonly residualVr: number | null
  readonly pageUrl: string
  readonly inspectUrl: string
}

/** Edges from other computations, by ticker; thesis edges are those that the caller may see. */
export interface KnownEdges {
  /** Executable edge of a thesis, cents. */
  readonly theses: ReadonlyMap<string, number>
  /** Best net of a cross-venue pair, cents, and its yield in percent a year. */
  readonly crossVenue: ReadonlyMap<
    string,
    {
      readonly net: number
      readonly yieldPct: number | null
      /** The pair, which is one opportunity. */
      readonly pair: string
    }
  >
}
export const NO_EDGES: KnownEdges = { theses: new Map(), crossVenue: new Map() }

interface Reason {
  readonly kind: OpportunityKind
  readonly score: number
  readonly yieldPct: number | null
  readonly summary: string
  /** Subject of the reason; the market by default. */
  readonly subject?: string
}

/** Reasons why a market is worth a look. */
function reasonsOf(market: WorldMarket, edges: KnownEdges, params: Params): Reason[] {
  const { adjIy, las, price, residualVr, tau, volume24hUsd } = market
  const { halves } = params
  const reasons: Reason[] = []
  const hasYield =
    isWithin(price, params.yieldPrices) &&
    (las ?? Infinity) <= params.yieldLas &&
    (tau ?? 0) >= params.yieldTau &&
    (volume24hUsd ?? 0) >= params.yieldVolumeUsd &&
    market.liquidity !== 'low'
  // A yield of a longshot or of the last days means nothing beside another reason either.
  const marketYield = hasYield ? adjIy : null
  if (hasYield && tau !== null && adjIy !== null && adjIy >= params.yieldPct) {
    const summary = `${numberText(adjIy, 0)}% a year after spread, ${numberText(Math.floor(tau), 0)} days to close`
    const score = saturate(adjIy / halves.yieldPct)
    reasons.push({ kind: 'high_yield', score, yieldPct: adjIy, summary })
  }
  const isTraded = (volume24hUsd ?? 0) >= MOVER_FLOOR_PARAMS.volumeUsd
  if (residualVr !== null && residualVr >= params.residual && isTraded) {
    const summary = `volume ${numberText(residualVr, 1)}σ above what its past and the calendar explain`
    const score = saturate(residualVr / halves.residual)
    reasons.push({ kind: 'unexplained_activity', score, yieldPct: marketYield, summary })
  }
  const edge = edges.theses.get(market.ticker)
  if (edge !== undefined && edge >= params.executableEdge) {
    const summary = `${centsText(edge)} below the thesis price after costs`
    const score = saturate(edge / halves.executableEdge)
    reasons.push({ kind: 'thesis_edge', score, yieldPct: marketYield, summary })
  }
  const gap = edges.crossVenue.get(market.ticker)
  if (gap !== undefined && gap.net >= params.net) {
    const summary = `${centsText(gap.net)} between the venues after fees`
    const score = saturate(gap.net / halves.net)
    const { yieldPct, pair: subject } = gap
    reasons.push({ kind: 'cross_venue_gap', score, yieldPct, summary, subject })
  }
  return reasons
}

const isWithin = (price: number | null, { min, max }: { min: number; max: number }) =>
  price !== null && price >= min && price <= max

/**
 * Ten markets worth a look, each with its best reason, one of a pair, at most four of a kind, best
 * first. Methodology C6.
 */
export function opportunitiesOf(
  markets: readonly WorldMarket[],
  edges: KnownEdges,
  addresses: Addresses,
  params: Params = WORLD_LIST_PARAMS,
): Opportunity[] {
  const scoreOf = ({ reason }: { reason: Reason }): number => roundTo(reason.score, 4)
  const nameOf = ({ market }: { market: WorldMarket }): string => market.ticker
  const best = markets.flatMap((market) => {
    const reasons = reasonsOf(market, edges, params)
    const [reason] = largest(
      reasons,
      1,
      ({ score }) => score,
      () => '',
    )
    return reason === undefined ? [] : [{ market, reason }]
  })
  const subjectOf = ({ market, reason }: (typeof best)[number]): string =>
    reason.subject ?? market.ticker
  const distinct = [...Map.groupBy(best, subjectOf).values()].flatMap((sameSubject) =>
    largest(sameSubject, 1, scoreOf, nameOf),
  )
  const topOfEachKind = [...Map.groupBy(distinct, ({ reason }) => reason.kind).values()].flatMap(
    (sameSubject) => largest(sameSubject, params.opportunitiesOfKind, scoreOf, nameOf),
  )
  return largest(topOfEachKind, params.opportunities, scoreOf, nameOf).map(
    ({ market, reason }) => ({
      ...bodyOf(market),
      kind: reason.kind,
      signalType: reason.kind,
      summary: reason.summary,
      yieldPct: reason.yieldPct,
      score: roundTo(reason.score, 4),
      residualVr: market.residualVr,
      pageUrl: pageUrlOf(addresses, market.slug),
      inspectUrl: inspectUrlOf(addresses, market.ticker),
    }),
  )
}

export interface DivergenceNote {
  readonly description: string
  readonly implication: string
  readonly affectedTickers: readonly string[]
}

/** The five widest unusual gaps as sentences, widest first. */
export function divergenceNotes(
  divergences: readonly Divergence[],
  titleOf: (ticker: string) => string,
  params: Params = WORLD_LIST_PARAMS,
): DivergenceNote[] {
  return widest(divergences, params).map((divergence) => {
    const { trigger, lagging, triggerMove, laggingMove, direction } = divergence
    const moves = `${titleOf(trigger)} moved ${moveText(triggerMove)}, ${titleOf(lagging)} ${moveText(laggingMove)}`
    return {
      description: moves,
      implication: `${titleOf(lagging)} is ${direction}: it ${gapSentence(divergence)}`,
      affectedTickers: [trigger, lagging],
    }
  })
}

/** The same gaps as numbers. */
export const contagionHighlights = (
  divergences: readonly Divergence[],
  params: Params = WORLD_LIST_PARAMS,
): { readonly trigger: string; readonly lagging: string; readonly gap: number }[] =>
  widest(divergences, params).map(({ trigger, lagging, gap }) => ({
    trigger,
    lagging,
    gap: roundTo(gap, 2),
  }))

const widest = (divergences: readonly Divergence[], params: Params): Divergence[] =>
  largest(
    divergences.filter((divergence) => isSalientGap(divergence)),
    params.divergences,
    ({ gap }) => Math.abs(gap),
    ({ lagging, trigger }) => `${lagging}|${trigger}`,
  )
