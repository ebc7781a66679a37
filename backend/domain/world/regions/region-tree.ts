import type { Steps } from '../../cooperative-steps.ts'
import { TOPICS, type Topic } from '../../topics/topic-rules.ts'
import { largest } from '../top-rows.ts'
import { worldUrl, type Addresses } from '../links.ts'
import { isInRegion, regionOf, seriesSlug, type Region } from './region.ts'
import type { ScoredCandidate } from '../salient/salient.ts'
import { candidatesIn, type World } from '../world.ts'
import type { WorldMarket } from '../world-market.ts'

export const REGION_TREE_PARAMS = { series: 8, minOfSeries: 2, salient: 0.2 } as const

/** A region below another. */
export interface RegionNode {
  readonly name: string
  readonly label: string
  readonly displayName: string
  readonly url: string
  /** "147 markets". */
  readonly teaser: string
  readonly marketCount: number
  readonly salientCount: number
  readonly childRegions?: readonly RegionNode[]
}

/** Number of items of a region that reach the score for display. */
export const salientCount = (candidates: readonly ScoredCandidate[]): number =>
  candidates.filter(({ score }) => score >= REGION_TREE_PARAMS.salient).length

/**
 * Regions below a region that contain an active market, `depth` levels down: topics in tree order;
 * of a topic its eight most traded series with two or more markets. Undefined at depth 0.
 * @param markets those of the region itself
 */
export function* childRegions(
  world: World,
  region: Region,
  markets: readonly WorldMarket[],
  depth: number,
  addresses: Addresses,
): Steps<RegionNode[] | undefined> {
  if (depth <= 0) return undefined
  const nodes: RegionNode[] = []
  for (const name of namesBelow(region, markets)) {
    yield
    const child = regionOf([...region.path, name], world.series)
    const step = child?.steps.at(-1)
    if (child === null || step === undefined) continue
    const regionMarkets = markets.filter((market) =>
      isInRegion(market, { ...child, steps: [step] }),
    )
    if (regionMarkets.length === 0) continue
    const childNodes = yield* childRegions(world, child, regionMarkets, depth - 1, addresses)
    const count = regionMarkets.length
    nodes.push({
      name,
      label: child.label,
      displayName: child.label,
      url: worldUrl(addresses, child.path),
      teaser: `${count} ${count === 1 ? 'market' : 'markets'}`,
      marketCount: count,
      salientCount: salientCount(candidatesIn(world, child)),
      ...(childNodes === undefined ? {} : { childRegions: childNodes }),
    })
  }
  return nodes
}

function namesBelow(region: Region, markets: readonly WorldMarket[]): readonly string[] {
  const last = region.steps.at(-1)
  if (last === undefined) return TOPICS
  if (last.kind === 'group') return last.topics satisfies readonly Topic[]
  if (last.kind !== 'topic') return []
  const dollars = new Map<string, { markets: number; volume: number }>()
  for (const market of markets) {
    const slug = seriesSlug(market)
    if (slug === null || slug === '') continue
    const existing = dollars.get(slug) ?? { markets: 0, volume: 0 }
    existing.markets += 1
    existing.volume += market.volume24hUsd ?? 0
    dollars.set(slug, existing)
  }
  return largest(
    dollars,
    REGION_TREE_PARAMS.series,
    ([, sum]) => (sum.markets >= REGION_TREE_PARAMS.minOfSeries ? sum.volume : null),
    ([slug]) => slug,
  ).map(([slug]) => slug)
}
