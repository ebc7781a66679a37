import type { BookLevel } from '../market.ts'
import { contractsOf } from '../units.ts'
import type { Cents } from '../units.ts'

export type LiquidityScore = 'high' | 'medium' | 'low'

/** Weight of a market's liquidity in rankings. */
export const LIQUIDITY_WEIGHTS: Readonly<Record<LiquidityScore, number>> = {
  high: 1,
  medium: 0.7,
  low: 0.4,
}

/** Levels per side that count as depth; raw levels even where prices step by less than a cent. */
const DEPTH_LEVELS = 5

/**
 * Payout dollars in the best five levels of a side (one contract pays one dollar). Null for an
 * unknown book, 0 for an empty side of a known one.
 * @param levels best first
 */
export function depthUsd(levels: readonly BookLevel[] | null): number | null {
  if (levels === null) return null
  let depth = 0
  for (const level of levels.slice(0, DEPTH_LEVELS)) depth += level.size
  return contractsOf(depth as BookLevel['size'])
}

/** Inputs of the score; null is unknown. */
export interface LiquidityReading {
  /** Spread of the valid book, cents; null when a side is missing or there is no book. */
  readonly spread: Cents | null
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  readonly volume24hUsd: number | null
}

interface Threshold {
  readonly score: LiquidityScore
  readonly spread: number
  readonly depthUsd: number
  readonly volume24hUsd: number
}
const THRESHOLDS: readonly Threshold[] = [
  { score: 'high', spread: 3, depthUsd: 1_000, volume24hUsd: 10_000 },
  { score: 'medium', spread: 5, depthUsd: 200, volume24hUsd: 1_000 },
]

/**
 * High, medium or low by spread and the thinner side's depth; by spread and daily dollars when the
 * depth is unknown. Always low without a two-sided book. Methodology A2.
 */
export function liquidityScore(reading: LiquidityReading): LiquidityScore {
  const { spread, bidDepthUsd, askDepthUsd, volume24hUsd } = reading
  if (spread === null) return 'low'
  const thinner =
    bidDepthUsd === null || askDepthUsd === null ? null : Math.min(bidDepthUsd, askDepthUsd)
  const level = THRESHOLDS.find(
    (candidate) =>
      spread <= candidate.spread &&
      (thinner === null
        ? (volume24hUsd ?? 0) >= candidate.volume24hUsd
        : thinner >= candidate.depthUsd),
  )
  return level?.score ?? 'low'
}
