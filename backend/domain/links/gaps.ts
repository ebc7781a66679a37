import { LIQUIDITY_WEIGHTS } from '../liquidity/liquidity.ts'
import type { LiquidityScore } from '../liquidity/liquidity.ts'
import { clamp, saturate } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import type { Cents } from '../units.ts'
import type { LinkKind } from './link-graph.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'

/** Windows over which a move and its response are measured, hours. */
export const GAP_WINDOWS = { '1h': 1, '6h': 6, '24h': 24, '3d': 72 } as const
export type GapWindow = keyof typeof GAP_WINDOWS

/** The move of j that is still expected after i moved; cents. */
export interface ResponseGap {
  readonly expected: number
  readonly gap: number
}

/**
 * Expected response of j and the gap to its actual move (methodology D4). Null when i moved by less
 * than 5 cents or an input is unknown.
 * @param moveI mark change of i over the window, cents
 * @param baselinePrice mark of j at the window's start
 */
export function responseGap(
  moveI: number | null,
  moveJ: number | null,
  baselinePrice: Cents | null,
  beta: number | null,
  params: LinkParams = LINK_PARAMS,
): ResponseGap | null {
  if (moveI === null || moveJ === null || baselinePrice === null || beta === null) return null
  if (Math.abs(moveI) < params.gap.trigger) return null
  const expectedMove = clamp(beta * moveI, 0 - baselinePrice, 100 - baselinePrice)
  return { expected: expectedMove, gap: expectedMove - moveJ }
}

/** Gap in units of j's usual noise over the window; null without a volatility. */
export const gapSignificance = (
  gap: number,
  volatility: number | null,
  hours: number,
  params: LinkParams = LINK_PARAMS,
): number | null =>
  volatility === null
    ? null
    : gap / (Math.max(volatility, params.gap.volatilityFloor) * Math.sqrt(hours))

/** State of one end of a link. */
export interface GapEnd {
  /** Mark change over the window, cents. */
  readonly move: number | null
  readonly liquidity: LiquidityScore
  /** Spread of a valid two-sided book, cents; null without one. */
  readonly spread: Cents | null
}

export interface GapReading {
  readonly trigger: GapEnd
  readonly lagging: GapEnd & {
    readonly before: Cents | null
    /** Cents per root hour over the seven days before the window. */
    readonly volatility: number | null
    /** Hours since its last trade or quote change. */
    readonly idleHours: number | null
  }
  readonly kind: LinkKind
  readonly confidence: number
  readonly beta: number | null
  readonly hours: number
}

export type GapRelation = 'cross_venue' | 'series_sibling' | 'theme' | 'correlated'

/** A gap that is served. */
export interface ServedGap {
  readonly expected: number
  /** Cents, signed, 2 decimals: the remaining expected move. */
  readonly gap: number
  readonly z: number
  readonly direction: 'lagging' | 'overshooting'
  /** 4 decimals. */
  readonly strength: number
  readonly relation: GapRelation
}

const RELATIONS: Readonly<Record<LinkKind, GapRelation>> = {
  cross_venue: 'cross_venue',
  same_event_exclusive: 'series_sibling',
  ladder: 'series_sibling',
  series_sibling: 'series_sibling',
  thematic: 'theme',
  lead_lag: 'correlated',
}

/**
 * Lagging when j moved too little in the expected direction; overshooting when too far or the
 * other way.
 */
export function gapDirection(expectedMove: number, move: number): ServedGap['direction'] | null {
  if (expectedMove === 0) return null
  const share = move / expectedMove
  return share >= 0 && share < 1 ? 'lagging' : 'overshooting'
}

/**
 * A served gap; null when it is too small, within noise, between books that are not both two-sided
 * and narrow, or of a market without activity for a day (methodology D5).
 */
export function servedGap(reading: GapReading, params: LinkParams = LINK_PARAMS): ServedGap | null {
  const { trigger, lagging, hours } = reading
  const { min, z: minZ, maxSpread, freshHours } = params.gap
  const responseGapOf = responseGap(
    trigger.move,
    lagging.move,
    lagging.before,
    reading.beta,
    params,
  )
  if (responseGapOf === null || Math.abs(responseGapOf.gap) < min) return null
  const z = gapSignificance(responseGapOf.gap, lagging.volatility, hours, params)
  const direction = gapDirection(responseGapOf.expected, lagging.move ?? 0)
  if (z === null || Math.abs(z) < minZ || direction === null) return null
  if (trigger.spread === null || lagging.spread === null) return null
  if (Math.max(trigger.spread, lagging.spread) > maxSpread) return null
  if (lagging.idleHours === null || lagging.idleHours > freshHours) return null
  const weight = Math.min(
    LIQUIDITY_WEIGHTS[trigger.liquidity],
    LIQUIDITY_WEIGHTS[lagging.liquidity],
  )
  return {
    expected: responseGapOf.expected,
    gap: roundTo(responseGapOf.gap, 2),
    z,
    direction,
    strength: roundTo(reading.confidence * weight * saturate(Math.abs(z) / 2), 4),
    relation: RELATIONS[reading.kind],
  }
}
