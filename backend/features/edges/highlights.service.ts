import { passes } from '../../computed/board/market-filter.ts'
import { worldAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { selectHighlights } from '../../domain/changes/highlights.ts'
import { priceMove24h } from '../../domain/world/world-market.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { inspectUrl } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { EdgesDeps } from './edges.deps.ts'
import { highlightCandidates } from './highlight-candidates.ts'
import type { Highlights, HighlightsQuery } from '../../contract/edges.ts'

/** The best candidates of each kind. Methodology F4. */
export function createHighlightService({ context, clock, urls }: EdgesDeps) {
  return {
    async highlights(query: HighlightsQuery): Promise<Highlights> {
      const { topic, category, limit } = query
      const now = clock.now()
      const asOf = notInFuture(query.asOf, now)
      const worldSnapshot = await worldAsOf(context, asOf)
      const at = isoOf(worldSnapshot?.world.at ?? asOf ?? now)
      const matchesFilter = passes({ topic, category, venue: null, words: null })
      const isRequested = (ticker: string): boolean => {
        if (topic === null && category === null) return true
        const market = worldSnapshot?.snapshot.markets.get(ticker)
        return market !== undefined && matchesFilter(market.view)
      }
      const candidates = worldSnapshot === null ? [] : highlightCandidates(worldSnapshot)
      const highlights = selectHighlights(candidates.filter(({ ticker }) => isRequested(ticker)))
        .slice(0, limit)
        .map(({ kind, market, summary }, rank) => ({
          rank,
          kind,
          summary,
          at,
          title: market.title,
          ticker: market.ticker,
          price: roundOrNull(market.price),
          delta24h: roundOrNull(priceMove24h(market)),
          url: inspectUrl(urls, market.ticker),
        }))
      return { highlights, count: highlights.length, generatedAt: at }
    },
  }
}
export type HighlightService = ReturnType<typeof createHighlightService>
