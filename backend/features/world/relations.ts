import type { WorldBucket } from '../../computed/context-engine.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import type { MarketView } from '../../computed/market-board.ts'
import { TOPICS } from '../../domain/topic-rules.ts'
import { dispersionOf } from '../../domain/world/dispersion.ts'
import { dispersionRow, trailRow } from '../../domain/world/operations-markdown.ts'
import { trailFrom, type GraphLink } from '../../domain/world/trail.ts'
import { marketsIn } from '../../domain/world/world.ts'
import { refOf } from '../../http/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Place } from './place.ts'

/** Topics right below a region. */
function topicsBelow({ region }: Place): readonly string[] {
  const last = region.steps.at(-1)
  if (last === undefined) return TOPICS
  return last.kind === 'group' ? last.topics : []
}

/** How far the prices of a region lie apart. */
export function worldDispersion(place: Place, limit: number, urls: Urls) {
  const markets = marketsIn(place.bucket.world.markets, place.region)
  const dispersion = dispersionOf(markets, topicsBelow(place), limit, urls)
  return { dispersion, rows: dispersion.groups.map(dispersionRow) }
}

const graphOf =
  (grid: Grid) =>
  (ticker: string): GraphLink[] =>
    (grid.linksOf.get(ticker) ?? []).map(({ i, j, kind, confidence }) => ({
      to: i === ticker ? j : i,
      kind,
      confidence,
      lagSeconds: null,
    }))

/** Markets within two links of one. */
export function worldTrail({ grid }: WorldBucket, from: MarketView, limit: number, urls: Urls) {
  const found = trailFrom(from.facts.ticker, graphOf(grid), limit)
  const nodes = found.nodes.flatMap(({ ticker, hop, via }) => {
    const view = grid.markets.get(ticker)?.view
    return view === undefined ? [] : [{ ...refOf(view, urls), hop, via }]
  })
  const trail = { from: refOf(from, urls), maxHops: 2 as const, nodes, links: found.links }
  return { trail, rows: nodes.map(trailRow) }
}
