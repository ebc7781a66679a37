import type { WorldSnapshot } from '../../computed/context-engine.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { TOPICS } from '../../domain/topics/topic-rules.ts'
import { dispersionOf } from '../../domain/world/gauges/dispersion.ts'
import {
  dispersionRow,
  trailRow,
  trailStartRow,
} from '../../domain/world/markdown/operations-markdown.ts'
import { trailFrom, type GraphLink } from '../../domain/world/explain/trail.ts'
import { marketsIn } from '../../domain/world/world.ts'
import { refOf } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { RegionSnapshot } from './region-snapshot.ts'

/** Topics directly below a region. */
function topicsBelow({ region }: RegionSnapshot): readonly string[] {
  const last = region.steps.at(-1)
  if (last === undefined) return TOPICS
  return last.kind === 'group' ? last.topics : []
}

/** Dispersion of prices in a region. */
export function worldDispersion(regionSnapshot: RegionSnapshot, limit: number, urls: Urls) {
  const markets = marketsIn(regionSnapshot.worldSnapshot.world.markets, regionSnapshot.region)
  const dispersion = dispersionOf(
    markets,
    topicsBelow(regionSnapshot),
    limit,
    urls,
    regionSnapshot.worldSnapshot.world.pairs,
  )
  return { dispersion, rows: dispersion.groups.map(dispersionRow) }
}

const graphOf =
  (contextSnapshot: ContextSnapshot) =>
  (ticker: string): GraphLink[] =>
    (contextSnapshot.linksOf.get(ticker) ?? []).map(({ i, j, kind, confidence }) => ({
      to: i === ticker ? j : i,
      kind,
      confidence,
      lagSeconds: null,
    }))

/** Markets within two links of a market. */
export function worldTrail(
  { snapshot: contextSnapshot }: WorldSnapshot,
  from: MarketView,
  limit: number,
  urls: Urls,
) {
  const trailOfMarket = trailFrom(from.facts.ticker, graphOf(contextSnapshot), limit)
  const nodes = trailOfMarket.nodes.flatMap(({ ticker, hop, via }) => {
    const view = contextSnapshot.markets.get(ticker)?.view
    return view === undefined ? [] : [{ ...refOf(view, urls), hop, via }]
  })
  const relationTrail = {
    from: refOf(from, urls),
    maxHops: 2 as const,
    nodes,
    links: trailOfMarket.links,
  }
  const titles = new Map([relationTrail.from, ...nodes].map(({ ticker, title }) => [ticker, title]))
  const rows = nodes.map((node) => {
    const link = trailOfMarket.links.find(
      ({ from: start, to }) => start === node.via && to === node.ticker,
    )
    const viaTitle = titles.get(node.via) ?? node.via
    return trailRow({ ...node, link: link?.note ?? '', viaTitle })
  })
  return { trail: relationTrail, rows: [trailStartRow(relationTrail.from), ...rows] }
}
