import type { LiquidityScore } from '../liquidity.ts'
import type { Ticker } from '../market.ts'
import type { Cents } from '../units.ts'
import { servedGap } from './gaps.ts'
import type { ServedGap } from './gaps.ts'
import type { MarketLink } from './link-graph.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'
import { exclusiveBeta } from './response.ts'

/** What contagion reads of a market over one window. */
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

/** One market that owes a move after another. */
export interface ContagionGap extends ServedGap {
  readonly trigger: Ticker
  readonly lagging: Ticker
  readonly link: MarketLink
}

/** The laggards of one market that moved, widest gap first. */
export interface ContagionBundle {
  readonly trigger: Ticker
  readonly laggards: readonly ContagionGap[]
}

/** What a graph is read with at one instant. */
export interface ContagionReadings {
  readonly marketOf: (ticker: Ticker) => ContagionMarket | null
  /** Estimated response of `to` to `from` (D2); null leaves the link's prior. */
  readonly betaOf: (link: MarketLink, from: Ticker, to: Ticker) => number | null
  readonly hours: number
}

const bySize = (a: ContagionGap, b: ContagionGap): number =>
  Math.abs(b.gap) - Math.abs(a.gap) || (a.trigger + a.lagging < b.trigger + b.lagging ? -1 : 1)

/** Every gap of a graph that is worth serving, in both directions of each link, widest first (D4, D5). */
export function contagionGaps(
  links: readonly MarketLink[],
  readings: ContagionReadings,
  params: LinkParams = LINK_PARAMS,
): ContagionGap[] {
  const { marketOf, betaOf, hours } = readings
  const directed = links.flatMap((link) => [
    { link, from: link.i, to: link.j },
    { link, from: link.j, to: link.i },
  ])
  return directed
    .flatMap(({ link, from, to }): ContagionGap[] => {
      const [trigger, lagging] = [marketOf(from), marketOf(to)]
      if (trigger === null || lagging === null) return []
      const { kind, confidence } = link
      const isExclusive = kind === 'same_event_exclusive'
      const beta = !isExclusive
        ? (betaOf(link, from, to) ?? link.priorBeta)
        : trigger.before === null || lagging.before === null
          ? null
          : exclusiveBeta(trigger.before, lagging.before)
      const served = servedGap({ trigger, lagging, kind, confidence, beta, hours }, params)
      return served === null ? [] : [{ ...served, trigger: from, lagging: to, link }]
    })
    .sort(bySize)
}

/** Gaps by the market that moved, in the order of their widest gap. */
export function contagionBundles(gaps: readonly ContagionGap[]): ContagionBundle[] {
  const bundles = new Map<Ticker, ContagionGap[]>()
  for (const gap of [...gaps].sort(bySize)) {
    const bundle = bundles.get(gap.trigger)
    if (bundle === undefined) bundles.set(gap.trigger, [gap])
    else bundle.push(gap)
  }
  return [...bundles].map(([trigger, laggards]) => ({ trigger, laggards }))
}
