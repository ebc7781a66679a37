import { isMeasured, type AdverseSelection } from './adverse-selection.ts'
import { quarterHourOf } from '../changes/change-rows.ts'
import type { EventType, Observability } from '../topics/event-type-rules.ts'
import type { ExpectedEdge } from '../prices/expected-edge.ts'
import type { Side } from '../market.ts'
import { labelByCuts, regimeLabel, REGIME_PARAMS } from './label.ts'
import type { RegimeParams, RegimeSide } from './label.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** Signals that accompany the score; only `asPrior` affects it. */
export interface RegimeSignals {
  readonly spreadCents: Cents | null
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  /** In the venue's unit. */
  readonly volume24h: number | null
  readonly observability: Observability
  readonly eventType: EventType
  readonly asPrior: number
  readonly sfEdgeCents: number | null
  readonly sfEdgeDirection: Side | null
}

/** One line of the breakdown: a quantity and the side that it indicates. */
export interface RegimeSignal {
  readonly name: string
  readonly value: number | string | null
  readonly effect: RegimeSide
  readonly note: string
}

export interface MarketRegime {
  readonly score: number
  readonly label: RegimeSide
  readonly alpha: number | null
  readonly nTrades: number
  readonly signals: RegimeSignals
  readonly computedAt: Millis
}

/** Inputs of a regime at one instant. */
export interface RegimeReading {
  /** Active and before its close; no other market has a regime. */
  readonly isLive: boolean
  readonly adverse: AdverseSelection
  readonly spread: Cents | null
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  readonly volume24h: number | null
  readonly observability: Observability
  readonly eventType: EventType
  readonly edge: Pick<ExpectedEdge, 'ee' | 'direction'>
}

/**
 * Regime of a market: score, label given the previous one, and signals; null for a market that is
 * not live. Methodology A11.
 */
export function regimeOf(
  reading: RegimeReading,
  previous: RegimeSide | null,
  computedAt: Millis,
  params: RegimeParams = REGIME_PARAMS,
): MarketRegime | null {
  if (!reading.isLive) return null
  const { score, alpha, nTrades, prior } = reading.adverse
  const { spread, edge, bidDepthUsd, askDepthUsd, volume24h, observability, eventType } = reading
  return {
    score,
    label: regimeLabel(score, previous, params),
    alpha,
    nTrades,
    signals: {
      spreadCents: spread,
      bidDepthUsd,
      askDepthUsd,
      volume24h,
      observability,
      eventType,
      asPrior: prior,
      sfEdgeCents: edge.ee,
      sfEdgeDirection: edge.direction,
    },
    computedAt,
  }
}

/** Label of a regime for comparison with another instant; null without enough measured trades. */
export const measuredLabel = (regime: MarketRegime | null): RegimeSide | null =>
  regime === null || !isMeasured(regime.nTrades) ? null : regime.label

/** Whether a regime is of the latest quarter hour and its market has a valid book. */
export const isFreshRegime = (computedAt: Millis, at: Millis, bookValid: boolean): boolean =>
  bookValid && computedAt >= quarterHourOf(at)

/** The side that a value indicates; neutral when it is unknown. */
const toneOf = (value: number | null, isMaker: boolean, isTaker: boolean): RegimeSide =>
  value === null ? 'neutral' : isMaker ? 'maker' : isTaker ? 'taker' : 'neutral'

/**
 * The signals as a list with the side that each indicates, in fixed order; `nTrades` and `alpha`
 * first. Depth is rated on the line of its smaller side (on both when equal), if both are known.
 */
export function regimeBreakdown(
  { signals, alpha, nTrades }: Pick<MarketRegime, 'signals' | 'alpha' | 'nTrades'>,
  params: RegimeParams = REGIME_PARAMS,
): RegimeSignal[] {
  const { spreadCents: spread, bidDepthUsd: bid, askDepthUsd: ask, sfEdgeCents: edge } = signals
  const thinner = bid === null || ask === null ? null : Math.min(bid, ask)
  const depthTone = (depth: number | null): RegimeSide =>
    depth === null || depth !== thinner
      ? 'neutral'
      : toneOf(depth, depth < params.makerDepth, depth >= params.takerDepth)
  const line = (
    name: string,
    value: number | string | null,
    effect: RegimeSide,
    note: string,
  ): RegimeSignal => ({ name, value, effect, note: value === null ? 'not known' : note })
  return [
    line('nTrades', nTrades, 'neutral', 'prints measured in 7 days'),
    line(
      'alpha',
      alpha === null ? null : roundTo(alpha, 3),
      alpha === null ? 'neutral' : labelByCuts(alpha, params),
      'share of what takers paid that makers lost within 5 minutes',
    ),
    line(
      'spreadCents',
      spread,
      toneOf(spread, (spread ?? 0) >= params.makerSpread, (spread ?? 0) <= params.takerSpread),
      'cents between bid and ask',
    ),
    line('bidDepthUsd', bid, depthTone(bid), 'dollars in the best five bids'),
    line('askDepthUsd', ask, depthTone(ask), 'dollars in the best five asks'),
    line('volume24h', signals.volume24h, 'neutral', 'traded in 24 hours'),
    line(
      'observability',
      signals.observability,
      ['low', 'direct'].includes(signals.observability) ? 'taker' : 'neutral',
      'how far the deciding state can be watched',
    ),
    line('eventType', signals.eventType, 'neutral', 'what decides the market'),
    line(
      'asPrior',
      signals.asPrior,
      labelByCuts(signals.asPrior, params),
      'score expected before any trade, worth 50 prints',
    ),
    line(
      'sfEdgeCents',
      edge,
      edge !== null && Math.abs(edge) >= params.takerEdge ? 'taker' : 'neutral',
      'thesis price less market price',
    ),
    line('sfEdgeDirection', signals.sfEdgeDirection, 'neutral', 'side that the edge favours'),
  ]
}
