import type { LiquidityScore } from '../liquidity/liquidity.ts'
import type { Ticker } from '../market.ts'
import type { Cents } from '../units.ts'
import { servedGap } from './gaps.ts'
import type { ServedGap } from './gaps.ts'
import type { MarketLink } from './link-graph.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'
import { exclusiveBeta } from './response.ts'

/** Inputs of contagion for a market over one window. */
export interface ContagionMarket {
  /** Mark at the window's start. */
  readonly before: Cents | null
  /** Mark change over the window, cents. */
  readonly move: number | null
  readonly spread: Cents | null
  readonly liquidity: LiquidityScore
  readonly volatility: number | null
  readonly idleHours: number | null
}

/** One market that has not made the move expected after another. */
export interface ContagionGap extends ServedGap {
  readonly trigger: Ticker
  readonly lagging: Ticker
  readonly link: MarketLink
}

/** Inputs for a link graph at one instant. */
export interface ContagionReadings {
  readonly marketOf: (ticker: Ticker) => ContagionMarket | null
  /** Estimated response of `to` to `from` (D2); null uses the link's prior. */
  readonly betaOf: (link: MarketLink, from: Ticker, to: Ticker) => number | null
  readonly hours: number
}

const bySize = (a: ContagionGap, b: ContagionGap): number =>
  Math.abs(b.gap) - Math.abs(a.gap) || (a.trigger + a.lagging < b.trigger + b.lagging ? -1 : 1)

/** All served gaps of a graph, in both directions of each link, widest first (D4, D5). */
export function contagionGaps(
  links: readonly MarketLink[],
  readings: ContagionReadings,
  params: LinkParams = LINK_PARAMS,
): ContagionGap[] {
  const { marketOf, betaOf, hours } = readings
  const directedLinks = links.flatMap((link) => [
    { link, from: link.i, to: link.j },
    { link, from: link.j, to: link.i },
  ])
  return directedLinks
    .flatMap(({ link, from, to }): ContagionGap[] => {
      const [trigger, laggingMarket] = [marketOf(from), marketOf(to)]
      if (trigger === null || laggingMarket === null) return []
      const { kind, confidence } = link
      const isExclusive = kind === 'same_event_exclusive'
      const beta = !isExclusive
        ? (betaOf(link, from, to) ?? link.priorBeta)
        : trigger.before === null || laggingMarket.before === null
          ? null
          : exclusiveBeta(trigger.before, laggingMarket.before)
      const gap = servedGap(
        { trigger, lagging: laggingMarket, kind, confidence, beta, hours },
        params,
      )
      return gap === null ? [] : [{ ...gap, trigger: from, lagging: to, link }]
    })
    .sort(bySize)
}
